// Three quarters of the work in one call chain, one quarter in another; no frame pointers. two_chains SECONDS
#include <stdint.h>
#include <stdlib.h>
#include <time.h>
#define NOINLINE __attribute__((noinline, noipa))
static volatile uint64_t sink;
static NOINLINE uint64_t unit_of_work(uint64_t x)
{
	for (int i = 0; i < 20000; i++)
		x = x * 6364136223846793005u + 1442695040888963407u;
	return x;
}
#define LINK(name, next) static NOINLINE uint64_t name(uint64_t x) { return next(x) + 1; }
static NOINLINE uint64_t wide_leaf(uint64_t x) { return unit_of_work(unit_of_work(unit_of_work(x))) + 1; }
static NOINLINE uint64_t narrow_leaf(uint64_t x) { return unit_of_work(x) + 1; }
LINK(wide_c, wide_leaf)
LINK(wide_b, wide_c)
LINK(wide_a, wide_b)
LINK(narrow_b, narrow_leaf)
LINK(narrow_a, narrow_b)
int main(int argc, char **argv)
{
	clock_t end = clock() + (clock_t)((argc > 1 ? atof(argv[1]) : 1) * CLOCKS_PER_SEC);
	uint64_t x = 1;
	while (clock() < end) {
		for (int i = 0; i < 50; i++) {
			x = wide_a(x);
			x = narrow_a(x);
		}
		sink = x;
	}
	return 0;
}
