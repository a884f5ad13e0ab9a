/* What scripts on the web do: print and begin anew at every tick. */
#pragma D option quiet

syscall:::entry
{
	@[probefunc] = count();
}

profile:::tick-1s
{
	printf("%d:\n", timestamp / 1000000000);
	printa("%10s %@d\n", @);
	clear(@);
}

profile:::tick-5s
{
	trunc(@);
}
@@fire syscall::read:entry cpu=0
@@fire syscall::read:entry cpu=1
@@fire syscall::write:entry cpu=1
@@advance 1s
@@fire profile:::tick-1s
@@fire syscall::read:entry cpu=1
@@advance 1s
@@fire profile:::tick-1s
@@fire profile:::tick-5s
@@fire syscall::write:entry cpu=3
@@advance 1s
@@fire profile:::tick-1s
@@expect
2:
     write 1
      read 2
3:
     write 0
      read 1
4:
     write 1

