#pragma once
#include "engine/base/output_file.h"
#include "engine/record/wire.h"
#include <chrono>
#include <memory>
#include <optional>
namespace dscope::cli {
/// What --record names: the records of a run in a file. Without open() it does nothing.
class Recording final : public record::Sink {
public:
    /// Growing for a run, which may be killed; Whole for what is read to its end.
    Result<> open(const std::string& path, OutputFile::Kind kind);
    bool isOpen() const { return m_file.has_value(); }
    bool isWritten() const { return m_isWritten; } ///< as a whole, by finish()
    /// Truncates the file and writes the header, so that a full disk is reported before tracing begins.
    Result<> begin();
    void take(const record::Record& record) override;
    std::uint64_t size() const; ///< bytes written so far
    /// Called often: writes what is not yet written once a second, so that little is lost when we are killed.
    void keepUp();
    /// Why the file can't be written any more; given once.
    std::optional<Error> takeFailure();
    /// The end of the records. Error: what takeFailure() has not given yet.
    Result<> finish();

private:
    std::optional<OutputFile> m_file;
    std::unique_ptr<record::Writer> m_writer;
    std::chrono::steady_clock::time_point m_written;
    std::optional<Error> m_lost; ///< what others did to the file
    bool m_isTold = false, m_isWritten = false;
};
} // namespace dscope::cli
