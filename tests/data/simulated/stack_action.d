/* stack() and ustack() as actions. */
#pragma D option quiet

profile-97
{
	stack();
	ustack(2);
	printf("%d\n", stackdepth);
}
@@symbol 0xffffffff81000000 vmlinux`first
@@symbol 0xffffffff81000100 vmlinux`second
@@symbol 0xffffffffc0000000 ext4`third
@@symbol 0x401000 prog`main
@@symbol 0x401100 prog`work
@@symbol 0x7f0000000000 libc.so.6`write

@@stack kernel 0xffffffff81000010 0xffffffff81000100
@@stack user 0x401110 0x401050 0x7f0000000020
@@fire profile:::profile-97 cs=0x33
@@expect

              vmlinux`first+0x10
              vmlinux`second

              prog`work+0x10
              prog`main+0x50
2

