#include "cli/merged.h"
#include "cli/inputs.h"
#include "engine/base/fd.h"
#include "engine/record/merged_runs.h"
#include "engine/record/wire.h"
#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
namespace dscope::cli {
namespace {
/// A recording, which tells whether it is cut.
class Recorded final : public record::Source {
public:
    explicit Recorded(Fd file) : m_file(std::move(file)), m_reader(m_file.get()) { }
    Result<bool> poll(std::chrono::milliseconds timeout, const Deliver& deliver) override { return m_reader.poll(timeout, deliver); }
    bool isCut() const { return m_reader.cut(); }

private:
    Fd m_file;
    record::Reader m_reader;
};
/// What another tool recorded.
class Foreign final : public record::Source {
public:
    explicit Foreign(text::Imported imported) : m_imported(std::move(imported)) { }

    Result<bool> poll(std::chrono::milliseconds, const Deliver& deliver) override
    {
        cli::deliver(m_imported, deliver);
        m_imported.records.clear();
        return false;
    }

private:
    text::Imported m_imported;
};
/// A source whose records are also given to who wants those of this run alone.
class Told final : public record::Source {
public:
    Told(std::unique_ptr<record::Source> source, std::size_t run, const TakeOfRun& each)
        : m_source(std::move(source)), m_run(run), m_each(each)
    {
    }
    Result<bool> poll(std::chrono::milliseconds timeout, const Deliver& deliver) override
    {
        return m_source->poll(timeout, [&](const record::Record& r) {
            m_each(m_run, r);
            deliver(r);
        });
    }

private:
    std::unique_ptr<record::Source> m_source;
    std::size_t m_run;
    const TakeOfRun& m_each;
};
std::string fileOf(const OtherInput& input) { return input.isRecording ? input.file : foreignFile(input.file); }
/// Of a file: as short as it is clear.
std::string nameOf(const std::vector<OtherInput>& all, const OtherInput& input)
{
    const auto last = [](const std::string& path) { return path.substr(path.rfind('/') + 1); };
    const auto name = last(fileOf(input));
    return std::count_if(all.begin(), all.end(), [&](const OtherInput& one) { return last(fileOf(one)) == name; }) > 1 ? fileOf(input)
                                                                                                                       : name;
}
} // namespace

Result<bool> readMerged(
    const std::vector<OtherInput>& inputs, record::MergedBy by, const record::Source::Deliver& deliver, const TakeOfRun& each)
{
    std::vector<record::MergedRun> runs;
    std::vector<const Recorded*> recorded;
    const auto add = [&](const OtherInput& input, std::unique_ptr<record::Source> source) {
        if (each) source = std::make_unique<Told>(std::move(source), runs.size(), each);
        runs.push_back({nameOf(inputs, input), std::move(source)});
    };
    for (const auto& input : inputs) {
        if (input.isRecording) {
            Fd fd(input.file == "-" ? ::dup(STDIN_FILENO) : ::open(input.file.c_str(), O_RDONLY | O_CLOEXEC));
            if (!fd) return Error{errno, "failed to open " + input.file + ": " + std::strerror(errno)};
            auto source = std::make_unique<Recorded>(std::move(fd));
            recorded.push_back(source.get());
            add(input, std::move(source));
        } else {
            // A page of several runs is several.
            DSCOPE_TRY(auto imported, readForeign(input.file, {}));
            if (!imported.further.empty()) return Error{0, input.file + " holds several runs: --by is for files of one each"};
            add(input, std::make_unique<Foreign>(std::move(imported)));
        }
    }

    record::MergedRuns merged(std::move(runs), by);
    for (;;) {
        constexpr std::chrono::milliseconds kWait(1000);
        DSCOPE_TRY(const bool more, merged.poll(kWait, deliver));
        if (!more) break;
    }
    return std::any_of(recorded.begin(), recorded.end(), [](const Recorded* one) { return one->isCut(); });
}
} // namespace dscope::cli
