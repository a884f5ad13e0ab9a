// A program with marks of <sys/sdt.h>'s kind, written out so that nothing need be installed: arguments in registers, in
// memory, constants; one mark at two places; one that is only reached while somebody looks. marked ROUNDS [MS [CHILDREN [go]]]: each child
// does the same; with "go" it waits for a line of standard input before it forks them, one after the other.
#define _DEFAULT_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>
#define MARK_WITH(provider, name, counter, arguments, ...)                                                                         \
	__asm__ volatile("990: nop\n"                                                                                              \
			 ".pushsection .note.stapsdt,\"?\",\"note\"\n.balign 4\n"                                                  \
			 ".4byte 992f-991f, 994f-993f, 3\n991: .asciz \"stapsdt\"\n992: .balign 4\n"                               \
			 "993: .8byte 990b\n.8byte _.stapsdt.base\n.8byte " counter "\n"                                           \
			 ".asciz \"" provider "\"\n.asciz \"" name "\"\n.asciz \"" arguments "\"\n994: .balign 4\n.popsection\n"   \
			 ".ifndef _.stapsdt.base\n"                                                                                \
			 ".pushsection .stapsdt.base,\"aG\",\"progbits\",.stapsdt.base,comdat\n"                                   \
			 ".weak _.stapsdt.base\n.hidden _.stapsdt.base\n"                                                          \
			 "_.stapsdt.base: .space 1\n.size _.stapsdt.base, 1\n.popsection\n.endif\n" ::__VA_ARGS__)
#define MARK(name, arguments, ...) MARK_WITH("marked", name, "0", arguments, __VA_ARGS__)
#ifdef __x86_64__
#define IN_A "a"
#define IN_D "d"
#else
#define IN_A "r"
#define IN_D "r"
#endif
#define NOINLINE __attribute__((noinline, noipa))

__attribute__((section(".probes"), used)) unsigned short watched_semaphore;
static unsigned looked, sum;
struct pair {
	int first;
	signed char second;
};

static NOINLINE void one(int i, const struct pair *p)
{
	MARK("work__start", "-4@%0 -4@%1 -1@%2 8@%3", "r"(i), "m"(p->first), "m"(p->second), "i"(12345L));
	sum += (unsigned)i;
	MARK("twice", "4@%0", IN_A(i * 2));
}
static NOINLINE void another(int i)
{
	MARK("twice", "4@%0", IN_D(i * 3));
	if (__atomic_load_n(&watched_semaphore, __ATOMIC_RELAXED)) {
		looked++;
		MARK_WITH("marked", "watched", "watched_semaphore", "8@%0", "r"((long)i));
	}
}
int main(int argc, char **argv)
{
	int rounds = argc > 1 ? atoi(argv[1]) : 10, ms = argc > 2 ? atoi(argv[2]) : 0, children = argc > 3 ? atoi(argv[3]) : 0;
        const int waits = argc > 4;
        if (waits && getchar() == EOF) return 1;
        while (children > 0 && fork() != 0) {
            children--;
            if (waits) wait(NULL);
        }
        for (int i = 0; i < rounds; i++) {
            struct pair p = {.first = -i, .second = (signed char)-(i % 100)};
            one(i, &p);
            another(i);
            if (ms) usleep((unsigned)ms * 1000);
        }
        while (wait(NULL) > 0)
            continue;
        printf("looked %u sum %u semaphore %u\n", looked, sum, watched_semaphore);
        return 0;
}
