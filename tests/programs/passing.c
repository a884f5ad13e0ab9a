// Functions that take and give more than whole numbers and addresses, and print what they took. Built with debug information.
#include <stdio.h>
struct point { int x, y; };
struct big { long a, b, c; char name[16]; };
struct mixed { double d; long n; };
struct longer { long double l; };
enum colour { RED = 3, GREEN = -2 };
#define TAKES __attribute__((noinline, noclone)) void
TAKES take_double(double d, int n, float f) { printf("take_double %d\n", n); asm volatile("" ::: "memory"); }
TAKES two_words(struct point p, struct mixed m, unsigned char c, struct point *q)
{
	printf("two_words %d %d,%d\n", c, q->x, q->y);
	asm volatile("" ::: "memory");
}
TAKES on_stack(int a, long b, char c, short d, int e, int f, short g, unsigned char h, enum colour i, const char *j)
{
	printf("on_stack %d %d %d %d %s\n", a, g, h, i, j);
	asm volatile("" ::: "memory");
}
TAKES whole(struct big s, int n, struct longer l, struct big t)
{
	printf("whole %ld %s %d %ld %s\n", s.c, s.name, n, t.b, t.name);
	asm volatile("" ::: "memory");
}
__attribute__((noinline, noclone)) struct big gives(int n, double d)
{
	struct big made = { n, n + 1, n + 2, "made" };
	printf("gives %d\n", n);
	asm volatile("" ::: "memory");
	return made;
}
int main(void)
{
	struct point p = { 1, 2 }, q = { -3, 4 };
	struct big s = { 5, 6, -7, "first" }, t = { 8, 9, 10, "second" };
	take_double(78.5, 8, 7.5f);
	two_words(p, (struct mixed){ 1.5, 2 }, 200, &q);
	on_stack(-1, 2, 3, 4, 5, 6, -7, 250, GREEN, "text");
	whole(s, -11, (struct longer){ 12 }, t);
	return gives(20, 0.5).c != 22;
}
