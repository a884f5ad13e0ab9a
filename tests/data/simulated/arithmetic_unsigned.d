/* Unsigned operands: wrap-around, logical shifts, division of large numbers. */
#pragma D option quiet

BEGIN
{
	this->big = (uint64_t)-2;
	this->one = (uint64_t)1;
	printf("%u %u\n", this->big, this->big + 3);
	printf("%u %u %u\n", this->big / 2, this->big % 10, this->big >> 60);
	printf("%u\n", this->one - 2);
	printf("%u %u\n", (uint32_t)-1, (uint32_t)-1 / 2);
	printf("%u %u\n", (uint32_t)4000000000 + (uint32_t)4000000000, (uint64_t)4000000000 + 4000000000);
	printf("%x %X %o\n", 0xdeadbeef, 255, 8);
}
@@expect
18446744073709551614 1
9223372036854775807 4 15
18446744073709551615
4294967295 2147483647
3705032704 8000000000
deadbeef FF 10

