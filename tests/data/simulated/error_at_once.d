/* ERROR fires where the fault is met: in the thread that met it, before the clauses that follow. */
#pragma D option quiet

syscall::openat:entry
{
	self->depth++;
	printf("a");
	trace(*(int *)(arg0 + 8));
	printf("never");
}

syscall::openat:entry
{
	printf("b\n");
}

ERROR
/self->depth == 1/
{
	printf(" %s %d: fault %d at %x, %s, id %d |", execname, tid, arg4, arg5, probename, id);
}

ERROR
/self->depth > 1/
{
	trace(*(int *)arg5);
	printf("never");
}

ERROR
{
	printf(" E");
}
@@memory kernel 0x1008 words 7
@@fire syscall::openat:entry arg0=0x10 tid=1 execname=one
@@fire syscall::openat:entry arg0=0x1000 tid=2 execname=two
@@fire syscall::openat:entry arg0=0x20 tid=1 execname=one
@@expect
 one 1: fault 1 at 18, ERROR, id 3 | Eb
a7neverb
 Eb

