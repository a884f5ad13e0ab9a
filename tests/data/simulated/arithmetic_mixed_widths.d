/* Casts cut and extend; the wider of two types is that of their arithmetic, and decides which comparison is meant. */
#pragma D option quiet

this int8_t c;
this uint8_t u;

BEGIN
{
	printf("%d %d %d %d\n", (int8_t)200, (uint8_t)-1, (int16_t)40000, (uint16_t)-1);
	printf("%d %d\n", (int32_t)4294967295, (int64_t)(uint32_t)-1);
	this->c = (int8_t)-1;
	this->u = (uint8_t)200;
	printf("%d %d %d\n", this->c + this->u, this->c * this->u, this->u + this->u);
	printf("%d %d\n", this->c < this->u, (uint64_t)this->c < (uint64_t)this->u);
	printf("%d %d\n", (int64_t)-1 < (int64_t)1, (uint64_t)-1 < (uint64_t)1);
	printf("%d %d\n", sizeof (int), sizeof (this->c));
}
@@expect
-56 255 -25536 65535
-1 4294967295
199 56 144
1 0
1 0
4 1

