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
@@memory user 0x1000 "/etc/passwd"
@@fire syscall::openat:entry arg1=0x1000
@@expect
B t z 100 absolute

