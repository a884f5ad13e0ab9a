/* ++ and -- before and after, and every compound assignment. */
#pragma D option quiet

int n;

BEGIN
{
	n = 10;
	printf("%d %d %d\n", n++, ++n, n);
	printf("%d %d %d\n", n--, --n, n);
	n += 5; printf("%d ", n);
	n -= 3; printf("%d ", n);
	n *= 4; printf("%d ", n);
	n /= 5; printf("%d ", n);
	n %= 5; printf("%d ", n);
	n <<= 3; printf("%d ", n);
	n >>= 1; printf("%d ", n);
	n |= 3; printf("%d ", n);
	n &= 10; printf("%d ", n);
	n ^= 7; printf("%d\n", n);
}
@@expect
10 12 12
12 10 10
15 12 48 9 4 32 16 19 2 5

