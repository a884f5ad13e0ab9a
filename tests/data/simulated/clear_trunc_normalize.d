/* Each acts when it is reached; clear keeps the keys, trunc(@, n) the largest, trunc(@, -n) the smallest. */
#pragma D option quiet

syscall::write:entry
{
	@cleared[execname] = count();
	@largest[execname] = sum(arg2);
	@smallest[execname] = sum(arg2);
	@gone[execname] = count();
	@divided[execname] = sum(arg2);
}

END
{
	clear(@cleared);
	printa("cleared %s %@d\n", @cleared);
	trunc(@largest, 2);
	printa("largest %s %@d\n", @largest);
	trunc(@smallest, -1);
	printa("smallest %s %@d\n", @smallest);
	trunc(@gone);
	printa("gone %s %@d\n", @gone);
	normalize(@divided, 10);
	printa("divided %s %@d\n", @divided);
	denormalize(@divided);
	printa("whole %s %@d\n", @divided);
	normalize(@divided, 2);
}
@@fire syscall::write:entry execname=cat pid=1 arg2=10 cpu=0
@@fire syscall::write:entry execname=cat pid=1 arg2=20 cpu=1
@@fire syscall::write:entry execname=dog pid=2 arg2=1000 cpu=2
@@fire syscall::write:entry execname=dog pid=3 arg2=1 cpu=3
@@fire syscall::write:entry execname=ant pid=4 arg2=7 cpu=0
@@fire syscall::write:entry execname=dog pid=2 arg2=3 cpu=0
@@expect
cleared ant 0
cleared cat 0
cleared dog 0
largest cat 30
largest dog 1004
smallest ant 7
divided ant 0
divided cat 3
divided dog 100
whole ant 7
whole cat 30
whole dog 1004

