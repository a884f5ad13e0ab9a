// Loads a zlib when it has run for a while, and works in its crc32() until the time is over. late_library LIBRARY SECONDS
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>
#define NOINLINE __attribute__((noinline, noipa))
typedef unsigned long Crc32(unsigned long, const unsigned char *, unsigned);
static volatile unsigned long sink;
static NOINLINE unsigned long through_the_library(Crc32 *crc32)
{
	static unsigned char bytes[1 << 16];
	return crc32(0, bytes, sizeof bytes) + 1;
}
int main(int argc, char **argv)
{
	if (argc != 3) return 2;
	for (clock_t end = clock() + CLOCKS_PER_SEC / 5; clock() < end;)
		sink++;
	void *library = dlopen(argv[1], RTLD_NOW);
	Crc32 *crc32 = library ? (Crc32 *)dlsym(library, "crc32") : NULL;
	if (!crc32) {
		fprintf(stderr, "late_library: %s\n", dlerror());
		return 1;
	}
	unlink(argv[1]);
	for (clock_t end = clock() + (clock_t)(atof(argv[2]) * CLOCKS_PER_SEC); clock() < end;)
		sink = through_the_library(crc32);
	return 0;
}
