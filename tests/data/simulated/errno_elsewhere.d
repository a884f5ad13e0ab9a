#pragma D option quiet

syscall::read:return
{
	printf("returns %d\n", errno);
}

syscall::getpid:entry,
sched:::off-cpu
{
	printf("%s %d\n", probename, errno);
}

BEGIN,
END
{
	printf("%s %d\n", probename, errno);
}
@@fire syscall::getpid:entry tid=7
@@fire syscall::read:return tid=7 ret=-9
@@fire syscall::getpid:entry tid=7
@@fire sched:::off-cpu tid=7
@@fire sched:::off-cpu tid=8
@@fire syscall::read:return tid=7 ret=4
@@fire syscall::getpid:entry tid=7
@@expect
BEGIN 0
entry 0
returns 9
entry 0
off-cpu 9
off-cpu 0
returns 0
entry 0
END 0

