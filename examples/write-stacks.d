/*
 * Which code of a program writes? The stacks of lseek(2) and write(2), by the name of the program.
 *
 *   dscope -s examples/write-stacks.d -c ls --export flame=write-stacks.svg
 */
#pragma D option quiet

syscall::lseek:entry, syscall::write:entry
/pid == $target/
{
	@c[probefunc, ustack()] = count();
}
