#pragma D option quiet

/* The addresses of a stack, each by its place: known when the program is compiled, or checked when it runs. */
profile-97
{
	i = 1;
	printf("%x %x %x\n", stack(3).addrs[0], stack(3).addrs[i], stack(3).addrs[2]);
}

profile-97
{
	trace(stack(3).addrs[i + 9000]);
}
@@stack kernel 0x1000 0x2000 0x3000
@@fire profile:::profile-97
@@expect
1000 2000 3000

@@messages
dtrace: error on enabled probe ID 2 (ID 68: profile:::profile-97): index out of bounds (9001) in action #1
