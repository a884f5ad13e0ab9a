#include "engine/record/check.h"
#include "engine/record/frame.h"
#include <cerrno>
#include <poll.h>
#include <system_error>
#include <unistd.h>
#include <zstd.h>
namespace dscope::record {
namespace {
constexpr std::size_t kChunk = std::size_t{64} << 10;
constexpr std::size_t kFewWaiting = std::size_t{16} << 20; ///< bytes of one record, for which no proportion counts
constexpr std::size_t kMostTimes = 1000;                   ///< that a larger one may shrink

/// A queue of bytes that is filled at one end and read at the other.
class ByteQueue {
public:
    ByteView view() const { return ByteView(m_bytes).subspan(m_at); }

    void drop(std::size_t n)
    {
        m_at += n;
        if (m_at == m_bytes.size() || m_at > kBodyLimit) {
            m_bytes.erase(m_bytes.begin(), m_bytes.begin() + std::ptrdiff_t(m_at));
            m_at = 0;
        }
    }

    void append(ByteView bytes) { m_bytes.insert(m_bytes.end(), bytes.begin(), bytes.end()); }

private:
    Bytes m_bytes;
    std::size_t m_at = 0;
};
} // namespace

struct Reader::Impl {
    explicit Impl(int descriptor) : fd(descriptor) { }
    ~Impl() { ZSTD_freeDCtx(zstd); }
    Impl(const Impl&) = delete;
    Impl& operator=(const Impl&) = delete;

    Error damaged(const std::string& why) const
    {
        return Error{0, "the recording is damaged at byte " + std::to_string(offset) + " (" + why + "): copy it again, or record anew"};
    }
    enum class Step { Done, NeedMore };
    Result<Step> head();
    Result<Step> frame(const Deliver& deliver, bool& delivered);
    Result<> block(ByteView body);
    Result<bool> deliverRecords(const Deliver& deliver);
    using Clock = std::chrono::steady_clock;
    /// Waits until then, for ever without one, and reads once. False: the writer is gone.
    Result<bool> fill(std::optional<Clock::time_point> deadline, bool& timedOut);

