/* What nobody declares has 64 bits, and the widest type that the program gives it anywhere: no value is cut. */
#pragma D option quiet

BEGIN
{
	start = 0;
	self->start = 0;
	started[0] = 0;
	n = 0;
	this->m = 0;
	sum = 0;
	printf("%d %d %d\n", sizeof (start), sizeof (n), sizeof (this->m));
}

syscall::read:entry
{
	start = timestamp;
	self->start = timestamp;
	started[tid] = timestamp;
	this->m = 0;
	this->m += 2147483647;
	this->m += 2147483647;
	this->m += 2147483647;
	n += 2147483647;
	n++;
	sum = sum + n;
	sum = sum + n;
	printf("%d %d %d %x\n", this->m, n, sum, n);
}

syscall::read:return
{
	printf("%d %d %d\n", timestamp - start, timestamp - self->start, timestamp - started[tid]);
	printf("%d %d\n", start > 999999999, (int)n);
	self->start = 0;
	started[tid] = 0;
}

/* A variable that is declared is what it is declared as. */
int d;
syscall::read:return
{
	d = 0;
	d += 2147483647;
	d++;
	printf("%d %x\n", d, d);
}

/* Whatever it is called, it is shown in columns of its type, and beyond them where it has to. */
syscall::write:entry
{
	x = -1;
	printf("[%d] [%x] [%u] [%5d] [%-4d]\n", x, x, x, x, x);
	x = 2147483647;
	x++;
	printf("[%d] [%x] [%u] [%5d] [%o]\n", x, x, x, x, x);
	@byX[x] = count();
	@byY[1] = count();
	y = x * 4;
	z = y / 2;
	printf("%d %d %d %d %d\n", y, z, y > z, -y, y == 8589934592);
	@byY[y] = count();
	u = uid;
	u--;
	printf("%d\n", u);
	seen[y] = 1;
	printf("%d %d\n", seen[y], seen[0]);
}
@@fire syscall::read:entry
@@advance 7us
@@fire syscall::read:return
@@fire syscall::write:entry uid=0
@@expect
8 4 4
6442450941 2147483648 4294967296 80000000
7000 7000 7000
1 -2147483648
-2147483648 80000000
[-1] [ffffffff] [4294967295] [   -1] [-1  ]
[2147483648] [80000000] [2147483648] [2147483648] [20000000000]
8589934592 4294967296 1 -8589934592 1
4294967295
1 0

 2147483648                1
        1                1
 8589934592                1
