// revisits KIND DEPTH TIMES [THREADS]: goes up and down a deep stack, on ways that change, and asks TIMES for the number of its
// parent, from different places; each thread does. The ways depend on nothing but the arguments.
// KIND: ways: functions with different frames; signals: some calls come by a signal; exec: becomes itself again, half as deep, three times;
// overlaid: two ways to the same function at the same place of the stack, where the one leaves untouched what the other left there.
#define _GNU_SOURCE
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>
static int depth, times, signals, overlaid;
static __thread unsigned seed;
static __thread int left, back, level;
static __thread volatile int sink;

static unsigned next(unsigned most)
{
    seed = seed * 1664525u + 1013904223u;
    return (seed >> 16) % most;
}
static void go(void);
__attribute__((noinline)) void plain(void)
{
    go();
    sink++;
}
__attribute__((noinline)) void by_rbp(int size) // its frame's size is not known
{
    volatile char room[size];
    room[0] = 1;
    go();
    sink += room[0];
}
__attribute__((noinline)) void aligned(int size) // its frame is found by a pointer that it keeps
{
    volatile char room[64] __attribute__((aligned(64))), more[size];
    more[0] = 1;
    room[0] = 1;
    go();
    sink += room[0];
}
__attribute__((noinline)) void by_signal(void)
{
    raise(SIGUSR1);
    sink++;
}
static void handler(int number)
{
    (void)number;
    go();
    sink++;
}
__attribute__((noinline)) void ask(void)
{
    syscall(SYS_getppid);
    --left;
}
/// Until it is to go back: deeper by one way or another, or asks.
static __attribute__((noinline)) void go(void)
{
    ++level;
    while (left > 0 && back == 0) {
        const unsigned way = next(16);
        if (level >= depth || way == 0) {
            ask();
            back = next(8) ? (int)next(12) : (int)next((unsigned)level);
        } else if (way < 8) {
            plain();
        } else if (way < 12) {
            by_rbp(8 + 16 * (int)next(4));
        } else if (way < 15 || !signals) {
            aligned(8 + 16 * (int)next(4));
        } else {
            by_signal();
        }
    }
    if (back > 0) --back;
    --level;
}
typedef void (*Leaf)(int);
static char* volatile place; // where room of middle() was
static Leaf next_leaf;
__attribute__((noinline)) void leaf_of_many(int size) // saves rbp behind other registers
{
    __asm__ volatile("" ::: "rbx", "rbp", "r12", "r13", "r14", "r15");
    sink += size;
    ask();
    __asm__ volatile("" ::: "rbx", "rbp", "r12", "r13", "r14", "r15");
}
__attribute__((noinline)) void leaf_of_room(int size) // first of all, and most of its frame stays as it was
{
    volatile char room[size];
    room[0] = 1;
    ask();
    sink += room[0];
}
__attribute__((noinline)) void middle(int size) // its frame is found by rbp
{
    volatile char room[size];
    room[0] = 1;
    place = (char*)room;
    if (next_leaf) next_leaf(256);
    sink += room[0];
}
__attribute__((noinline)) void between(int size)
{
    middle(size);
    sink++;
}
__attribute__((noinline)) void overlay(int more)
{
    // How much larger a frame has to be that is one call less deep.
    next_leaf = 0;
    between(16);
    char* const wanted = place;
    int larger = 16;
    for (place = 0; place != wanted && larger < 4096; larger += 16)
        middle(larger);
    larger -= 16;
    while (left >= 3) {
        next_leaf = leaf_of_many;
        between(16);
        next_leaf = leaf_of_room;
        between(16);
        middle(larger);
    }
    left = 0;
    sink += more;
}
__attribute__((noinline)) void down(int calls)
{
    if (calls > 0)
        down(calls - 1);
    else
        overlay(1);
    sink++;
}
static void* run(void* number)
{
    seed = (unsigned)(size_t)number;
    left = times;
    if (overlaid) down(depth);
    while (left > 0) {
        back = 0;
        go();
    }
    return 0;
}
int main(int argc, char** argv)
{
    if (argc < 4) return 2;
    depth = atoi(argv[2]);
    times = atoi(argv[3]);
    signals = strcmp(argv[1], "signals") == 0;
    overlaid = strcmp(argv[1], "overlaid") == 0;
    struct sigaction action = {.sa_handler = handler, .sa_flags = SA_NODEFER};
    sigaction(SIGUSR1, &action, 0);
    const int threads = argc > 4 ? atoi(argv[4]) : 1;
    pthread_t others[256];
    for (int i = 1; i < threads && i < 256; ++i)
        if (pthread_create(&others[i], 0, run, (void*)(size_t)i)) return 1;
    run(0);
    for (int i = 1; i < threads && i < 256; ++i)
        pthread_join(others[i], 0);
    if (strcmp(argv[1], "exec") == 0 && depth > 100) {
        char half[16];
        snprintf(half, sizeof half, "%d", depth / 2);
        execl(argv[0], argv[0], argv[1], half, argv[3], (char*)0);
    }
    return 0;
}
