#include "engine/text/unpacker.h"
#include <array>
#include <utility>
namespace dscope::text {
namespace {
using namespace std::string_view_literals;
/// Source: RFC 8878, 3.1.2: 0x184D2A50 to 0x184D2A5F, little endian. pzstd begins a file with such a frame.
bool beginsSkippableFrame(std::string_view head)
{
    return head.size() >= 4 && (static_cast<unsigned char>(head[0]) & 0xf0) == 0x50 && head.substr(1, 3) == "\x2a\x4d\x18"sv;
}
} // namespace

Compression compressionOf(std::string_view head)
{
    // Sources: RFC 1952, 2.3.1, with the only method that there is; RFC 8878, 3.1.1; the .xz file format 1.2.0, 2.1.1.1.
    if (head.starts_with("\x1f\x8b\x08"sv)) return Compression::Gzip;
    if (head.starts_with("\x28\xb5\x2f\xfd"sv) || beginsSkippableFrame(head)) return Compression::Zstd;
    if (head.starts_with("\xfd"
                         "7zXZ\0"sv))
        return Compression::Xz;
    return Compression::None;
}

std::string_view nameOf(Compression compression)
{
    static constexpr std::array kNames{""sv, "gzip"sv, "zstd"sv, "xz"sv};
    return kNames.at(static_cast<std::size_t>(compression));
}

std::string_view foreignUnpacker(std::string_view head)
{
    constexpr std::size_t kBlock = 4; // of bzip2: behind "BZh" and a digit
    if (head.starts_with("BZh") && head.substr(0, 10).substr(std::min(head.size(), kBlock)) == "1AY&SY") return "bzip2 -dc";
    static constexpr std::array kOthers{std::pair{"\x04\x22\x4d\x18"sv, "lz4 -dc"sv}, std::pair{"LZIP\x01"sv, "lzip -dc"sv},
        std::pair{"\x1f\x9d"sv, "gzip -dc"sv}, std::pair{"\x5d\0\0"sv, "xz -dc"sv}, std::pair{"PK\x03\x04"sv, "unzip -p"sv}};
    for (const auto& [magic, command] : kOthers)
        if (head.starts_with(magic)) return command;
    return {};
}

std::unique_ptr<Unpacker> Unpacker::of(Compression compression)
{
    switch (compression) {
    case Compression::Gzip: return gzipUnpacker();
    case Compression::Zstd: return zstdUnpacker();
    case Compression::Xz: return xzUnpacker();
    case Compression::None: break;
    }
    return nullptr;
}
} // namespace dscope::text
