// plugins FIRST SECOND ROUNDS MS: loads one library and unloads it, then the other, which the linker puts in the same place. Each
// has work(MS), which is called by throughFirst() or throughSecond().
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
typedef unsigned (*work_t)(int);
static volatile unsigned sum;
__attribute__((noinline, noipa)) void throughFirst(work_t work, int ms) { sum += work(ms); }
__attribute__((noinline, noipa)) void throughSecond(work_t work, int ms) { sum += work(ms); }
int main(int argc, char **argv)
{
	if (argc != 5)
		return 2;
	void *places[2] = {0, 0};
	for (int i = 0; i < 2 * atoi(argv[3]); i++) {
		void *library = dlopen(argv[1 + i % 2], RTLD_NOW);
		work_t work = library ? (work_t)dlsym(library, i % 2 ? "second" : "first") : 0;
		if (!work)
			return 1;
		places[i % 2] = (void *)work;
		(i % 2 ? throughSecond : throughFirst)(work, atoi(argv[4]));
		dlclose(library);
	}
	printf("%s\n", places[0] == places[1] ? "same place" : "different places");
	return 0;
}
