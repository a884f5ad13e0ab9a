/* trace(): the width is that of the value's type, and all data of one firing is on one line. */
BEGIN
{
	trace("text");
	trace((int64_t)-5);
	trace((uint64_t)5);
}

BEGIN
{
	trace((int32_t)-6);
	trace((int16_t)-7);
	trace((int8_t)-8);
}

BEGIN
{
	trace(1);
	printf("and %s", "printf");
}
@@expect
CPU     ID                    FUNCTION:NAME
  0      1                           :BEGIN   text                                               -5                    5
  0      1                           :BEGIN          -6    -7  -8
  0      1                           :BEGIN           1and printf

