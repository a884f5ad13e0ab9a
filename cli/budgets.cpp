#include "cli/budgets.h"
#include "cli/messages.h"
#include "cli/reports.h"
#include "engine/base/output_file.h"
#include "exporters/svg.h"
#include "graph/budget.h"
#include <array>
#include <cstdio>
#include <ctime>
namespace dscope::cli {
namespace {
using graph::Budget;
using graph::Verdict;
struct Judged {
    const Budget& budget;
    Verdict verdict;
};
std::string word(const Verdict& verdict)
{
    switch (verdict.outcome) {
    case Verdict::Outcome::Kept: return "kept";
    case Verdict::Outcome::Exceeded: return "exceeded";
    default: return "not measured";
    }
}
/// "2026-11-23T10:54:02": ISO 8601 in UTC without its zone, which is how JUnit's schema wants it.
std::string isoTime(std::int64_t nanoseconds)
{
    const auto seconds = static_cast<std::time_t>(nanoseconds / 1'000'000'000);
    std::tm day{};
    ::gmtime_r(&seconds, &day);
    std::array<char, 32> text{};
    return {text.data(), std::strftime(text.data(), text.size(), "%Y-%m-%dT%H:%M:%S", &day)};
}
std::string attribute(std::string_view name, std::string_view value)
{
    return ' ' + std::string(name) + "=\"" + exporters::escapedXml(value) + '"';
}
/// Source: JUnit.xsd of github.com/windyroad/JUnit-Schema, which has what Jenkins, GitLab and others read. `time` is the run's.
std::string junit(const Arguments& a, const std::string& name, const graph::Store& store, const std::vector<Judged>& all)
{
    using Outcome = Verdict::Outcome;
    const auto count = [&](Outcome outcome) {
        return std::to_string(std::count_if(all.begin(), all.end(), [&](const Judged& j) { return j.verdict.outcome == outcome; }));
    };

    const auto& program = store.program();
    const auto took = program.started != 0 ? std::max<std::int64_t>(store.lastTime() - program.started, 0) : 0;
    std::string out = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites>\n<testsuite" + attribute("name", "dscope budgets")
        + attribute("package", "dscope") + attribute("id", "0")
        + attribute("timestamp", isoTime(program.started != 0 ? program.started + program.wallClockOffset : 0))
        + attribute("hostname", a.redact || program.host.empty() ? "localhost" : program.host)
        + attribute("tests", std::to_string(all.size())) + attribute("failures", count(Outcome::Exceeded))
        + attribute("errors", count(Outcome::Unmeasured)) + attribute("time", graph::formatFixed(static_cast<double>(took) / 1e9, 3))
        + ">\n<properties>\n<property" + attribute("name", "run") + attribute("value", name) + "/>\n";
    for (const auto& file : a.diff)
        out += "<property" + attribute("name", "before") + attribute("value", file) + "/>\n";
    out += "<property" + attribute("name", "dscope") + attribute("value", DSCOPE_VERSION) + "/>\n</properties>\n";
    std::string said;
    for (const auto& [budget, verdict] : all) {
        out += "<testcase" + attribute("name", budget.text) + attribute("classname", "dscope.budget") + attribute("time", "0");
        if (verdict.outcome == Outcome::Kept) {
            out += "/>\n";
        } else {
            const std::string element = verdict.outcome == Outcome::Exceeded ? "failure" : "error";
            out += ">\n<" + element + attribute("message", verdict.said) + attribute("type", word(verdict)) + ">"
                + exporters::escapedXml(budget.text + ": " + verdict.said) + "</" + element + ">\n</testcase>\n";
        }
        said += exporters::escapedXml(word(verdict) + ": " + budget.text + ": " + verdict.said) + '\n';
    }
    return out + "<system-out>" + said + "</system-out>\n<system-err/>\n</testsuite>\n</testsuites>\n";
}
Result<> write(const std::string& path, const std::string& text)
{
    DSCOPE_TRY(auto file, OutputFile::open(path, OutputFile::Kind::Whole));
    file.stream() << text;
    file.stream().flush();
    if (auto unwritten = file.error()) return std::move(*unwritten);
    return file.commit();
}
} // namespace

Result<> takeBudget(const std::string& text, Arguments& a)
{
    auto budget = graph::budgetOf(text);
    if (!budget) return std::move(budget).error().in("--budget");
    a.budgets.push_back(*std::move(budget));
    return {};
}

Result<> checkBudgets(const Arguments& a)
{
    if (a.budgets.empty() && !a.budgetReport.empty())
        return Error{0, "--budget-report is what came of budgets, and there is none: give --budget, too"};
    if (!a.budgets.empty() && !a.others.empty()) return Error{0, "--budget judges one run, and there are several: leave all but one out"};
    if (!a.budgetReport.empty()) DSCOPE_CHECK(OutputFile::check(a.budgetReport));
    return {};
}

Result<> checkOutputs(const Arguments& a)
{
    Failures failures;
    failures.note(checkExports(a));
    failures.note(checkReports(a));
    failures.note(checkBudgets(a));
    return failures.all();
}

Result<> checkBudgets(const Arguments& a, const record::Program& program, const FigureData* before)
{
    graph::Store store;
    store.take(program);
    if (a.unit) store.measureIn(*a.unit);
    for (const auto& budget : a.budgets) {
        if (budget.compares() && !before)
            return Error{0, "--budget: \"" + budget.text + "\" is about a change, and there is no run before: give --diff FILE"};
        if (auto fine = graph::checkBudget(budget, store); !fine) return std::move(fine).error().in("--budget");
    }
    return {};
}

Result<Kept> judgeBudgets(const Arguments& a, const std::string& name, const FigureData& data, const FigureData* before)
{
    std::vector<Judged> all;
    auto kept = Kept::All;
    for (const auto& budget : a.budgets) {
        auto verdict = graph::judge(budget, before ? &before->store() : nullptr, data.store());
        if (!verdict) return std::move(verdict).error().in("--budget");
        std::fprintf(stderr, "dtrace: budget %s: %s: %s\n", word(*verdict).c_str(), budget.text.c_str(), verdict->said.c_str());
        if (verdict->outcome != Verdict::Outcome::Kept) kept = Kept::NotAll;
        all.push_back({budget, *std::move(verdict)});
    }
    if (!a.budgetReport.empty()) DSCOPE_CHECK(write(a.budgetReport, junit(a, name, data.store(), all)));
    return kept;
}
} // namespace dscope::cli
