#!/usr/bin/env -S dscope -s
/*
 * Which programs are started, by whom, and which cannot be?
 *
 *   dscope -s examples/execsnoop.d
 */
#pragma D option quiet

BEGIN
{
	printf("%5s %7s %7s %4s %s\n", "UID", "PID", "PPID", "ERR", "COMMAND");
}

proc:::exec
{
	self->file = args[0];
}

proc:::exec-success
{
	printf("%5d %7d %7d %4d %s\n", uid, pid, ppid, 0, curpsinfo->pr_psargs);
	self->file = 0;
}

proc:::exec-failure
/self->file != NULL/
{
	printf("%5d %7d %7d %4d %s\n", uid, pid, ppid, -args[0], self->file);
	self->file = 0;
}
