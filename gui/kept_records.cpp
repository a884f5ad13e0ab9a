#include "gui/kept_records.h"
#include "engine/base/fd.h"
#include "engine/record/wire.h"
#include <chrono>
#include <sys/mman.h>
#include <unistd.h>
namespace dscope::gui {
namespace {
Error tooLarge() { return {0, "a run was too large to be kept: record it, and open the recording"}; }
} // namespace

Result<> readEach(const exporters::KeptRun& run, const std::function<void(const record::Record&)>& take)
{
    const auto recording = run.recording(SIZE_MAX);
    if (recording.bytes.empty()) return tooLarge();
    const Fd file(::memfd_create("dscope", MFD_CLOEXEC));
    if (!file || ::write(file.get(), recording.bytes.data(), recording.bytes.size()) != static_cast<ssize_t>(recording.bytes.size()))
        return Error{0, "there is no memory for the runs"};
    ::lseek(file.get(), 0, SEEK_SET);
    record::Reader reader(file.get());
    for (bool more = true; more;) {
        DSCOPE_TRY(more, reader.poll(std::chrono::milliseconds(0), take));
    }
    return {};
}

Result<> writeRun(const exporters::KeptRun& run, const QString& name, OutputFile& file)
{
    if (name.isEmpty()) {
        const auto recording = run.recording(SIZE_MAX);
        if (recording.bytes.empty()) return tooLarge();
        file.stream().write(recording.bytes.data(), static_cast<std::streamsize>(recording.bytes.size()));
        return {};
    }
    record::Writer writer(file.descriptor());
    DSCOPE_CHECK(readEach(run, [&](const record::Record& r) {
        const auto* program = std::get_if<record::Program>(&r);
        if (!program) return writer.take(r);
        auto named = *program;
        named.options["runname"] = name.toStdString();
        writer.take(named);
    }));
    if (const auto done = writer.finish(); !done) return file.refused(done.error());
    return {};
}
} // namespace dscope::gui
