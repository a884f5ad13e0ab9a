// failing_calls ROUNDS: in each a call that fails with EBADF, then afterFailure(), a call that succeeds, and afterSuccess().
#include <stdlib.h>
#include <unistd.h>
static volatile int count;
__attribute__((noinline, noipa)) void afterFailure(void) { count++; }
__attribute__((noinline, noipa)) void afterSuccess(void) { count++; }
int main(int argc, char** argv)
{
    const int rounds = argc > 1 ? atoi(argv[1]) : 1;
    for (int i = 0; i < rounds; i++) {
        close(-1);
        afterFailure();
        getppid();
        afterSuccess();
    }
    return count != 2 * rounds;
}
