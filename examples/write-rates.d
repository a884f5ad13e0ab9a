/*
 * How much does each program write, second by second?
 *
 *   dscope -s examples/write-rates.d -c 'tar cf /tmp/doc.tar /usr/share/doc' --export series=write-rates.svg
 */
#pragma D option quiet

syscall::write:entry,
syscall::pwrite64:entry
{
	@bytes[execname] = sum(arg2);
}

tick-1s
{
	printf("%Y\n", walltimestamp);
	printa("%-20s %@d\n", @bytes);
	clear(@bytes);
}
