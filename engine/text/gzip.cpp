#include "engine/text/gzip.h"
#include <algorithm>
#include <zlib.h>
namespace dscope::text {
Result<std::string> inflated(std::string_view bytes, std::size_t most, Inflate how)
{
    constexpr int kEither = 15 + 32; // gzip's header or zlib's, whichever is there
    z_stream z{};
    if (::inflateInit2(&z, kEither) != Z_OK) return Error{0, "zlib refused to start"};
    z.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(bytes.data()));
    z.avail_in = static_cast<uInt>(bytes.size());
    std::string out;
    std::size_t filled = 0;
    int state = Z_OK;
    while (state == Z_OK && filled < most) {
        // Not for each stream: many that are empty would cost as much as those before them hold.
        if (filled == out.size()) out.resize(std::min(most, std::max<std::size_t>(2 * filled, std::size_t{64} << 10)));
        z.next_out = reinterpret_cast<Bytef*>(out.data() + filled);
        z.avail_out = static_cast<uInt>(out.size() - filled);
        state = ::inflate(&z, Z_NO_FLUSH);
        filled = out.size() - z.avail_out;
        if (state == Z_STREAM_END && z.avail_in > 0 && ::inflateReset(&z) == Z_OK) state = Z_OK;
    }

    const auto read = bytes.size() - z.avail_in; // total_in begins anew with each stream
    ::inflateEnd(&z);
    out.resize(filled);
    if (how == Inflate::Beginning || state == Z_STREAM_END) return out;
    if (out.size() >= most) return Error{0, "it inflates to more than " + std::to_string(most >> 20) + " MiB: record a shorter time"};
    return Error{0,
        "its compressed data " + std::string(state == Z_BUF_ERROR || state == Z_OK ? "is cut" : "is damaged") + " near byte "
            + std::to_string(read) + ": fetch the file again"};
}
} // namespace dscope::text
