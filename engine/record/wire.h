#pragma once
#include "engine/record/record.h"
#include <iosfwd>
#include <memory>
#include <optional>
namespace dscope::record {
/// One record as bytes: u8 kind, then its parts, little endian. decode(encode(r)) == r.
Bytes encode(const Record& record);
/// Error for malformed input. An unknown kind gives an empty optional: newer minor versions may add kinds.
Result<std::optional<Record>> decode(ByteView payload);

/// Frames on a byte stream (a recording, or the pipe from the helper): kMagic, u16 major, u16 minor, then frames of
/// u32 length, u32 checksum (CRC-32C of what follows), compressed blocks of records. The end is marked.
/// `poll`-able on a pipe: a block is written at every flush().
class Writer final : public Sink {
public:
    /// Writes to `fd`, which is not owned. Errors are kept and told by finish().
    explicit Writer(int fd);
    ~Writer() override;
    void take(const Record& record) override;
    void flush();
    Result<> finish();

private:
    struct Impl;
    std::unique_ptr<Impl> m;
};
/// Reads what Writer wrote, from a file or a pipe. A file that is cut ends the stream with `cut()` true; a damaged one,
/// a foreign one and a newer major version are errors that say so.
class Reader final : public Source {
public:
    explicit Reader(int fd);            ///< not owned
    ~Reader() override;
    Result<bool> poll(std::chrono::milliseconds timeout, const Deliver& deliver) override;
    bool cut() const;

private:
    struct Impl;
    std::unique_ptr<Impl> m;
};
} // namespace dscope::record
