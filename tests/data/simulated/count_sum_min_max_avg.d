/* Values of all CPUs come together; rows by value, ties by key; aggregations in the order of their first use. */
#pragma D option quiet

syscall::write:entry
{
	@writes[execname] = count();
	@bytes[execname] = sum(arg2);
	@smallest[execname] = min(arg2);
	@largest[execname] = max(arg2);
	@average[execname] = avg(arg2);
	@all = count();
	@everything = sum(arg2);
}
@@fire syscall::write:entry execname=cat pid=1 arg2=10 cpu=0
@@fire syscall::write:entry execname=cat pid=1 arg2=20 cpu=1
@@fire syscall::write:entry execname=dog pid=2 arg2=1000 cpu=2
@@fire syscall::write:entry execname=dog pid=3 arg2=1 cpu=3
@@fire syscall::write:entry execname=ant pid=4 arg2=7 cpu=0
@@fire syscall::write:entry execname=dog pid=2 arg2=3 cpu=0
@@expect

  ant                                                               1
  cat                                                               2
  dog                                                               3
  ant                                                               7
  cat                                                              30
  dog                                                            1004
  dog                                                               1
  ant                                                               7
  cat                                                              10
  ant                                                               7
  cat                                                              20
  dog                                                            1000
  ant                                                               7
  cat                                                              15
  dog                                                             334
                6
             1041
