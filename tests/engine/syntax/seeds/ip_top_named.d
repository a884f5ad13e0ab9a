#!/usr/sbin/dtrace -s

#pragma D option quiet

dtrace:::BEGIN {
    ts = timestamp;
}
ip:::send {
    @traffic[args[2]->ip_daddr, probename] =
        sum(args[2]->ip_plength);
}
ip:::receive {
    @traffic[args[2]->ip_saddr, probename] =
        sum(args[2]->ip_plength);
}
/* print top-n
 * normalized to bytes per second
 */
tick-$1 {

    /* limit output to top-n values */
    trunc(@traffic, $2);

    /* normalize to bytes per second and print data */
    normalize(@traffic, (timestamp-ts) / 1000000000);
    printf("\n%Y\n", walltimestamp);
    printa("%-15s %-10s %@15d\n", @traffic);

    /* start from scratch */
    ts = timestamp;
    trunc(@traffic);
}
