/* A clause without a statement records that it fired; the heading comes with the first record. */
BEGIN
{
}

END
{
}
@@expect
CPU     ID                    FUNCTION:NAME
  0      1                           :BEGIN 
  0      2                             :END 

