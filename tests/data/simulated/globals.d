/* Globals are one for all CPUs and threads, and begin as 0 and as no text. */
#pragma D option quiet

uint64_t total;
string last;

BEGIN
{
	printf("%d [%s]\n", total, last);
}

syscall::write:entry
{
	total += arg2;
	last = execname;
}

END
{
	printf("%d [%s]\n", total, last);
}
@@fire syscall::write:entry arg2=10 cpu=0 execname=one
@@fire syscall::write:entry arg2=20 cpu=1 execname=two pid=5
@@fire syscall::write:entry arg2=5000000000 cpu=2 execname=three pid=6
@@expect
0 []
5000000030 [three]

