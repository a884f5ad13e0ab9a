/* After exit() no later clause of the probe runs; END does. */
BEGIN
{
	trace("first");
	exit(3);
}

BEGIN
{
	trace("never");
	@never = count();
}

END
{
	trace("END");
}

END
{
	trace("too");
}
@@status 3
@@expect
CPU     ID                    FUNCTION:NAME
  0      1                           :BEGIN   first                            
  0      2                             :END   END                              
  0      2                             :END   too                              

