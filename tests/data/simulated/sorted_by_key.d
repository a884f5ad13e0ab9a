/* aggsortkey: by key, not by value. */
#pragma D option quiet

#pragma D option aggsortkey

syscall::write:entry
{
	@[execname] = sum(arg2);
	@by[pid] = sum(arg2);
}
@@fire syscall::write:entry execname=b pid=20 arg2=1
@@fire syscall::write:entry execname=c pid=3 arg2=2
@@fire syscall::write:entry execname=a pid=100 arg2=3
@@expect

  a                                                                 3
  b                                                                 1
  c                                                                 2
        3                2
       20                1
      100                3
