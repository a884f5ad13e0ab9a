/* aggpercpu: below each row its values by CPU, of idle ones, too, as DTrace for Linux prints them; clear, trunc and normalize act on both. */
#pragma D option quiet
#pragma D option aggpercpu

syscall::write:entry
{
	@calls = count();
	@bytes[execname] = sum(arg2);
	@least[execname, pid] = min(arg2);
	@mean = avg(arg2);
	@sizes = quantize(arg2);
	@gone[pid] = count();
	@scaled = sum(arg2);
	@most[execname] = max(arg2);
}
syscall::write:return
{
	trunc(@gone);
	normalize(@scaled, 10);
	printa("%@d in all\n", @calls);
	clear(@mean);
	printa(@bytes);
	printa(@bytes, @most);
}
@@fire syscall::write:entry execname=cat pid=1 arg2=10 cpu=0
@@fire syscall::write:entry execname=cat pid=1 arg2=20 cpu=3
@@fire syscall::write:entry execname=dog pid=2 arg2=30 cpu=1
@@fire syscall::write:entry execname=cat pid=1 arg2=5 cpu=3
@@fire syscall::write:return execname=cat pid=1
@@fire syscall::write:entry execname=cat pid=1 arg2=8 cpu=2
@@expect
4 in all

  dog                                                              30
    [CPU 0]                0
    [CPU 1]               30
    [CPU 2]                0
    [CPU 3]                0
  cat                                                              35
    [CPU 0]               10
    [CPU 1]                0
    [CPU 2]                0
    [CPU 3]               25

  dog                                                              30
    [CPU 0]                0
    [CPU 1]               30
    [CPU 2]                0
    [CPU 3]                0               30
    [CPU 0] -9223372036854775808
    [CPU 1]               30
    [CPU 2] -9223372036854775808
    [CPU 3] -9223372036854775808
  cat                                                              35
    [CPU 0]               10
    [CPU 1]                0
    [CPU 2]                0
    [CPU 3]               25               20
    [CPU 0]               10
    [CPU 1] -9223372036854775808
    [CPU 2] -9223372036854775808
    [CPU 3]               20

  cat                                                       1                5
    [CPU 0]               10
    [CPU 1] 9223372036854775807
    [CPU 2]                8
    [CPU 3]                5
  dog                                                       2               30
    [CPU 0] 9223372036854775807
    [CPU 1]               30
    [CPU 2] 9223372036854775807
    [CPU 3] 9223372036854775807
                8
    [CPU 0]                0
    [CPU 1]                0
    [CPU 2]                8
    [CPU 3]                0

           value  ------------- Distribution ------------- count    
               2 |                                         0        
               4 |@@@@@@@@                                 1        
               8 |@@@@@@@@@@@@@@@@                         2        
              16 |@@@@@@@@@@@@@@@@                         2        
              32 |                                         0        

    [CPU 0]
           value  ------------- Distribution ------------- count    
               4 |                                         0        
               8 |@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@ 1        
              16 |                                         0        

    [CPU 1]
           value  ------------- Distribution ------------- count    
               8 |                                         0        
              16 |@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@ 1        
              32 |                                         0        

    [CPU 2]
           value  ------------- Distribution ------------- count    
               4 |                                         0        
               8 |@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@ 1        
              16 |                                         0        

    [CPU 3]
           value  ------------- Distribution ------------- count    
               2 |                                         0        
               4 |@@@@@@@@@@@@@@@@@@@@                     1        
               8 |                                         0        
              16 |@@@@@@@@@@@@@@@@@@@@                     1        
              32 |                                         0        

        1                1
    [CPU 0]                0
    [CPU 1]                0
    [CPU 2]                1
    [CPU 3]                0
                7
    [CPU 0]                1
    [CPU 1]                3
    [CPU 2]                0
    [CPU 3]                2
