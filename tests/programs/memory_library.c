// Loads a library out of memory, as one that makes its probes at run time does (libstapsdt), and hands its other words to a function of
// it: memory_library LIBRARY FUNCTION [WORD...]
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/sendfile.h>
#include <sys/stat.h>
#include <unistd.h>
int main(int argc, char **argv)
{
	if (argc < 3) return 2;
	const int file = open(argv[1], O_RDONLY | O_CLOEXEC), memory = memfd_create("made", MFD_CLOEXEC);
	struct stat facts;
	if (file < 0 || memory < 0 || fstat(file, &facts) != 0) return 3;
	for (off_t at = 0; at < facts.st_size;)
		if (sendfile(memory, file, &at, (size_t)(facts.st_size - at)) <= 0) return 3;
	close(file);
	unlink(argv[1]);
	char path[64];
	snprintf(path, sizeof path, "/proc/self/fd/%d", memory);
	void *library = dlopen(path, RTLD_NOW);
	int (*function)(int, char **) = library ? (int (*)(int, char **))dlsym(library, argv[2]) : NULL;
	if (!function) {
		fprintf(stderr, "memory_library: %s\n", dlerror());
		return 1;
	}
	return function(argc - 2, argv + 2);
}
