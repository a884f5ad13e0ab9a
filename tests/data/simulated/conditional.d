#pragma D option quiet

syscall::read:entry
{
	printf("%s %d %s\n", arg2 > 1000 ? "large" : arg2 > 10 ? "medium" : "small", arg2 ? arg2 * 2 : -1,
	    execname == "cat" ? "a cat" : "no cat");
}
@@fire syscall::read:entry arg2=5000 execname=cat
@@fire syscall::read:entry arg2=50 execname=dog
@@fire syscall::read:entry arg2=0 execname=catalogue
@@expect
large 10000 a cat
medium 100 no cat
small -1 no cat

