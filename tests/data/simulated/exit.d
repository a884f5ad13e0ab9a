/* exit() stops the tracing: nothing fires after it but END, and its argument is the status. */
#pragma D option quiet

syscall::read:entry
{
	n++;
	printf("%d\n", n);
}

syscall::read:entry
/n == 2/
{
	exit(3);
}

END
{
	printf("end after %d\n", n);
}
@@fire syscall::read:entry
@@fire syscall::read:entry
@@fire syscall::read:entry
@@status 3
@@expect
1
2
end after 2

