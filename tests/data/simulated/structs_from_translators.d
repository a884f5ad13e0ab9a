/* A struct takes what a translator gives, member by member; an inline and a member of array type keep their type. */
#pragma D option quiet

struct in { int i; char c; char name[8]; };
struct out { int twice; char c; int unset; };
translator struct out < struct in I > {
	twice = I.i * 2;
	c = I.c;
};
translator struct in < struct out O > {
};
struct in from;
struct out to, other;

BEGIN
{
	to.unset = 7;
	from.i = 21;
	from.c = 'z';
	to = xlate <struct out> (from);
	printf("%d %c %d\n", to.twice, to.c, to.unset);
	from = xlate <struct in> (to);
	printf("%d\n", from.i);
	this->o = xlate <struct out> (from);
	printf("%d\n", this->o.twice);
}
@@expect
42 z 7
21
42

