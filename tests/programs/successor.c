// successor TIMES NAME: tells in /tmp/perf-PID.map that the code which it has written into memory is called so, asks TIMES for the number
// of its parent from there, and becomes a program that does the same with other code at the same place, and tells no name. That one removes
// the file.
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>
#if defined(__x86_64__)
static const unsigned char code[] = {0xb8, SYS_getppid, 0, 0, 0, 0x0f, 0x05, 0xc3}; // mov $getppid,%eax; syscall; ret
#else
static const unsigned char code[1];
#endif

static struct timespec tick(void)
{
    struct timespec now;
    clock_gettime(CLOCK_REALTIME_COARSE, &now); // by which files tell when they were changed
    return now;
}
int main(int argc, char** argv)
{
    if (argc < 2 || sizeof code == 1) return 2;
    void* const at = (void*)0x10000000;
    if (mmap(at, 4096, PROT_READ | PROT_WRITE | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0) != at) return 1;
    memcpy(at, code, sizeof code);
    long (*call)(void);
    memcpy(&call, &at, sizeof call);
    char path[64];
    snprintf(path, sizeof path, "/tmp/perf-%d.map", (int)getpid());
    if (argc > 2) {
        FILE* map = fopen(path, "wx");
        if (!map || fprintf(map, "10000000 8 %s\n", argv[2]) < 0 || fclose(map) != 0) return 1;
    }
    for (int i = atoi(argv[1]); i > 0; --i)
        call();
    if (argc > 2) {
        const struct timespec written = tick();
        for (struct timespec now = written; now.tv_sec == written.tv_sec && now.tv_nsec - written.tv_nsec < 50000000L;)
            now = tick();
        execl("/proc/self/exe", argv[0], argv[1], (char*)0);
        return 1;
    }
    return unlink(path) != 0;
}
