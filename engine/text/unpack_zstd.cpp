#include "engine/text/unpacker.h"
#include <bit>
#include <zstd.h>
#include <zstd_errors.h>
namespace dscope::text {
namespace {
class ZstdUnpacker final : public Unpacker {
public:
    ZstdUnpacker() : m_stream(::ZSTD_createDStream(), &::ZSTD_freeDStream)
    {
        constexpr int kWindowLog = std::bit_width(kMostWindow) - 1;
        if (m_stream && ::ZSTD_isError(::ZSTD_DCtx_setParameter(m_stream.get(), ZSTD_d_windowLogMax, kWindowLog)) != 0) m_stream.reset();
    }

    Step unpack(std::string_view packed, std::span<char> to) override
    {
        if (!m_stream) return {.trouble = "cannot be unpacked: libzstd does not start", .fix = "free some memory"};
        if (packed.empty() && m_isBetween) return {};
        ::ZSTD_inBuffer in{packed.data(), packed.size(), 0};
        ::ZSTD_outBuffer out{to.data(), to.size(), 0};
        const auto left = ::ZSTD_decompressStream(m_stream.get(), &out, &in);
        Step step{.taken = in.pos, .given = out.pos};
        if (::ZSTD_isError(left) != 0) {
            refuse(step, left);
            return step;
        }
        m_isBetween = left == 0;
        m_hasFrame = m_hasFrame || m_isBetween;
        return step;
    }
    bool isWhole() const override { return m_isBetween && m_hasFrame; }

private:
    void refuse(Step& step, std::size_t error) const
    {
        const auto why = ::ZSTD_getErrorCode(error);
        if (why == ZSTD_error_frameParameter_windowTooLarge) {
            step.trouble = "refers back by more than " + std::to_string(kMostWindow >> 20) + " MiB (zstd --long)";
            step.fix = "unpack it with \"zstd -dc --long=31\", and import that";
        } else if (why == ZSTD_error_dictionary_wrong) {
            step.trouble = "was made with a dictionary";
            step.fix = "unpack it with \"zstd -dc -D DICTIONARY\", and import that";
        } else if (why == ZSTD_error_prefix_unknown && m_hasFrame) {
            step.trouble = "is followed by something else";
            step.fix = "unpack it with \"zstd -dc\", and import that";
        } else {
            step.trouble = std::string("is damaged (") + ::ZSTD_getErrorName(error) + ')';
            step.fix = kAgain;
        }
    }
    std::unique_ptr<::ZSTD_DStream, std::size_t (*)(::ZSTD_DStream*)> m_stream;
    bool m_isBetween = true, m_hasFrame = false;
};
} // namespace

std::unique_ptr<Unpacker> zstdUnpacker() { return std::make_unique<ZstdUnpacker>(); }
} // namespace dscope::text
