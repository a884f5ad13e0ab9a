/*
 * Who wakes the threads of a command, and what was the waker doing? Wherever a command waits, the other end of it is here.
 *
 *   dscope -s examples/wakers.d -c ./server --export flame=wakers.svg
 */
#pragma D option quiet

sched:::wakeup
/args[1]->pr_pid == $target/
{
	@[execname, stack(), ustack()] = count();
}
