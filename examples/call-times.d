/*
 * How long do system calls take, and does it change as time goes by? The argument says for how long to watch.
 * Nothing is printed in between: the columns of the heat map are made from what dscope reads ten times a second.
 *
 *   dscope -s examples/call-times.d 10s --export heatmap=call-times.svg
 */
#pragma D option quiet

syscall:::entry
{
	self->ts = timestamp;
}

syscall:::return
/self->ts/
{
	@[execname] = quantize(timestamp - self->ts);
	self->ts = 0;
}

tick-$1
{
	exit(0);
}
