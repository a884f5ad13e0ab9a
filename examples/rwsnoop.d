#!/usr/bin/env -S dscope -s
/*
 * Which files are read and written, by whom, and how many bytes at a time?
 *
 *   dscope -s examples/rwsnoop.d
 */
#pragma D option quiet

BEGIN
{
	printf("%5s %7s %-16s %2s %10s %s\n", "UID", "PID", "PROGRAM", "RW", "BYTES", "FILE");
}

syscall::read:entry,
syscall::pread64:entry,
syscall::readv:entry,
syscall::write:entry,
syscall::pwrite64:entry,
syscall::writev:entry
/pid != $pid/
{
	self->file = fds[arg0].fi_pathname;
	self->way = probefunc == "write" || probefunc == "pwrite64" || probefunc == "writev" ? "W" : "R";
}

syscall::read:return,
syscall::pread64:return,
syscall::readv:return,
syscall::write:return,
syscall::pwrite64:return,
syscall::writev:return
/self->way != NULL/
{
	printf("%5d %7d %-16s %2s %10d %s\n", uid, pid, execname, self->way, (int64_t)arg0, self->file);
	self->file = 0;
	self->way = 0;
}
