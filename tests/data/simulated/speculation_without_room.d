/* A clause that can't fit ends at speculate(); what no longer fits is lost when it is recorded. */
#pragma D option quiet
#pragma D option specsize=40

BEGIN
{
	s = speculation();
	i = 1;
	printf("%d %d\n", s, speculation());
}

BEGIN
{
	speculate(s);
	printf("%lld %lld %lld %lld\n", 1LL, 2LL, 3LL, 4LL);
	i = 2;
}

BEGIN
{
	speculate(s);
	printf("first\n");
}

BEGIN
{
	speculate(s);
	printf("%d\n", i);
}

BEGIN
{
	speculate(s);
	printf("third %d\n", i);
}

BEGIN
{
	speculate(0);
	printf("nowhere\n");
}

BEGIN
{
	commit(s);
}

BEGIN
{
	commit(s);
	discard(s);
}

BEGIN
{
	speculate(s);
	printf("too late\n");
}

BEGIN
{
	printf("%d\n", speculation());
	exit(0);
}
@@expect
1 0
first
1
1

@@messages
dtrace: 1 speculative drop
dtrace: 1 speculative drop
dtrace: 1 failed speculation (no speculative buffer available)
