/* A member of what is not there: the pointer is told, not where the member would have been. An element: its address. */
#pragma D option quiet

struct pair {
	int first;
	int second;
};

syscall::read:entry
{
	trace(((struct pair *)NULL)->second);
}

syscall::read:entry
{
	trace(((int *)NULL)[3]);
}

syscall::read:entry
{
	trace(((struct pair *)16)->second);
}

ERROR
{
	printf("error %d at %d\n", arg4, arg5);
}
@@fire syscall::read:entry
@@expect
error 1 at 0
error 1 at 12
error 1 at 20

