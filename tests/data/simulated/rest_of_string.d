/* A string and a number: the text from there on. */
#pragma D option quiet

syscall::read:entry
{
	s = "hello world";
	printf("%s %s %d\n", s + 6, 2 + execname, strlen(s + 11));
	self->t = s + 1;
	printf("%s\n", self->t + 1);
	@[s + 6] = count();
}
@@fire syscall::read:entry execname=dscope
@@expect
world cope 0
llo world

  world                                                             1
