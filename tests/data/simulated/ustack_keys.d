/* User stacks as keys, with the program's name beside them. */
#pragma D option quiet

profile-97
/arg1/
{
	@[execname, ustack()] = count();
}
@@symbol 0xffffffff81000000 vmlinux`first
@@symbol 0xffffffff81000100 vmlinux`second
@@symbol 0xffffffffc0000000 ext4`third
@@symbol 0x401000 prog`main
@@symbol 0x401100 prog`work
@@symbol 0x7f0000000000 libc.so.6`write

@@stack user 0x401110 0x401050 0x7f0000000020
@@fire profile:::profile-97 cpu=0 cs=0x33 execname=prog
@@fire profile:::profile-97 cpu=1 cs=0x33 execname=prog
@@stack user 0x401010
@@fire profile:::profile-97 cpu=1 cs=0x33 execname=prog
@@fire profile:::profile-97 cpu=1 cs=0x10 execname=prog
@@expect

  prog                                              
              prog`main+0x10
                1
  prog                                              
              prog`work+0x10
              prog`main+0x50
              libc.so.6`write+0x20
                2
