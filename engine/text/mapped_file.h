#pragma once
#include "engine/base/fd.h"
#include "engine/base/result.h"
#include <memory>
#include <string>
#include <string_view>
namespace dscope::text {
/// A regular file, mapped. Another program may cut it while we read, as the rotation of logs does: reading what is gone would
/// end us by SIGBUS. Here it reads as zeros, and check() tells, so that nothing is made of it.
class MappedFile {
public:
    /// Null when it can't be mapped; then it is to be read in pieces. `path` is for messages.
    static std::shared_ptr<const MappedFile> map(Fd file, std::size_t size, std::string path);
    ~MappedFile();
    MappedFile(const MappedFile&) = delete;
    MappedFile& operator=(const MappedFile&) = delete;
    std::string_view text() const;
    /// Error: the file has been cut since it was mapped, so text() may be wrong.
    Result<> check() const;

private:
    MappedFile() = default;
    Fd m_file;
    std::string m_path;
    char* m_begin = nullptr;
    std::size_t m_size = 0;
    std::size_t m_slot = 0; ///< among those that the signal handler looks through
};
/// How a cut file is told, for files that are read in pieces too; without its name.
Error wasCut();
} // namespace dscope::text
