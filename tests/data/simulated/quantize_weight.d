/* The second argument is what a value counts for. */
#pragma D option quiet

syscall::read:return
/arg0 >= 0/
{
	@zero = quantize(arg0, 5);
}
@@fire syscall::read:return ret=0
@@fire syscall::read:return ret=-7
@@fire syscall::read:return ret=1 cpu=1
@@expect


           value  ------------- Distribution ------------- count    
              -1 |                                         0        
               0 |@@@@@@@@@@@@@@@@@@@@                     5        
               1 |@@@@@@@@@@@@@@@@@@@@                     5        
               2 |                                         0        

