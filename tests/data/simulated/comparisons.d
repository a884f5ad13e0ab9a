#pragma D option quiet

BEGIN
{
	this->a = (int64_t)-1;
	this->b = (int64_t)1;
	printf("%d%d%d%d%d%d\n", this->a == this->b, this->a != this->b, this->a < this->b, this->a <= this->b, this->a > this->b, this->a >= this->b);
	printf("%d%d%d%d%d%d\n", this->b == this->b, this->b != this->b, this->b < this->b, this->b <= this->b, this->b > this->b, this->b >= this->b);
	this->u = (uint64_t)-1;
	this->v = (uint64_t)1;
	printf("%d%d%d%d%d%d\n", this->u == this->v, this->u != this->v, this->u < this->v, this->u <= this->v, this->u > this->v, this->u >= this->v);
	printf("%d%d\n", 1 < 2 == 1, (3 > 2 > 1) == 0);
	/* NULL is a number. */
	this->p = (char *)0;
	printf("%d%d%d %u %d\n", this->a == NULL, this->p == NULL, (this->p != NULL ? this->p : NULL) == NULL, NULL, sizeof (NULL));
}
@@expect
011100
100101
010011
11
011 0 4

