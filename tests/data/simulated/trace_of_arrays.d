/* What trace() prints of arrays: text where all bytes to the first NUL are printable and only NULs follow, bytes otherwise. Source: what
   DTrace for Linux 2.0.7 prints of these statements; "trace" in its user's guide. */
#pragma D option quiet

char text[9], whole[3], empty[4], more[9], control[9];
struct pair { char first; char second; char third; } pair;
BEGIN
{
	text[0] = 'a';
	text[1] = 'B';
	trace(text);
	trace("|");
	whole[0] = 'x';
	whole[1] = 'y';
	whole[2] = 'z';
	trace(whole);
	trace("|");
	trace(empty);
	trace("|");
	more[0] = 'A';
	more[2] = 'B';
	trace(more);
	control[0] = 1;
	trace(control);
	pair.first = 'A';
	trace(pair);
	exit(0);
}
@@expect
aB|xyz||
             0  1  2  3  4  5  6  7  8  9  a  b  c  d  e  f  0123456789abcdef
         0: 41 00 42 00 00 00 00 00 00                       A.B......

             0  1  2  3  4  5  6  7  8  9  a  b  c  d  e  f  0123456789abcdef
         0: 01 00 00 00 00 00 00 00 00                       .........

             0  1  2  3  4  5  6  7  8  9  a  b  c  d  e  f  0123456789abcdef
         0: 41 00 00                                         A..

