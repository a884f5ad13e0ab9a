/*
 * Which system calls of a program make one CPU interrupt another ($1: the program's name)?
 * "<none>" are those from page faults and from the scheduler.
 *
 *   dscope -s examples/cross-calls.d make
 */
#pragma D option quiet

syscall:::entry
/execname == $$1/
{
	self->call = probefunc;
	self->within = 1;
}

sysinfo:::xcalls
/execname == $$1/
{
	@[self->within ? self->call : "<none>"] = sum(arg0);
}

syscall:::return
/self->within/
{
	self->within = 0;
	self->call = 0;
}
