/* The clause ends there; tracing goes on. */
#pragma D option quiet

int zero;

BEGIN
{
	printf("before\n");
}

BEGIN
{
	trace(1 / zero);
	trace("not reached\n");
}

BEGIN
{
	printf("after\n");
}
@@expect
before
after

@@messages
dtrace: error on enabled probe ID 2 (ID 1: dtrace:::BEGIN): divide-by-zero in action #1
