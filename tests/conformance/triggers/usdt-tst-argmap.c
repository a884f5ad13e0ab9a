// Probes whose arguments stand in another order, and are of several types. For usdt/tst.argmap*.d.
#include "usdt-tst-argmap-prov.h"
#include <unistd.h>
int main(void)
{
    for (;;) {
        TEST_PROV_PLACE(10, 4);
        TEST_PROV_PLACE2(255, "foo");
        usleep(1000);
    }
}
