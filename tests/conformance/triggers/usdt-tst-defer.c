// Passes foo until its tracer sends SIGUSR1, then foo and bar ten times, and says how often each was enabled: rounds, foo and bar before the
// signal, the same after it. For usdt/tst.defer.sh and usdt/tst.defer-Z.sh.
#include "usdt-tst-defer-prov.h"
#include <signal.h>
#include <stdio.h>
#include <unistd.h>
struct Counts {
    int rounds, foo, bar;
};
static volatile sig_atomic_t isSignalled;
static void onSignal(int signal)
{
    (void)signal;
    isSignalled = 1;
}
static void passFoo(struct Counts* counts)
{
    counts->rounds++;
    if (!TESTPROV_FOO_ENABLED()) return;
    TESTPROV_FOO();
    counts->foo++;
}
int main(void)
{
    struct Counts before = {0, 0, 0}, after = {0, 0, 0};
    const struct sigaction action = {.sa_handler = onSignal};
    sigaction(SIGUSR1, &action, NULL);
    while (!isSignalled) {
        passFoo(&before);
        if (TESTPROV_BAR_ENABLED()) before.bar++;
        usleep(200000); // longer than a tracer takes from enabling the probes to its first clause
    }
    for (int number = 0; number < 10; ++number) {
        passFoo(&after);
        if (!TESTPROV_BAR_ENABLED()) continue;
        TESTPROV_BAR(number, number + 2, number * 2);
        after.bar++;
    }
    printf("%d: %d %d %d %d %d %d\n", getpid(), before.rounds, before.foo, before.bar, after.rounds, after.foo, after.bar);
    return 0;
}
