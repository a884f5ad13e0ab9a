/* What ERROR is told of a fault: the enabled probe, the action, the fault and the address, as Solaris has it. */
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
@@expect
3 2 1 16384

@@messages
dtrace: error on enabled probe ID 3 (ID 1: dtrace:::BEGIN): invalid address (0x4000) in action #2
