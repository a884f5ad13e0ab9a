/*
 * What do the threads of a command wait for, and how long? A wait of less than a microsecond is left out.
 *
 *   dscope -s examples/off-cpu.d -c ./server --export flame=waits.svg
 */
#pragma D option quiet

sched:::off-cpu
/pid == $target/
{
	self->since = timestamp;
}

sched:::on-cpu
/self->since && timestamp - self->since >= 1000/
{
	@waits[stack(), ustack()] = sum(timestamp - self->since);
}

sched:::on-cpu
/self->since/
{
	self->since = 0;
}
