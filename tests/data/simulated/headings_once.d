/* Not quiet: printa rows follow the columns of the clause that prints them. */
BEGIN
{
	@["a"] = count();
	@["b"] = count();
}

BEGIN
{
	printa(@);
	printf("done");
}
@@expect
CPU     ID                    FUNCTION:NAME
  0      1                           :BEGIN 
  a                                                                 1
  b                                                                 1
done

