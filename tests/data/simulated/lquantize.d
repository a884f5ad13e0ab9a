/* Steps of the program's choice, with what lies below and above. */
#pragma D option quiet

syscall::write:entry
{
	@low = lquantize(arg2, 0, 100, 10);
	@high = lquantize(arg2, 0, 20, 10);
}
@@fire syscall::write:entry arg2=5
@@fire syscall::write:entry arg2=10
@@fire syscall::write:entry arg2=19 cpu=2
@@expect


           value  ------------- Distribution ------------- count    
             < 0 |                                         0        
               0 |@@@@@@@@@@@@@                            1        
              10 |@@@@@@@@@@@@@@@@@@@@@@@@@@@              2        
              20 |                                         0        


           value  ------------- Distribution ------------- count    
             < 0 |                                         0        
               0 |@@@@@@@@@@@@@                            1        
              10 |@@@@@@@@@@@@@@@@@@@@@@@@@@@              2        
           >= 20 |                                         0        

