/* BEGIN comes first, END last, and one empty line after everything. */
#pragma D option quiet

END
{
	printf("bye\n");
}

BEGIN
{
	printf("hello %d\n", 42);
}
@@expect
hello 42
bye

