/* Several keys: each printed by its type and size; ties are ordered key by key. */
#pragma D option quiet

syscall::write:entry
{
	@[execname, pid] = count();
	@two[pid, arg2] = sum(1);
	@three[(int16_t)pid, (int8_t)cpu, probefunc] = count();
}
@@fire syscall::write:entry execname=cat pid=1 arg2=10 cpu=0
@@fire syscall::write:entry execname=cat pid=1 arg2=20 cpu=1
@@fire syscall::write:entry execname=dog pid=2 arg2=1000 cpu=2
@@fire syscall::write:entry execname=dog pid=3 arg2=1 cpu=3
@@fire syscall::write:entry execname=ant pid=4 arg2=7 cpu=0
@@fire syscall::write:entry execname=dog pid=2 arg2=3 cpu=0
@@expect

  ant                                                       4                1
  dog                                                       3                1
  cat                                                       1                2
  dog                                                       2                2
        1               10                1
        1               20                1
        2                3                1
        2             1000                1
        3                1                1
        4                7                1
     1   0  write                                                             1
     1   1  write                                                             1
     2   0  write                                                             1
     2   2  write                                                             1
     3   3  write                                                             1
     4   0  write                                                             1
