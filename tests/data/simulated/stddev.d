/* The square root of the mean of squares less the square of the mean, cut to a whole number. */
#pragma D option quiet

syscall::write:entry
{
	@ = stddev(arg2);
}
@@fire syscall::write:entry arg2=2
@@fire syscall::write:entry arg2=4
@@fire syscall::write:entry arg2=4 cpu=1
@@fire syscall::write:entry arg2=4
@@fire syscall::write:entry arg2=5
@@fire syscall::write:entry arg2=5 cpu=2
@@fire syscall::write:entry arg2=7
@@fire syscall::write:entry arg2=9
@@expect

                2
