/* Conversions take the size of their argument, %d its sign too. */
#pragma D option quiet

BEGIN
{
	printf("%d %i %u %o %x %X\n", -1, -1, 10, 10, 255, 255);
	printf("%x %x %x\n", (int8_t)-1, (int16_t)-1, (int64_t)-1);
	printf("[%5d] [%-5d] [%05d] [%+d] [% d]\n", 42, 42, 42, 42, 42);
	printf("[%#x] [%#o] [%.3d] [%8.3d]\n", 255, 8, 7, 7);
	printf("[%s] [%8s] [%-8s] [%.2s]\n", "text", "text", "text", "text");
	printf("[%*d] [%-*d] [%.*s]\n", 6, 42, 6, 42, 1, "xyz");
	printf("%c%c%c %%\n", 68, 'o', 116);
	printf("%s\n", "tab\there");
	printf("%d %d\n", (uint64_t)-1, (uint32_t)-1);
	printf("%u %u\n", (int64_t)-1, (int32_t)-1);
	printf("%lld %hd %ld\n", (int64_t)5, (int16_t)6, (int64_t)7);
}
@@expect
-1 -1 10 12 ff FF
ff ffff ffffffffffffffff
[   42] [42   ] [00042] [+42] [ 42]
[0xff] [010] [007] [     007]
[text] [    text] [text    ] [te]
[    42] [42    ] [x]
Dot %
tab	here
18446744073709551615 4294967295
18446744073709551615 4294967295
5 6 7

