#include "graph/keys.h"
#include "engine/format/printf.h"
#include "engine/format/values.h"
#include "engine/record/value.h"
#include "graph/key_columns.h"
#include "graph/store.h"
#include "graph/text.h"
#include "graph/tongue.h"
#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
namespace dscope::graph {
namespace {
using record::Aggregator;
using record::FieldKind;
constexpr std::size_t kBytesShown = 16;

std::string hexBytes(ByteView bytes)
{
    static constexpr std::string_view kDigits = "0123456789abcdef";
    std::string out = "0x";
    for (std::size_t i = 0; i < std::min(bytes.size(), kBytesShown); ++i) {
        const auto b = std::to_integer<unsigned>(bytes[i]);
        out += kDigits[b >> 4];
        out += kDigits[b & 15];
    }
    if (bytes.size() > kBytesShown) out += "\u2026";
    return out;
}
// The innermost frame first, because labels are cut at their end.
std::string stackText(const record::KeptStacks::View& frames, Unnamed unnamed)
{
    std::string out;
    for (std::size_t i = 0; i < frames.size(); ++i)
        out += (i ? " < " : "") + frameName(frames[i], unnamed) + printable(format::placeText(frames[i]));
    return out.empty() ? "[no stack]" : out;
}
// The sum of squares of a stddev is kept in 128 bits: {n, sum, low, high}.
// What values are away from the whole part of their mean is squared in integers: in a double large values that lie close together would be
// equal.
double deviation(const std::vector<std::int64_t>& data)
{
    __extension__ using Bits = unsigned __int128; // wraps around; what is left at the end has room
    if (data.size() < 4 || data[0] <= 0) return 0;
    const auto n = WideInteger{data[0]}, sum = WideInteger{data[1]}, mean = sum / n;
    const auto squares = Bits{static_cast<std::uint64_t>(data[3])} << 64U | static_cast<std::uint64_t>(data[2]);
    const auto away = squares - static_cast<Bits>(2 * mean * sum) + static_cast<Bits>(n * mean) * static_cast<Bits>(mean);
    const double rest = static_cast<double>(sum - n * mean) / static_cast<double>(n);
    return std::sqrt(std::max(0.0, static_cast<double>(away) / static_cast<double>(n) - rest * rest));
}
std::string offsetText(const record::Frame& frame)
{
    char offset[24];
    std::snprintf(offset, sizeof offset, "+0x%llx", static_cast<unsigned long long>(frame.offset));
    return offset;
}
} // namespace

Number divided(WideInteger dividend, WideInteger divisor)
{
    constexpr WideInteger kNoFraction = WideInteger{1} << 46, kMost = WideInteger{1} << 118; // a double has a hundredth below the first
    if (divisor == 0) return {};
    const auto whole = dividend / divisor, rest = dividend % divisor;
    if (rest == 0) return Number::ofWide(whole);
    const bool isSmall = whole < kNoFraction && whole > -kNoFraction;
    if (isSmall || divisor > kMost || divisor < -kMost) return static_cast<double>(dividend) / static_cast<double>(divisor);
    const auto twice = 200 * rest / divisor;
    return Number::ofHundredths(whole * 100 + (twice + (twice < 0 ? -1 : 1)) / 2);
}

Unnamed unnamedOf(const record::Program& program) { return program.placesUnnamed ? Unnamed::Placed : Unnamed::Alike; }

std::string frameName(const record::Frame& frame, Unnamed unnamed)
{
    if (frame.function.empty() && frame.module.empty()) return "[unknown]";
    if (!frame.function.empty()) return printable(frame.module.empty() ? frame.function : frame.module + '`' + frame.function);
    if (frame.offset == 0 || unnamed == Unnamed::Alike) return printable(frame.module + "`[unknown]");
    return printable(frame.module + offsetText(frame));
}
std::string fieldText(const record::Field& field, ByteView bytes, const Store& store)
{
    switch (field.kind) {
    case FieldKind::Int: return std::to_string(record::integerOf(field, bytes));
    case FieldKind::Uint: return std::to_string(static_cast<std::uint64_t>(record::integerOf(field, bytes)));
    case FieldKind::String: return record::stringOf(field, bytes);
    case FieldKind::Bytes:
        return field.offset <= bytes.size()
            ? hexBytes(bytes.subspan(field.offset, std::min<std::size_t>(field.size, bytes.size() - field.offset)))
            : std::string();
    case FieldKind::Stack:
    case FieldKind::UserStack: return stackText(store.stack(record::stackOf(field, bytes)), unnamedOf(store.program()));
    case FieldKind::Symbol: {
        const auto frames = store.stack(record::stackOf(field, bytes));
        if (frames.empty()) return "[unknown]";
        const auto& frame = record::functionAt(frames);
        const bool isPlace = field.shownSize != 0 && !frame.function.empty() && frame.offset != 0; // one of several in a function
        return frameName(frame, unnamedOf(store.program())) + (isPlace ? offsetText(frame) : std::string());
    }
    }
    return {};
}
std::vector<bool> printedAsMoment(const record::Action& action)
{
    std::vector<bool> out(action.fields.size());
    if (action.kind != record::ActionKind::Printf) return out;
    const auto format = format::parseFormat(action.format);
    if (!format) return out;
    std::size_t at = 0;
    for (const auto& conversion : *format) {
        const auto* row = conversion.verb == 0 ? nullptr : format::rowOf(conversion);
        if (!row) continue;
        using format::Conversion;
        at += (conversion.width == Conversion::kFromArgument) + (conversion.precision == Conversion::kFromArgument);
        if (at < out.size() && row->takes == format::Takes::Time) out[at] = true;
        ++at;
    }
    return out;
}
std::vector<std::string> keyTexts(const record::Aggregation& aggregation, ByteView key, const Store& store)
{
    std::vector<std::string> out;
    for (const auto& field : aggregation.keys)
        out.push_back(fieldText(field, key, store));
    return out;
}
bool isStack(const record::Field& field) { return field.kind == FieldKind::Stack || field.kind == FieldKind::UserStack; }
void addKeyNames(std::vector<std::string>& names, const record::Aggregation& aggregation)
{
    for (const auto& key : aggregation.keys)
        if (std::find(names.begin(), names.end(), key.name) == names.end()) names.push_back(key.name);
}
bool isNumber(const record::Field& field) { return field.kind == FieldKind::Int || field.kind == FieldKind::Uint; }
std::string valueColumn(const record::Aggregation& aggregation) { return aggregation.name.empty() ? "value" : aggregation.name; }
std::string_view functionName(Aggregator function)
{
    static constexpr std::array<std::string_view, 10> kNames{
        "count", "sum", "min", "max", "avg", "stddev", "quantize", "lquantize", "llquantize", "histogram"};
    return kNames[static_cast<std::size_t>(function)];
}
bool isQuantized(Aggregator f) { return f >= Aggregator::Quantize; }
bool isQuantizing(const record::Aggregation& aggregation) { return isQuantized(aggregation.function); }
std::string describe(const record::Aggregation& a)
{
    const auto value = std::string(functionName(a.function)) + '(' + (a.function == Aggregator::Count ? std::string() : a.value) + ')';
    std::string keys;
    for (std::size_t i = 0; i < a.keys.size(); ++i)
        keys += (i == 0 ? "" : ", ") + a.keys[i].name;
    return keys.empty() ? value : said("%1 by %2", value, keys);
}
Number rowValue(const record::Aggregation& a, const record::AggregationRow& row, std::int64_t divisor)
{
    const auto& d = row.data;
    Number value;
    if (d.empty()) return 0;
    if (isQuantized(a.function)) {
        for (std::size_t i = 1; i < d.size(); i += 2)
            value += Number(d[i]);
    } else if (a.function == Aggregator::Avg) {
        return d.size() > 1 ? divided(d[1], WideInteger{d[0]} * std::max<std::int64_t>(divisor, 1)) : Number();
    } else if (a.function == Aggregator::Stddev) {
        value = deviation(d);
    } else {
        value = d[0];
    }
    if (divisor <= 1) return value;
    return value.isWhole() ? divided(value.wide(), divisor) : Number(value / static_cast<double>(divisor));
}
bool tellsTimes(const record::Program& program) { return !program.clauses.empty() && !program.timesAreLines; }
Noun countedNoun(const Store& store)
{
    if (const auto* parts = store.parts()) return Noun(parts->noun);
    const auto kinds = probeKinds(store);
    return Noun(kinds.samples ? "samples" : kinds.syscalls || kinds.functions ? "calls" : "events");
}
std::string valueInWords(const record::Aggregation& a)
{
    const std::string function(functionName(a.function));
    if (a.value.empty()) return a.name.empty() ? Noun("values").said() : a.name; // an imported text does not say what its values are
    return isLiteral(a.value) ? said("%1 of a constant", function) : said("%1 of %2", function, a.value);
}
bool isSameExpression(std::string_view one, std::string_view other)
{
    // The words of each, and every other character for itself; text in quotes is one word.
    const auto next = [](std::string_view& rest) {
        const auto isWord = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; };
        rest.remove_prefix(std::min(rest.find_first_not_of(" \t\n\r"), rest.size()));
        std::size_t end = rest.empty() ? 0 : 1;
        if (!rest.empty() && isWord(rest.front()))
            while (end < rest.size() && isWord(rest[end]))
                ++end;
        else if (!rest.empty() && (rest.front() == '"' || rest.front() == '\'')) {
            while (end < rest.size() && rest[end] != rest.front())
                end += rest[end] == '\\' ? 2 : 1;
            end = std::min(end + 1, rest.size());
        }
        const auto word = rest.substr(0, end);
        rest.remove_prefix(end);
        return word;
    };
    for (;;) {
        const auto word = next(one);
        if (word != next(other)) return false;
        if (word.empty()) return true;
    }
}
bool isLiteral(std::string_view expression)
{
    if (expression.starts_with('-') && expression.size() > 1) expression.remove_prefix(1);
    return !expression.empty()
        && (expression.front() == '"' || expression.front() == '\'' || std::isdigit(static_cast<unsigned char>(expression.front())));
}
std::string byKeys(const std::string& what, const record::Aggregation& a)
{
    constexpr std::size_t kLettersNamed = 36;
    std::string keys;
    std::size_t left = 0;
    for (const auto& key : a.keys) {
        if (isLiteral(key.name)) continue;
        const std::string name = printable(keyTitle(key.name));
        if (left > 0 || (!keys.empty() && keys.size() + name.size() > kLettersNamed))
            ++left;
        else
            keys += (keys.empty() ? "" : ", ") + name;
    }
    if (keys.empty()) return what;
    if (left > 0) keys = saidOf(left, "%1 and another key", "%1 and %2 other keys", keys, std::to_string(left));
    return said("%1 by %2", what, keys);
}
} // namespace dscope::graph
