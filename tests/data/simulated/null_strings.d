/* A string that is NULL is less than any text, and none: using it is a fault, comparing it is not. */
#pragma D option quiet

string global;
string words[int];
self string s;

syscall::getpid:entry
{
	printf("[%s] %d %d", global, global == NULL, global == "");
	global = NULL;
	printf(" %d %d %d\n", global == NULL, global < "", global != "a");
	this->s = global;
	printf("%d %d %d\n", this->s == NULL, self->s == NULL, words[7] == NULL);
	self->s = "";
	words[7] = "x";
	printf("%d %d %s\n", self->s == NULL, self->s == "", words[7]);
	self->s = words[8];
	words[7] = NULL;
	printf("%d %d\n", self->s == NULL, words[7] == NULL);
	this->s = strchr("abc", 'b');
	printf("%s %d\n", this->s, strchr("abc", 'x') == NULL);
	this->s = this->s != NULL ? NULL : "b";
	printf("%s\n", this->s == NULL ? "none" : this->s);
}

syscall::getpid:entry
{
	printf("%s", self->s);
}

syscall::getpid:entry
{
	printf("%c", this->s[2]);
}

syscall::getpid:entry
{
	trace(strlen(words[9]));
}

ERROR
{
	printf("error %d at %d\n", arg4, arg5);
}
@@fire syscall::getpid:entry
@@expect
[] 0 1 1 1 1
1 1 1
0 1 x
1 1
bc 1
none
error 1 at 0
error 1 at 2
error 1 at 0

