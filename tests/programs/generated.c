// generated KIND DEPTH TIMES [NAME]: calls itself DEPTH times, each by way of code that it has written into memory, which has no tables and leaves
// nothing useful in the frame pointer, and asks TIMES for the number of its parent from there. KIND, of what that code does behind its
// call: add: makes its room free and returns; pop: gives back a register and returns; return: that alone. With NAME it tells at its end,
// and no earlier, in /tmp/perf-PID.map, that the code is called so.
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>
#if defined(__x86_64__)
// mov %rdi,%rax; mov %rsi,%rdi; the call is `call *%rax`.
static const unsigned char add[] = {0x48, 0x89, 0xf8, 0x48, 0x89, 0xf7, 0x48, 0x83, 0xec, 0x18, 0xff, 0xd0, 0x48, 0x83, 0xc4, 0x18, 0xc3};
// push %rbp and mov $1,%ebp before them
static const unsigned char pop[] = {0x55, 0xbd, 1, 0, 0, 0, 0x48, 0x89, 0xf8, 0x48, 0x89, 0xf7, 0xff, 0xd0, 0x5d, 0xc3};
static const unsigned char alone[] = {0x48, 0x89, 0xf8, 0x48, 0x89, 0xf7, 0xff, 0xd0, 0xc3};
#else
static const unsigned char add[1], pop[1], alone[1];
#endif
static volatile int sink;
static int times;
static void (*through)(void (*)(long), long);

__attribute__((noinline)) void step(long left)
{
    if (left)
        through(step, left - 1);
    else
        for (int i = 0; i < times; ++i)
            syscall(SYS_getppid);
    sink++;
}
int main(int argc, char** argv)
{
    if (argc < 4 || sizeof add == 1) return 2;
    void* code = mmap(0, 4096, PROT_READ | PROT_WRITE | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (code == MAP_FAILED) return 1;
    if (strcmp(argv[1], "add") == 0)
        memcpy(code, add, sizeof add);
    else if (strcmp(argv[1], "pop") == 0)
        memcpy(code, pop, sizeof pop);
    else
        memcpy(code, alone, sizeof alone);
    memcpy(&through, &code, sizeof through);
    times = atoi(argv[3]);
    step(atol(argv[2]));
    if (argc > 4) {
        char path[64];
        snprintf(path, sizeof path, "/tmp/perf-%d.map", (int)getpid());
        FILE* map = fopen(path, "wx");
        if (!map || fprintf(map, "%lx 1000 %s\n", (unsigned long)code, argv[4]) < 0 || fclose(map) != 0) return 1;
    }
    return 0;
}
