#include "engine/text/lines.h"
#include <algorithm>
#include <cerrno>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>
namespace dscope::text {
namespace {
/// Whether a file is to be unpacked, by its beginning.
bool isCompressed(const Fd& file)
{
    std::array<char, kMagicOfCompression> head{};
    const auto got = ::pread(file.get(), head.data(), head.size(), 0);
    return got > 0 && compressionOf({head.data(), static_cast<std::size_t>(got)}) != Compression::None;
}
} // namespace

Lines::Lines(std::string_view text) : m_begin(text.data()), m_at(m_begin), m_end(m_begin + text.size()), m_size(text.size())
{
    skipByteOrderMark();
}

Result<Lines> Lines::open(const std::string& path, By by, Watch watch)
{
    Lines lines;
    lines.m_watch = std::move(watch);
    lines.m_path = path;
    Fd file(path == "-" ? ::dup(STDIN_FILENO) : ::open(path.c_str(), O_RDONLY | O_CLOEXEC));
    if (!file) return Error{errno, "failed to open " + path + ": " + std::strerror(errno)};
    struct stat info { };
    if (::fstat(file.get(), &info) == 0 && S_ISDIR(info.st_mode)) return Error{EISDIR, path + " is a directory"};
    if (S_ISREG(info.st_mode) && info.st_size > 0) {
        const auto size = static_cast<std::size_t>(info.st_size);
        lines.m_size = lines.m_fileSize = size;
        const bool isMapped = by == By::Mapping && ::lseek(file.get(), 0, SEEK_CUR) == 0 && !isCompressed(file);
        if (isMapped) lines.m_file = MappedFile::map(Fd(::fcntl(file.get(), F_DUPFD_CLOEXEC, 0)), size, path);
        if (lines.m_file) {
            lines.m_owner = lines.m_file;
            lines.m_begin = lines.m_at = lines.m_file->text().data();
            lines.m_end = lines.m_begin + size;
            lines.m_mapped = lines.m_begin;
            lines.skipByteOrderMark();
            return lines;
        }
    }
    DSCOPE_CHECK(lines.begin(std::move(file)));
    return lines;
}

Result<Lines> Lines::from(Fd from, std::string path)
{
    Lines lines;
    lines.m_path = std::move(path);
    DSCOPE_CHECK(lines.begin(std::move(from)));
    return lines;
}

/// Reads the head of what is read in pieces.
Result<> Lines::begin(Fd from)
{
    m_source = std::make_unique<FileBytes>(std::move(from), m_fileSize);
    m_ended = m_lasting = false;
    while (!m_ended && left() < kMagicOfCompression && refill()) { }
    DSCOPE_CHECK(unpack());
    while (!m_ended && left() < kHead && refill()) { }
    if (m_failure) return Error(*m_failure).in("reading " + m_path);
    skipByteOrderMark();
    return {};
}

/// Editors and shells of Windows write it in front of the text.
void Lines::skipByteOrderMark()
{
    constexpr std::string_view kMark = "\xef\xbb\xbf";
    if (std::string_view(m_at, left()).starts_with(kMark)) m_at += kMark.size();
}

/// Reads on from what is inside, if what is read is compressed. A compressed file may be compressed once more: a download that a server
/// packed.
Result<> Lines::unpack()
{
    constexpr int kMostTimes = 2;
    for (int times = 0; !m_failure && compressionOf(head()) != Compression::None; ++times) {
        const auto compression = compressionOf(head());
        if (times == kMostTimes)
            return Error{0,
                "cannot read " + m_path + ": it is compressed more than twice, one in another: unpack it with \""
                    + std::string(nameOf(m_compression)) + " -dc\", and import that"};
        if (times == 0) m_compression = compression;
        m_source = std::make_unique<UnpackedBytes>(std::move(m_source), compression, std::string_view(m_at, left()));
        m_at = m_end = m_begin;
        m_before = m_size = 0;
        m_ended = false;
        while (!m_ended && left() < kMagicOfCompression && refill()) { }
    }
    return {};
}

/// Many pages at a time: a fault each would cost more than the reading. What is behind takes no more memory; who looks at it again gets it
/// back.
void Lines::mapAhead()
{
    if (m_watch) m_watch(position(), m_size);
    const auto page = static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
    const auto behind = static_cast<std::size_t>(m_at - m_begin) / page * page;
    if (behind > m_released) ::madvise(const_cast<char*>(m_begin) + m_released, behind - m_released, MADV_DONTNEED);
    m_released = std::max(m_released, behind);
    constexpr std::size_t kAhead = std::size_t{8} << 20;
    const auto size = std::min(kAhead, static_cast<std::size_t>(m_end - m_mapped));
    ::madvise(const_cast<char*>(m_mapped), size, MADV_POPULATE_READ); // a kernel before 5.14 does without
    m_mapped = size < kAhead ? reinterpret_cast<const char*>(UINTPTR_MAX) : m_mapped + size;
}

/// Reads more behind what is left. False at the end of the text.
bool Lines::refill()
{
    if (m_watch) m_watch(m_source->position(), m_fileSize);
    const auto kept = left(), used = static_cast<std::size_t>(m_at - m_begin);
    // Moved to the front only when that is little beside what is read, so that long lines cost no more than they are.
    if (used > kept) {
        std::memmove(m_buffer.get(), m_at, kept);
        m_before += used;
        m_at = m_buffer.get();
    }

    const auto from = static_cast<std::size_t>(m_at - m_buffer.get()) * (m_at != nullptr), filled = from + kept;
    Result<std::size_t> got = Error{ENOMEM, "no memory is left for a line of " + std::to_string(kept) + " bytes"};
    if (makeRoom(filled + kHead))
        got = m_source->read(m_buffer.get() + filled, std::min(std::clamp(kept, kPiece, kMostAtOnce), m_room - filled));
    m_begin = m_buffer.get();
    m_at = m_begin + from;
    m_end = m_at + kept + (got ? *got : 0);
    if (!got) m_failure = std::make_shared<Error>(got.error());
    m_ended = !got || *got == 0;
    return !m_ended;
}

/// The buffer is at least so large then. Pages of it that nothing was read into take no memory.
bool Lines::makeRoom(std::size_t bytes)
{
    if (bytes <= m_room) return true;
    const auto room = std::max(2 * m_room, bytes);
    auto* grown = static_cast<char*>(std::realloc(m_buffer.get(), room));
    if (!grown) return false;
    (void)m_buffer.release(); // realloc() freed it
    m_buffer.reset(grown);
    m_room = room;
    return true;
}

/// Of a line whose end is not read yet: reads on until it is. The end of the text where there is none.
const char* Lines::endOfLongLine()
{
    while (!m_ended) {
        const auto searched = left();
        if (searched > kMostLine) {
            m_failure = std::make_shared<Error>(Error{0,
                "line " + std::to_string(m_number + 1) + " has more than " + std::to_string(kMostLine >> 20)
                    + " MiB: no format has such lines"});
            m_ended = true;
            break;
        }
        if (!refill()) break;
        if (const auto* end = std::memchr(m_at + searched, '\n', left() - searched)) return static_cast<const char*>(end);
    }
    return m_end;
}

Lines::Block Lines::paragraph()
{
    if (m_at >= m_mapped) mapAhead();
    constexpr std::size_t kMost = 512;
    std::size_t lines = 0;
    for (const auto* at = m_at; at < m_end && lines <= kMost; ++lines) {
        const auto* end = static_cast<const char*>(std::memchr(at, '\n', static_cast<std::size_t>(m_end - at)));
        if (!end) return {};
        if (end == at) return {lines > 0 ? std::string_view(m_at, static_cast<std::size_t>(at - m_at) - 1) : std::string_view(), lines};
        at = end + 1;
    }
    return {};
}

std::string_view Lines::piece()
{
    if (left() == 0 && (m_ended || !refill())) return {};
    if (m_at >= m_mapped) mapAhead();
    const auto size = std::min(left(), kPiece);
    const std::string_view piece(m_at, size);
    m_at += size;
    return piece;
}

Result<std::string_view> Lines::whole(std::size_t most)
{
    while (!m_ended && left() <= most && refill()) { }
    if (m_failure) return Error(*m_failure);
    if (left() > most)
        return Error{0,
            std::string(m_compression == Compression::None ? "it has" : "it inflates to") + " more than " + std::to_string(most >> 20)
                + " MiB: cut it, or record a shorter time"};
    const std::string_view all(m_at, left());
    m_at = m_end;
    return all;
}
} // namespace dscope::text
