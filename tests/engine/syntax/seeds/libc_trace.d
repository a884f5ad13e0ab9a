#!/usr/sbin/dtrace -s
/* uses the 'pid' Provider to trace libc functions */
pid$target:libc.so::entry,
pid$target:libc.so::return
{
    /* use "automatic printing" feature */
}
