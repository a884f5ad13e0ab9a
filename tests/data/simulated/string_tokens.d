/* strtok() goes on where it stopped, in each thread its own text. */
#pragma D option quiet

syscall::openat:entry
{
	this->path = copyinstr(arg1);
	printf("%s|", strtok(this->path, "/"));
	printf("%s\n", strtok(NULL, "/"));
}
@@memory user 0x1000 "/etc/passwd"
@@fire syscall::openat:entry arg1=0x1000
@@expect
etc|passwd

