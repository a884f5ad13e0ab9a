/* Text of the traced program's memory; an address that is none ends the clause, and the next one runs. */
#pragma D option quiet

syscall::openat:entry
{
	printf("opens %s", copyinstr(arg1));
	printf(" by %s\n", stringof(execname));
}

syscall::openat:entry
{
	printf("%d\n", copyinstr(arg1) > "/etc");
}

syscall::openat:entry
/arg1 != 0x1234/
{
	printf("next\n");
}

ERROR
{
	printf("error %d at %x\n", arg4, arg5);
}
@@memory user 0x7f0000001000 "/etc/passwd"
@@memory user 0x7f0000002000 ""
@@fire syscall::openat:entry arg1=0x7f0000001000 execname=cat
@@fire syscall::openat:entry arg1=0x7f0000001005 execname=cat
@@fire syscall::openat:entry arg1=0x7f0000002000 execname=cat
@@fire syscall::openat:entry arg1=0x1234 execname=cat
@@expect
opens /etc/passwd by cat
1
next
opens passwd by cat
1
next
opens  by cat
0
next
error 1 at 1234
error 1 at 1234

