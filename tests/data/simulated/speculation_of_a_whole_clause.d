/* What comes after speculate() is speculated, whether an if splits the clause or not; only that counts which is committed. */
#pragma D option quiet
#pragma D option nspec=2

syscall::openat:entry
{
	self->spec = speculation();
}

syscall::openat:entry
/self->spec/
{
	speculate(self->spec);
	printf("%d opens", pid);
	if (arg0 > 20) {
		printf(" a high one, %d", arg0);
	} else {
		printf(" a low one, %d", arg0);
	}
	printf(".\n");
}

syscall::openat:return
/arg0 < 0/
{
	commit(self->spec);
	self->spec = 0;
}

syscall::openat:return
/arg0 >= 0/
{
	discard(self->spec);
	self->spec = 0;
}
@@fire syscall::openat:entry pid=1 arg0=11
@@fire syscall::openat:entry pid=2 arg0=22
@@fire syscall::openat:entry pid=3 arg0=33
@@fire syscall::openat:return pid=2 ret=-2
@@fire syscall::openat:return pid=1 ret=3
@@fire syscall::openat:entry pid=4 arg0=4
@@fire syscall::openat:return pid=4 ret=-1
@@expect
2 opens a high one, 22.
4 opens a low one, 4.

@@messages
dtrace: 1 failed speculation (no speculative buffer available)
