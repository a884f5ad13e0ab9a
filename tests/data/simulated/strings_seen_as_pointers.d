/* Solaris scripts keep (char *)curpsinfo->pr_psargs in arrays and print it later: what was kept must be there still. */
#pragma D option quiet

syscall::read:entry
{
	kept[arg0] = (char *)execname;
	self->name = (const char *)strjoin(execname, "!");
}

syscall::read:return
/self->name != NULL/
{
	printf("%s %s %d\n", stringof(kept[3]), stringof(self->name), strlen(kept[3]));
	self->name = 0;
	printf("%s|%s\n", (int)kept[3] == 0 ? "none" : kept[3], (int)kept[4] == 0 ? "none" : kept[4]);
}
@@fire syscall::read:entry arg0=3 execname=cat
@@fire syscall::read:return execname=dog
@@expect
cat cat! 3
cat|none

