/* this-> is shared by the clauses of one firing. */
#pragma D option quiet

this int n;
this string s;

syscall::write:entry
{
	this->n = arg0 + 1;
	this->s = execname;
}

syscall::write:entry
{
	this->n *= 10;
	printf("%d %s\n", this->n, this->s);
}
@@fire syscall::write:entry arg0=1 execname=one
@@fire syscall::write:entry arg0=2 execname=two
@@expect
20 one
30 two

