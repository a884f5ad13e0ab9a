// late_marks LIBRARY FUNCTION MS ARGUMENT...: loads a library when it has run for so long, and calls a main() of it.
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
int main(int argc, char **argv)
{
	if (argc < 4)
		return 2;
	const long ms = atol(argv[3]);
	const struct timespec while_ = { ms / 1000, ms % 1000 * 1000000 };
	nanosleep(&while_, NULL);
	void *library = dlopen(argv[1], RTLD_NOW);
	int (*called)(int, char **) = library ? (int (*)(int, char **))dlsym(library, argv[2]) : NULL;
	if (!called) {
		fprintf(stderr, "late_marks: %s\n", dlerror());
		return 1;
	}
	return called(argc - 3, argv + 3);
}
