#include "gui/recipes.h"
namespace dscope::gui {
namespace {
// What recipes call their parameters.
[[maybe_unused]] constexpr const char* kParameters[]
    = {QT_TRANSLATE_NOOP("Recipes", "folder"), QT_TRANSLATE_NOOP("Recipes", "microseconds")};
constexpr Recipe kRecipes[] = {
    {QT_TRANSLATE_NOOP("Recipes", "Processes"), QT_TRANSLATE_NOOP("Recipes", "Which processes start?"), R"(#pragma D option quiet

proc:::exec-success
/$target == 0 ? pid != $pid && pid != $ppid && ppid != $ppid
	: progenyof($target)/
{
	printf("%-16s %6d %s\n", execname, pid, curpsinfo->pr_psargs);
}
)"},
    {"Processes", QT_TRANSLATE_NOOP("Recipes", "Why is the build slow?"), R"(#pragma D option quiet

proc:::create
/$target == 0 ? pid != $pid && pid != $ppid && ppid != $ppid
	: progenyof($target)/
{
	@forks[execname] = count();
}

proc:::exec-success, proc:::exit
/$target == 0 ? pid != $pid && pid != $ppid && ppid != $ppid
	: progenyof($target)/
{
	@ends[execname, probename] = count();
}
)"},
    {"Processes", QT_TRANSLATE_NOOP("Recipes", "Where are processes started?"), R"(#pragma D option quiet
#pragma D option view=flame

proc:::create
/$target == 0 ? pid != $pid && pid != $ppid && ppid != $ppid
	: progenyof($target)/
{
	@[execname, ustack()] = count();
}
)"},
    {"Processes", QT_TRANSLATE_NOOP("Recipes", "Who is sent which signal?"), R"(#pragma D option quiet
#pragma D option view=bars

proc:::signal-send
/$target == 0 ? pid != $pid && pid != $ppid && ppid != $ppid
	: progenyof($target)/
{
	@[execname, args[1]->pr_fname, args[2]] = count();
}
)"},
    {"Processes", QT_TRANSLATE_NOOP("Recipes", "How do processes end?"), R"(#pragma D option quiet
#pragma D option view=bars

proc:::exit
/$target == 0 ? pid != $pid && pid != $ppid && ppid != $ppid
	: progenyof($target)/
{
	@[execname, args[0] == 1 ? "exited" : args[0] == 2 ? "killed" : "crashed"] = count();
}
)"},
    {QT_TRANSLATE_NOOP("Recipes", "Files"), QT_TRANSLATE_NOOP("Recipes", "Who opens which file?"), R"(#pragma D option quiet

syscall::openat:entry
/$target == 0 ? pid != $pid && pid != $ppid && ppid != $ppid
	: progenyof($target)/
{
	self->path = arg1;
}

syscall::openat:return
/self->path/
{
	@[execname, copyinstr(self->path)] = count();
	self->path = 0;
}
)"},
    {"Files", QT_TRANSLATE_NOOP("Recipes", "How large are the writes?"), R"(#pragma D option quiet

syscall::write:entry
/$target == 0 ? pid != $pid && pid != $ppid && ppid != $ppid
	: progenyof($target)/
{
	@bytes[execname] = quantize(arg2);
}
)"},
    {"Files", QT_TRANSLATE_NOOP("Recipes", "How long does a write take?"), R"(#pragma D option quiet

syscall::write:entry
/$target == 0 ? pid != $pid && pid != $ppid && ppid != $ppid
	: progenyof($target)/
{
	self->ts = timestamp;
}

syscall::write:return
/self->ts/
{
	@time[execname] = quantize(timestamp - self->ts);
	self->ts = 0;
}
)"},
    {"Files", QT_TRANSLATE_NOOP("Recipes", "Which files are read and written?"), R"(#pragma D option quiet

syscall::read:entry, syscall::write:entry, syscall::pread64:entry, syscall::pwrite64:entry
/$target == 0 ? pid != $pid && pid != $ppid && ppid != $ppid
	: progenyof($target)/
{
	self->file = fds[arg0].fi_pathname;
}

syscall::read:return, syscall::write:return, syscall::pread64:return, syscall::pwrite64:return
/self->file != 0 && (int64_t)arg1 > 0/
{
	@bytes[execname, self->file] = sum(arg1);
}

syscall::read:return, syscall::write:return, syscall::pread64:return, syscall::pwrite64:return
{
	self->file = 0;
}
)"},
    {"Files", QT_TRANSLATE_NOOP("Recipes", "Who opens files in a folder?"), R"(#pragma D option quiet

inline string folder = "/etc";

syscall::openat:return
/(int)arg1 >= 0
	&& ($target == 0 ? pid != $pid && pid != $ppid && ppid != $ppid
	: progenyof($target)) && index(fds[arg1].fi_pathname, folder) == 0/
{
	@[execname, fds[arg1].fi_pathname] = count();
}
)"},
    {QT_TRANSLATE_NOOP("Recipes", "Disk"), QT_TRANSLATE_NOOP("Recipes", "Who reads and writes the disk?"), R"(#pragma D option quiet

io:::start
/$target == 0 ? pid != $pid && pid != $ppid && ppid != $ppid
	: progenyof($target)/
{
	@bytes[execname, args[0]->b_flags & B_READ ? "reads" : "writes"] = sum(args[0]->b_bcount);
}
)"},
    {"Disk", QT_TRANSLATE_NOOP("Recipes", "Which files use the disk?"), R"(#pragma D option quiet

io:::start
/$target == 0 ? pid != $pid && pid != $ppid && ppid != $ppid
	: progenyof($target)/
{
	@bytes[execname, args[2]->fi_pathname] = sum(args[0]->b_bcount);
}
)"},
    {"Disk", QT_TRANSLATE_NOOP("Recipes", "How long does the disk take?"), R"(#pragma D option quiet

io:::start
/$target == 0 ? pid != $pid && pid != $ppid && ppid != $ppid
	: progenyof($target)/
{
	start[args[0]->b_edev, args[0]->b_blkno] = timestamp;
	who[args[0]->b_edev, args[0]->b_blkno] = execname;
}

io:::done
/start[args[0]->b_edev, args[0]->b_blkno]/
{
	@time[who[args[0]->b_edev, args[0]->b_blkno]] = quantize(timestamp - start[args[0]->b_edev, args[0]->b_blkno]);
	start[args[0]->b_edev, args[0]->b_blkno] = 0;
	who[args[0]->b_edev, args[0]->b_blkno] = 0;
}
)"},
    {QT_TRANSLATE_NOOP("Recipes", "Network"), QT_TRANSLATE_NOOP("Recipes", "Who sends how much to whom?"), R"(#pragma D option quiet

ip:::send
/$target == 0 ? pid != $pid && pid != $ppid && ppid != $ppid
	: progenyof($target)/
{
	@bytes[execname, args[2]->ip_daddr] = sum(args[2]->ip_plength);
}
)"},
    {"Network", QT_TRANSLATE_NOOP("Recipes", "Who connects to whom?"), R"(#pragma D option quiet

tcp:::connect-request
/$target == 0 ? pid != $pid && pid != $ppid && ppid != $ppid
	: progenyof($target)/
{
	@[execname, args[3]->tcps_raddr, args[3]->tcps_rport] = count();
}
)"},
    {QT_TRANSLATE_NOOP("Recipes", "CPU"), QT_TRANSLATE_NOOP("Recipes", "Where is the time spent?"), R"(#pragma D option quiet

profile-997
/arg1
	&& ($target == 0 ? pid != $pid && pid != $ppid && ppid != $ppid
	: progenyof($target))/
{
	@[execname, ustack()] = count();
}
)"},
    {"CPU", QT_TRANSLATE_NOOP("Recipes", "Where is the kernel's time spent?"), R"(#pragma D option quiet

profile-997
/arg0
	&& ($target == 0 ? pid != $pid && pid != $ppid && ppid != $ppid
	: progenyof($target))/
{
	@[stack()] = count();
}
)"},
    {"CPU", QT_TRANSLATE_NOOP("Recipes", "Where is the time, waits included?"), R"(#pragma D option quiet

sched:::off-cpu
/$target == 0 ? pid != $pid && pid != $ppid && ppid != $ppid
	: progenyof($target)/
{
	self->since = timestamp;
}

sched:::on-cpu
/self->since/
{
	@time[execname, stack(), ustack()] = sum(timestamp - self->since);
	self->since = 0;
}

profile-997
/pid
	&& ($target == 0 ? pid != $pid && pid != $ppid && ppid != $ppid
	: progenyof($target))/
{
	@time[execname, stack(), ustack()] = sum(1000000000 / 997);
}
)"},
    {"CPU", QT_TRANSLATE_NOOP("Recipes", "Who wakes it?"), R"(#pragma D option quiet

sched:::wakeup
/$target == 0 ? pid && pid != $pid && pid != $ppid && ppid != $ppid && args[1]->pr_pid != $pid
		&& args[1]->pr_pid != $ppid && args[1]->pr_ppid != $ppid
	: args[1]->pr_pid == $target/
{
	@[execname, stack(), ustack()] = count();
}
)"},
    {"CPU", QT_TRANSLATE_NOOP("Recipes", "Who waits for a CPU?"), R"(#pragma D option quiet

sched:::enqueue
{
	queued[args[0]->pr_lwpid] = timestamp;
}

sched:::on-cpu
/queued[curlwpsinfo->pr_lwpid]
	&& ($target == 0 ? pid != $pid && pid != $ppid && ppid != $ppid
	: progenyof($target))/
{
	@time[execname] = quantize(timestamp - queued[curlwpsinfo->pr_lwpid]);
}

sched:::on-cpu
/queued[curlwpsinfo->pr_lwpid]/
{
	queued[curlwpsinfo->pr_lwpid] = 0;
}
)"},
    {QT_TRANSLATE_NOOP("Recipes", "Locks"), QT_TRANSLATE_NOOP("Recipes", "Where are locks waited for?"), R"(#pragma D option quiet

syscall::futex:entry
/$target == 0 ? pid != $pid && pid != $ppid && ppid != $ppid
	: progenyof($target)/
{
	self->since = timestamp;
}

syscall::futex:return
/self->since/
{
	@time[execname, ustack()] = sum(timestamp - self->since);
	self->since = 0;
}
)"},
    {QT_TRANSLATE_NOOP("Recipes", "Memory"), QT_TRANSLATE_NOOP("Recipes", "Who touches new memory?"), R"(#pragma D option quiet

vminfo:::zfod, vminfo:::cow_fault, vminfo:::maj_fault
/$target == 0 ? pid != $pid && pid != $ppid && ppid != $ppid
	: progenyof($target)/
{
	@[execname, probename] = sum(arg0);
}
)"},
    {"Memory", QT_TRANSLATE_NOOP("Recipes", "Who asks the kernel for memory?"), R"(#pragma D option quiet

syscall::mmap:entry
/$target == 0 ? pid != $pid && pid != $ppid && ppid != $ppid
	: progenyof($target)/
{
	@bytes[execname, ustack()] = sum(arg1);
}
)"},
    {QT_TRANSLATE_NOOP("Recipes", "System calls"), QT_TRANSLATE_NOOP("Recipes", "Which system calls, by whom?"), R"(#pragma D option quiet

syscall:::entry
/$target == 0 ? pid != $pid && pid != $ppid && ppid != $ppid
	: progenyof($target)/
{
	@[execname, probefunc] = count();
}
)"},
    {"System calls", QT_TRANSLATE_NOOP("Recipes", "Which system calls take the time?"), R"(#pragma D option quiet

syscall:::entry
/$target == 0 ? pid != $pid && pid != $ppid && ppid != $ppid
	: progenyof($target)/
{
	self->ts = timestamp;
}

syscall:::return
/self->ts/
{
	@time[execname, probefunc] = sum(timestamp - self->ts);
	self->ts = 0;
}
)"},
    {"System calls", QT_TRANSLATE_NOOP("Recipes", "Which system calls are slow?"), R"(#pragma D option quiet

inline int microseconds = 1000;

syscall:::entry
/$target == 0 ? pid != $pid && pid != $ppid && ppid != $ppid
	: progenyof($target)/
{
	self->ts = timestamp;
}

syscall:::return
/self->ts && timestamp - self->ts >= microseconds * 1000/
{
	@time[execname, probefunc] = quantize(timestamp - self->ts);
}

syscall:::return
{
	self->ts = 0;
}
)"},
    {"System calls", QT_TRANSLATE_NOOP("Recipes", "Which system calls fail, and why?"), R"(#pragma D option quiet

syscall:::return
/errno
	&& ($target == 0 ? pid != $pid && pid != $ppid && ppid != $ppid
	: progenyof($target))/
{
	@[execname, probefunc, errno] = count();
}
)"},
};
} // namespace
std::span<const Recipe> recipes() { return kRecipes; }
} // namespace dscope::gui
