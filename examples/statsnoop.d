#!/usr/bin/env -S dscope -s
/*
 * Which names does a program ask about (stat, access), and which are not there?
 *
 *   dscope -s examples/statsnoop.d
 *
 * A call about an open file (fstat) has no name, and is left out.
 */
#pragma D option quiet

BEGIN
{
	printf("%5s %7s %-16s %-10s %4s %s\n", "UID", "PID", "PROGRAM", "CALL", "ERR", "PATH");
}

syscall::stat:entry,
syscall::lstat:entry,
syscall::access:entry
{
	self->path = arg0;
}

syscall::newfstatat:entry,
syscall::statx:entry,
syscall::faccessat:entry,
syscall::faccessat2:entry
{
	self->path = arg1;
}

syscall::stat:return,
syscall::lstat:return,
syscall::access:return,
syscall::newfstatat:return,
syscall::statx:return,
syscall::faccessat:return,
syscall::faccessat2:return
/self->path && pid != $pid/
{
	this->path = copyinstr(self->path);
	self->named = this->path != "";
}

syscall::stat:return,
syscall::lstat:return,
syscall::access:return,
syscall::newfstatat:return,
syscall::statx:return,
syscall::faccessat:return,
syscall::faccessat2:return
/self->named/
{
	printf("%5d %7d %-16s %-10s %4d %s\n", uid, pid, execname, probefunc, errno, this->path);
}

syscall::stat:return,
syscall::lstat:return,
syscall::access:return,
syscall::newfstatat:return,
syscall::statx:return,
syscall::faccessat:return,
syscall::faccessat2:return
{
	self->path = 0;
	self->named = 0;
}
