#include "probes.h"
static char memory[16];
int main(void)
{
	BASIS_MEM_ALLOC((void *)memory, 16, 0, 1);
	BASIS_QUARK_NEW("name", 9);
	BASIS_MAIN_AFTER_PREPARE((void *)memory, 0, 2);
	BASIS_TIMEOUT_ADD(0, 0, 3, -4, 5, 0, (void *)memory);
	BASIS_SOURCE_NEW(0, 0, 0, 0, 0, (unsigned long)-1);
	BASIS_TYPE_NEW(0, 1ul << 63, 2);
	OBJECTS_SIGNAL_EMIT(1, 2, (void *)memory, 3);
	return 0;
}
