/* What alloca() gave is the clause's: nothing before it, nothing behind it, and nothing of it in the next clause. */
#pragma D option quiet

BEGIN
{
	p = (char *)alloca(10);
	p[0] = 'a';
	p[9] = 'z';
	printf("%c%c\n", p[0], p[9]);
}

BEGIN
{
	q = (char *)alloca(4);
	printf("%d\n", p == q);
}

BEGIN
{
	trace(p[0]);
}

BEGIN
{
	q = (char *)alloca(4);
	trace(q[-1]);
}

BEGIN
{
	q = (char *)alloca(4);
	trace(q[4]);
}

BEGIN
{
	q = (char *)alloca(4);
	bcopy("abcdefgh", q, 5);
}

BEGIN
{
	q = (char *)alloca(4);
	r = (char *)alloca(4);
	bcopy(q, r, 16);
}

BEGIN
/(p = (char *)alloca(4)) != 0/
{
	p[3] = 'c';
	printf("%c\n", p[3]);
}

ERROR
{
	printf("fault %d\n", arg4);
}
@@expect
az
1
fault 1
fault 1
fault 1
fault 10
fault 10
c

