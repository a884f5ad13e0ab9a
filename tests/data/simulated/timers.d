/* profile and tick: arg0 is the kernel's program counter, arg1 the user's, the other one 0. */
#pragma D option quiet

profile:::tick-1s
{
	printf("%d: %x %x\n", timestamp / 1000000000, arg0, arg1);
}

profile-97
{
	printf("%s %x %x\n", probename, arg0, arg1);
}
@@advance 1s
@@fire profile:::tick-1s ip=0xffffffff81000010 cs=0x10
@@advance 1s
@@fire profile:::tick-1s ip=0x401000 cs=0x33
@@fire profile:::profile-97 ip=0x402000 cs=0x33
@@fire profile:::profile-199 ip=0x402000 cs=0x33
@@expect
2: ffffffff81000010 0
3: 0 401000
profile-97 0 402000

