#include "engine/format/render.h"
#include "engine/format/charts.h"
#include "engine/format/text.h"
#include "engine/record/value.h"
#include <algorithm>
#include <cstdio>
namespace dscope::format {
using namespace record;
namespace {
/// A conversion with its dynamic parts filled in.
struct Spec {
    const Conversion& conversion;
    const Grouping& grouping;
    int width = 0;     ///< 0: none; negative widths have become the flag
    int precision = 0; ///< 0: none. dtrace does not know a precision of 0
    bool left = false;

    bool has(char flag) const { return conversion.flags.find(flag) != std::string::npos; }
    bool groups() const { return has('\'') && std::string_view("diufgG").find(conversion.verb) != std::string_view::npos; }

    /// "%-08.3" + size + verb, for snprintf.
    std::string cFormat(std::string_view suffix) const
    {
        std::string f = "%";
        for (const char flag : conversion.flags)
            if (flag != '-' && flag != '\'' && !(flag == '0' && left)) f += flag;
        if (left) f += '-';
        if (width != 0) f += std::to_string(width);
        if (precision > 0) f += '.' + std::to_string(precision);
        return f.append(suffix);
    }

    /// The same with other flags.
    Spec of(const Conversion& other) const { return {other, grouping, width, precision, left}; }

    std::string text(std::string_view s) const
    {
        if (precision > 0) s = s.substr(0, std::size_t(precision));
        return padded(s, left ? -width : width);
    }
};

template <typename T> std::string number(const Spec& spec, std::string_view suffix, T value)
{
    if (spec.groups() && !spec.grouping.separator.empty()) {
        Conversion plain = spec.conversion;
        std::erase(plain.flags, '\'');
        Spec narrow = spec.of(plain);
        narrow.width = 0;
        auto out = spec.grouping.inNumber(number(narrow, suffix, value));
        const auto width = std::size_t(spec.width);
        if (spec.has('0') && !spec.left && out.size() < width)
            out.insert(std::min(out.find_first_not_of("+- "), out.size()), width - out.size(), '0');
        return padded(out, spec.left ? -spec.width : spec.width);
    }
    const std::string format = spec.cFormat(suffix);
    const int size = std::snprintf(nullptr, 0, format.c_str(), value);
    std::string out(size > 0 ? std::size_t(size) : 0, '\0');
    if (size > 0) std::snprintf(out.data(), out.size() + 1, format.c_str(), value);
    return out;
}

std::string utf8(std::uint32_t c)
{
    std::string s;
    if (c < 0x80)
        s += char(c);
    else if (c < 0x800) {
        s += char(0xc0 | (c >> 6));
        s += char(0x80 | (c & 0x3f));
    } else if (c < 0x10000) {
        s += char(0xe0 | (c >> 12));
        s += char(0x80 | ((c >> 6) & 0x3f));
        s += char(0x80 | (c & 0x3f));
    } else if (c < 0x110000) {
        s += char(0xf0 | (c >> 18));
        s += char(0x80 | ((c >> 12) & 0x3f));
        s += char(0x80 | ((c >> 6) & 0x3f));
        s += char(0x80 | (c & 0x3f));
    } else {
        return utf8(0xfffd);
    }
    return s;
}

std::string wideText(ByteView bytes)
{
    std::string s;
    for (std::size_t at = 0; at + 4 <= bytes.size(); at += 4) {
        const auto c = readAt<std::uint32_t>(bytes, at);
        if (c == 0) break;
        s += utf8(c);
    }
    return s;
}

long double floatOf(const Field& field, ByteView bytes)
{
    if (field.type == "float") return static_cast<long double>(readAt<float>(bytes, field.offset));
    if (field.type == "double") return static_cast<long double>(readAt<double>(bytes, field.offset));
    if (field.type == "long double") return readAt<long double>(bytes, field.offset);
    return static_cast<long double>(integerOf(field, bytes));
}

/// The integer without sign extension beyond its own size.
std::uint64_t unsignedOf(const Field& field, ByteView bytes)
{
    Field plain = field;
    if (plain.kind == FieldKind::Int) plain.kind = FieldKind::Uint;
    return std::uint64_t(integerOf(plain, bytes));
}

std::string integer(const Spec& spec, bool isSigned, std::int64_t value, std::uint64_t asUnsigned)
{
    switch (spec.conversion.verb) {
    case 'd':
    case 'i':
        // With the size spelled out (%hd, %ld, %lld) it is signed, otherwise as the argument is.
        if (isSigned || !spec.conversion.size.empty()) return number(spec, "lld", static_cast<long long>(value));
        return number(spec, "llu", static_cast<unsigned long long>(asUnsigned));
    case 'o': return number(spec, "llo", static_cast<unsigned long long>(asUnsigned));
    case 'x':
    case 'p': return number(spec, "llx", static_cast<unsigned long long>(asUnsigned));
    case 'X': return number(spec, "llX", static_cast<unsigned long long>(asUnsigned));
    default: return number(spec, "llu", static_cast<unsigned long long>(asUnsigned));
    }
}

/// The integer of `field` as if it were signed, whatever it is.
std::int64_t signedOf(const Field& field, ByteView bytes)
{
    Field plain = field;
    if (plain.kind == FieldKind::Uint) plain.kind = FieldKind::Int;
    return integerOf(plain, bytes);
}

std::string value(const Context& context, const Spec& spec, const Field& field, ByteView bytes)
{
    const bool isStack = field.kind == FieldKind::Stack || field.kind == FieldKind::UserStack;
    const bool isInteger = field.kind == FieldKind::Int || field.kind == FieldKind::Uint;
    switch (spec.conversion.verb) {
    case 'k':
        // A left-aligned width is how far the frames are indented; any other is a column for each of them.
        if (!isStack) return {};
        return stackText(
            context, field, bytes, spec.left ? spec.width : 0, spec.left ? 0 : spec.width, spec.precision > 0 ? spec.precision : -1);
    case 'a':
    case 'A':
        if (field.kind == FieldKind::Symbol) {
            const auto frames = context.framesOf(field, bytes);
            // A key may be printed by both: each names only what is of its own space.
            const bool isKernels = !frames.empty() && record::functionAt(frames).kind == Frame::Kind::Kernel;
            if (field.shownSize != 0 && isKernels != (spec.conversion.verb == 'a'))
                return spec.text(formatted("0x%llx", static_cast<unsigned long long>(symbolAddress(context, field, bytes))));
            const bool isFunction = !frames.empty() && !isModule(record::functionAt(frames));
            return spec.text(isFunction ? shown(context, frameText(record::functionAt(frames))) : symbolText(context, field, bytes));
        }
        return spec.text(formatted("0x%llx", static_cast<unsigned long long>(unsignedOf(field, bytes))));
    case 's':
    case 'S': {
        std::string text;
        if (!spec.conversion.size.empty())
            text = wideText(partOf(field, bytes));
        else if (field.kind == FieldKind::Symbol)
            text = symbolText(context, field, bytes);
        else if (isInteger)
            text = std::to_string(integerOf(field, bytes));
        else if (!isStack)
            text = textAt(bytes, field.offset, field.size);
        return spec.text(spec.conversion.verb == 'S' ? escaped(text) : shown(context, std::move(text)));
    }
    case 'c': {
        const auto c = std::uint32_t(unsignedOf(field, bytes));
        const std::string text = spec.conversion.size.empty() ? std::string(1, char(c & 0xff)) : utf8(c);
        return padded(shown(context, text), spec.left ? -spec.width : spec.width);
    }
    case 'C': return spec.text(escaped(std::string(1, char(unsignedOf(field, bytes) & 0xff))));
    case 'Y': return spec.text(dateText(unsignedOf(field, bytes), context.zone));
    case 'T': return spec.text(dateText822(unsignedOf(field, bytes), context.zone));
    case 'e':
    case 'E':
    case 'f':
    case 'g':
    case 'G': return number(spec, std::string("L") + spec.conversion.verb, floatOf(field, bytes));
    default:
        if (field.kind == FieldKind::Symbol) {
            const auto address = symbolAddress(context, field, bytes);
            return integer(spec, false, std::int64_t(address), address);
        }
        return integer(spec, field.kind == FieldKind::Int, signedOf(field, bytes), unsignedOf(field, bytes));
    }
}

std::string aggregated(const Context& context, const Spec& spec, const AggregationValue& v)
{
    switch (v.aggregation->function) {
    case Aggregator::Quantize:
    case Aggregator::Lquantize:
    case Aggregator::Llquantize:
    case Aggregator::Ranges: return chart(*v.aggregation, v.data, v.divisor, v.scale);
    default: {
        const std::int64_t n = scalarOf(v.aggregation->function, v.data, v.divisor);
        // A computed value has no name: only recorded addresses are looked up.
        if (spec.conversion.verb == 'a' || spec.conversion.verb == 'A')
            return spec.text(formatted("0x%llx", static_cast<unsigned long long>(n)));
        if (spec.conversion.verb == 'Y') return spec.text(dateText(std::uint64_t(n), context.zone));
        if (spec.conversion.verb == 'T') return spec.text(dateText822(std::uint64_t(n), context.zone));
        return integer(spec, v.aggregation->function != Aggregator::Count, n, std::uint64_t(n));
    }
    }
}
} // namespace

std::string render(const Context& context, const std::vector<Conversion>& format, std::span<const Field> fields, ByteView bytes,
    std::span<const AggregationValue> values)
{
    std::string out;
    std::size_t next = 0, nextValue = 0;
    const auto dynamic = [&](int given) {
        if (given != Conversion::kFromArgument) return std::max(given, 0);
        if (next >= fields.size()) return 0;
        return int(std::clamp<std::int64_t>(integerOf(fields[next++], bytes), -kWidestField, kWidestField));
    };

    for (const Conversion& c : format) {
        if (out.size() > kLongestText) break;
        out += c.literal;
        if (c.verb == 0) continue;
        Spec spec{c, context.grouping};
        spec.width = dynamic(c.width);
        spec.precision = dynamic(c.precision);
        spec.left = spec.width < 0 || c.flags.find('-') != std::string::npos;
        spec.width = std::abs(spec.width);
        if (c.aggregationValue) {
            if (values.empty()) continue;
            out += aggregated(context, spec, values[std::min(nextValue++, values.size() - 1)]);
        } else if (next < fields.size()) {
            out += value(context, spec, fields[next++], bytes);
        }
    }
    return out;
}
} // namespace dscope::format
