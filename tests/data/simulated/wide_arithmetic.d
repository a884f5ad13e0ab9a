/* Signed results keep 64 bits until they are stored, cast or recorded as what they are; unsigned ones wrap. */
#pragma D option quiet

this int i;
this uint32_t u;
this int j;

syscall::read:entry
{
	this->i = (int)arg0;
	this->u = (uint32_t)arg0;
	printf("%d %d\n", (int64_t)(this->i * this->i), (int64_t)(int)(this->i * this->i));
	printf("%d %d\n", this->i * this->i > 0, this->u * this->u == 0x40000000 * 4);
	@bytes = sum(this->i * 4096);
	@keys[this->i * 4096] = count();
	this->j = this->i * 4096;
	printf("%d %d\n", this->j, 5 * 1000000000 > 4000000000);
	printf("%d %d\n", 1 << 40, sizeof(1 << 4));
}
@@fire syscall::read:entry arg0=0x100000
@@expect
1099511627776 0
1 0
0 1
1099511627776 4

       4294967296
        0                1
