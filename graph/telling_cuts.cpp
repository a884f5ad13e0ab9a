#include "graph/telling_cuts.h"
#include <algorithm>
#include <map>
#include <set>
#include <string_view>
namespace dscope::graph {
namespace {
constexpr double kOfDifference = 0.62;     // of the width, at most, for what differs; what is shared has the rest
constexpr std::size_t kBackToWord = 10;    // letters that are worth beginning with a whole word
constexpr std::size_t kFewestOfShared = 3; // letters before an ellipsis

bool isWithinCodePoint(char c) { return (static_cast<unsigned char>(c) & 0xc0) == 0x80; }

/// Where a part of `text` that may stand alone begins: at a code point, and at a word where one begins not long before.
std::size_t tellingWordBefore(std::string_view text, std::size_t at)
{
    while (at > 0 && at < text.size() && isWithinCodePoint(text[at]))
        --at;
    for (std::size_t back = 0; back <= kBackToWord && back < at; ++back)
        if (std::string_view(" /`:,;.(<-_").find(text[at - back - 1]) != std::string_view::npos) return at - back;
    return at;
}

std::size_t sharedByTexts(const std::set<std::string_view>& texts)
{
    auto shared = texts.begin()->size();
    for (const auto text : texts) {
        const auto same = std::mismatch(text.begin(), text.end(), texts.begin()->begin(), texts.begin()->end()).first;
        shared = std::min(shared, static_cast<std::size_t>(same - text.begin()));
    }
    return shared;
}

std::string cutInShared(std::string_view text, std::size_t from, double width, double size, TextFont font)
{
    const auto rest = elided(text.substr(from), width * kOfDifference, size, Elide::End, font);
    std::string before;
    const double room = width - textWidth(std::string(kEllipsis) + rest, size, font);
    for (std::size_t i = 1; i <= from; ++i) {
        if (i < text.size() && isWithinCodePoint(text[i])) continue;
        const auto longer = text.substr(0, i);
        if (textWidth(longer, size, font) > room) break;
        before = longer;
    }
    if (before.size() < kFewestOfShared) before.clear();
    return before + std::string(kEllipsis) + rest;
}
} // namespace

std::vector<std::string> tellingCuts(const std::vector<std::string>& texts, double width, double size, Elide elide, TextFont font)
{
    std::vector<std::string> out;
    for (const auto& text : texts)
        out.push_back(elided(text, width, size, elide, font));
    // Those that share more than all of them look alike again after the first cut.
    constexpr int kRounds = 3;
    for (int round = 0; round < kRounds; ++round) {
        std::map<std::string, std::set<std::string_view>> alike; // by what they look like: what they are
        for (std::size_t i = 0; i < texts.size(); ++i)
            alike[out[i]].insert(texts[i]);
        auto next = out;
        for (std::size_t i = 0; i < texts.size(); ++i) {
            const auto& those = alike.at(out[i]);
            if (those.size() < 2) continue;
            const auto from = tellingWordBefore(texts[i], sharedByTexts(those));
            if (from > 0) next[i] = cutInShared(texts[i], from, width, size, font);
        }
        out = std::move(next);
    }
    return out;
}
} // namespace dscope::graph
