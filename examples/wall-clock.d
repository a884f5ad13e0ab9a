/*
 * Where does the time of a command go, waiting included? What it computes is sampled, what it waits is measured: kernel frames above
 * its own, up to schedule(), are where it gave up the CPU.
 *
 *   dscope -s examples/wall-clock.d -c ./server --export flame=wall.svg
 */
#pragma D option quiet

sched:::off-cpu
/pid == $target/
{
	self->since = timestamp;
}

sched:::on-cpu
/self->since/
{
	@time[stack(), ustack()] = sum(timestamp - self->since);
	self->since = 0;
}

profile-997
/pid == $target/
{
	@time[stack(), ustack()] = sum(1000000000 / 997);
}
