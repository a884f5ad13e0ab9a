/* A speculation holds specsize bytes of records; what does not fit is lost, what fits is kept. */
#pragma D option quiet
#pragma D option specsize=60

BEGIN
{
	s = speculation();
}

syscall::read:entry
{
	speculate(s);
	printf("%d\n", arg0);
}

syscall::write:entry
{
	commit(s);
}
@@fire syscall::read:entry arg0=1
@@fire syscall::read:entry arg0=2
@@fire syscall::read:entry arg0=3
@@fire syscall::write:entry
@@expect
1
2

