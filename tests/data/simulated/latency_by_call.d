/* Time from entry to return of every system call, as a distribution and as extremes. */
#pragma D option quiet

syscall:::entry
{
	self->ts = timestamp;
}

syscall:::return
/self->ts/
{
	this->took = timestamp - self->ts;
	@time[probefunc] = quantize(this->took);
	@longest[probefunc] = max(this->took);
	@total = sum(this->took);
	self->ts = 0;
}
@@fire syscall::read:entry tid=1
@@fire syscall::write:entry tid=2 cpu=1
@@advance 700ns
@@fire syscall::read:return tid=1
@@advance 300ns
@@fire syscall::write:return tid=2 cpu=2
@@fire syscall::write:return tid=2 cpu=2
@@fire syscall::read:entry tid=1
@@advance 1100ns
@@fire syscall::read:return tid=1
@@expect

  write                                             
           value  ------------- Distribution ------------- count    
             256 |                                         0        
             512 |@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@ 1        
            1024 |                                         0        

  read                                              
           value  ------------- Distribution ------------- count    
             256 |                                         0        
             512 |@@@@@@@@@@@@@@@@@@@@                     1        
            1024 |@@@@@@@@@@@@@@@@@@@@                     1        
            2048 |                                         0        

  write                                                          1000
  read                                                           1100
             2800
