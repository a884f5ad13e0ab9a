#!/usr/sbin/dtrace -s
/* uses the 'pid' Provider to print call stacks */
#pragma D option quiet
pid$target:$1:$2:entry
{
    printf("%s:%s:%s", probeprov, probemod, probefunc);
    ustack();
}
