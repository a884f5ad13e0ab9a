/*
 * Who has the CPUs? Each CPU is asked 997 times a second, which keeps out of step with clocks of round rates.
 *
 *   dscope -s examples/sampled-programs.d
 */
#pragma D option quiet

profile-997
{
	@[pid ? execname : "(idle)", arg1 ? "its own code" : "in the kernel"] = count();
}

tick-1s
{
	exit(0);
}
