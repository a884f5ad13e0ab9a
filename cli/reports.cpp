#include "cli/reports.h"
#include "cli/inputs.h"
#include "cli/messages.h"
#include "cli/progress.h"
#include "engine/base/asker.h"
#include "engine/base/output_file.h"
#include "engine/base/place.h"
#include "engine/record/redact.h"
#include "exporters/report/format.h"
#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
namespace dscope::cli {
namespace {
using reports::Format;
const Format* formatOf(const std::string& file, const std::vector<std::unique_ptr<Format>>& formats)
{
    const auto found
        = std::find_if(formats.begin(), formats.end(), [&](const auto& f) { return file.ends_with("." + std::string(f->suffix())); });
    return found == formats.end() ? nullptr : found->get();
}
std::string lastPart(const std::string& path) { return path.substr(path.rfind('/') + 1); }

/// "build_files" beside "build.md".
class Folder final : public reports::Beside {
public:
    explicit Folder(const std::string& report) : m_path(report.substr(0, report.rfind('.')) + "_files") { }
    std::string folder() const override { return lastPart(m_path); }

    Result<> add(std::string_view name, std::string_view bytes) override
    {
        if (!m_isMade) DSCOPE_CHECK(make());
        m_isMade = true;
        DSCOPE_TRY(auto file, OutputFile::open(m_path + '/' + std::string(name), OutputFile::Kind::Whole));
        file.stream() << bytes;
        file.stream().flush();
        if (auto unwritten = file.error()) return *unwritten;
        return file.commit();
    }

private:
    Error refused(const std::string& why) const { return Error{0, "cannot make the folder " + m_path + ": " + why}; }

    Result<> make() const
    {
        auto place = Place::of(m_path);
        if (!place) return refused(place.error().message);
        constexpr mode_t kMode = 0777; // as far as the umask lets
        if (::mkdirat(place->folder.get(), place->name.c_str(), kMode) != 0) {
            if (errno != EEXIST) return refused(std::strerror(errno));
            return {};
        }
        // What root makes for a user in a folder of that user belongs to that user, as OutputFile has it.
        struct stat above { };
        const auto user = asker();
        if (user && ::fstat(place->folder.get(), &above) == 0 && above.st_uid == user->uid
            && ::fchownat(place->folder.get(), place->name.c_str(), above.st_uid, above.st_gid, AT_SYMLINK_NOFOLLOW) != 0)
            return refused(std::strerror(errno));
        return {};
    }

