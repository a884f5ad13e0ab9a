// Functions that are called a known number of times, with known arguments and results. calls ROUNDS
#include <stdio.h>
#include <stdlib.h>
#define NOINLINE __attribute__((noinline, noipa))

static unsigned long counted_leaf, sum_of_tenth;

/// Two ways out.
NOINLINE int leaf(int n)
{
	counted_leaf++;
	if (n & 1) {
		__asm__ volatile("");
		return n * 3;
	}
	return n + 7;
}
NOINLINE long ten(long a, long b, long c, long d, long e, long f, long g, long h, long i, long j)
{
	sum_of_tenth += (unsigned long)j;
	return a + b + c + d + e + f + g + h + i + j;
}
/// Called by itself, as often as the compiler leaves it: only that all calls return is known.
NOINLINE int recursive(int n)
{
	return n < 2 ? n : recursive(n - 1) + recursive(n - 2);
}
/// Leaves by a jump to leaf().
NOINLINE int in_tail_position(int n) { return leaf(n + 1); }
/// A jump by table in the middle.
NOINLINE int by_table(int n)
{
	switch (n % 8) {
	case 0: return leaf(1);
	case 1: puts(""); return 2;
	case 2: return rand() & 0;
	case 3: return 11 + leaf(2);
	case 4: return 13;
	case 5: return getenv("HOME") ? 1 : 1;
	case 6: return 17;
	default: return leaf(8) + 1;
	}
}
NOINLINE const char *text(const char *s) { return s; }

int main(int argc, char **argv)
{
	const int rounds = argc > 1 ? atoi(argv[1]) : 10;
	long sum = 0;
	for (int i = 0; i < rounds; i++) {
		sum += leaf(i);
		sum += ten(1, 2, 3, 4, 5, 6, 7, 8, 9, i);
		sum += recursive(5);
		sum += in_tail_position(i);
		sum += (i % 8) == 1 ? 0 : by_table(i);
	}
	printf("%s leaf %lu tenth %lu sum %ld\n", text("counts:"), counted_leaf, sum_of_tenth, sum);
	return 0;
}
