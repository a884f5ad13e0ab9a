#!/usr/bin/env -S dscope -s
/*
 * How large are a program's writes, while we watch it for some seconds? Shows whether a cache is in the way.
 *
 *   dscope -s examples/write-quant.d -p 16480 5
 */
#pragma D option quiet

syscall::write:entry
/pid == $target/
{
	@[probefunc] = quantize(arg2);
}

tick-1s
/++seconds >= $1/
{
	exit(0);
}