    std::string m_path;
    bool m_isMade = false;
};

Result<OtherRun> runOf(const Arguments& a, const OtherInput& input)
{
    OtherRun run{lastPart(input.isRecording ? input.file : foreignFile(input.file)), std::make_unique<FigureData>(a), nullptr, false};
    record::Redactor redactor;
    const auto take = [&](const record::Record& r) { run.data->take(a.redact ? redactor(r) : r); };
    if (input.isRecording) {
        DSCOPE_TRY(run.isCut, readRecording(input.file, take));
    } else {
        DSCOPE_TRY(const auto imported, readForeign(input.file, a.event));
        if (!imported.further.empty()) return Error{0, input.file + " holds several runs: give it as the first"};
        deliver(imported, take);
    }
    return run;
}
OtherRun runOf(const Arguments& a, const text::Imported::Run& held)
{
    OtherRun run{held.name, std::make_unique<FigureData>(a), nullptr, false};
    const auto fill = [&](FigureData& data, const std::vector<record::Record>& records) {
        record::Redactor redactor;
        for (const auto& r : records)
            data.take(a.redact ? redactor(r) : r);
    };
    fill(*run.data, held.records);
    if (held.comparedWith.empty()) return run;
    run.before = std::make_unique<FigureData>(a);
    fill(*run.before, held.comparedWith);
    return run;
}
/// A view is drawn by the data of the stretch that was asked for, or the report says that it can't be.
Result<> checkStretch(const Arguments& a, const graph::Store& store)
{
    if (a.stretch.isAll()) return {};
    for (const auto& kind : graph::kinds())
        if (kind.fits(store)) DSCOPE_CHECK(checkTimes(kind, store));
    return {};
}
Result<> write(const Format& format, const report::Report& report, const std::string& path)
{
    DSCOPE_TRY(auto file, OutputFile::open(path, OutputFile::Kind::Whole));
    Progress progress("writing " + path);
    progress.begin();
    Folder folder(path);
    const auto drawn = format.write(report, folder, file.stream());
    file.stream().flush();
    if (auto unwritten = file.error()) return *unwritten;
    if (!drawn) return file.refused(drawn.error());
    return file.commit();
}
} // namespace

Result<> checkReports(const Arguments& a)
{
    const auto formats = reports::all();
    Failures failures;
    for (const auto& file : a.reports) {
        if (formatOf(file, formats)) {
            failures.note(OutputFile::check(file));
            continue;
        }
        std::string suffixes;
        for (const auto& f : formats)
            suffixes += (suffixes.empty() ? "." : ", .") + std::string(f->suffix());
        failures.note(Error{0, "cannot write the report " + file + ": the name must end in one of " + suffixes});
    }
    DSCOPE_CHECK(failures.all());

    if (!a.reports.empty() && !a.layout.focus.empty())
        return Error{0, "--focus shows one thing of one view, and a report has all views: give it with --export"};
    if (!a.reports.empty() && a.exports.empty() && (a.sized || a.askedText))
        return Error{0, "--size and --text-size are for --export: the pages of a report are A4, its slides 16:9"};
    if (a.sameScale && a.others.empty() && !a.again)
        return Error{0, "--same-scale is for the figures of several runs: give more than one --replay or --import"};
    if (a.others.empty()) return {};
    if (a.reports.empty() && a.exports.empty())
        return Error{0, "several runs side by side are for a report or figures: give --report FILE or --export FILE, too"};
    if (!a.record.empty()) return Error{0, "--record keeps one run, and there are several: leave all but one out"};
    return {};
}

Result<std::vector<OtherRun>> otherRuns(const Arguments& a, const text::Imported* page)
{
    std::vector<OtherRun> all;
    if (page)
        for (const auto& held : page->further)
            all.push_back(runOf(a, held));
    for (const auto& input : a.others) {
        DSCOPE_TRY(auto run, runOf(a, input));
        all.push_back(std::move(run));
    }
    return all;
}

std::string runName(const Arguments& a)
{
    if (a.collect) return a.collect->run;
    if (a.merged.size() > 1) return std::to_string(a.merged.size()) + " runs";
    const auto& file = !a.replay.empty() ? a.replay : foreignFile(a.import);
    if (file == "-") return "standard input";
    if (!file.empty()) return lastPart(file);
    if (!a.commands.empty()) return a.commands.front();
    return a.words.empty() ? std::string("this run") : lastPart(a.words.front());
}

Result<> writeReports(
    const Arguments& a, const std::string& name, FigureData& data, FigureData* before, bool isCut, std::vector<OtherRun>& others)
{
    if (a.reports.empty()) return {};
    std::vector<report::Source> sources{{name, &data.store(), before ? &before->store() : nullptr,
        a.diff.empty()         ? std::string("an earlier run")
            : a.comparesRuns() ? std::to_string(a.diff.size()) + " earlier runs"
                               : lastPart(foreignFile(a.diff.front())),
        isCut}};
    std::vector<FigureData*> read{before, &data};
    for (auto& other : others) {
        sources.push_back(
            {other.name, &other.data->store(), other.before ? &other.before->store() : nullptr, "an earlier run", other.isCut});
        read.insert(read.end(), {other.before.get(), other.data.get()});
    }

    for (const auto& source : sources)
        if (auto timed = checkStretch(a, *source.store); !timed)
            return std::move(timed).error().in("cannot write the report " + a.reports.front());

    report::Wishes wishes{a.layout, a.palette, a.scale};
    wishes.layout.redact = a.redact;
    auto report = report::reportOf(sources, wishes);
    if (holdsData(a))
        for (std::size_t i = 0; i < read.size(); ++i) {
            if (!read[i]) continue;
            auto run = read[i]->run(i % 2 == 0);
            if (report.hasSeveralRuns()) run.name = report.runs[i / 2].name;
            report.data.push_back(std::move(run));
        }
    const auto formats = reports::all();
    Failures failures;
    for (const auto& file : a.reports) {
        auto written = write(*formatOf(file, formats), report, file);
        if (written) tellWritten(file);
        failures.note(std::move(written));
    }
    return failures.all();
}
} // namespace dscope::cli
