/* -F: two columns more after an entry, two fewer at a return; other probes between them. */
#pragma D option flowindent

syscall::read:entry,
syscall::read:return
{
}

tick-1s
{
	trace("tick");
}
@@fire syscall::read:entry cpu=1
@@fire profile:::tick-1s cpu=1
@@fire syscall::read:return cpu=1
@@expect
CPU FUNCTION                                 
  1  => read                                  
  1   | :tick-1s                                tick                             
  1  <= read                                  

