/* $1 is a number or a word, $$1 always a string; $target and $pid are numbers. */
#pragma D option quiet

BEGIN
{
	printf("%d %s %s %d %d\n", $1, $$2, $$1, $target, $pid);
}

syscall::read:entry
/execname == $$2/
{
	printf("it is\n");
}
@@args 5 "hello world"
@@fire syscall::read:entry execname="hello world"
@@fire syscall::read:entry execname=hello
@@expect
5 hello world 5 77 4242
it is

