#include "probes.h"
int main(void)
{
	if (PAGES_REQUEST_STARTUP_ENABLED()) PAGES_REQUEST_STARTUP("i.pg", "/", "GET");
	PAGES_COMPILE_FILE_ENTRY("i.pg", "/srv/i.pg");
	PAGES_FUNCTION_ENTRY("main", "i.pg", 12, "", "::");
	PAGES_ERROR("no", "i.pg", 13);
	PAGES_EXCEPTION_THROWN("Lost");
	return 0;
}
