/* Strings compare by their bytes, a prefix being smaller. */
#pragma D option quiet

string s;

BEGIN
{
	s = "banana";
	printf("%d%d%d%d%d%d\n", s == "banana", s != "banana", s < "banana", s <= "banana", s > "banana", s >= "banana");
	printf("%d%d%d%d%d%d\n", s == "band", s != "band", s < "band", s <= "band", s > "band", s >= "band");
	printf("%d%d%d%d\n", s > "ban", s < "bananas", "" < s, s < "");
	printf("%d%d\n", "Z" < "a", "10" < "9");
	printf("%d\n", s == "banana\0with more");
}

BEGIN
/s == "banana"/
{
	printf("a predicate\n");
}

BEGIN
/s == "apple"/
{
	printf("never\n");
}
@@expect
100101
011100
1110
11
1
a predicate

