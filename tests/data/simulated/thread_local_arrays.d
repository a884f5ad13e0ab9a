/* self->array[key] is a thread's own. */
#pragma D option quiet

self int64_t bytes[int64_t];

syscall::read:entry
{
	self->bytes[arg0] += arg2;
}

syscall::close:entry
{
	printf("%d: %d\n", tid, self->bytes[arg0]);
	self->bytes[arg0] = 0;
}
@@fire syscall::read:entry tid=1 arg0=3 arg2=100
@@fire syscall::read:entry tid=1 arg0=3 arg2=50
@@fire syscall::read:entry tid=2 arg0=3 arg2=7
@@fire syscall::close:entry tid=1 arg0=3
@@fire syscall::close:entry tid=2 arg0=3
@@fire syscall::close:entry tid=1 arg0=3
@@expect
1: 150
2: 7
1: 0

