/* Every way to name a probe. */
BEGIN, END, ERROR
{
}
17 { trace(1); }
17, 18, 19 /pid/ { }
syscall:::entry, syscall::read*:return,	syscall:vmlinux:sys_[a-z]?pen:*{ }
profile-997 { } profile-97hz /arg0/ { } tick-1s{ } tick-$1 { }
pid$target:libc:malloc:entry,
pid$target::main:1f,
pid1234:a.out:`global:return { }
proc:::exec-success
/execname == "ls" && !(pid % 2) / { }
fbt::tcp_*:entry
/ *(int *)arg0 / 2 / { }
fbt:ext4:ext4\[file:entry /x/ /* between */ { }
sdt:::-name { }
! { }
entry // one line comment
// another
{ // and here
	x = 1; // there
}
read:entry
/(arg0 == 1) ? arg1 / 2 : arg2 /
{
	self->x = 1
}
uint64_t*:::entry { }
int*:::entry { }
int_probe* { }
