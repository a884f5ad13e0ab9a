/* The busiest calls a second, every five seconds. */
#pragma D option quiet

BEGIN
{
	timer = timestamp;
}

syscall:::entry
{
	@c[pid, execname, probefunc] = count();
}

tick-5s
{
	trunc(@c, $1);
	normalize(@c, (timestamp - timer) / 1000000000);
	printa("%5d %-20s %6@d %s\n", @c);
	clear(@c);
	printf("\n");
	timer = timestamp;
}
@@args 3
@@fire syscall::lseek:entry pid=16480 execname=qemu-dm times=50
@@fire syscall::write:entry pid=16480 execname=qemu-dm times=55 cpu=1
@@fire syscall::ioctl:entry pid=209 execname=nscd times=9
@@fire syscall::ioctl:entry pid=16376 execname=prstat times=10
@@advance 5s
@@fire profile:::tick-5s
@@fire syscall::ioctl:entry pid=209 execname=nscd times=100
@@advance 10s
@@fire profile:::tick-5s
@@expect
16376 prstat                    2 ioctl
16480 qemu-dm                  10 lseek
16480 qemu-dm                  11 write

16480 qemu-dm                   0 lseek
16480 qemu-dm                   0 write
  209 nscd                     10 ioctl


