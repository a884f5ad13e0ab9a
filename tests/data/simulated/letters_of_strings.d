/* An index picks a letter of a string, wherever the string comes from. */
#pragma D option quiet

syscall::openat:entry
{
	this->s = copyinstr(arg1);
	name = "ABCDEFG";
	self->name = this->s;
	this->i = 2;
	printf("%c %c %c %d", name[1], self->name[this->i], "xyz"[this->i], strjoin("ab", "cd")[3]);
	printf(" %s\n", (kept = copyinstr(arg1))[0] == '/' ? "absolute" : "relative");
}

string names[int];

syscall::openat:return
{
	this->s = "a/b/c";
	this->s[1] = '.';
	this->i = 3;
	this->s[this->i] = '.';
	printf("%s ", this->s);
	this->s[3] = 0;
	printf("%s %d ", this->s, this->s == "a.b");
	this->s[3] = 'd';
	names[7] = this->s;
	names[7][0] = 'z';
	self->t = names[7];
	self->t[9] = 'x';
	printf("%s %s\n", names[7], self->t);
}

syscall::openat:return
{
	self->t[1000] = 'x';
}

ERROR
{
	printf("%d %d\n", arg4, arg5);
}
@@memory user 0x1000 "/etc/passwd"
@@fire syscall::openat:entry arg1=0x1000
@@fire syscall::openat:return
@@expect
B t z 100 absolute
a.b.c a.b 1 z.bd z.bd
11 1000

