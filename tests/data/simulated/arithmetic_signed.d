/* C's arithmetic: division truncates towards zero, the remainder has the dividend's sign. */
#pragma D option quiet

BEGIN
{
	this->seven = (int64_t)7;
	this->minus = (int64_t)-7;
	this->two = (int64_t)2;
	printf("%d %d %d\n", this->seven + this->minus, this->minus - this->two, this->minus * this->two);
	printf("%d %d %d %d\n", this->seven / this->two, this->minus / this->two, this->seven / -this->two, this->minus / -this->two);
	printf("%d %d %d %d\n", this->seven % this->two, this->minus % this->two, this->seven % -this->two, this->minus % -this->two);
	printf("%d %d %d\n", this->minus << 2, this->minus >> 1, this->seven >> 1);
	printf("%d %d %d %d\n", this->seven & 3, this->seven | 8, this->seven ^ 2, ~this->seven);
	printf("%d %d\n", -this->minus, +this->minus);
	printf("%d\n", 2 + 3 * 4 - (10 - 4) / 2 % 2);
}
@@expect
0 -9 -14
3 -3 -3 3
1 -1 1 -1
-28 -4 3
3 15 5 -8
7 -7
13

