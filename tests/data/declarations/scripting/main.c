#include "probes.h"
static void __attribute__((noinline)) phase(const char *to) { if (BEADS_PHASE_CHANGE_ENABLED()) BEADS_PHASE_CHANGE(to, "START"); }
int main(void)
{
	phase("RUN");
	BEADS_SUB_ENTRY("work", "w.pl", 2, "main");
	BEADS_SUB_RETURN("work", "w.pl", 3, "main");
	phase("END");
	return 0;
}
