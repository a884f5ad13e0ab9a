#include "engine/text/unpacker.h"
#include <algorithm>
#include <zlib.h>
namespace dscope::text {
namespace {
class GzipUnpacker final : public Unpacker {
public:
    GzipUnpacker()
    {
        constexpr int kGzip = 15 + 16; // the largest window, and gzip's header alone
        m_isReady = ::inflateInit2(&m_z, kGzip) == Z_OK;
    }
    ~GzipUnpacker() override { ::inflateEnd(&m_z); }
    GzipUnpacker(const GzipUnpacker&) = delete;
    GzipUnpacker& operator=(const GzipUnpacker&) = delete;

    Step unpack(std::string_view packed, std::span<char> to) override
    {
        if (!m_isReady) return {.trouble = "cannot be unpacked: zlib does not start", .fix = "free some memory"};
        const auto size = packed.size();
        if (m_isBetween) {
            packed.remove_prefix(padding(packed));
            if (packed.empty()) return {.taken = size};
            if (m_hasMember && packed.front() != '\x1f')
                return {.taken = size - packed.size(),
                    .trouble = "is followed by something else",
                    .fix = "unpack it with \"gzip -dc\", and import that"};
            ::inflateReset(&m_z);
            m_isBetween = false;
        }
        m_z.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(packed.data()));
        m_z.avail_in = static_cast<uInt>(packed.size());
        m_z.next_out = reinterpret_cast<Bytef*>(to.data());
        m_z.avail_out = static_cast<uInt>(to.size());
        const int state = ::inflate(&m_z, Z_NO_FLUSH);
        if (state == Z_STREAM_END)
            m_isBetween = m_hasMember = true;
        else if (state != Z_OK && state != Z_BUF_ERROR) // the latter: more is needed
            return {.taken = size - m_z.avail_in,
                .trouble = std::string("is damaged (") + (m_z.msg ? m_z.msg : "no deflated data") + ')',
                .fix = kAgain};
        return {.taken = size - m_z.avail_in, .given = to.size() - m_z.avail_out};
    }
    bool isWhole() const override { return m_isBetween && m_hasMember; }

private:
    /// How many zeros are there, which tapes have behind a member.
    std::size_t padding(std::string_view packed) const { return m_hasMember ? std::min(packed.find_first_not_of('\0'), packed.size()) : 0; }
    z_stream m_z{};
    bool m_isReady = false, m_isBetween = true, m_hasMember = false;
};
} // namespace

std::unique_ptr<Unpacker> gzipUnpacker() { return std::make_unique<GzipUnpacker>(); }
} // namespace dscope::text
