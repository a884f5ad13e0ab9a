// Loads the mathematics library, calls its cbrt() at once, unloads it. late_root TIMES
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
int main(int argc, char **argv)
{
	double sum = 0;
	for (int i = argc > 1 ? atoi(argv[1]) : 1; i > 0; i--) {
		void *library = dlopen("libm.so.6", RTLD_NOW);
		double (*root)(double) = library ? (double (*)(double))dlsym(library, "cbrt") : NULL;
		if (!root) return 1;
		sum += root(27.0);
		dlclose(library);
	}
	printf("sum %d\n", (int)(sum + 0.5));
	return 0;
}
