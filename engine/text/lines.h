#pragma once
#include "engine/base/fd.h"
#include "engine/base/result.h"
#include "engine/text/byte_source.h"
#include "engine/text/mapped_file.h"
#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
namespace dscope::text {
/// Reads foreign text line by line. A file is mapped and a pipe is read in pieces, so neither has to fit into memory.
/// What is compressed, by gzip, zstd or xz, is unpacked in pieces; its first bytes tell it. A carriage return before the line feed does not
/// belong to the line, nor does the byte order mark of UTF-8 to the text.
class Lines {
public:
    /// Called now and then with how many bytes of the file are read, and how many it has.
    using Watch = std::function<void(std::uint64_t bytes, std::uint64_t size)>;
    /// How a file is read: Pieces, as a pipe always is.
    enum class By : std::uint8_t { Mapping, Pieces };
    /// `path` "-" is standard input. Error: it cannot be opened or read.
    static Result<Lines> open(const std::string& path, By by = By::Mapping, Watch watch = {});
    /// What a program writes into a pipe, or whatever `from` reads; `path` is for messages.
    static Result<Lines> from(Fd from, std::string path);
    /// Text in memory, which outlives the reader.
    explicit Lines(std::string_view text);
    /// The first bytes, a megabyte at most: what a guess is made on.
    std::string_view head() const { return {m_at, std::min<std::size_t>(left(), kHead)}; }
    /// Whether the head is all that is left.
    bool isHeadAll() const { return m_ended && left() <= kHead; }

    /// False at the end, or when a read failed (see failure()). `line` stays valid until the next call; until the text's
    /// owner goes when lasting().
    bool next(std::string_view& line)
    {
        if (m_at >= m_mapped) mapAhead();
        const auto* end = static_cast<const char*>(left() ? std::memchr(m_at, '\n', left()) : nullptr);
        if (!end) {
            end = endOfLongLine();
            if (left() == 0 || m_failure) return false;
        }
        const auto* last = end > m_at && end[-1] == '\r' ? end - 1 : end;
        line = {m_at, static_cast<std::size_t>(last - m_at)};
        m_at = end == m_end ? end : end + 1;
        ++m_number;
        return true;
    }

    /// A line to compare with: its beginning stands where it can be compared at once, whatever its length, because nearly
    /// all lines are short and a loop that is left at another byte each time costs more than the bytes.
    struct Sample {
        explicit Sample(std::string_view line) : text(line)
        {
            std::memcpy(begin.data(), line.data(), std::min(line.size(), kBegin));
            if (line.size() < kBegin) begin[line.size()] = '\n';
        }
        static constexpr std::size_t kBegin = 64;
        std::array<char, kBegin> begin{};
        std::string_view text;
    };

    /// Consumes the next line if it equals `line`, and tells whether it did. Also false near the end of the buffer.
    bool take(const Sample& line)
    {
        if (m_at >= m_mapped) mapAhead();
        const auto size = line.text.size();
        if (left() <= std::max(size, Sample::kBegin)) return false;
        // Bytes that count are all ones in a window of the mask, the others zeros.
        const auto* mask = kMask.data() + Sample::kBegin - std::min(size + 1, Sample::kBegin);
        std::uint64_t different = 0;
        for (std::size_t i = 0; i < Sample::kBegin; i += sizeof different) {
            std::uint64_t here, there, counts;
            std::memcpy(&here, m_at + i, sizeof here);
            std::memcpy(&there, line.begin.data() + i, sizeof there);
            std::memcpy(&counts, mask + i, sizeof counts);
            different |= (here ^ there) & counts;
        }
        if (different != 0) return false;
        if (size >= Sample::kBegin
            && (m_at[size] != '\n' || std::memcmp(m_at + Sample::kBegin, line.text.data() + Sample::kBegin, size - Sample::kBegin) != 0))
            return false;
        m_at += size + 1;
        ++m_number;
        return true;
    }

