#pragma once
#include "engine/base/output_file.h"
#include "engine/format/values.h"
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <fcntl.h>
#include <string>
#include <string_view>
#include <sys/stat.h>
#include <unistd.h>
namespace dscope::cli {
/// Where the text goes: standard output, or what -o names, to which it is appended.
class Output {
public:
    Output() = default;
    ~Output()
    {
        if (m_file != stdout) std::fclose(m_file);
    }
    Output(const Output&) = delete;
    Output& operator=(const Output&) = delete;

    Result<> open(const std::string& path)
    {
        if (path.empty()) return {};
        DSCOPE_TRY(auto target, OutputFile::open(path, OutputFile::Kind::Appended));
        std::FILE* file = ::fdopen(::fcntl(target.descriptor(), F_DUPFD_CLOEXEC, 3), "a");
        if (!file) return target.refused(Error{errno, std::strerror(errno)});
        m_file = file;
        m_path = path;
        return {};
    }

    int descriptor() const { return ::fileno(m_file); }
    /// Control characters of what was traced are to be shown there, not obeyed.
    bool isTerminal() const { return ::isatty(descriptor()) == 1; }
    void write(std::string_view text) { note(std::fwrite(text.data(), 1, text.size(), m_file) == text.size()); }
    void flush() { note(std::fflush(m_file) == 0); }
    /// Why nothing can be written any more; 0 while it can.
    int failure() const { return m_failure; }
    /// The same as a sentence: dtrace's, with the file of -o.
    std::string failureText() const
    {
        return "processing aborted: " + (m_path.empty() ? "" : "cannot write " + m_path + ": ") + std::strerror(m_failure);
    }

    /// Error: others have removed the file of -o, or put another one in its place.
    Result<> checkKept() const
    {
        struct stat info { };
        if (m_path.empty() || ::fstat(descriptor(), &info) != 0 || info.st_nlink > 0 || !S_ISREG(info.st_mode)) return {};
        return Error{0, "cannot write " + m_path + ": it was removed during the run, and what was printed is lost"};
    }

private:
    void note(bool fine)
    {
        if (!fine && m_failure == 0) m_failure = errno;
    }
    std::FILE* m_file = stdout;
    std::string m_path; ///< of -o
    int m_failure = 0;
};
/// Prints a message about a trace on standard error. On a terminal, control characters become visible text.
inline void tell(std::string_view text)
{
    const auto shown = ::isatty(STDERR_FILENO) == 1 ? format::visible(text) : std::string(text);
    std::fwrite(shown.data(), 1, shown.size(), stderr);
}
} // namespace dscope::cli
