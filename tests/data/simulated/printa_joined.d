/* Rows of several aggregations are joined by their key, sorted by the first; what one lacks is 0. */
#pragma D option quiet

syscall::read:entry
{
	@reads[execname] = count();
}

syscall::write:entry
{
	@writes[execname] = count();
	@bytes[execname] = sum(arg2);
}

END
{
	printf("%-8s %6s %6s %6s\n", "NAME", "READS", "WRITES", "BYTES");
	printa("%-8s %6@d %@6d %@6u\n", @reads, @writes, @bytes);
}
@@fire syscall::read:entry execname=cat times=2
@@fire syscall::write:entry execname=cat arg2=5 times=3
@@fire syscall::read:entry execname=grep
@@fire syscall::write:entry execname=tee arg2=100
@@expect
NAME      READS WRITES  BYTES
tee           0      1    100
grep          1      0      0
cat           2      3     15

