// Probes of three providers. For usdt/tst.multiprovider.sh.
#include "usdt-tst-multiprovider-prov.h"
#include <unistd.h>
int main(void)
{
    PROVA_ENTRYA();
    PROVB_ENTRYB();
    PROVB_ENTRYC("words", 3);
    PROVC_ENTRYD();
    usleep(100000);
    return 0;
}
