#!/usr/sbin/dtrace -Cs
# 1 "declarations.d"
/*
 * Every kind of declaration that D has.
 */
#pragma D option strsize=512
#pragma ident "ignored"
#ident "ignored too"
#

typedef unsigned long long counter_t;
typedef struct node {
	struct node *next, *prev;
	char name[16];
	int (*compare)(const void *, const void *);
	unsigned int flag : 1, mode : 3, : 4;
	union {
		int64_t number;
		struct { short low, high; } parts;
	} value;
	int matrix[2][3];
	const volatile char *const restrict text;
} node_t, *node_p;
typedef int (*handler_t)(int, void *);
typedef void (*(*table_t[4])(int))(char);
struct forward;
union both { int i; float f; double d; long double ld; };
enum color { RED, GREEN = 3, BLUE = GREEN + 1, LAST = 1 << 4 };
enum { ANONYMOUS = -1 };
struct forward { struct forward *self_reference; enum color hue; };
int global, *pointer, array[10], grid[RED + 2][BLUE];
unsigned u; signed s; long l; long long ll; unsigned long ul; short int si; long unsigned int lui; long double ld;
string text;
uint64_t totals[string, int, pid_t];
node_t *nodes[struct node *, uint64_t];
struct { int x, y; } origin;
self int depth;
self string path, last;
self uint64_t started[int];
this char letter;
self x, y;
extern int open_files;
extern int unsized[];
extern int printed(const char *, ...);
char buffer[sizeof (int) * 2];
struct task_struct *task;
vnode_t *vnode;
int nothing(void);

inline int LIMIT = 10;
inline string GREETING = "hello";
inline int twice[int n] = n * 2;
inline psinfo_t *current = xlate <psinfo_t *> (curthread);
inline uintptr_t mask = ~(uintptr_t)0 & (1 << LIMIT);

translator counter_t < struct forward *F > {
	value = (uint64_t)F->self_reference;
	next = F->hue == RED ? 1 : 0;
};
translator lwpsinfo_t < struct task_struct *T > { };

provider myserver {
	probe start(int, char *);
	probe work__done(struct work *w, int status) : (workinfo_t *w, int status);
};
