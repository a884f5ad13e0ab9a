// System calls as 32-bit programs make them, from a 64-bit one: getpid() and close(12345) ROUNDS times, with rubbish in the upper
// halves of the registers, which do not count. Prints how many were answered as they should be. compat_calls ROUNDS
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static long compat(long number, long first)
{
	long result;
	__asm__ volatile("int $0x80" : "=a"(result) : "a"(number), "b"(first) : "memory");
	return result;
}
int main(int argc, char **argv)
{
	const long rubbish = 0x5a5a5a5a00000000;
	int answered = 0;
	for (int i = argc > 1 ? atoi(argv[1]) : 1; i > 0; i--) {
		answered += compat(20, 0) == getpid();
		answered += (int)compat(6, rubbish | 12345) == -9; // EBADF
	}
	printf("answered %d\n", answered);
	return 0;
}
