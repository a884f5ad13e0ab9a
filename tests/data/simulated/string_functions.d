#pragma D option quiet

syscall::openat:entry
{
	this->path = copyinstr(arg1);
	printf("%d %s %s\n", strlen(this->path), basename(this->path), dirname(this->path));
	printf("%s|%s|%s\n", substr(this->path, 5), substr(this->path, 1, 3), strjoin(this->path, ".bak"));
	printf("%d %d %d\n", index(this->path, "s"), rindex(this->path, "s"), index(this->path, "zz"));
	printf("%s|%s\n", strstr(this->path, "/p"), strchr(this->path, 'w'));
}
@@memory user 0x1000 "/etc/passwd"
@@fire syscall::openat:entry arg1=0x1000
@@expect
11 passwd /etc
passwd|etc|/etc/passwd.bak
7 8 -1
/passwd|wd

