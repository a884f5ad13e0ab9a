#pragma once
#include "engine/base/fd.h"
#include "engine/base/result.h"
#include "engine/record/record.h"
#include "engine/record/wire.h"
#include <cstdint>
#include <memory>
#include <span>
#include <string>
namespace dscope::cli {
/// What a front end asks for by the bytes that it writes to us, and by closing its end.
enum class Asked : std::uint8_t { Nothing, End, Pause, GoOn };
/// The descriptors a front end talks to us by, out of reach of the commands we start: their input is empty, and what they
/// print goes to standard error where the frames take standard output.
struct Line {
    Fd frames, control;
};
/// By what it has written to `control`, without waiting.
Asked askedBy(int control);
/// The line of --stream `frames`; standard input is its control. Error: there is no such descriptor.
Result<Line> takeLine(int frames);
record::Diagnostic warningOf(const std::string& message);
record::Diagnostic errorOf(const std::string& message);

/// Who hears how it goes before there are records: a front end, as records of a stream, or standard error.
class Front {
public:
    void take(Line line);
    bool isThere() const { return m_stream != nullptr; }
    record::Writer* stream() const { return m_stream.get(); }
    int control() const { return isThere() ? m_line.control.get() : -1; }
    Asked asked() const;
    void tell(std::span<const record::Diagnostic> diagnostics);
    /// Tells why it ends here; the exit status.
    int fail(const std::string& message);
    /// Ends the stream; the exit status.
    int end(int status);

private:
    Line m_line;
    std::unique_ptr<record::Writer> m_stream;
    bool m_hasEnded = false;
};
} // namespace dscope::cli
