#include "gui/recipes.h"
namespace dscope::gui {
namespace {
constexpr Recipe kRecipes[] = {
    {QT_TRANSLATE_NOOP("Recipes", "Processes"), QT_TRANSLATE_NOOP("Recipes", "Which processes start?"), R"(#pragma D option quiet

proc:::exec-success
/$target == 0 || progenyof($target)/
{
	printf("%-16s %6d %s\n", execname, pid, curpsinfo->pr_psargs);
}
)"},
    {"Processes", QT_TRANSLATE_NOOP("Recipes", "Why is the build slow?"), R"(#pragma D option quiet

proc:::create
/$target == 0 || progenyof($target)/
{
	@forks[execname] = count();
}

proc:::exec-success, proc:::exit
/$target == 0 || progenyof($target)/
{
	@ends[execname, probename] = count();
}
)"},
    {"Processes", QT_TRANSLATE_NOOP("Recipes", "Who is sent which signal?"), R"(#pragma D option quiet

proc:::signal-send
/$target == 0 || progenyof($target)/
{
	@[execname, args[1]->pr_fname, args[2]] = count();
}
)"},
    {QT_TRANSLATE_NOOP("Recipes", "Files"), QT_TRANSLATE_NOOP("Recipes", "Who opens which file?"), R"(#pragma D option quiet

syscall::openat:entry
/$target == 0 || progenyof($target)/
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
/$target == 0 || progenyof($target)/
{
	@bytes[execname] = quantize(arg2);
}
)"},
    {"Files", QT_TRANSLATE_NOOP("Recipes", "How long does a write take?"), R"(#pragma D option quiet

syscall::write:entry
/$target == 0 || progenyof($target)/
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
    {QT_TRANSLATE_NOOP("Recipes", "CPU"), QT_TRANSLATE_NOOP("Recipes", "Where is the time spent?"), R"(#pragma D option quiet

profile-997
/arg1 && ($target == 0 || progenyof($target))/
{
	@[execname, ustack()] = count();
}
)"},
    {"CPU", QT_TRANSLATE_NOOP("Recipes", "Where is the kernel's time spent?"), R"(#pragma D option quiet

profile-997
/arg0 && ($target == 0 || progenyof($target))/
{
	@[stack()] = count();
}
)"},
    {"CPU", QT_TRANSLATE_NOOP("Recipes", "Which system calls, by whom?"), R"(#pragma D option quiet

syscall:::entry
/$target == 0 || progenyof($target)/
{
	@[execname, probefunc] = count();
}
)"},
};
} // namespace
std::span<const Recipe> recipes() { return kRecipes; }
} // namespace dscope::gui
