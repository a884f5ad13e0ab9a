/*
 * For which of the kernel's locks do the threads of a command wait, how often, how long, and where do they come from?
 *
 *   dscope -s examples/lock-waits.d -c ./server
 */
#pragma D option quiet

lockstat:::rw-block,
lockstat:::adaptive-block
/pid == $target/
{
	@times[probename] = count();
	@time[probename] = sum(arg1);
	@from[stack(8)] = sum(arg1);
}
