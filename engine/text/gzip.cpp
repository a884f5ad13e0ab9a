#include "engine/text/gzip.h"
#include <algorithm>
#include <span>
#include <vector>
#include <zlib.h>
namespace dscope::text {
namespace {
/// Inflates piece by piece.
class Inflater {
public:
    explicit Inflater(std::string_view bytes) : m_size(bytes.size())
    {
        constexpr int kEither = 15 + 32; // gzip's header or zlib's, whichever is there
        m_state = ::inflateInit2(&m_z, kEither);
        m_z.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(bytes.data()));
        m_z.avail_in = static_cast<uInt>(bytes.size());
    }
    ~Inflater() { ::inflateEnd(&m_z); }
    Inflater(const Inflater&) = delete;
    Inflater& operator=(const Inflater&) = delete;

    bool isReady() const { return m_state == Z_OK; } ///< for more
    bool isWhole() const { return m_state == Z_STREAM_END; }
    bool isCut() const { return m_state == Z_BUF_ERROR || m_state == Z_OK; }
    std::size_t read() const { return m_size - m_z.avail_in; } ///< total_in begins anew with each stream
    /// How many bytes came.
    std::size_t next(std::span<char> to)
    {
        m_z.next_out = reinterpret_cast<Bytef*>(to.data());
        m_z.avail_out = static_cast<uInt>(to.size());
        m_state = ::inflate(&m_z, Z_NO_FLUSH);
        if (m_state == Z_STREAM_END && m_z.avail_in > 0 && ::inflateReset(&m_z) == Z_OK) m_state = Z_OK;
        return to.size() - m_z.avail_out;
    }

private:
    z_stream m_z{};
    const std::size_t m_size;
    int m_state = Z_OK;
};
/// Of what is whole, and not more than `most` bytes. Error: what is wrong.
Result<std::size_t> inflatedSize(std::string_view bytes, std::size_t most)
{
    Inflater inflater(bytes);
    std::vector<char> piece(std::size_t{64} << 10);
    std::size_t size = 0;
    while (inflater.isReady() && size <= most)
        size += inflater.next(piece);
    if (size > most) return Error{0, "it inflates to more than " + std::to_string(most >> 20) + " MiB: record a shorter time"};
    if (inflater.isWhole()) return size;
    return Error{0,
        "its compressed data " + std::string(inflater.isCut() ? "is cut" : "is damaged") + " near byte " + std::to_string(inflater.read())
            + ": fetch the file again"};
}
} // namespace

Result<std::string> inflated(std::string_view bytes, std::size_t most, Inflate how)
{
    if (!Inflater(bytes).isReady()) return Error{0, "zlib refused to start"};
    if (how == Inflate::Whole) { DSCOPE_TRY(most, inflatedSize(bytes, most)); }
    Inflater inflater(bytes);
    std::string out;
    std::size_t filled = 0;
    while (inflater.isReady() && filled < most) {
        // Not for each stream: many that are empty would cost as much as those before them hold.
        if (filled == out.size())
            out.resize(how == Inflate::Whole ? most : std::min(most, std::max<std::size_t>(2 * filled, std::size_t{64} << 10)));
        filled += inflater.next(std::span(out).subspan(filled));
    }
    out.resize(filled);
    return out;
}
} // namespace dscope::text
