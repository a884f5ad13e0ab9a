/*
 * Where is the time spent? User stacks of the command, sampled 997 times a second.
 *
 *   dscope -s examples/hot-stacks.d -c ./busy --export flame.svg
 */
#pragma D option quiet

profile-997
/pid == $target && arg1 != 0/
{
	@[ustack()] = count();
}
