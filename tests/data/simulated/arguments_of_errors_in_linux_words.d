/* What ERROR is told of a fault: the probe, the clause, the fault and the address, as DTrace for Linux tells it. */
#pragma D option quiet

ERROR
{
	printf("%d %d %d %d\n", arg1, arg2, arg4, arg5);
}

BEGIN
{
	i = 1;
}

BEGIN
{
	i = 2;
	trace(*(int *)0x4000);
}
@@dialect dtrace-for-linux
@@expect
1 2 1 16384

