#pragma D option quiet

syscall::read:return
{
	@ = lquantize((int64_t)arg0, -10, 10, 5);
}
@@fire syscall::read:return ret=-11
@@fire syscall::read:return ret=-10
@@fire syscall::read:return ret=-1
@@fire syscall::read:return ret=10
@@expect


           value  ------------- Distribution ------------- count    
           < -10 |@@@@@@@@@@                               1        
             -10 |@@@@@@@@@@                               1        
              -5 |@@@@@@@@@@                               1        
               0 |                                         0        
               5 |                                         0        
           >= 10 |@@@@@@@@@@                               1        

