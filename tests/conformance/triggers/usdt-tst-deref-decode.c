// Arguments in memory, as compilers address it: constants, globals, stacks, members and elements, of each width and sign. For
// usdt/tst.deref-decode.d.
#include <stdint.h>
#include <sys/sdt.h>
#include <unistd.h>
struct Pair {
    int32_t first;
    int16_t second;
};
static int8_t bytes[] = {9, -13, 7};
static uint16_t words[] = {1, 2, 3, 4};
static struct Pair pairs[] = {{52, -1}, {12, -3}};
static uint64_t global = 48;
int main(void)
{
    for (;;) {
        volatile int onStack = 0;
        volatile unsigned last = 12;
        int one = 1, three = 3;
        const struct Pair* pair = pairs;
        __asm__ volatile("" : "+r"(one), "+r"(three), "+r"(pair));
        STAP_PROBE10(test_prov, deref, bytes[one], words[three], pair->first, pair->second, pairs[one].first, pair[one].second, global, onStack,
            5, last);
        usleep(1000);
    }
}
