/*
 * How long does write(2) take, by program? Nanoseconds; the argument says for how long to watch.
 *
 *   dscope -s examples/write-timing.d 10sec --export histogram=write-timing.svg
 */
#pragma D option quiet

syscall::write:entry
{
	self->ts = timestamp;
}

syscall::write:return
/self->ts/
{
	@time[execname] = quantize(timestamp - self->ts);
	self->ts = 0;
}

tick-$1
{
	exit(0);
}
