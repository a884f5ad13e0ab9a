/* Variables of every size, global and of a clause: each keeps its own bytes and its sign. */
#pragma D option quiet

char a;
short b;
unsigned char c;
int d;
unsigned short e;
long f;
unsigned int g;
int array[3];
char last;
this char ta;
this short tb;
this unsigned char tc;
this int td;
this char te;

syscall::read:entry
{
	a = -1; b = -2; c = 255; d = -3; e = 65535; f = -4; g = 4294967295; last = -5;
	array[0] = 1; array[1] = -2; array[2] = 3;
	this->ta = -1; this->tb = -2; this->tc = 255; this->td = -3; this->te = -4;
}

syscall::read:entry
{
	a++; b--; c++; d -= 7; e++; f *= 2; g++; last = last * 2;
	this->ta++; this->tb--; this->tc++; this->td -= 7; this->te *= 2;
	printf("%d %d %d %d %d %d %d %d\n", a, b, c, d, e, f, g, last);
	printf("%d %d %d\n", array[0], array[1], array[2]);
	printf("%d %d %d %d %d\n", this->ta, this->tb, this->tc, this->td, this->te);
	printf("%d %d %d\n", a == 0, d < 0, this->td > this->te);
}
@@fire syscall::read:entry
@@expect
0 -3 0 -10 0 -8 0 -10
1 -2 3
0 -3 0 -10 -8
1 1 0

