/* aggsortrev: the largest first. */
#pragma D option quiet

#pragma D option aggsortrev

syscall::write:entry
{
	@[execname] = sum(arg2);
}
@@fire syscall::write:entry execname=b arg2=1
@@fire syscall::write:entry execname=c arg2=3
@@fire syscall::write:entry execname=a arg2=2
@@expect

  c                                                                 3
  a                                                                 2
  b                                                                 1
