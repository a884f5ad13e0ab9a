#include "cli/budgets.h"
#include "cli/figures.h"
#include "cli/inputs.h"
#include "cli/messages.h"
#include "cli/output.h"
#include "cli/recording.h"
#include "cli/reports.h"
#include "cli/run.h"
#include "engine/format/printer.h"
#include "engine/record/redact.h"
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <fcntl.h>
namespace dscope::cli {
/// Reads another tool's text instead of running a program. Writes the figures that were asked for; if none were, prints the
/// text's tables and folded stacks.
int importText(const Arguments& a)
{
    if (auto fine = checkOutputs(a); !fine) return fail(fine.error().message);
    auto imported = readForeign(a.import, a.event);
    if (!imported) return fail(imported.error().message);
    if (!imported->further.empty() && a.reports.empty() && !a.sameScale) {
        std::string names = imported->name;
        for (const auto& run : imported->further)
            names += ", " + run.name;
        return fail(foreignFile(a.import) + " holds several runs (" + names
            + "), and one figure shows one: give --report FILE, or --same-scale for a figure each");
    }

    if (!imported->comparedWith.empty() && (printsText(a) || !a.record.empty()))
        std::fprintf(stderr, "dtrace: %s: warning: it compares two runs, and only the later one is %s\n", foreignFile(a.import).c_str(),
            a.record.empty() ? "printed" : "recorded");
    auto before = runBefore(a, &*imported);
    if (!before) return fail(before.error().message);
    std::vector<record::Sink*> sinks;
    FigureData after(a);
    sinks.push_back(&after);
    Output output;
    if (auto open = output.open(a.output); !open) return fail(open.error().message);
    const auto text = [&output](std::string_view s) { output.write(s); };
    std::unique_ptr<format::Printer> printer;
    const bool prints = printsText(a);
    if (prints) {
        imported->program.options["quiet"] = "";
        printer = std::make_unique<format::Printer>(
            text, [](std::string_view s) { tell(s); }, nullptr);
        if (a.options.isSet("oformat")) printer->setFormat(a.options.text("oformat"));
        printer->toTerminal(output.isTerminal());
        printer->groupDigits(format::environmentGrouping());
        sinks.push_back(printer.get());
    }

    Recording recording;
    if (!a.record.empty()) {
        if (auto open = recording.open(a.record, OutputFile::Kind::Whole); !open) return fail(open.error().message);
        sinks.push_back(&recording);
    }

    record::Redactor redactor;
    const auto toAll = [&](const record::Record& r) {
        for (auto* sink : sinks)
            sink->take(r);
    };

    deliver(*imported, [&](const record::Record& r) { a.redact ? toAll(redactor(r)) : toAll(r); });
    output.flush();
    Failures failures;
    if (output.failure() != 0) failures.note(Error{0, output.failureText()});
    failures.note(recording.finish());
    if (recording.isWritten()) tellWritten(a.record);
    if (a.listViews) std::fputs(views(after.store(), before->get()).c_str(), stdout);
    auto others = otherRuns(a, &*imported);
    if (!others) return fail(others.error().message);
    if (auto cut = cutAll(after, before->get(), *others); !cut) return fail(cut.error().message);
    failures.note(writeFigures(a, after, before->get(), *others));
    const auto name = imported->name.empty() ? runName(a) : imported->name;
    failures.note(writeReports(a, name, after, before->get(), false, *others));
    auto kept = judgeBudgets(a, name, after, before->get());
    if (!kept) failures.note(kept.error());
    if (auto done = failures.all(); !done) return fail(done.error().message);
    return *kept == Kept::All ? 0 : kOverBudget;
}
} // namespace dscope::cli
