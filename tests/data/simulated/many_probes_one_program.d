/* Many system calls share a program: names, arguments and numbers stay each call's own. */
#pragma D option quiet

syscall:::entry
{
	@[probefunc, arg0] = count();
}

syscall::*at:entry
{
	printf("%s\n", probefunc);
}
@@fire syscall::openat:entry arg0=1
@@fire syscall::read:entry arg0=2
@@fire syscall::fchownat:entry arg0=3
@@fire syscall::read:entry arg0=2
@@expect
openat
fchownat

  fchownat                                                          3                1
  openat                                                            1                1
  read                                                              2                2
