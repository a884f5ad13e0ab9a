/* trace() and keys have the columns of the type that a variable has, as long as its value needs no more. */
BEGIN
{
	x = 0;
	trace(x);
	x = -5;
	trace(x);
	x = 4000000000u;
	trace(x);
}

syscall::read:entry
{
	n = 0;
	trace(n);
	n -= 7;
	trace(n);
	n = 2147483647;
	n += 2147483647;
	trace(n);
	@[n, 1] = count();
}
@@fire syscall::read:entry
@@expect
CPU     ID                    FUNCTION:NAME
  0      1                           :BEGIN           0         -5 4000000000
  0     92                       read:entry           0         -7 4294967294

 4294967294        1                1
