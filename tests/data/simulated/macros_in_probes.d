/* $1 and $$1 within a probe description are the same: the text of the argument. */
#pragma D option quiet

syscall::$$1:entry,
syscall::$1:return
{
	printf("%s %s\n", probefunc, probename);
}

syscall::$$2*:entry
{
	printf("2: %s\n", probefunc);
}
@@args read writ
@@fire syscall::read:entry
@@fire syscall::read:return
@@fire syscall::write:entry
@@expect
read entry
read return
2: write

