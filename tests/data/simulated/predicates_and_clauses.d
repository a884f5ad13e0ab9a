/* Clauses of one probe run in the order of the text, each if its predicate holds; other probes are left alone. */
#pragma D option quiet

syscall::read:entry
/pid == 7/
{
	printf("first ");
}

syscall::read:entry,
syscall::write:entry
{
	printf("%s by %d ", probefunc, pid);
}

syscall::read:entry
/execname == "cat" && arg0 != 3/
{
	printf("cat ");
}

syscall::read:entry,
syscall::write:entry
{
	printf("\n");
}
@@fire syscall::read:entry pid=7 arg0=4 execname=cat
@@fire syscall::read:entry pid=8 arg0=3 execname=cat
@@fire syscall::openat:entry pid=7 arg0=4 execname=cat
@@fire syscall::read:return pid=7
@@fire syscall::write:entry pid=7 arg0=4 execname=cat
@@expect
first read by 7 cat 
read by 8 
write by 7 

