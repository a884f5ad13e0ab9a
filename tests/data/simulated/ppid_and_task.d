#pragma D option quiet

syscall::read:entry
{
	printf("%d %d\n", pid, ppid);
}
@@needs kernel-types
@@fire syscall::read:entry pid=30 ppid=20
@@expect
30 20

