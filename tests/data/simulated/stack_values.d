/* A stack as a value: what holds it, its members, and as a key. */
#pragma D option quiet

profile-97
{
	v = stack(3);
	this->v = v;
	self->v = this->v;
	a["x", 1] = self->v;
	printf("%d %d %d:", a["x", 1].depth, v.is_user, v.pid);
	printf("%k", a["x", 1]);
	v.depth = 2;
	trace(v);
	printf("%x\n", v.addrs[2]);
	@[self->v, v] = count();
	n[self->v]++;
	printf("%d\n", n[stack(3)]);
}
@@symbol 0xffffffff81000000 vmlinux`first
@@symbol 0xffffffff81000100 vmlinux`second
@@symbol 0xffffffffc0000000 ext4`third

@@stack kernel 0xffffffff81000010 0xffffffff81000120 0xffffffffc0000abc 0xffffffff81000130
@@fire profile:::profile-97
@@fire profile:::profile-97 cpu=1
@@expect
3 0 0:
vmlinux`first+0x10
vmlinux`second+0x20
ext4`third+0xabc

              vmlinux`first+0x10
              vmlinux`second+0x20
ffffffffc0000abc
1
3 0 0:
vmlinux`first+0x10
vmlinux`second+0x20
ext4`third+0xabc

              vmlinux`first+0x10
              vmlinux`second+0x20
ffffffffc0000abc
2


              vmlinux`first+0x10
              vmlinux`second+0x20
              ext4`third+0xabc

              vmlinux`first+0x10
              vmlinux`second+0x20
                2
