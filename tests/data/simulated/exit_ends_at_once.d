/* After exit() no clause runs any more but those of END. */
#pragma D option quiet

syscall::read:entry
{
	printf("first ");
}

syscall::read:entry
/arg0 == 1/
{
	exit(3);
	printf("the clause goes on ");
}

syscall::read:entry
{
	printf("second ");
	exit(4);
}

END
{
	printf("end ");
	exit(5);
}

END
{
	printf("still end");
}
@@fire syscall::read:entry arg0=1
@@fire syscall::read:entry arg0=1
@@status 5
@@expect
first the clause goes on end still end
