#include "probes.h"
#include <stddef.h>
int main(void)
{
	HOST_POLL_ADD(1, 2, -3, NULL, NULL, NULL);
	HOST_POLL_RUN(7, -1);
	HOST_OBJECT_NEW(NULL, "domain");
	HOST_SOCKET_NEW(NULL, 1, -1, 1234, "127.0.0.1;22", "");
	HOST_CONTEXT_NEW(NULL, "ca", "crl", "cert", "key", 1, 0, 1);
	return 0;
}
