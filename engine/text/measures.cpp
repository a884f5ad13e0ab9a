#include "engine/text/measures.h"
#include "engine/text/words.h"
#include <algorithm>
#include <array>
#include <string>
namespace dscope::text {
std::optional<std::int64_t> decimal(std::string_view text, int places)
{
    const auto dot = text.find('.');
    const auto whole = text.substr(0, dot);
    auto fraction = dot == text.npos ? std::string_view() : text.substr(dot + 1);
    if (!isDigits(whole) || (dot != text.npos && !isDigits(fraction))) return {};
    while (fraction.ends_with('0'))
        fraction.remove_suffix(1);
    if (fraction.size() > static_cast<std::size_t>(std::max(places, 0))) return {};
    std::int64_t value = 0;
    const auto append
        = [&](char digit) { return !__builtin_mul_overflow(value, 10, &value) && !__builtin_add_overflow(value, digit - '0', &value); };
    for (const char c : whole)
        if (!append(c)) return {};
    for (int i = 0; i < places; ++i)
        if (!append(static_cast<std::size_t>(i) < fraction.size() ? fraction[static_cast<std::size_t>(i)] : '0')) return {};
    return value;
}

namespace {
struct Named {
    std::string_view name;
    Unit unit;
};
constexpr auto kTime = record::StackUnit::Time, kBytes = record::StackUnit::Bytes, kCount = record::StackUnit::Count;
constexpr std::int64_t kKilo = 1024, kMega = kKilo * kKilo, kGiga = kMega * kKilo, kTera = kGiga * kKilo;
/// In lower case, without the 's' of a plural.
constexpr std::array kUnits{Named{"ns", {kTime, 1}}, Named{"nsec", {kTime, 1}}, Named{"nanosecond", {kTime, 1}}, //
    Named{"us", {kTime, 1'000}}, Named{"usec", {kTime, 1'000}}, Named{"microsecond", {kTime, 1'000}}, Named{"\xc2\xb5s", {kTime, 1'000}},
    Named{"\xce\xbcs", {kTime, 1'000}}, //
    Named{"ms", {kTime, 1'000'000}}, Named{"msec", {kTime, 1'000'000}}, Named{"millisecond", {kTime, 1'000'000}},
    Named{"s", {kTime, 1'000'000'000}}, Named{"sec", {kTime, 1'000'000'000}}, Named{"second", {kTime, 1'000'000'000}},
    Named{"m", {kTime, 60'000'000'000}}, Named{"min", {kTime, 60'000'000'000}}, Named{"minute", {kTime, 60'000'000'000}},
    Named{"h", {kTime, 3'600'000'000'000}}, Named{"hr", {kTime, 3'600'000'000'000}}, Named{"hour", {kTime, 3'600'000'000'000}},
    Named{"b", {kBytes, 1}}, Named{"byte", {kBytes, 1}}, //
    Named{"kb", {kBytes, kKilo}}, Named{"kib", {kBytes, kKilo}}, Named{"kbyte", {kBytes, kKilo}}, Named{"kilobyte", {kBytes, kKilo}},
    Named{"mb", {kBytes, kMega}}, Named{"mib", {kBytes, kMega}}, Named{"mbyte", {kBytes, kMega}}, Named{"megabyte", {kBytes, kMega}},
    Named{"gb", {kBytes, kGiga}}, Named{"gib", {kBytes, kGiga}}, Named{"gbyte", {kBytes, kGiga}}, Named{"gigabyte", {kBytes, kGiga}},
    Named{"tb", {kBytes, kTera}}, Named{"tib", {kBytes, kTera}}, Named{"tbyte", {kBytes, kTera}}, Named{"terabyte", {kBytes, kTera}},
    Named{"count", {kCount, 1}}};
} // namespace

std::optional<Unit> unitOf(std::string_view name)
{
    if (name.size() > 16) return {};
    std::string lower(name);
    for (auto& c : lower)
        if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
    const auto find = [](std::string_view text) -> std::optional<Unit> {
        const auto* const at = std::find_if(kUnits.begin(), kUnits.end(), [&](const Named& n) { return n.name == text; });
        return at == kUnits.end() ? std::nullopt : std::optional(at->unit);
    };
    if (const auto unit = find(lower)) return unit;
    if (lower.size() < 3 || lower.back() != 's') return {};
    lower.pop_back();
    return find(lower);
}

std::optional<std::int64_t> duration(std::string_view text)
{
    const auto number = text.substr(0, text.find_first_not_of("0123456789."));
    const auto unit = unitOf(trimmed(text.substr(number.size())));
    if (!unit || unit->is != record::StackUnit::Time) return {};
    int places = 0;
    auto by = unit->by;
    for (; by % 10 == 0; by /= 10)
        ++places;
    const auto value = decimal(number, places);
    std::int64_t out = 0;
    if (!value || __builtin_mul_overflow(*value, by, &out)) return {};
    return out;
}
} // namespace dscope::text
