/*
 * Which clients have the most traffic, in bytes a second? Arguments: how often to tell, of how many.
 *
 *   dscope -s examples/ip-top.d 2s 5
 */
#pragma D option quiet

dtrace:::BEGIN
{
	ts = timestamp;
}

ip:::send
{
	@traffic[args[2]->ip_daddr, probename] = sum(args[2]->ip_plength);
}

ip:::receive
{
	@traffic[args[2]->ip_saddr, probename] = sum(args[2]->ip_plength);
}

tick-$1
{
	trunc(@traffic, $2);
	normalize(@traffic, (timestamp - ts) / 1000000000);
	printf("\n%Y\n", walltimestamp);
	printa("%-15s %-10s %@15d\n", @traffic);
	ts = timestamp;
	trunc(@traffic);
}
