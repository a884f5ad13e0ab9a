// Loads the mathematics library, calls its cbrt() at once, unloads it and takes its place, so that it comes back elsewhere.
// late_root TIMES
#define _GNU_SOURCE
#include <dlfcn.h>
#include <link.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
int main(int argc, char **argv)
{
	double sum = 0;
	for (int i = argc > 1 ? atoi(argv[1]) : 1; i > 0; i--) {
		void *library = dlopen("libm.so.6", RTLD_NOW);
		double (*root)(double) = library ? (double (*)(double))dlsym(library, "cbrt") : NULL;
		if (!root) return 1;
		sum += root(27.0);
		const struct link_map *map = NULL;
		if (dlinfo(library, RTLD_DI_LINKMAP, &map) != 0) return 1;
		void *place = (void *)map->l_addr;
		dlclose(library);
		if (mmap(place, 4096, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0) != place) return 1;
	}
	printf("sum %d\n", (int)(sum + 0.5));
	return 0;
}
