/* A key may be any expression, and a literal. */
#pragma D option quiet

syscall::write:entry
{
	@[arg2 >= 1000 ? "large" : "small", arg2 / 1000] = count();
	@parity["remainder", (int)arg2 % 2] = count();
}
@@fire syscall::write:entry arg2=5
@@fire syscall::write:entry arg2=1500
@@fire syscall::write:entry arg2=1999
@@fire syscall::write:entry arg2=0
@@fire syscall::write:entry arg2=2500
@@expect

  large                                                             2                1
  large                                                             1                2
  small                                                             0                2
  remainder                                                 1                2
  remainder                                                 0                3
