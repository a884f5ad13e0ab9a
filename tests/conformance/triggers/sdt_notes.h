/* Tests of 2.0.7 include the peer's copy of systemtap's <sys/sdt.h> by this name. */
#include <sys/sdt.h>
