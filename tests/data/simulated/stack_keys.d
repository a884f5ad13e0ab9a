/* Kernel stacks as keys: equal stacks are one row. */
#pragma D option quiet

profile-97
{
	@[stack()] = count();
	@short[stack(1)] = count();
}
@@symbol 0xffffffff81000000 vmlinux`first
@@symbol 0xffffffff81000100 vmlinux`second
@@symbol 0xffffffffc0000000 ext4`third
@@symbol 0x401000 prog`main
@@symbol 0x401100 prog`work
@@symbol 0x7f0000000000 libc.so.6`write

@@stack kernel 0xffffffff81000010 0xffffffff81000100 0xffffffffc0000abc
@@fire profile:::profile-97 cpu=0
@@fire profile:::profile-97 cpu=1
@@stack kernel 0xffffffff81000010 0xffffffffc0000000
@@fire profile:::profile-97 cpu=0
@@expect


              vmlinux`first+0x10
              ext4`third
                1

              vmlinux`first+0x10
              vmlinux`second
              ext4`third+0xabc
                2

              vmlinux`first+0x10
                3
