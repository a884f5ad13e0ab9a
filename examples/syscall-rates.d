/*
 * Which process makes which system calls, how many a second? The ten busiest, every five seconds.
 *
 *   dscope -s examples/syscall-rates.d
 */
#pragma D option quiet

BEGIN
{
	timer = timestamp;
}

syscall:::entry
{
	@c[pid, execname, probefunc] = count();
}

tick-5s
{
	trunc(@c, 10);
	normalize(@c, (timestamp - timer) / 1000000000);
	printa("%5d %-20s %6@d %s\n", @c);
	clear(@c);
	printf("\n");
	timer = timestamp;
}
