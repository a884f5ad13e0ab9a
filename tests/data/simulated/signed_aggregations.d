/* sum, min, max and avg of negative values. */
#pragma D option quiet

syscall::read:return
{
	@["sum"] = sum(arg0);
	@low["min"] = min(arg0);
	@high["max"] = max(arg0);
	@mean["avg"] = avg(arg0);
}
@@fire syscall::read:return ret=-10 cpu=0
@@fire syscall::read:return ret=-3 cpu=1
@@fire syscall::read:return ret=-5 cpu=2
@@expect

  sum                                                             -18
  min                                                             -10
  max                                                              -3
  avg                                                              -6
