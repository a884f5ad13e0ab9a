#include "engine/symbols/debug_files.h"
#include <algorithm>
#include <lzma.h>
namespace dscope::symbols {
namespace {
/// The content of an xz file; empty when it is damaged, or would be larger than `most`.
Bytes unpacked(ByteView packed, std::size_t most)
{
    constexpr std::uint64_t kMostMemory = 128 << 20; // of the decoder; xz -9 needs 65 MiB
    constexpr std::size_t kFirst = 1 << 20, kMostTimes = 100, kFew = 16 << 20; // symbols shrink to a fifth
    most = std::min(most, std::max(kFew, packed.size() * kMostTimes));
    lzma_stream stream = LZMA_STREAM_INIT;
    if (lzma_stream_decoder(&stream, kMostMemory, 0) != LZMA_OK) return {};
    stream.next_in = reinterpret_cast<const std::uint8_t*>(packed.data());
    stream.avail_in = packed.size();
    Bytes out(std::min(kFirst, most));
    auto status = LZMA_OK;
    for (std::size_t have = 0; status == LZMA_OK; have = stream.total_out) {
        if (have == out.size()) {
            if (have >= most) break;
            out.resize(std::min(2 * have, most));
        }
        stream.next_out = reinterpret_cast<std::uint8_t*>(out.data()) + have;
        stream.avail_out = out.size() - have;
        status = lzma_code(&stream, LZMA_FINISH);
    }
    out.resize(status == LZMA_STREAM_END ? stream.total_out : 0);
    lzma_end(&stream);
    return out;
}
} // namespace

std::optional<ElfFile> miniDebugFileOf(const ElfFile& file, std::size_t most)
{
    const auto* section = file.section(".gnu_debugdata");
    if (!section) return {};
    auto image = unpacked(file.contents(*section), most);
    if (image.empty()) return {};
    auto inside = ElfFile::inMemory(std::move(image));
    if (!inside) return {};
    return std::move(*inside);
}
} // namespace dscope::symbols
