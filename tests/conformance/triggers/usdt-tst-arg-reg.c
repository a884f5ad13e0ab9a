// Arguments in registers of each width and sign, again and again; for usdt/tst.arg-reg.d.
#include <stdint.h>
#include <sys/sdt.h>
#include <unistd.h>
#define FIRE(width, unsigned_value)                                                                                                        \
    {                                                                                                                                      \
        register uint##width##_t u = unsigned_value;                                                                                       \
        register int##width##_t s = (int##width##_t)-u;                                                                                    \
        __asm__ volatile("" : "+r"(u), "+r"(s));                                                                                           \
        fire##width(u, s);                                                                                                                 \
    }
static void fire8(uint8_t u, int8_t s)
{
    STAP_PROBE1(test_prov, uval1, u);
    STAP_PROBE1(test_prov, sval1, s);
}
static void fire16(uint16_t u, int16_t s)
{
    STAP_PROBE1(test_prov, uval2, u);
    STAP_PROBE1(test_prov, sval2, s);
}
static void fire32(uint32_t u, int32_t s)
{
    STAP_PROBE1(test_prov, uval4, u);
    STAP_PROBE1(test_prov, sval4, s);
}
static void fire64(uint64_t u, int64_t s)
{
    STAP_PROBE1(test_prov, uval8, u);
    STAP_PROBE1(test_prov, sval8, s);
}
int main(void)
{
    for (;;) {
        FIRE(8, 0x12)
        FIRE(16, 0x1234)
        FIRE(32, 0x12345678)
        FIRE(64, 0x1234567890ABCDEF)
        usleep(1000);
    }
}
