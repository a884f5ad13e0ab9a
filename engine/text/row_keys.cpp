#include "engine/text/row_keys.h"
#include "engine/text/words.h"
#include <algorithm>
#include <array>
#include <cstring>
namespace dscope::text {
namespace {
/// FNV-1a, of 64 bits.
std::uint64_t sumOf(std::string_view text)
{
    std::uint64_t hash = 0xcbf29ce484222325;
    for (const char c : text)
        hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3;
    return hash;
}
bool isWithinCharacter(char c) { return (static_cast<unsigned char>(c) & 0xC0U) == 0x80; } // of UTF-8
} // namespace

std::string shortened(std::string_view text, std::size_t most)
{
    constexpr std::string_view kCut = "...";
    std::array<char, 16> digits{};
    if (text.size() <= most) return std::string(text);

    auto kept = most - std::min(most, kCut.size() + digits.size());
    for (int i = 0; i < 3 && kept > 0 && isWithinCharacter(text[kept]); ++i)
        --kept;
    auto hash = sumOf(text);
    for (auto digit = digits.rbegin(); digit != digits.rend(); ++digit, hash >>= 4U)
        *digit = kHexDigits[hash & 0xFU];
    return std::string(text.substr(0, kept)) + std::string(kCut) + std::string(digits.data(), digits.size());
}

RowKeys::RowKeys(std::size_t rows, std::size_t keys)
{
    constexpr std::size_t kRoom = std::size_t{256} << 20U, kShortest = 64;
    m_most = std::min(kLongest, std::max(kShortest, kRoom / std::max<std::size_t>(rows * keys, 1)));
}

std::uint32_t RowKeys::room(std::size_t longest) const
{
    return static_cast<std::uint32_t>((std::min(longest, m_most) + 8) & ~std::size_t{7});
}

void RowKeys::put(std::byte* to, std::string_view key)
{
    if (key.size() <= m_most) {
        std::memcpy(to, key.data(), key.size());
        return;
    }
    ++m_cut;
    const auto text = shortened(key, m_most);
    std::memcpy(to, text.data(), text.size());
}

void RowKeys::tell(Imported& into, const std::string& name) const
{
    if (m_cut == 0) return;
    into.warn(counted(m_cut, "key of", "keys of") + ' ' + (name.empty() ? "a table" : '@' + name) + (m_cut == 1 ? " is" : " are")
        + " longer than " + std::to_string(m_most) + " bytes and cut: where the rest was, 16 digits tell them apart");
}
} // namespace dscope::text
