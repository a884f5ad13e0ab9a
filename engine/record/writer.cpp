#include "engine/record/counted_stacks.h"
#include "engine/record/frame.h"
#include <algorithm>
#include <array>
#include <cerrno>
#include <poll.h>
#include <sys/stat.h>
#include <system_error>
#include <unistd.h>
#include <zstd.h>
namespace dscope::record {
namespace {
constexpr int kLevel = 3; // zstd's default: fast enough to record while tracing

Error errnoError()
{
    const int code = errno;
    return Error{code, std::generic_category().message(code)};
}
} // namespace

struct Writer::Impl {
    explicit Impl(int descriptor) : fd(descriptor) { }
    ~Impl() { ZSTD_freeCCtx(zstd); }
    Impl(const Impl&) = delete;
    Impl& operator=(const Impl&) = delete;

    void fail(Error e)
    {
        if (!error) error = std::move(e);
    }

    void write(ByteView bytes)
    {
        while (!bytes.empty() && !error) {
            const auto n = ::write(fd, bytes.data(), bytes.size());
            if (n >= 0) {
                written += std::uint64_t(n);
                bytes = bytes.subspan(std::size_t(n));
            } else if (errno == EAGAIN || errno == EWOULDBLOCK) {
                pollfd room{fd, POLLOUT, 0};
                if (::poll(&room, 1, -1) < 0 && errno != EINTR) fail(errnoError());
            } else if (errno != EINTR) {
                fail(errnoError());
            }
        }
    }

    void head()
    {
        if (headed) return;
        headed = true;
        ByteWriter out;
        out.raw(std::as_bytes(std::span(kMagic)));
        out.put(kMajor);
        out.put(kMinor);
        write(out.bytes());
    }

    void frame(ByteView body)
    {
        head();
        ByteWriter out;
        out.put(guardedLength(std::uint32_t(body.size())));
        out.put(Crc32c().add(body).value());
        frames.add(out.bytes());
        out.raw(body);
        write(out.bytes());
    }

    void block(ByteView raw)
    {
        if (!zstd) zstd = ZSTD_createCCtx();
        ByteWriter body;
        Bytes packed(zstd ? ZSTD_compressBound(raw.size()) : 0);
        const auto n = zstd ? ZSTD_compressCCtx(zstd, packed.data(), packed.size(), raw.data(), raw.size(), kLevel) : raw.size();
        if (!zstd || ZSTD_isError(n) || n + 4 >= raw.size()) {
            body.put(FrameKind::Stored);
            body.raw(raw);
        } else {
            body.put(FrameKind::Zstd);
            body.put(std::uint32_t(raw.size()));
            body.raw(ByteView(packed).first(n));
        }
        frame(body.bytes());
    }

    void put(const Record& record)
    {
        if (error) return;
        const Bytes bytes = encode(record);
        if (bytes.size() > kRecordLimit)
            return fail(Error{0, "a record is too large to keep (" + std::to_string(bytes.size()) + " bytes)"});
        const auto length = std::uint32_t(bytes.size());
        const auto* begin = reinterpret_cast<const std::byte*>(&length);
        pending.insert(pending.end(), begin, begin + sizeof length);
        pending.insert(pending.end(), bytes.begin(), bytes.end());
        ++records;
        if (pending.size() >= kBlockLimit) writeBlocks(Blocks::Full);
    }

    enum class Blocks : std::uint8_t { Full, All };

    void writeBlocks(Blocks which)
    {
        std::size_t done = 0;
        while (pending.size() - done >= kBlockLimit || (which == Blocks::All && done < pending.size())) {
            const auto size = std::min(kBlockLimit, pending.size() - done);
            block(ByteView(pending).subspan(done, size));
            done += size;
        }
        pending.erase(pending.begin(), pending.begin() + std::ptrdiff_t(done));
    }

    int fd;
    bool headed = false, finished = false;
    Bytes pending;                          ///< records not yet in a frame
    std::uint64_t records = 0, written = 0; ///< written: bytes
    Crc32c frames;                          ///< of the heads of all frames, which have the sums of the bodies
    std::optional<Error> error;
    ZSTD_CCtx* zstd = nullptr;
};

Writer::Writer(int fd) : m(std::make_unique<Impl>(fd)) { }
Writer::Writer(int fd, std::uint64_t before) : Writer(fd)
{
    m->headed = true;
    m->records = before;
}
Writer::~Writer() { flush(); }
const Error* Writer::failure() const { return m->error ? &*m->error : nullptr; }
std::uint64_t Writer::records() const { return m->records; }

bool Writer::isIntact(int file) const
{
    struct stat info { };
    if (::fstat(file, &info) != 0 || !S_ISREG(info.st_mode)) return true;
    const auto readAll = [&](std::span<std::byte> bytes, std::uint64_t at) {
        return ::pread(file, bytes.data(), bytes.size(), off_t(at)) == ssize_t(bytes.size());
    };
    std::array<std::byte, kHeadSize> head{};
    const auto magic = std::as_bytes(std::span(kMagic));
    if (std::uint64_t(info.st_size) != m->written || !readAll(head, 0) || !std::equal(magic.begin(), magic.end(), head.begin()))
        return false;
    Crc32c frames;
    for (std::uint64_t at = kHeadSize; at < m->written;) {
        std::array<std::byte, kFrameHeadSize> frame{};
        if (!readAll(frame, at)) return false;
        frames.add(frame);
        at += kFrameHeadSize + (readAt<std::uint32_t>(frame, 0) & 0xffffff);
    }
    return frames.value() == m->frames.value();
}

void Writer::take(const Record& record)
{
    if (const auto* stack = std::get_if<StackDef>(&record); stack && stack->frames.empty()) return; // any moment may be looked at
    const auto* stacks = std::get_if<CountedStacks>(&record);
    if (!stacks) return m->put(record);
    for (auto& part : inParts(*stacks, kStacksLimit))
        m->put(std::move(part));
}

void Writer::flush()
{
    if (m->finished || m->error) return;
    m->head();
    m->writeBlocks(Impl::Blocks::All);
}

Result<> Writer::finish()
{
    flush();
    if (!m->finished && !m->error) {
        ByteWriter end;
        end.put(FrameKind::End);
        end.put(m->records);
        m->frame(end.bytes());
    }
    m->finished = true;
    if (m->error) return *m->error;
    return {};
}
} // namespace dscope::record
