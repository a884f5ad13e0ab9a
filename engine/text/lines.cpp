#include "engine/text/lines.h"
#include <algorithm>
#include <cerrno>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>
namespace dscope::text {
Lines::Lines(std::string_view text) : m_begin(text.data()), m_at(m_begin), m_end(m_begin + text.size()), m_size(text.size()) { }

Result<Lines> Lines::open(const std::string& path, By by, Watch watch)
{
    Lines lines;
    lines.m_watch = std::move(watch);
    lines.m_path = path;
    lines.m_pipe = Fd(path == "-" ? ::dup(STDIN_FILENO) : ::open(path.c_str(), O_RDONLY | O_CLOEXEC));
    if (!lines.m_pipe) return Error{errno, "failed to open " + path + ": " + std::strerror(errno)};
    struct stat info { };
    if (::fstat(lines.m_pipe.get(), &info) == 0 && S_ISDIR(info.st_mode)) return Error{EISDIR, path + " is a directory"};
    if (S_ISREG(info.st_mode) && info.st_size > 0) {
        const auto size = static_cast<std::size_t>(info.st_size);
        lines.m_size = size;
        if (by == By::Mapping) lines.m_file = MappedFile::map(Fd(::fcntl(lines.m_pipe.get(), F_DUPFD_CLOEXEC, 0)), size, path);
        if (lines.m_file) {
            lines.m_owner = lines.m_file;
            lines.m_begin = lines.m_at = lines.m_file->text().data();
            lines.m_end = lines.m_begin + size;
            lines.m_mapped = lines.m_begin;
            return lines;
        }
    }
    DSCOPE_CHECK(lines.begin());
    return lines;
}

Result<Lines> Lines::from(Fd from, std::string path)
{
    Lines lines;
    lines.m_path = std::move(path);
    lines.m_pipe = std::move(from);
    DSCOPE_CHECK(lines.begin());
    return lines;
}

/// Reads the head of what is read in pieces.
Result<> Lines::begin()
{
    m_ended = m_lasting = false;
    while (left() < kHead && refill()) { }
    if (m_failure) return Error(*m_failure).in("reading " + m_path);
    return {};
}

/// Many pages at a time: a fault each would cost more than the reading.
void Lines::mapAhead()
{
    if (m_watch) m_watch(position(), m_size);
    constexpr std::size_t kAhead = std::size_t{8} << 20;
    const auto size = std::min(kAhead, static_cast<std::size_t>(m_end - m_mapped));
    ::madvise(const_cast<char*>(m_mapped), size, MADV_POPULATE_READ); // a kernel before 5.14 does without
    m_mapped = size < kAhead ? reinterpret_cast<const char*>(UINTPTR_MAX) : m_mapped + size;
}

/// Reads more behind what is left. False at the end of the text.
bool Lines::refill()
{
    if (m_watch) m_watch(m_before + static_cast<std::uint64_t>(m_end - m_begin), m_size);
    const auto kept = left(), used = static_cast<std::size_t>(m_at - m_begin);
    // Moved to the front only when that is little beside what is read, so that long lines cost no more than they are.
    if (used > kept) {
        std::memmove(m_buffer.data(), m_at, kept);
        m_before += used;
        m_at = m_buffer.data();
    }

    const auto from = static_cast<std::size_t>(m_at - m_buffer.data()) * (m_at != nullptr), filled = from + kept;
    if (m_buffer.size() < filled + kHead) m_buffer.resize(std::max(2 * m_buffer.size(), filled + kHead));
    ssize_t got = 0;
    do
        got = ::read(m_pipe.get(), m_buffer.data() + filled, std::min(std::max(kPiece, kept), m_buffer.size() - filled));
    while (got < 0 && errno == EINTR);
    m_begin = m_buffer.data();
    m_at = m_begin + from;
    m_end = m_at + kept + std::max<ssize_t>(got, 0);
    if (got < 0) m_failure = std::make_shared<Error>(Error{errno, std::string("cannot read: ") + std::strerror(errno)});

    // A regular file that ends before the size that it had. (Of a file that was opened behind its beginning, as "-" may be, we
    // can't tell.)
    const auto position = got == 0 && m_size > 0 ? ::lseek(m_pipe.get(), 0, SEEK_CUR) : 0;
    if (got == 0 && position >= 0 && static_cast<std::uint64_t>(position) < m_size) m_failure = std::make_shared<Error>(wasCut());
    m_ended = got <= 0;
    return got > 0;
}

Result<std::string_view> Lines::whole(std::size_t most)
{
    while (!m_ended && left() <= most && refill()) { }
    if (m_failure) return Error(*m_failure);
    if (left() > most) return Error{0, "it has more than " + std::to_string(most >> 20) + " MiB: cut it, or record a shorter time"};
    const std::string_view all(m_at, left());
    m_at = m_end;
    return all;
}
} // namespace dscope::text
