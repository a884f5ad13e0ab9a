/* Powers of two; one empty bucket below and above what there is. */
#pragma D option quiet

syscall::write:entry
{
	@[execname] = quantize(arg2);
}
@@fire syscall::write:entry execname=cat pid=1 arg2=10 cpu=0
@@fire syscall::write:entry execname=cat pid=1 arg2=20 cpu=1
@@fire syscall::write:entry execname=dog pid=2 arg2=1000 cpu=2
@@fire syscall::write:entry execname=dog pid=3 arg2=1 cpu=3
@@fire syscall::write:entry execname=ant pid=4 arg2=7 cpu=0
@@fire syscall::write:entry execname=dog pid=2 arg2=3 cpu=0
@@expect

  ant                                               
           value  ------------- Distribution ------------- count    
               2 |                                         0        
               4 |@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@ 1        
               8 |                                         0        

  cat                                               
           value  ------------- Distribution ------------- count    
               4 |                                         0        
               8 |@@@@@@@@@@@@@@@@@@@@                     1        
              16 |@@@@@@@@@@@@@@@@@@@@                     1        
              32 |                                         0        

  dog                                               
           value  ------------- Distribution ------------- count    
               0 |                                         0        
               1 |@@@@@@@@@@@@@                            1        
               2 |@@@@@@@@@@@@@                            1        
               4 |                                         0        
               8 |                                         0        
              16 |                                         0        
              32 |                                         0        
              64 |                                         0        
             128 |                                         0        
             256 |                                         0        
             512 |@@@@@@@@@@@@@                            1        
            1024 |                                         0        

