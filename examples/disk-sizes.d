#!/usr/bin/env -S dscope -s
/*
 * How large is each request to a disk, and who made it?
 */
io:::start
{
	printf("%d %s %d", pid, execname, args[0]->b_bcount);
}
