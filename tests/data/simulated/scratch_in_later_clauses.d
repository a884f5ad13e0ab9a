/* What this-> points to is there until the probe has fired: in later clauses too, in their predicates, and for bcopy(). */
#pragma D option quiet
#pragma D option scratchsize=64

syscall::write:entry
{
	this->copied = (char *)copyin(arg1, 6);
	this->words = (int *)alloca(2 * sizeof (int));
	this->words[1] = 7;
	this->own = (char *)alloca(40);
	this->own[0] = 'x';
}

syscall::write:entry
/this->copied[1] == 'e'/
{
	printf("%c%c %d\n", *this->copied, this->copied[4], this->words[1]);
	this->words[0] = 5;
}

syscall::write:entry
/this->words[0] == 5/
{
	this->into = (char *)alloca(6);
	bcopy(this->copied, this->into, 6);
	printf("%s %d\n", stringof(this->into), *this->words);
}

/* Memory that no later clause looks at is given out again. */
syscall::write:entry
{
	this->own = (char *)alloca(40);
	this->own[39] = 'y';
	printf("%c\n", this->own[39]);
}

/* In the next firing there is nothing. */
syscall::read:entry
{
	trace(*this->copied);
}

/* A global variable keeps the address, not the memory. */
syscall::close:entry
{
	stale = (char *)alloca(8);
}

syscall::close:entry
{
	this->into = (char *)alloca(2);
	bcopy(stale + 4, this->into, 1);
}

ERROR
{
	printf("fault %d\n", arg4);
}
@@memory user 0x1000 "hello"
@@fire syscall::write:entry arg1=0x1000
@@fire syscall::read:entry
@@fire syscall::close:entry
@@expect
ho 7
hello 5
y
fault 1
fault 1

