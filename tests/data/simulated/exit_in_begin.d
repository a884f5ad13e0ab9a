/* exit() is data too: the record of its firing is shown. */
BEGIN
{
	exit(0);
}

syscall:::entry
{
}
@@fire syscall::read:entry
@@status 0
@@expect
CPU     ID                    FUNCTION:NAME
  0      1                           :BEGIN 

