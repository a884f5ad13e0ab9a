#!/usr/bin/env -S dscope -s
/*
 * Who calls these functions of a library? The stack at every call; library and functions are arguments.
 *
 *   dscope -s examples/call-stacks.d -c ls libc 'str*'
 */
#pragma D option quiet

pid$target:$1:$2:entry
{
	printf("%s:%s:%s", probeprov, probemod, probefunc);
	ustack();
}
