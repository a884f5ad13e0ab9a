#!/usr/sbin/dtrace -s
/* The shape of well-known scripts: predicates on thread-local state, several aggregations, formatted tables. */
#pragma D option quiet
#pragma D option switchrate=10hz
#pragma D	option	dynvarsize=16m

dtrace:::BEGIN
{
	printf("%-20s %6s %-6s %s\n", "TIME", "PID", "R/W", "BYTES");
	self->in = 0; last = timestamp;
}

syscall::read:entry,
syscall::write:entry
/execname != "dtrace" && pid != $pid && (self->fd = arg0) > 2/
{
	self->ts = timestamp;
	self->name = fds[arg0].fi_pathname;
}

syscall::read:return,
syscall::write:return
/self->ts/
{
	this->delta = timestamp - self->ts;
	@times[probefunc, self->name == NULL ? "<none>" : basename(self->name)] = quantize(this->delta / 1000);
	@bytes[execname] = sum((int)arg0 < 0 ? 0 : arg0);
	total += arg0;
	self->ts = 0; self->name = 0;
}

syscall::open*:return
/errno == 2 || (int)arg1 == -1/
{
	self->spec = speculation();
	speculate(self->spec);
	printf("%Y %s[%d]: %S\n", walltimestamp, execname, pid, copyinstr((uintptr_t)self->path));
	commit(self->spec);
}

proc:::create { children[args[0]->pr_pid] = pid; }
proc:::exit /children[pid]/ { @exits[execname, args[0] == CLD_EXITED ? "exit" : "signal"] = count(); children[pid] = 0; }

profile:::tick-1sec
/++seconds >= 5/
{
	normalize(@bytes, (timestamp - last) / 1000000000);
	trunc(@bytes, 10);
	printa("%-16s %@10d\n", @bytes);
	printa(@times);
	exit(0);
}
END { printf("%d%%\n", total * 100 / (timestamp - last)); }
