#pragma once
#include "engine/base/fd.h"
#include "engine/base/result.h"
#include "engine/text/unpacker.h"
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>
namespace dscope::text {
/// Where bytes come from, in pieces.
class ByteSource {
public:
    virtual ~ByteSource() = default;
    /// Reads at most `room` bytes to `to`, and tells how many; 0: at the end. Error: what can't be read, or is not whole.
    virtual Result<std::size_t> read(char* to, std::size_t room) = 0;
    /// Bytes of the file or pipe that are read.
    virtual std::uint64_t position() const = 0;
};

/// A file or a pipe. `size`: of a regular file, which had better not end before; 0: not known.
class FileBytes final : public ByteSource {
public:
    FileBytes(Fd fd, std::uint64_t size) : m_fd(std::move(fd)), m_size(size) { }
    Result<std::size_t> read(char* to, std::size_t room) override;
    std::uint64_t position() const override { return m_position; }

private:
    Fd m_fd;
    std::uint64_t m_size, m_position = 0;
};

/// What another source has compressed. Readers bound what they take of it; here it is bounded only where nothing real goes.
class UnpackedBytes final : public ByteSource {
public:
    /// Bytes that any file may unpack to; more only where that is not more than kMostTimes of its size.
    static constexpr std::uint64_t kMostUnpacked = std::uint64_t{16} << 30, kMostTimes = 200;
    /// `begun`: what was already read of `packed`.
    UnpackedBytes(std::unique_ptr<ByteSource> packed, Compression compression, std::string_view begun, std::uint64_t most = kMostUnpacked);
    Result<std::size_t> read(char* to, std::size_t room) override;
    std::uint64_t position() const override { return m_packed->position(); }

private:
    Result<> fill();
    Error refused(const std::string& trouble, const std::string& fix) const;
    Error refusedAsBomb() const;
    std::unique_ptr<ByteSource> m_packed;
    Compression m_compression;
    std::unique_ptr<Unpacker> m_unpacker;
    std::vector<char> m_piece;              ///< packed bytes
    std::string_view m_left;                ///< those of them that are not unpacked yet
    bool m_isLast = false;                  ///< nothing follows the piece
    std::uint64_t m_taken = 0, m_given = 0; ///< bytes in all
    std::uint64_t m_most;
};
} // namespace dscope::text
