/* && || ^^ ! give 0 or 1, and && and || leave the right side alone when the left decides. */
#pragma D option quiet

int touched;

BEGIN
{
	this->t = 5;
	this->f = 0;
	printf("%d%d%d%d ", this->t && this->t, this->t && this->f, this->f && this->t, this->f && this->f);
	printf("%d%d%d%d ", this->t || this->t, this->t || this->f, this->f || this->t, this->f || this->f);
	printf("%d%d%d%d ", this->t ^^ this->t, this->t ^^ this->f, this->f ^^ this->t, this->f ^^ this->f);
	printf("%d%d%d\n", !this->t, !this->f, !!this->t);
}

BEGIN
/0 && (touched = 1)/
{
	printf("never\n");
}

BEGIN
/1 || (touched = 1)/
{
	printf("untouched: %d\n", touched);
}

BEGIN
/1 && (touched = 2)/
{
	printf("touched: %d\n", touched);
}
@@expect
1000 1110 0110 011
untouched: 0
touched: 2

