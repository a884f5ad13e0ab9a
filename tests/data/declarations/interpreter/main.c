#include "probes.h"
#ifdef SPEECH_LETTER
#error "left out by #if"
#endif
static void __attribute__((noinline)) call(const char *name, int line)
{
	if (SPEECH_METHOD_ENTRY_ENABLED()) SPEECH_METHOD_ENTRY("Text", name, "a.sp", line);
}
int main(void)
{
	call("upcase", 3);
	call("chop", 4);
	SPEECH_ARRAY_CREATE(1L << 40, "a.sp", 5);
	SPEECH_WORD("hello");
	SPEECH_RAISE("Oops", "a.sp", 6);
	SPEECH_GC_MARK_BEGIN();
	return 0;
}
