#include "engine/remote/subject.h"
#include <array>
#include <charconv>
#include <vector>
namespace dscope::remote {
namespace {
constexpr std::array<std::string_view, 6> kTopics{"program", "stacks", "rows", "losses", "end", "printed"};
constexpr std::string_view kNobody = "%"; ///< the host of a run that does not tell it
bool hasNumber(Topic topic) { return topic == Topic::Stacks || topic == Topic::Rows || topic == Topic::Printed; }
bool isPlain(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' || c == '_'; }
std::string hexOf(std::uint64_t value, std::size_t digits)
{
    std::string text(digits, '0');
    for (std::size_t i = digits; i > 0; --i, value >>= 4)
        text[i - 1] = "0123456789abcdef"[value & 15];
    return text;
}
template <typename Number> std::optional<Number> numberOf(std::string_view text, int base)
{
    Number value{};
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value, base);
    return text.empty() || error != std::errc() || end != text.data() + text.size() ? std::nullopt : std::optional(value);
}
std::string wordOf(const std::string& host)
{
    if (host.empty()) return std::string(kNobody);
    std::string word;
    for (const char c : host)
        word += isPlain(c) ? std::string{c} : '%' + hexOf(static_cast<unsigned char>(c), 2);
    return word;
}
std::optional<std::string> hostOf(std::string_view word)
{
    std::string host;
    if (word == kNobody) return host;
    for (std::size_t i = 0; i < word.size(); ++i) {
        if (word[i] != '%') {
            if (!isPlain(word[i])) return std::nullopt;
            host += word[i];
            continue;
        }
        const auto byte = numberOf<unsigned>(word.substr(i + 1, 2), 16);
        if (!byte || i + 2 >= word.size()) return std::nullopt;
        host += static_cast<char>(*byte);
        i += 2;
    }
    // One host has one word: nobody is two.
    if (host.empty() || host.size() > kLongestHost || wordOf(host) != word) return std::nullopt;
    return host;
}
} // namespace

std::string subjectOf(const std::string& run, const Place& place)
{
    auto subject = "dscope." + run + '.' + wordOf(place.origin.host) + '.' + hexOf(static_cast<std::uint64_t>(place.origin.began), 16) + '.'
        + std::string(kTopics[static_cast<std::size_t>(place.topic)]);
    if (hasNumber(place.topic)) subject += '.' + std::to_string(place.number);
    if (place.part) subject += ".part." + std::to_string(place.part->slot) + '.' + std::to_string(place.part->number);
    return subject;
}

std::optional<Place> placeOf(const std::string& run, const std::string& subject)
{
    std::vector<std::string_view> words;
    for (std::size_t from = 0; from <= subject.size();) {
        const auto end = std::min(subject.find('.', from), subject.size());
        words.push_back(std::string_view(subject).substr(from, end - from));
        from = end + 1;
    }
    if (words.size() < 5 || words[0] != "dscope" || words[1] != run) return std::nullopt;
    const auto host = hostOf(words[2]);
    const auto began = numberOf<std::uint64_t>(words[3], 16);
    if (!host || !began) return std::nullopt;

    Place place{{*host, static_cast<std::int64_t>(*began)}};
    std::size_t topic = 0, at = 5;
    while (topic < kTopics.size() && kTopics[topic] != words[4])
        ++topic;
    if (topic == kTopics.size()) return std::nullopt;
    place.topic = static_cast<Topic>(topic);
    if (hasNumber(place.topic)) {
        const auto number = words.size() > at ? numberOf<std::uint32_t>(words[at], 10) : std::nullopt;
        if (!number) return std::nullopt;
        place.number = *number;
        ++at;
    }

    if (words.size() == at + 3 && words[at] == "part") {
        const auto slot = numberOf<std::uint32_t>(words[at + 1], 10), number = numberOf<std::uint32_t>(words[at + 2], 10);
        if (!slot || !number) return std::nullopt;
        place.part = {*slot, *number};
    } else if (words.size() != at) {
        return std::nullopt;
    }
    if (subjectOf(run, place) != subject) return std::nullopt;
    return place;
}
} // namespace dscope::remote
