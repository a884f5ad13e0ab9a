#include "engine/text/unpacker.h"
#include <lzma.h>
namespace dscope::text {
namespace {
class XzUnpacker final : public Unpacker {
public:
    XzUnpacker()
    {
        constexpr std::uint64_t kBesideWindow = 4 << 20; // of the decoder
        m_isReady = ::lzma_stream_decoder(&m_stream, kMostWindow + kBesideWindow, LZMA_CONCATENATED) == LZMA_OK;
    }
    ~XzUnpacker() override { ::lzma_end(&m_stream); }
    XzUnpacker(const XzUnpacker&) = delete;
    XzUnpacker& operator=(const XzUnpacker&) = delete;

    Step unpack(std::string_view packed, std::span<char> to) override
    {
        if (!m_isReady) return {.trouble = "cannot be unpacked: liblzma does not start", .fix = "free some memory"};
        if (m_isWhole) return {};
        m_stream.next_in = reinterpret_cast<const std::uint8_t*>(packed.data());
        m_stream.avail_in = packed.size();
        m_stream.next_out = reinterpret_cast<std::uint8_t*>(to.data());
        m_stream.avail_out = to.size();
        const auto state = ::lzma_code(&m_stream, packed.empty() ? LZMA_FINISH : LZMA_RUN);
        m_isWhole = state == LZMA_STREAM_END;
        Step step{.taken = packed.size() - m_stream.avail_in, .given = to.size() - m_stream.avail_out};
        if (state != LZMA_OK && state != LZMA_STREAM_END && state != LZMA_BUF_ERROR) refuse(step, state); // the last: more is needed
        return step;
    }
    bool isWhole() const override { return m_isWhole; }

private:
    static constexpr const char* kByHand = "unpack it with \"xz -dc\", and import that";
    static void refuse(Step& step, lzma_ret state)
    {
        step.fix = kByHand;
        switch (state) {
        case LZMA_MEMLIMIT_ERROR:
            step.trouble = "refers back by more than " + std::to_string(kMostWindow >> 20) + " MiB (xz --lzma2=dict)";
            return;
        case LZMA_OPTIONS_ERROR: step.trouble = "was made in a way that this liblzma does not know"; return;
        case LZMA_MEM_ERROR: step.trouble = "cannot be unpacked, as no memory is left,"; return;
        default: step.trouble = "is damaged"; step.fix = kAgain;
        }
    }
    lzma_stream m_stream = LZMA_STREAM_INIT;
    bool m_isReady = false, m_isWhole = false;
};
} // namespace

std::unique_ptr<Unpacker> xzUnpacker() { return std::make_unique<XzUnpacker>(); }
} // namespace dscope::text
