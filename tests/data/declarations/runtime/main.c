#include "probes.h"
int main(void)
{
	SLITHER_IMPORT_FIND_LOAD_DONE("os", 1);
	SLITHER_FUNCTION_ENTRY("a.sl", "f", 4, "m");
	for (int line = 5; line < 8; ++line)
		SLITHER_LINE("a.sl", "f", line);
	SLITHER_AUDIT("open", (void *)0);
	SLITHER_GC_START(2);
	SLITHER_GC_DONE(-1L);
	return 0;
}
