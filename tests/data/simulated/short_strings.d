/* strsize is the longest text a variable holds; its end comes on top. */
#pragma D option quiet

#pragma D option strsize=8

string s;

syscall::openat:entry
{
	s = copyinstr(arg1);
	printf("[%s] [%s]\n", s, execname);
	@[copyinstr(arg1)] = count();
}
@@memory user 0x1000 "/etc/passwd"
@@memory user 0x2000 "/etc/pas"
@@memory user 0x3000 "/etc"
@@fire syscall::openat:entry arg1=0x1000
@@fire syscall::openat:entry arg1=0x2000
@@fire syscall::openat:entry arg1=0x3000
@@expect
[/etc/pas] [prog]
[/etc/pas] [prog]
[/etc] [prog]

  /etc                                                              1
  /etc/pas                                                          2
