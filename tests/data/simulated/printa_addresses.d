/* printa() names addresses as printf() does, whichever comes first; elsewhere they stay numbers. */
#pragma D option quiet

profile-1ms
{
	@a[arg0] = count();
	@f[func(arg0)] = count();
	@both[arg0, probename] = sum(2);
	@other[arg0] = count();
	@last = max(arg0);
	printf("%a\n", arg0);
}

END
{
	printa("%a %@d\n", @a);
	printa("[%40a] %@d\n", @a);
	printa("[%-40a] %@d\n", @a);
	printa("%@2d %a\n", @f);
	printa("%40a %@d\n", @f);
	printa("%a %s %@d\n", @both);
	printa("%@a\n", @last);
	printa("[%@-20a]\n", @last);
	printa("%x %@d\n", @a);
	printa(@a);
}
@@symbol 0xffffffff81000000 vmlinux`pv_native_safe_halt
@@symbol 0xffffffff82000000 vmlinux`finish_task_switch
@@fire profile-1ms cs=0x10 ip=0xffffffff81000000
@@fire profile-1ms cs=0x10 ip=0xffffffff81000000
@@fire profile-1ms cs=0x10 ip=0xffffffff8200000b
@@expect
vmlinux`pv_native_safe_halt
vmlinux`pv_native_safe_halt
vmlinux`finish_task_switch+0xb
vmlinux`finish_task_switch+0xb 1
vmlinux`pv_native_safe_halt 2
[          vmlinux`finish_task_switch+0xb] 1
[             vmlinux`pv_native_safe_halt] 2
[vmlinux`finish_task_switch+0xb          ] 1
[vmlinux`pv_native_safe_halt             ] 2
 1 vmlinux`finish_task_switch
 2 vmlinux`pv_native_safe_halt
              vmlinux`finish_task_switch 1
             vmlinux`pv_native_safe_halt 2
vmlinux`finish_task_switch+0xb profile-1ms 2
vmlinux`pv_native_safe_halt profile-1ms 4
0xffffffff8200000b
[0xffffffff8200000b  ]
ffffffff8200000b 1
ffffffff81000000 2

      -2113929205                1
      -2130706432                2

      -2113929205                1
      -2130706432                2
