/* alloca() gives memory that may be written, copyin() and copyinto() fill it from the process, bcopy() from the kernel. */
#pragma D option quiet
#pragma D option scratchsize=64

syscall::write:entry
{
	this->n = (int *)alloca(4 * sizeof(int));
	this->n[3] = 5;
	*this->n = 4;
	this->n[0]++;
	printf("%d %d\n", this->n[3], *this->n);
}

syscall::write:entry
{
	this->copied = (char *)copyin(arg1, 6);
	this->text = (char *)alloca(8);
	copyinto(arg1, 3, this->text);
	this->text[3] = 0;
	printf("%s %s\n", stringof(this->copied), stringof(this->text));
	bcopy("xyz", this->text, 2);
	printf("%s\n", stringof(this->text));
}

syscall::write:entry
{
	this->n[100] = 1;
	printf("not reached\n");
}

syscall::write:entry
{
	this->size = 65;
	alloca(this->size);
	printf("not reached\n");
}

syscall::write:entry
{
	bcopy((void *)arg1, this->text, 65);
	printf("not reached\n");
}

ERROR
{
	printf("fault %d in clause %d\n", arg4, arg1);
}
@@memory user 0x1000 "hello"
@@fire syscall::write:entry arg1=0x1000
@@expect
5 5
hello hel
xyl
fault 1 in clause 3
fault 5 in clause 4
fault 10 in clause 5

