/* The most frequent user stacks of two system calls. */
#pragma D option quiet

syscall::lseek:entry, syscall::write:entry
/execname == "qemu-dm"/
{
	@c[probefunc, ustack()] = count();
}

tick-5s
{
	trunc(@c, 2);
	printa(@c);
	clear(@c);
}
@@symbol 0x401000 prog`main
@@symbol 0x401100 prog`work
@@symbol 0x7f0000000000 libc.so.6`write

@@stack user 0x7f000000000a 0x401110
@@fire syscall::write:entry execname=qemu-dm times=3
@@fire syscall::write:entry execname=other times=9
@@stack user 0x7f000000000a 0x401010
@@fire syscall::write:entry execname=qemu-dm times=1
@@stack user 0x401020
@@fire syscall::lseek:entry execname=qemu-dm times=2
@@fire profile:::tick-5s
@@expect

  lseek                                             
              prog`main+0x20
                2
  write                                             
              libc.so.6`write+0xa
              prog`work+0x10
                3

