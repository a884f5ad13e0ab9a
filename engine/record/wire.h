#pragma once
#include "engine/record/record.h"
#include <cerrno>
#include <memory>
#include <optional>
#include <string_view>
namespace dscope::record {
/// One record as bytes: u8 kind, then its parts, little endian. decode(encode(r)) == r.
Bytes encode(const Record& record);
/// Error for malformed input. An unknown kind gives an empty optional: newer minor versions may add kinds, and parts at
/// the end of known ones.
Result<std::optional<Record>> decode(ByteView payload);

/// A recording begins with kMagic, u16 major, u16 minor; little endian, as everything in it.
constexpr std::string_view kMagic{"DSCOPE\n\0", 8};
constexpr std::uint16_t kMajor = 1, kMinor = 9; // docs/formats.md tells what came when
/// What frames may hold. A record may be larger than a block, and then crosses from one to the next.
constexpr std::size_t kBlockLimit = std::size_t{1} << 20;  ///< bytes of a block before compression
constexpr std::size_t kRecordLimit = std::size_t{1} << 28; ///< bytes of an encoded record
constexpr std::size_t kStacksLimit = std::size_t{4} << 20; ///< bytes of one record of counted stacks, but for a stack that is longer

/// Frames on a byte stream (a recording, or the pipe from the helper): the head, then frames of
///   u24 length of the body, u8 check of the length (the low byte of its CRC-32C), u32 CRC-32C of the body,
///   body: u8 FrameKind, then for Stored the bytes, for Zstd u32 how many bytes and a zstd frame of them,
///   for End u64 how many records the stream has.
/// The bytes of the blocks, one after the other, are records: u32 length, encode()d record. The end is marked.
/// `poll`-able on a pipe: a block is written at every flush(). Equal records and flushes give equal bytes.
class Writer final : public Sink {
public:
    /// Writes to `fd`, which is not owned. Errors are kept and told by failure() and finish(): the reason alone, since who
    /// opened the file knows its name. A pipe without a reader raises SIGPIPE unless the program ignores that signal.
    explicit Writer(int fd);
    /// Goes on with a stream of which another writer has written `before` records to their end, flush() included.
    Writer(int fd, std::uint64_t before);
    ~Writer() override; ///< flushes; without finish() the stream reads as cut
    /// Counted stacks become several records where one would be too large.
    void take(const Record& record) override;
    void flush();
    std::uint64_t records() const; ///< that the stream has so far
    Result<> finish();             ///< flushes and marks the end; the first error of all
    const Error* failure() const;  ///< the first error so far, or null; nothing more is written after it
    /// Whether the file still has the frames that were written, from its first byte on: others may have emptied it or written into it.
    /// Reads their heads alone, from `file`, a descriptor of it. True of what is no file. Not for callers that go on with another's stream.
    bool isIntact(int file) const;

private:
    struct Impl;
    std::unique_ptr<Impl> m;
};
/// Code of Reader's error for a stream that ended before its first byte.
constexpr int kNothingWritten = ENODATA;
/// Code of Reader's error for a stream that is no recording.
constexpr int kForeign = ENOEXEC;
/// Reads what Writer wrote, from a file or a pipe. A file that is cut ends the stream with `cut()` true, and then
/// without the Exit that other streams end with; a damaged one, a foreign one and a newer major version are errors that
/// say so. What it delivers is checked (engine/record/check.h): sinks may rely on it.
class Reader final : public Source {
public:
    explicit Reader(int fd); ///< not owned; blocking or not
    ~Reader() override;
    Result<bool> poll(std::chrono::milliseconds timeout, const Deliver& deliver) override;
    bool cut() const;
    /// After error kForeign: what came in the place of a recording, up to the first end of a line or of what was read.
    std::string firstLine() const;

private:
    struct Impl;
    std::unique_ptr<Impl> m;
};
} // namespace dscope::record
