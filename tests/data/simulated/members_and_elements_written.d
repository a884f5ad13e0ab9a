/* Structs, unions, bit-fields and arrays in variables of every kind are written in place; what never was reads as zeros. */
#pragma D option quiet

struct record {
	int number;
	char letter;
	int small:3;
	unsigned flags:5;
	long list[4];
	string text;
};
union word {
	unsigned int whole;
	unsigned char bytes[4];
};
struct record one;
union word w;
self struct record mine;
struct record many[int];
int counts[10];

BEGIN
{
	i = 2;
	one.number = 5;
	one.letter = 'x';
	one.small = -2;
	one.flags = 17;
	one.list[i] = 99;
	one.list[3] = 4;
	one.text = "hello";
	counts[i] = 7;
	counts[i + 1]++;
	counts[i + 1] += 4;
	printf("%d %c %d %d", one.number, one.letter, one.small, one.flags);
	printf(" %d %d %s %d %d\n", one.list[2], one.list[i + 1], one.text, counts[2], counts[i + 1]);
	w.whole = 0x01020304;
	w.bytes[3] = 0x7f;
	printf("%x\n", w.whole);
}

BEGIN
{
	self->mine.number = 3;
	self->mine.list[i] = 4;
	many[3].number = 7;
	many[3].list[i] = 8;
	printf("%d %d %d %d %d\n", self->mine.number, self->mine.list[2], many[3].number, many[3].list[2], many[9].number);
	many[4] = one;
	self->mine = many[4];
	printf("%s %d %s\n", many[4].text, self->mine.flags, self->mine.text);
	many[4] = 0;
	printf("[%s]\n", many[4].text);
}
@@expect
5 x -2 17 99 4 hello 7 5
7f020304
3 4 7 8 0
hello 17 hello
[]

