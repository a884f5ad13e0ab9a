/* What a constant condition leaves out is no part of the program: neither an action nor a variable nor a key. */
#pragma D option quiet

inline int OPT_time = 0;
inline int OPT_count = 1;
inline int OPT_both = OPT_time && OPT_count;

syscall::read:entry
{
	OPT_time ? printf("never\n") : 1;
	OPT_count == 1 ? printf("%d bytes\n", arg2) : printf("never either\n");
	OPT_both ? @total[execname] = sum(arg2) : 1;
	!OPT_both && OPT_count ? @total[arg0] = sum(arg2) : 1;
	(OPT_time ? nosuch->thing : 7) == 7 ? printf("seven\n") : trace(nosuch);
	$1 ? trace("an argument") : OPT_count ? printf("nested %d\n", OPT_time ? "text" : 3) : exit(1);
}

END
{
	OPT_count ? trunc(@total, 1) : 1;
}
@@args 0
@@fire syscall::read:entry arg0=3 arg2=10
@@fire syscall::read:entry arg0=4 arg2=30
@@fire syscall::read:entry arg0=3 arg2=15
@@expect
10 bytes
seven
nested 3
30 bytes
seven
nested 3
15 bytes
seven
nested 3

                4               30
