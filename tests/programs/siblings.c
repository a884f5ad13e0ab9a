/* Children that begin as copies of a parent which asks for nothing itself, and ask N times each: siblings CHILDREN N. */
#include <stdlib.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

static __attribute__((noipa)) int ask(int times)
{
	int sum = 0;
	while (times-- > 0)
		sum += (int)syscall(SYS_getppid);
	return sum;
}
static __attribute__((noipa)) int child(int times)
{
	return ask(times) + 1;
}
int main(int argc, char **argv)
{
	int children = argc > 1 ? atoi(argv[1]) : 200, times = argc > 2 ? atoi(argv[2]) : 50;
	for (int i = 0; i < children; i++) {
		if (fork() == 0)
			_exit(child(times) & 1);
		while (i % 8 == 7 && wait(NULL) > 0)
			;
	}
	while (wait(NULL) > 0)
		;
	return 0;
}
