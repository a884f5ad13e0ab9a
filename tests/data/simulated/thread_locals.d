/* self-> belongs to the thread; assigned 0 it is gone. */
#pragma D option quiet

syscall::read:entry
{
	self->ts = timestamp;
	self->fd = arg0;
}

syscall::read:return
/self->ts/
{
	printf("%d: fd %d took %d ns, %d bytes\n", tid, self->fd, timestamp - self->ts, arg0);
	self->ts = 0;
}
@@fire syscall::read:entry tid=1 arg0=3
@@advance 5us
@@fire syscall::read:entry tid=2 arg0=4
@@advance 2us
@@fire syscall::read:return tid=2 ret=10
@@fire syscall::read:return tid=2 ret=11
@@fire syscall::read:return tid=3 ret=12
@@advance 1ms
@@fire syscall::read:return tid=1 ret=-5
@@expect
2: fd 4 took 2000 ns, 10 bytes
1: fd 3 took 1007000 ns, -5 bytes

