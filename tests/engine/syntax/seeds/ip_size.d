#!/usr/sbin/dtrace -s

#pragma D option quiet

ip:::send
{
    @size_aggr[args[2]->ip_daddr, execname] =
        quantize(args[2]->ip_plength);
}
