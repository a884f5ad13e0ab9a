/*
 * Which program opens which file, in which directory? The graph shows them from left to right.
 *
 *   dscope -s examples/who-opens-what.d -c 'ls -lR /etc' --export graph=opens.svg --export graph=opens.dot
 */
#pragma D option quiet

syscall::openat:entry
{
	self->path = arg1;
}

syscall::openat:return
/self->path && errno == 0/
{
	@opens[execname, dirname(copyinstr(self->path)), basename(copyinstr(self->path))] = count();
}

syscall::openat:return
{
	self->path = 0;
}
