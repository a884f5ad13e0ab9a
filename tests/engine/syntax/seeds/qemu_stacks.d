#!/usr/sbin/dtrace -s

/* print call stack statistics for "qemu-dm"
 * for the lseek() and write() system calls
 */

#pragma D option quiet

syscall::lseek:entry, syscall::write:entry
/ execname == "qemu-dm" /
{
    @c[probefunc, ustack()] = count();
}

tick-5s {
    trunc(@c, 3);
    printa(@c);
    clear(@c);
}
