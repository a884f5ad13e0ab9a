#include "engine/format/effects.h"
#include "engine/base/descriptor_limit.h"
#include <cerrno>
#include <sys/wait.h>
#include <system_error>
#include <unistd.h>
namespace dscope::format {
namespace {
void writeAll(int fd, std::string_view text)
{
    while (!text.empty()) {
        const auto n = ::write(fd, text.data(), text.size());
        if (n < 0 && errno != EINTR) return; // as with stdout, dtrace goes on when its output cannot be written
        if (n > 0) text.remove_prefix(std::size_t(n));
    }
}
} // namespace

LiveEffects::LiveEffects(int output, std::function<void()> flush) : m_output(output), m_flush(std::move(flush)) { }

Result<Write> LiveEffects::redirect(const std::string& path)
{
    auto file = OutputFile::open(path, OutputFile::Kind::Appended);
    m_wasRefused = m_wasRefused || !file;
    if (!file) return Error{file.error().code, std::generic_category().message(file.error().code)};
    m_flush();
    m_file.emplace(*std::move(file));
    return Write([fd = m_file->descriptor()](std::string_view text) { writeAll(fd, text); });
}

void LiveEffects::restore() { m_file.reset(); }

void LiveEffects::truncate()
{
    m_flush();
    const int fd = m_file ? m_file->descriptor() : m_output;
    // A terminal or pipe has nothing to empty.
    if (::ftruncate(fd, 0) == 0) ::lseek(fd, 0, SEEK_SET);
}

void LiveEffects::run(const std::string& command)
{
    m_flush();
    const pid_t child = ::fork();
    if (child == 0) {
        // freopen() replaces dtrace's standard output, and so the one its commands inherit.
        if (m_file && (m_output == STDOUT_FILENO || m_output < 0)) ::dup2(m_file->descriptor(), STDOUT_FILENO);
        if (m_isApart && m_output == STDOUT_FILENO) ::dup2(STDERR_FILENO, STDOUT_FILENO);
        restoreDescriptorLimit();
        ::execl("/bin/sh", "sh", "-c", command.c_str(), static_cast<char*>(nullptr));
        ::_exit(127);
    }
    int status = 0;
    while (child > 0 && ::waitpid(child, &status, 0) < 0 && errno == EINTR) { }
}
} // namespace dscope::format
