/*
 * Who opens which file?
 *
 *   dscope -s examples/open-files.d
 *
 * The name is read when the call returns: at its entry the memory that holds it may not be loaded yet.
 */
#pragma D option quiet

syscall::open*:entry
/probefunc == "open" || probefunc == "openat" || probefunc == "openat2"/
{
	self->path = probefunc == "open" ? arg0 : arg1;
}

syscall::open*:return
/self->path/
{
	printf("%-20s %s\n", execname, copyinstr(self->path));
	self->path = 0;
}
