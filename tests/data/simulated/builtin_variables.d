#pragma D option quiet

syscall::mmap:entry
{
	printf("%d %d %d %d %s %d\n", pid, tid, uid, gid, execname, cpu);
	printf("%s:%s:%s:%s\n", probeprov, probemod, probefunc, probename);
	printf("%d %d %d %x %d %d\n", arg0, arg1, arg2, arg3, arg4, arg5);
}

syscall::read:return
{
	printf("%d %d %d\n", arg0, arg1, errno);
}

BEGIN
{
	printf("%d %d %Y\n", timestamp, id, walltimestamp);
}
@@fire syscall::mmap:entry pid=12 tid=13 uid=1001 gid=101 execname=fifteen-letters cpu=3 arg0=1 arg1=2 arg2=3 arg3=0xffff800000000000 arg4=-5 arg5=6
@@fire syscall::read:return ret=17
@@fire syscall::read:return ret=-13
@@expect
1000000000 1 2001 Sep  9 01:46:41
12 13 1001 101 fifteen-letters 3
syscall:vmlinux:mmap:entry
1 2 3 ffff800000000000 -5 6
17 17 0
-13 -13 13

