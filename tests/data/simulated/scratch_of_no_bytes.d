#pragma D option quiet

/* alloca(0) gives no bytes, but where they would be: a later alloca() begins there. */
BEGIN
{
	s = alloca(0);
	printf("<%s>", stringof((char *)s));
	p = alloca(10);
	bcopy("words", p, 6);
	printf(" <%s> %d", stringof((char *)s), p == s);
}

BEGIN
{
	q = alloca(5);
	none = alloca(0);
	last = alloca(3);
	printf(" %d %d\n", none == last, (uint64_t)none - (uint64_t)q);
	exit(0);
}
@@expect
<> <words> 1 1 8

@@messages
