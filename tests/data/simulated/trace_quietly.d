/* Quiet: the values alone, and no newline but the program's. */
#pragma D option quiet

BEGIN
{
	trace("a");
	trace(1);
	trace((int64_t)-2);
	trace("b\n");
}
@@expect
a1-2b

