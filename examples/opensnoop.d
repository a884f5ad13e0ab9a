#!/usr/bin/env -S dscope -s
/*
 * Which files are opened, by whom, and which cannot be?
 *
 *   dscope -s examples/opensnoop.d
 *
 * The name is read when the call returns: at its entry the memory that holds it may not be loaded yet.
 */
#pragma D option quiet

BEGIN
{
	printf("%5s %7s %-16s %4s %4s %s\n", "UID", "PID", "PROGRAM", "FD", "ERR", "PATH");
}

syscall::open:entry,
syscall::creat:entry
{
	self->path = arg0;
}

syscall::openat:entry,
syscall::openat2:entry
{
	self->path = arg1;
}

syscall::open:return,
syscall::creat:return,
syscall::openat:return,
syscall::openat2:return
/self->path && pid != $pid/
{
	printf("%5d %7d %-16s %4d %4d %s\n", uid, pid, execname, (int)arg0, errno, copyinstr(self->path));
}

syscall::open:return,
syscall::creat:return,
syscall::openat:return,
syscall::openat2:return
{
	self->path = 0;
}
