/* Casts to the kernel's short names are casts, whatever follows. */
#pragma D option quiet

syscall::read:entry
{
	printf("%d %d %x\n", (u8)(arg0), (s8)(arg0), (u64)-1);
}
@@needs kernel-types
@@fire syscall::read:entry arg0=0x1ff
@@expect
255 -1 ffffffffffffffff

