/*
 * How long do threads wait for a CPU once they could run? By CPU; long waits mean too few CPUs, or one that is left alone.
 *
 *   dscope -s examples/queue-wait.d
 */
#pragma D option quiet

sched:::enqueue
{
	queued[args[0]->pr_lwpid] = timestamp;
}

sched:::dequeue
/queued[args[0]->pr_lwpid]/
{
	@[args[2]->cpu_id] = quantize(timestamp - queued[args[0]->pr_lwpid]);
	queued[args[0]->pr_lwpid] = 0;
}

tick-1s
{
	exit(0);
}
