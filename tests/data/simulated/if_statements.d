/* if and else within a clause. */
#pragma D option quiet

syscall::write:entry
{
	if (arg2 > 100) {
		printf("large %d\n", arg2);
		@large = count();
	} else if (arg2 > 10)
		printf("medium %d\n", arg2);
	else
		printf("small %d\n", arg2);
	printf("--\n");
}
@@fire syscall::write:entry arg2=5
@@fire syscall::write:entry arg2=50
@@fire syscall::write:entry arg2=500
@@expect
small 5
--
medium 50
--
large 500
--

                1
