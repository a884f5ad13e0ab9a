#include "engine/text/byte_source.h"
#include "engine/text/mapped_file.h"
#include <cerrno>
#include <cstring>
#include <unistd.h>
namespace dscope::text {
Result<std::size_t> FileBytes::read(char* to, std::size_t room)
{
    ssize_t got = 0;
    do
        got = ::read(m_fd.get(), to, room);
    while (got < 0 && errno == EINTR);
    if (got < 0) return Error{errno, std::string("cannot read: ") + std::strerror(errno)};

    // (Of a file that was opened behind its beginning, as "-" may be, we only know where we are.)
    const auto at = got == 0 && m_size > 0 ? ::lseek(m_fd.get(), 0, SEEK_CUR) : -1;
    if (at >= 0 && static_cast<std::uint64_t>(at) < m_size) return wasCut();
    m_position += static_cast<std::uint64_t>(got);
    return static_cast<std::size_t>(got);
}

UnpackedBytes::UnpackedBytes(std::unique_ptr<ByteSource> packed, Compression compression, std::string_view begun, std::uint64_t most)
    : m_packed(std::move(packed)), m_compression(compression), m_unpacker(Unpacker::of(compression)), m_piece(begun.begin(), begun.end()),
      m_left(m_piece.data(), m_piece.size()), m_most(most)
{
}

Result<std::size_t> UnpackedBytes::read(char* to, std::size_t room)
{
    for (;;) {
        if (m_left.empty() && !m_isLast) DSCOPE_CHECK(fill());
        const auto step = m_unpacker->unpack(m_left, {to, room});
        m_left.remove_prefix(step.taken);
        m_taken += step.taken;
        if (!step.trouble.empty()) return refused(step.trouble, step.fix);
        m_given += step.given;
        if (m_given > m_most && m_given / kMostTimes > m_taken) return refusedAsBomb();
        if (step.given > 0) return step.given;
        if (step.taken > 0) continue;
        if (!m_left.empty()) return refused("is damaged", Unpacker::kAgain);
        if (m_isLast) return m_unpacker->isWhole() ? Result<std::size_t>(0) : refused("is cut", Unpacker::kAgain);
    }
}

Error UnpackedBytes::refused(const std::string& trouble, const std::string& fix) const
{
    return Error{0, "its compressed data " + trouble + " near byte " + std::to_string(m_taken) + ": " + fix};
}

Error UnpackedBytes::refusedAsBomb() const
{
    return refused("unpacks to more than " + std::to_string(m_most >> 30) + " GiB, over " + std::to_string(kMostTimes) + " times its size,",
        "if it is meant so, unpack it with \"" + std::string(nameOf(m_compression)) + " -dc\", and import that");
}

/// Reads the next piece, when nothing is left of the last one.
Result<> UnpackedBytes::fill()
{
    constexpr std::size_t kPackedPiece = std::size_t{64} << 10;
    m_piece.resize(kPackedPiece);
    DSCOPE_TRY(const auto got, m_packed->read(m_piece.data(), m_piece.size()));
    m_left = {m_piece.data(), got};
    m_isLast = got == 0;
    return {};
}
} // namespace dscope::text
