/* Text kept per thread and in globals, compared later. */
#pragma D option quiet

string last;

syscall::openat:entry
{
	self->path = copyinstr(arg1);
}

syscall::openat:return
/self->path != NULL/
{
	printf("%s%s\n", self->path, self->path == last ? " again" : "");
	last = self->path;
	self->path = 0;
}

syscall::openat:return
/self->path == NULL/
{
	printf("-\n");
}
@@memory user 0x1000 "/etc/passwd"
@@memory user 0x2000 "/etc/group"
@@fire syscall::openat:entry arg1=0x1000 tid=1
@@fire syscall::openat:entry arg1=0x2000 tid=2
@@fire syscall::openat:return tid=1
@@fire syscall::openat:entry arg1=0x1000 tid=1
@@fire syscall::openat:return tid=1
@@fire syscall::openat:return tid=2
@@expect
/etc/passwd
-
/etc/passwd again
-
/etc/group
-

