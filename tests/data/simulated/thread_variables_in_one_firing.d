#pragma D option quiet
self int64_t n;
self int64_t m;
syscall::read:entry
/self->n == 0/
{
	printf("first %d", self->n);
	self->n = arg0;
	printf(" then %d", self->n);
	self->m = self->n + 1;
	self->n = 0;
	printf(" at last %d %d\n", self->n, self->m);
}
syscall::read:entry
/self->m > 4/
{
	self->n = self->m + self->n;
	printf("later %d\n", self->n);
}
syscall::write:entry
{
	this->was = self->n;
	self->n = self->n ? 0 : arg0;
	printf("%d to %d\n", this->was, self->n);
}
@@set pid=100
@@fire syscall::read:entry arg0=3
@@expect
first 0 then 3 at last 0 4
@@set pid=200
@@fire syscall::read:entry arg0=5
@@expect
first 0 then 5 at last 0 6
later 6
@@fire syscall::read:entry arg0=7
@@expect
later 12
@@set pid=300
@@fire syscall::write:entry arg0=9
@@fire syscall::write:entry arg0=9
@@expect
0 to 9
9 to 0

