/*
 * How large are the packets that each program sends to each host?
 *
 *   dscope -s examples/ip-sizes.d --export histogram=ip-sizes.svg
 */
ip:::send
{
	@c[args[2]->ip_daddr, execname] = quantize(args[2]->ip_plength);
}
