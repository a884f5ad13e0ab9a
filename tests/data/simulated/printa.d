/* An aggregation that was printed is not printed again at the end. */
#pragma D option quiet

syscall::write:entry
{
	@calls[execname] = count();
	@bytes[execname] = sum(arg2);
	@left = count();
	@when = max(1000000000 * 1000000000);
}

END
{
	printa(@calls);
	printa("%-6s %@5d calls\n", @calls);
	printa("%s: %@d calls, %@d bytes\n", @calls, @bytes);
	printa("%@Y, %@T\n", @when, @when);
}
@@fire syscall::write:entry execname=cat pid=1 arg2=10 cpu=0
@@fire syscall::write:entry execname=cat pid=1 arg2=20 cpu=1
@@fire syscall::write:entry execname=dog pid=2 arg2=1000 cpu=2
@@fire syscall::write:entry execname=dog pid=3 arg2=1 cpu=3
@@fire syscall::write:entry execname=ant pid=4 arg2=7 cpu=0
@@fire syscall::write:entry execname=dog pid=2 arg2=3 cpu=0
@@expect

  ant                                                               1
  cat                                                               2
  dog                                                               3
ant        1 calls
cat        2 calls
dog        3 calls
ant: 1 calls, 7 bytes
cat: 2 calls, 30 bytes
dog: 3 calls, 1004 bytes
2001 Sep  9 01:46:40, Sun, 09 Sep 2001 01:46:40 UTC

                6
