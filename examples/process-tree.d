/*
 * Who started whom? Every new program with its arguments; the process tree is drawn from the proc probes themselves.
 *
 *   dscope -qs examples/process-tree.d -c 'make -j4' --export tree.svg
 */
#pragma D option quiet

proc:::exec-success
{
	printf("%-16s %6d %s\n", execname, pid, curpsinfo->pr_psargs);
}

proc:::exit
{
	@ended[execname] = count();
}
