/* What is speculated shows when it is committed, and not when it is discarded. */
#pragma D option quiet

syscall::openat:entry
{
	self->spec = speculation();
}

syscall::openat:entry
/self->spec/
{
	speculate(self->spec);
	printf("%d opens %d\n", pid, arg0);
}

syscall::openat:return
/self->spec && arg0 < 0/
{
	commit(self->spec);
	self->spec = 0;
}

syscall::openat:return
/self->spec && arg0 >= 0/
{
	discard(self->spec);
	self->spec = 0;
}
@@fire syscall::openat:entry pid=1 arg0=11
@@fire syscall::openat:return pid=1 ret=3
@@fire syscall::openat:entry pid=2 arg0=22
@@fire syscall::openat:return pid=2 ret=-2
@@fire syscall::openat:entry pid=3 arg0=33
@@expect
2 opens 22

