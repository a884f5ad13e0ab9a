/* The way scripts end themselves; the status is exit()'s. */
#pragma D option quiet

syscall:::entry
{
	@ = count();
}

tick-1s
/++seconds >= 2/
{
	exit(seconds);
}
@@fire syscall::read:entry
@@advance 1s
@@fire profile:::tick-1s
@@fire syscall::read:entry
@@advance 1s
@@fire profile:::tick-1s
@@fire syscall::read:entry
@@status 2
@@expect

                2
