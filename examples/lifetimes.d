/*
 * How long do processes live, from fork to exit? By program, in microseconds.
 *
 *   dscope -s examples/lifetimes.d -c 'make -j4' --export histogram=lifetimes.svg
 */
#pragma D option quiet

proc:::start
{
	born[pid] = timestamp;
}

proc:::exit
/born[pid]/
{
	@us[execname] = quantize((timestamp - born[pid]) / 1000);
	born[pid] = 0;
}
