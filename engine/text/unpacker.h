#pragma once
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
namespace dscope::text {
/// How a file is compressed, by its first bytes: its name does not matter.
enum class Compression : std::uint8_t { None, Gzip, Zstd, Xz };
constexpr std::size_t kMagicOfCompression = 6; ///< bytes that tell it
Compression compressionOf(std::string_view head);
/// The program that makes and unpacks such files: "gzip".
std::string_view nameOf(Compression compression);
/// The command that unpacks what we do not: "bzip2 -dc". Empty if `head` is not compressed in a way that we know.
std::string_view foreignUnpacker(std::string_view head);

/// Unpacks a file in pieces, with all its members, frames or streams, one behind another, and with what may stand between them. Checksums
/// are compared. Memory is bounded: see kMostWindow.
class Unpacker {
public:
    virtual ~Unpacker() = default;
    struct Step {
        std::size_t taken = 0, given = 0;   ///< bytes; 0, 0: more packed bytes are needed
        std::string trouble = {}, fix = {}; ///< why it ends here, "is damaged", and what to do
    };
    /// Unpacks the beginning of `packed` into `to`; where that is empty, nothing follows.
    virtual Step unpack(std::string_view packed, std::span<char> to) = 0;
    /// Whether all is there, should the file end here.
    virtual bool isWhole() const = 0;
    static constexpr const char* kAgain = "fetch or copy the file again"; ///< the fix of what is damaged or cut
    /// How far back the data may refer, in bytes: what zstd allows without asking. A file that needs more is refused.
    static constexpr std::size_t kMostWindow = std::size_t{128} << 20;

    static std::unique_ptr<Unpacker> of(Compression compression);
};
/// Of one kind each.
std::unique_ptr<Unpacker> gzipUnpacker();
std::unique_ptr<Unpacker> zstdUnpacker();
std::unique_ptr<Unpacker> xzUnpacker();
} // namespace dscope::text
