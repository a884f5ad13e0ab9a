#!/usr/bin/env -S dscope -s
/*
 * New processes with their arguments, as they come.
 */
proc:::exec-success
{
	trace(curpsinfo->pr_psargs);
}
