/* What tests/soak/run traces, by its first argument. Each says at its end (SIGTERM) how often it did what is counted.
   calls    getppid() in bursts, by way of step()
   storm    children in bursts, each of which becomes the program of the second argument
   leaf     ends at once */
#define _GNU_SOURCE
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>
static volatile sig_atomic_t over;
static void end(int number) { over = number; }
__attribute__((noinline, noipa)) long step(void) { return syscall(SYS_getppid) + 1; }

static long calls(void)
{
    long count = 0, sum = 0;
    while (!over) {
        for (int i = 0; i < 1000; i++, count++) sum += step();
        usleep(sum ? 20000 : 1);
    }
    return count;
}

static long storm(char* leaf)
{
    long count = 0;
    while (!over) {
        for (int i = 0; i < 40; i++) {
            pid_t child = fork();
            if (child == 0) {
                execl(leaf, leaf, "leaf", (char*)0);
                _exit(127);
            }
            if (child > 0) count++;
        }
        while (wait(0) > 0 || (over && waitpid(-1, 0, WNOHANG) > 0)) ;
        usleep(200000);
    }
    while (wait(0) > 0) ;
    return count;
}

int main(int count, char** words)
{
    if (count < 2 || strcmp(words[1], "leaf") == 0) return 0;
    signal(SIGTERM, end);
    const long done = strcmp(words[1], "storm") == 0 && count > 2 ? storm(words[2]) : calls();
    printf("%ld\n", done);
    return 0;
}
