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

Result<bool> readMerged(const Arguments& a, const record::Source::Deliver& deliver)
{
    std::vector<record::MergedRun> runs;
    std::vector<const Recorded*> recorded;
    for (const auto& input : a.merged) {
        if (input.isRecording) {
            Fd fd(input.file == "-" ? ::dup(STDIN_FILENO) : ::open(input.file.c_str(), O_RDONLY | O_CLOEXEC));
            if (!fd) return Error{errno, "failed to open " + input.file + ": " + std::strerror(errno)};
            auto source = std::make_unique<Recorded>(std::move(fd));
            recorded.push_back(source.get());
            runs.push_back({nameOf(a.merged, input), std::move(source)});
        } else {
            // A page of several runs is several; text is copied, so that nobody changes it while others are read.
            DSCOPE_TRY(auto imported, readForeign(input.file, text::Keep::Copied));
            if (!imported.further.empty()) return Error{0, input.file + " holds several runs: --by is for files of one each"};
            runs.push_back({nameOf(a.merged, input), std::make_unique<Foreign>(std::move(imported))});
        }
    }

    record::MergedRuns merged(std::move(runs), *a.by);
    for (;;) {
        constexpr std::chrono::milliseconds kWait(1000);
        DSCOPE_TRY(const bool more, merged.poll(kWait, deliver));
        if (!more) break;
    }
    return std::any_of(recorded.begin(), recorded.end(), [](const Recorded* one) { return one->isCut(); });
}
} // namespace dscope::cli
