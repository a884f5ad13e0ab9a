/* Enumerators, typedefs, structs, inlines; sizeof and offsets as C has them. */
#pragma D option quiet

enum colour { RED = 3, GREEN, BLUE = 10 };
typedef unsigned short tiny_t;
struct pair {
	char first;
	int second;
	tiny_t third;
};
union either {
	char bytes[12];
	uint64_t number;
};
inline int LIMIT = 2 * 5;
inline string WHO = execname;

BEGIN
{
	printf("%d %d %d %d\n", RED, GREEN, BLUE, LIMIT + GREEN);
	printf("%d %d %d %d\n", sizeof (struct pair), sizeof (union either), sizeof (tiny_t), sizeof (enum colour));
	printf("%d %d\n", offsetof(struct pair, second), offsetof(struct pair, third));
	printf("%d %s\n", (tiny_t)70000, WHO);
}
@@expect
3 4 10 14
12 16 2 4
4 8
4464 prog

