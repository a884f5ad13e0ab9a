/* Each description of a clause enables it: a probe that two of them name fires it twice. What one description finds
   under several names it enables once. */
#pragma D option quiet

syscall::read:entry,
syscall::re*:entry,
syscall::write:entry
{
	printf("%s\n", probefunc);
}

syscall::read:entry
{
	printf("then\n");
}
@@fire syscall::read:entry
@@fire syscall::write:entry
@@fire syscall::readv:entry
@@expect
read
read
then
write
readv

