#include "gui/recipes.h"
namespace dscope::gui {
namespace {
constexpr Recipe kRecipes[] = {
    {QT_TRANSLATE_NOOP("Recipes", "Processes"), QT_TRANSLATE_NOOP("Recipes", "Which processes start?"), R"(#pragma D option quiet

proc:::exec-success
{
	printf("%-16s %6d %s\n", execname, pid, curpsinfo->pr_psargs);
}
)"},
    {"Processes", QT_TRANSLATE_NOOP("Recipes", "Why is the build slow?"), R"(#pragma D option quiet

proc:::create
{
	@forks[execname] = count();
}

proc:::exec-success, proc:::exit
{
	@ends[execname, probename] = count();
}
)"},
    {"Processes", QT_TRANSLATE_NOOP("Recipes", "Who is sent which signal?"), R"(#pragma D option quiet

proc:::signal-send
{
	@[execname, args[1]->pr_fname, args[2]] = count();
}
)"},
    {QT_TRANSLATE_NOOP("Recipes", "Files"), QT_TRANSLATE_NOOP("Recipes", "Who opens which file?"), R"(#pragma D option quiet

syscall::openat:entry
{
	@[execname, copyinstr(arg1)] = count();
}
)"},
    {"Files", QT_TRANSLATE_NOOP("Recipes", "How large are the writes?"), R"(#pragma D option quiet

syscall::write:entry
{
	@bytes[execname] = quantize(arg2);
}
)"},
    {"Files", QT_TRANSLATE_NOOP("Recipes", "How long does a write take?"), R"(#pragma D option quiet

syscall::write:entry
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
/arg1/
{
	@[execname, ustack()] = count();
}
)"},
    {"CPU", QT_TRANSLATE_NOOP("Recipes", "Where is the kernel's time spent?"), R"(#pragma D option quiet

profile-997
/arg0/
{
	@[stack()] = count();
}
)"},
    {"CPU", QT_TRANSLATE_NOOP("Recipes", "Which system calls, by whom?"), R"(#pragma D option quiet

syscall:::entry
{
	@[execname, probefunc] = count();
}
)"},
};
} // namespace
std::span<const Recipe> recipes() { return kRecipes; }
} // namespace dscope::gui
