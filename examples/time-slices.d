/*
 * How long is a program on a CPU at a time ($1: its name), and why does it leave?
 * Long slices that end by preemption: it computes. Short ones that end in sleep: it waits.
 *
 *   dscope -s examples/time-slices.d make
 */
#pragma D option quiet

sched:::on-cpu
/execname == $$1/
{
	self->since = timestamp;
}

sched:::preempt
/self->since/
{
	@why["preempted"] = count();
}

sched:::sleep
/self->since/
{
	@why["goes to sleep"] = count();
}

sched:::off-cpu
/self->since/
{
	@slice["nanoseconds on CPU"] = quantize(timestamp - self->since);
	self->since = 0;
}
