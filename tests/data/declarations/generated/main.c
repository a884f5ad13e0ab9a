#include "probes.h"
#include <sys/types.h>
int main(void)
{
	MACHINE_MACHINE_MEMALIGN(4096, 8192, (void *)0);
	MACHINE_VISIT_BOOL((void *)0, "on", (void *)0);
	MACHINE_EVENT_QUEUE(4294967295u, (void *)0, 18446744073709551615ull);
	MACHINE_ANSWER((ssize_t)-1, (signed char)-2, (unsigned char)254, -3L, -4L, 5ull, 1);
	MACHINE_BLK_ATTACH();
	return 0;
}
