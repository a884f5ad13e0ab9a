#!/usr/sbin/dtrace -s
#pragma D option quiet

    /* don't care about writev() */
syscall::write:entry
{ self->ts = timestamp; }

syscall::write:return
/ self->ts /
{
    @time[execname] = quantize(timestamp - self->ts);
    self->ts = 0;
}

tick-$1
{ exit(0); }