    /// Lines that are at hand.
    struct Block {
        std::string_view text; ///< valid until the next call of next(); it ends in front of the last line's end
        std::size_t lines = 0; ///< 0: none
    };
    /// The lines up to an empty one, which is not among them; none of them is consumed. None: the empty line is not at hand, or it is far
    /// away.
    Block paragraph();
    /// Consumes the lines that paragraph() gave.
    void skip(const Block& block)
    {
        m_at += block.text.size() + 1;
        m_number += block.lines;
    }

    /// All that is left, as it is: for formats that are not made of lines. It stays valid as long as this. Error: it is more than `most` bytes,
    /// or can't be read.
    Result<std::string_view> whole(std::size_t most);
    /// What is read next, as much as is at hand: for formats that are not made of lines and need not fit into memory. It stays valid until
    /// the next call. Empty at the end, or when a read failed (see failure()).
    std::string_view piece();
    const std::string& path() const { return m_path; }      ///< as it was opened; empty of text in memory
    std::size_t number() const { return m_number; } ///< of the line that next() gave last, from 1
    /// Of the line that next() gave last: whether a line feed ended it, which at the end of a text that was cut is missing.
    bool isLineEnded() const { return m_at > m_begin && m_at[-1] == '\n'; }
    bool lasting() const { return m_lasting; }
    std::shared_ptr<const void> owner() const { return m_owner; }                                    ///< of a lasting text
    std::uint64_t position() const { return m_before + static_cast<std::uint64_t>(m_at - m_begin); } ///< bytes read
    std::uint64_t size() const { return m_size; }             ///< of a file; 0, not known: of a pipe, and of what is compressed
    Compression compression() const { return m_compression; } ///< of the file or pipe
    const Error* failure() const { return m_failure.get(); }
    std::shared_ptr<const MappedFile> mapped() const { return m_file; } ///< null of what is read in pieces

private:
    Lines() = default;
    std::size_t left() const { return static_cast<std::size_t>(m_end - m_at); }
    Result<> begin(Fd from);
    Result<> unpack();
    bool refill();
    void skipByteOrderMark();
    bool makeRoom(std::size_t bytes);
    const char* endOfLongLine();
    void mapAhead();
    static constexpr auto kMask = [] {
        std::array<unsigned char, 2 * Sample::kBegin> mask{};
        for (std::size_t i = 0; i < Sample::kBegin; ++i)
            mask[i] = 0xff;
        return mask;
    }();
    static constexpr std::size_t kPiece = std::size_t{256} << 10; ///< read at a time, but of long lines: it stays in the cache
    static constexpr std::size_t kMostAtOnce = std::size_t{4} << 20; ///< of long lines
    static constexpr std::size_t kHead = std::size_t{1} << 20;
    static constexpr std::size_t kMostLine = std::size_t{512} << 20; ///< bytes of a line that is read in pieces
    struct Free {
        void operator()(char* p) const { std::free(p); }
    };
    const char *m_begin = nullptr, *m_at = nullptr, *m_end = nullptr;
    const char* m_mapped = reinterpret_cast<const char*>(UINTPTR_MAX); ///< how far pages of a file are there to be read
    std::size_t m_released = 0;                                        ///< bytes of the mapping whose pages were given back
    std::size_t m_number = 0;
    std::uint64_t m_before = 0, m_size = 0, m_fileSize = 0;
    bool m_ended = true, m_lasting = true;
    std::shared_ptr<const void> m_owner;
    std::shared_ptr<const MappedFile> m_file;
    std::unique_ptr<ByteSource> m_source; ///< of what is read in pieces
    Compression m_compression = Compression::None;
    std::string m_path;
    std::unique_ptr<char[], Free> m_buffer; ///< grows in place where the system can do that
    std::size_t m_room = 0;                 ///< its bytes
    std::shared_ptr<Error> m_failure;
    Watch m_watch;
};
} // namespace dscope::text
