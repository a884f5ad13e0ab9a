// deep KIND DEPTH TIMES: calls itself DEPTH times, and asks TIMES for the number of its parent from there.
// KIND: plain; wide: each frame has 64 KiB; signal: from a handler, on an alternate stack, of a signal that came there.
#define _GNU_SOURCE
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>
static volatile int sink;
static int times, wide, in_signal;
static char alternate[1 << 16];

__attribute__((noinline)) void ask(void)
{
    for (int i = 0; i < times; ++i)
        syscall(SYS_getppid);
    sink++;
}
__attribute__((noinline)) void handler(int number)
{
    (void)number;
    ask();
    sink++;
}
__attribute__((noinline)) void bottom(void)
{
    if (in_signal)
        raise(SIGUSR1);
    else
        ask();
    sink++;
}
__attribute__((noinline)) void wide_step(int left)
{
    volatile char room[1 << 16];
    room[left & 0xff] = 1;
    if (left)
        wide_step(left - 1);
    else
        bottom();
    sink += room[0];
}
__attribute__((noinline)) void step(int left)
{
    if (left)
        step(left - 1);
    else
        bottom();
    sink++;
}
int main(int argc, char** argv)
{
    if (argc < 4) return 2;
    wide = strcmp(argv[1], "wide") == 0;
    in_signal = strcmp(argv[1], "signal") == 0;
    times = atoi(argv[3]);
    if (in_signal) {
        stack_t other = {.ss_sp = alternate, .ss_size = sizeof alternate};
        struct sigaction action = {.sa_handler = handler, .sa_flags = SA_ONSTACK};
        sigaltstack(&other, 0);
        sigaction(SIGUSR1, &action, 0);
    }
    if (wide)
        wide_step(atoi(argv[2]));
    else
        step(atoi(argv[2]));
    return 0;
}
