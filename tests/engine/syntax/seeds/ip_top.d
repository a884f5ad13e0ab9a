#!/usr/sbin/dtrace -s

#pragma D option quiet

dtrace:::BEGIN {
    ts = timestamp;
}
ip:::send {
    @[args[2]->ip_daddr, probename] =
        sum(args[2]->ip_plength);
}
ip:::receive {
    @[args[2]->ip_saddr, probename] =
        sum(args[2]->ip_plength);
}
/*
 * print top-n
 * normalized to bytes per second
 */
tick-$1 {
    trunc(@, $2);
    normalize(@, (timestamp-ts) / 1000000000);
    printf("\n%Y\n", walltimestamp);
    printa("%-15s %-10s %@15d\n", @);
    ts = timestamp;
    trunc(@);          /* start from scratch */
}
