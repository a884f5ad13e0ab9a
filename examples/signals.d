/*
 * Who sends which signal to whom?
 *
 *   dscope -s examples/signals.d
 */
#pragma D option quiet

proc:::signal-send
{
	printf("%s (%d) sends signal %d to %s (%d)\n", execname, pid, args[2], args[1]->pr_fname, args[1]->pr_pid);
}
