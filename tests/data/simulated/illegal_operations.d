/* Bases that there are not, families of addresses that nobody knows. */
#pragma D option quiet

syscall::lseek:entry
{
	printf("%s ", lltostr(35, arg0));
	printf("%d\n", strtoll("11", arg0));
}

syscall::lseek:entry
{
	printf("%s\n", inet_ntop(arg0, alloca(16)));
}

ERROR
{
	printf("error %d\n", arg4);
}
@@fire syscall::lseek:entry arg0=2
@@fire syscall::lseek:entry arg0=10
@@fire syscall::lseek:entry arg0=36
@@fire syscall::lseek:entry arg0=1
@@fire syscall::lseek:entry arg0=37
@@expect
100011 3
0.0.0.0
35 11
::
z 37
error 3
error 3
error 3
error 3
error 3