    int fd;
    ByteQueue input;          ///< as read
    ByteQueue records;        ///< taken out of blocks
    std::uint64_t offset = 0; ///< of the next frame, for messages
    std::size_t packed = 0;   ///< bytes that what waits was packed into
    std::uint64_t count = 0;
    bool headed = false, newerMinor = false, ended = false, cut = false;
    std::optional<Error> error;
    StreamCheck check;
    ZSTD_DCtx* zstd = nullptr;
};

Result<Reader::Impl::Step> Reader::Impl::head()
{
    const ByteView bytes = input.view();
    const ByteView magic = std::as_bytes(std::span(kMagic));
    const auto common = std::min(bytes.size(), magic.size());
    if (!std::equal(bytes.begin(), bytes.begin() + std::ptrdiff_t(common), magic.begin()))
        return Error{kForeign, "this is not a dscope recording; traces of other tools are read with --import"};
    if (bytes.size() < kHeadSize) return Step::NeedMore;
    const auto major = readAt<std::uint16_t>(bytes, kMagic.size());
    if (major == 0) return damaged("there is no version 0");
    if (major > kMajor)
        return Error{0,
            "a newer dscope made this recording (its format is version " + std::to_string(major) + ", this dscope reads up to "
                + std::to_string(kMajor) + "): update dscope to read it"};
    newerMinor = readAt<std::uint16_t>(bytes, kMagic.size() + 2) > kMinor;
    input.drop(kHeadSize);
    offset += kHeadSize;
    headed = true;
    return Step::Done;
}

Result<> Reader::Impl::block(ByteView body)
{
    const auto kind = FrameKind(body[0]);
    if (kind == FrameKind::Stored) {
        if (body.size() - 1 > kBlockLimit) return damaged("a block is too large");
        records.append(body.subspan(1));
        return {};
    }
    const std::size_t size = readAt<std::uint32_t>(body, 1);
    if (body.size() < 5 || size > kBlockLimit) return damaged("a block is too large");
    // Records that wait for their end take memory; small blocks may hold much.
    if (records.view().empty()) packed = 0;
    packed += body.size();
    if (records.view().size() + size > kFewWaiting && (records.view().size() + size) / kMostTimes > packed)
        return damaged("a record is larger than what it was packed into can hold");
    if (!zstd) zstd = ZSTD_createDCtx();
    if (!zstd) return Error{ENOMEM, "no memory to read the recording"};
    Bytes raw(size);
    const auto n = ZSTD_decompressDCtx(zstd, raw.data(), raw.size(), body.data() + 5, body.size() - 5);
    if (ZSTD_isError(n) || n != size) return damaged("a block does not decompress");
    records.append(raw);
    return {};
}

Result<bool> Reader::Impl::deliverRecords(const Deliver& deliver)
{
    bool any = false;
    for (;;) {
        const ByteView bytes = records.view();
        if (bytes.size() < 4) return any;
        const std::size_t size = readAt<std::uint32_t>(bytes, 0);
        if (size > kRecordLimit) return damaged("a record is too large");
        if (bytes.size() - 4 < size) return any;
        auto record = decode(bytes.subspan(4, size));
        if (!record && newerMinor)
            return Error{0, "a newer dscope made this recording: update dscope to read it (" + record.error().message + ")"};
        if (!record) return damaged(record.error().message);
        ++count;
        if (*record) {
            if (auto fine = check.take(**record); !fine) return damaged(fine.error().message);
            deliver(**record);
            any = true;
        }
        records.drop(4 + size);
    }
}

Result<Reader::Impl::Step> Reader::Impl::frame(const Deliver& deliver, bool& delivered)
{
    const ByteView bytes = input.view();
    if (bytes.size() < kFrameHeadSize) return Step::NeedMore;
    const auto word = readAt<std::uint32_t>(bytes, 0);
    const std::uint32_t length = word & 0xffffff;
    if (guardedLength(length) != word) return damaged("the length of a block is wrong");
    if (length == 0 || length > kBodyLimit) return damaged("a block is too large");
    if (bytes.size() - kFrameHeadSize < length) return Step::NeedMore;
    const ByteView body = bytes.subspan(kFrameHeadSize, length);
    if (Crc32c().add(body).value() != readAt<std::uint32_t>(bytes, 4)) return damaged("a checksum does not match");
    switch (FrameKind(body[0])) {
    case FrameKind::Stored:
    case FrameKind::Zstd: {
        DSCOPE_CHECK(block(body));
        DSCOPE_TRY(const bool any, deliverRecords(deliver));
        delivered = delivered || any;
        break;
    }
    case FrameKind::End:
        if (!records.view().empty() || body.size() < 9 || readAt<std::uint64_t>(body, 1) != count) return damaged("records are missing");
        ended = true;
        break;
    default:
        if (!newerMinor) return damaged("a block is of no known kind");
    }
    input.drop(kFrameHeadSize + length);
    offset += kFrameHeadSize + length;
    return Step::Done;
}

Result<bool> Reader::Impl::fill(std::optional<Clock::time_point> deadline, bool& timedOut)
{
    for (;;) {
        const auto left = deadline ? std::chrono::duration_cast<std::chrono::milliseconds>(*deadline - Clock::now()).count() : 0;
        pollfd readable{fd, POLLIN, 0};
        const int ready = ::poll(&readable, 1, deadline ? int(std::max<std::int64_t>(left, 0)) : -1);
        if (ready < 0 && errno != EINTR) return Error{errno, "cannot wait for the recording: " + std::generic_category().message(errno)};
        if (ready < 0) continue;
        if (ready == 0) {
            timedOut = true;
            return true;
        }
        std::array<std::byte, kChunk> chunk;
        const auto n = ::read(fd, chunk.data(), chunk.size());
        if (n > 0) {
            input.append(ByteView(chunk).first(std::size_t(n)));
            return true;
        }
        if (n == 0) return false;
        if (errno != EINTR && errno != EAGAIN && errno != EWOULDBLOCK)
            return Error{errno, "cannot read the recording: " + std::generic_category().message(errno)};
    }
}

Reader::Reader(int fd) : m(std::make_unique<Impl>(fd)) { }
Reader::~Reader() = default;
bool Reader::cut() const { return m->cut; }

std::string Reader::firstLine() const
{
    const ByteView bytes = m->input.view();
    const std::string_view text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
    return std::string(text.substr(0, text.find_first_of("\r\n")));
}

Result<bool> Reader::poll(std::chrono::milliseconds timeout, const Deliver& deliver)
{
    if (m->error) return *m->error;
    const auto fail = [this](Error e) {
        m->error = e;
        return e;
    };
    std::optional<Impl::Clock::time_point> deadline;
    if (timeout.count() >= 0) deadline = Impl::Clock::now() + timeout;
    bool delivered = false, timedOut = false;
    while (!m->ended && !m->cut) {
        auto step = m->headed ? m->frame(deliver, delivered) : m->head();
        if (!step) return fail(std::move(step).error());
        if (*step == Impl::Step::Done) continue;
        if (delivered || timedOut) return true;
        auto more = m->fill(deadline, timedOut);
        if (!more) return fail(std::move(more).error());
        timedOut = timedOut || (deadline && Impl::Clock::now() >= *deadline); // bytes may come for ever, and no record
        if (!*more) {
            if (m->offset == 0 && m->input.view().empty())
                return fail(Error{kNothingWritten, "the recording is empty: nothing was written to it"});
            m->cut = true;
        }
    }
    // If records were delivered, the next call reports the end.
    return delivered;
}
} // namespace dscope::record
