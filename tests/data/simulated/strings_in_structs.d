/* A string in a struct has strsize bytes, its NUL among them: what is longer is cut, and the next member is left alone. */
#pragma D option quiet
#pragma D option strsize=8

struct {
	string first;
	string second;
	string last;
} rows[int];

syscall::read:entry
{
	rows[1].second = "second";
	rows[1].last = "last is long";
	rows[1].first = "first is long";
	printf("[%s] [%s] [%s] %d\n", rows[1].first, rows[1].second, rows[1].last, sizeof (rows[1]));
}
@@fire syscall::read:entry
@@expect
[first i] [second] [last is] 24

