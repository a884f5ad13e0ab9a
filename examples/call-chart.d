#!/usr/bin/env -S dscope -s
/*
 * What does a program do, when, and for how long? Its own functions and the system calls below them.
 *
 *   dscope -F -s examples/call-chart.d -c ./program --export flame-chart=calls.svg
 */
pid$target:a.out::entry,
pid$target:a.out::return
{
	/* dtrace's own line for each firing is all that is wanted */
}

syscall:::entry,
syscall:::return
/pid == $target/
{
}
