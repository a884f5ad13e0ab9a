#include "graph/text.h"
#include "graph/figure.h"
#include <algorithm>
#include <cstdint>
#include <cstring>
namespace dscope::graph {
namespace {
constexpr char32_t kReplacement = 0xFFFD;

/// Hebrew, Arabic, Syriac, Thaana, N'Ko and their relatives.
bool isFromTheRight(char32_t c)
{
    return (c >= 0x0590 && c < 0x0900) || (c >= 0xFB1D && c < 0xFE00) || (c >= 0xFE70 && c < 0xFEFF) || (c >= 0x10800 && c < 0x11000)
        || (c >= 0x1E800 && c < 0x1F000);
}
bool steersDirection(char32_t c)
{
    return c == 0x200E || c == 0x200F || c == 0x061C || (c >= 0x202A && c <= 0x202E) || (c >= 0x2066 && c <= 0x2069);
}
} // namespace

// Source: The Unicode Standard, 3.9, table 3-7 (well-formed UTF-8 byte sequences).
char32_t nextCodePoint(std::string_view text, std::size_t& at)
{
    const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
    const unsigned char lead = byte(at++);
    if (lead < 0x80) return lead;
    int more = 0;
    unsigned char low = 0x80, high = 0xBF;
    char32_t value = 0;
    if (lead >= 0xC2 && lead <= 0xDF) {
        more = 1;
        value = lead & 0x1FU;
    } else if (lead >= 0xE0 && lead <= 0xEF) {
        more = 2;
        value = lead & 0x0FU;
        if (lead == 0xE0) low = 0xA0;
        if (lead == 0xED) high = 0x9F;
    } else if (lead >= 0xF0 && lead <= 0xF4) {
        more = 3;
        value = lead & 0x07U;
        if (lead == 0xF0) low = 0x90;
        if (lead == 0xF4) high = 0x8F;
    } else {
        return kReplacement;
    }

    for (; more > 0; --more) {
        if (at >= text.size() || byte(at) < low || byte(at) > high) return kReplacement;
        value = (value << 6) | (byte(at++) & 0x3FU);
        low = 0x80;
        high = 0xBF;
    }
    const bool nonCharacter = (value & 0xFFFEU) == 0xFFFE || (value >= 0xFDD0 && value <= 0xFDEF);
    return nonCharacter ? kReplacement : value;
}

void appendUtf8(std::string& out, char32_t c)
{
    const auto put = [&](char32_t byte) { out += static_cast<char>(static_cast<unsigned char>(byte)); };
    if (c < 0x80) {
        put(c);
    } else if (c < 0x800) {
        put(0xC0 | (c >> 6));
        put(0x80 | (c & 0x3F));
    } else if (c < 0x10000) {
        put(0xE0 | (c >> 12));
        put(0x80 | ((c >> 6) & 0x3F));
        put(0x80 | (c & 0x3F));
    } else {
        put(0xF0 | (c >> 18));
        put(0x80 | ((c >> 12) & 0x3F));
        put(0x80 | ((c >> 6) & 0x3F));
        put(0x80 | (c & 0x3F));
    }
}

bool isPlain(std::string_view text)
{
    constexpr std::uint64_t kOnes = 0x0101010101010101u, kHigh = 0x8080808080808080u;
    const char* at = text.data();
    std::size_t left = text.size();
    for (; left >= 8; at += 8, left -= 8) {
        std::uint64_t word;
        std::memcpy(&word, at, 8);
        // The high bit of a byte: it has one itself, is below 0x20 (which borrows), or is 0x7F (which carries into it).
        if ((word | (word - kOnes * 0x20) | (word + kOnes)) & kHigh) return false;
    }
    for (; left > 0; ++at, --left)
        if (*at < 0x20 || *at > 0x7E) return false;
    return true;
}
std::string fromTheLeft(std::string_view text)
{
    if (isPlain(text)) return std::string(text);
    constexpr std::string_view kMark = "\u200e";
    std::string out;
    std::size_t end = std::string::npos; // of `out`, behind the last letter from the right that has no mark yet
    bool hasRight = false;
    for (std::size_t at = 0; at < text.size();) {
        const auto begin = at;
        const auto c = nextCodePoint(text, at);
        const bool isRight = isFromTheRight(c);
        if (!isRight && c != ' ' && end != std::string::npos) {
            out.insert(end, kMark);
            end = std::string::npos;
        }
        out += text.substr(begin, at - begin);
        if (isRight) end = out.size();
        hasRight = hasRight || isRight;
    }
    if (hasRight) out.insert(0, kMark); // the first letter would say where all of it begins
    return out;
}
std::string printable(std::string_view text)
{
    if (isPlain(text)) return std::string(text);
    std::string out;
    out.reserve(text.size());
    for (std::size_t at = 0; at < text.size();) {
        const char32_t c = nextCodePoint(text, at);
        if (c < 0x20)
            appendUtf8(out, 0x2400 + c);
        else if (c == 0x7F)
            appendUtf8(out, 0x2421);
        else if ((c >= 0x80 && c < 0xA0) || c == 0x2028 || c == 0x2029 || steersDirection(c))
            appendUtf8(out, kReplacement);
        else
            appendUtf8(out, c);
    }
    return out;
}

namespace {
/// Where a line may end: at a space, but not between a number and its short unit.
std::size_t endOfWord(std::string_view text, std::size_t at)
{
    constexpr std::size_t kLongestUnit = 3;
    for (;;) {
        const auto end = std::min(text.find(' ', at), text.size());
        if (end == text.size() || end == 0 || text[end - 1] < '0' || text[end - 1] > '9') return end;
        std::size_t next = end + 1, letters = 0;
        while (next < text.size() && text[next] != ' ' && letters <= kLongestUnit) {
            nextCodePoint(text, next);
            ++letters;
        }
        if (letters == 0 || letters > kLongestUnit) return end;
        at = end + 1;
    }
}
} // namespace

std::vector<std::string> wrapped(std::string_view text, double width, double size, std::size_t maxLines, TextFont font)
{
    std::vector<std::string> lines;
    std::string line;
    std::size_t at = 0;
    while (at < text.size()) {
        const std::size_t start = at;
        const std::size_t end = endOfWord(text, at);
        const std::string word(text.substr(at, end - at));
        at = std::min(end + 1, text.size());
        const std::string longer = line.empty() ? word : line + ' ' + word;
        if (line.empty() || textWidth(longer, size, font) <= width) {
            line = longer;
            continue;
        }
        if (lines.size() + 1 == maxLines) {
            lines.push_back(elided(line + ' ' + std::string(text.substr(start)), width, size, Elide::End, font));
            return lines;
        }
        lines.push_back(std::move(line));
        line = word;
    }

    if (!line.empty()) lines.push_back(std::move(line));
    for (auto& l : lines)
        l = elided(l, width, size, Elide::End, font);
    return lines;
}

std::vector<std::string> wrappedParts(std::string_view text, double width, double size, std::size_t maxLines)
{
    constexpr std::string_view kBetween = " \u00b7 ";
    std::vector<std::string> parts, lines;
    for (std::size_t at = 0; at <= text.size();) {
        const auto end = std::min(text.find(kBetween, at), text.size());
        parts.emplace_back(text.substr(at, end - at));
        at = end + kBetween.size();
    }

    // Of one line a fact that is longer than it is left out for shorter ones.
    const auto isLong = [&](const std::string& part) { return textWidth(part, size) > width; };
    const bool leadsLong = maxLines == 1 && parts.size() > 1 && isLong(parts.front());
    bool isLess = false;
    if (const auto fitting = std::find_if_not(parts.begin(), parts.end(), isLong); leadsLong && fitting != parts.end()) {
        parts.erase(parts.begin(), fitting);
        isLess = true;
    }
    std::size_t used = 0; // how many parts are in `lines`
    for (const auto& part : parts) {
        const bool isNew = lines.empty() || textWidth(lines.back() + std::string(kBetween) + part, size) > width;
        if (isNew && (lines.size() == maxLines || textWidth(part, size) > width)) break;
        if (isNew)
            lines.push_back(part);
        else
            lines.back() += std::string(kBetween) + part;
        ++used;
    }

    if (used == parts.size() && !isLess) return lines;
    // A fact longer than a line is wrapped as other text is.
    if (used == 0 || (used < parts.size() && lines.size() < maxLines && isLong(parts[used]))) return wrapped(text, width, size, maxLines);
    const std::string more = lines.back() + std::string(kBetween) + "\u2026";
    if (textWidth(more, size) <= width) lines.back() = more;
    return lines;
}

std::vector<std::string> balanced(std::string_view text, double width, double size, std::size_t maxLines, TextFont font)
{
    auto lines = wrapped(text, width, size, maxLines, font);
    if (lines.size() < 2 || lines.back().ends_with("\u2026")) return lines;
    // The narrowest that needs no more lines and cuts nothing.
    for (double low = width / static_cast<double>(lines.size()), high = width; high - low > 4;) {
        const double middle = (low + high) / 2;
        auto narrower = wrapped(text, middle, size, lines.size(), font);
        const bool cut = std::any_of(narrower.begin(), narrower.end(), [](const std::string& l) { return l.ends_with("\u2026"); });
        if (cut)
            low = middle;
        else {
            high = middle;
            lines = std::move(narrower);
        }
    }
    return lines;
}
std::string shortCommand(std::string_view command)
{
    const auto end = std::min(command.find(' '), command.size());
    return std::string(baseName(command.substr(0, end))) + std::string(command.substr(end));
}
std::string capital(std::string text)
{
    if (!text.empty() && text[0] >= 'a' && text[0] <= 'z') text[0] = static_cast<char>(text[0] - 'a' + 'A');
    return text;
}
std::string_view baseName(std::string_view path)
{
    const auto slash = path.rfind('/');
    return slash == std::string_view::npos || slash + 1 == path.size() ? path : path.substr(slash + 1);
}
} // namespace dscope::graph
