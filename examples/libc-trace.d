#!/usr/bin/env -S dscope -s
/*
 * What does a program ask of its C library, in order? Every entry and return, indented by -F.
 *
 *   dscope -F -s examples/libc-trace.d -c date
 */
pid$target:libc.so::entry,
pid$target:libc.so::return
{
	/* dtrace's own line for each firing is all that is wanted */
}
