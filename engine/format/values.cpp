#include "engine/format/values.h"
#include "engine/format/text.h"
#include "engine/record/value.h"
#include <algorithm>
#include <array>
#include <cinttypes>
#include <ctime>
#include <optional>
namespace dscope::format {
using namespace record;

namespace {
constexpr int kTraceColumns = 33, kKeyColumns = 50;

bool startsWith(std::string_view text, std::string_view what) { return text.substr(0, what.size()) == what; }

std::string hexadecimal(std::uint64_t n) { return formatted("0x%" PRIx64, n); }
} // namespace

std::optional<std::string> textIn(ByteView bytes)
{
    const auto isPrintable = [](std::byte b) {
        const auto c = std::to_integer<unsigned char>(b);
        return (c >= ' ' && c <= '~') || (c >= '\a' && c <= '\r');
    };
    const auto end = std::find_if_not(bytes.begin(), bytes.end(), isPrintable);
    if (std::any_of(end, bytes.end(), [](std::byte b) { return b != std::byte{0}; })) return {};
    return std::string(reinterpret_cast<const char*>(bytes.data()), std::size_t(end - bytes.begin()));
}

record::KeptStacks::View Context::framesOf(const Field& field, ByteView bytes) const { return stacks[stackOf(field, bytes)]; }

namespace {
/// Whether an integer is in a field of more bytes than its type has, and would fit in those.
bool fitsShown(const Field& field, ByteView bytes)
{
    if (field.shownSize == 0 || (field.kind != FieldKind::Int && field.kind != FieldKind::Uint)) return false;
    const auto value = integerOf(field, bytes);
    const auto limit = std::int64_t{1} << (8U * field.shownSize);
    return field.kind == FieldKind::Int ? value >= -(limit / 2) && value < limit / 2 : value >= 0 && value < limit;
}
} // namespace

ByteView partOf(const Field& field, ByteView bytes)
{
    if (field.offset >= bytes.size()) return {};
    const auto size = fitsShown(field, bytes) ? field.shownSize : field.size;
    return bytes.subspan(field.offset, std::min<std::size_t>(size, bytes.size() - field.offset));
}

std::string frameText(const Frame& frame, Offset offset)
{
    if (frame.kind == Frame::Kind::Truncated) return frame.function;
    const std::string module = frame.module.empty() ? "" : frame.module + '`';
    if (frame.function.empty()) return module + hexadecimal(frame.address);
    return module + frame.function + (offset == Offset::Shown && frame.offset != 0 ? '+' + hexadecimal(frame.offset) : "");
}

std::string placeText(const Frame& frame)
{
    std::string text;
    if (frame.line != 0) text = " (" + frame.file->substr(frame.file->rfind('/') + 1) + ':' + std::to_string(frame.line) + ')';
    if (frame.inlined) text += " (inlined)";
    return text;
}

bool isModule(const Frame& frame) { return frame.function.empty() && frame.address == 0 && frame.offset == 0 && !frame.module.empty(); }

std::string userFrameText(const Context& context, const Frame& frame, Offset offset)
{
    const bool isPlace = context.noResolve && frame.function.empty() && !frame.module.empty() && frame.kind != Frame::Kind::Kernel;
    return isPlace ? frame.module + ':' + hexadecimal(frame.offset) : frameText(frame, offset);
}

std::string stackText(const Context& context, const Field& field, ByteView bytes, int indent, int frameWidth, int frameLength)
{
    std::string out = "\n";
    const auto frames = context.framesOf(field, bytes);
    for (std::size_t i = 0; i < frames.size(); ++i) {
        if (out.size() > kLongestText) break;
        std::string_view text = context.frameTexts.of(context, frames, i, field.kind);
        if (frameLength >= 0) text = text.substr(0, std::size_t(frameLength));
        out.append(std::size_t(std::max(indent, 0)), ' ');
        if (frameWidth == 0)
            out += text;
        else
            out += padded(std::string(text), frameWidth);
        out += '\n';
    }
    return out;
}

const std::string& FrameTexts::of(const Context& context, const KeptStacks::View& frames, std::size_t i, FieldKind kind)
{
    const Facts facts{context.stacks.generation(), context.noResolve, context.toTerminal};
    if (facts != m_facts) {
        m_user.clear();
        m_kernel.clear();
        m_facts = facts;
    }
    auto& texts = kind == FieldKind::UserStack ? m_user : m_kernel;
    const auto number = frames.number(i);
    const bool isKept = number < kMost;
    if (isKept && number >= texts.size()) texts.resize(number + 1);
    auto& text = isKept ? texts[number] : m_other;
    if (isKept && !text.empty()) return text;
    const auto& frame = frames[i];
    text = shown(context, (kind == FieldKind::UserStack ? userFrameText(context, frame) : frameText(frame)) + placeText(frame));
    return text;
}

bool tellsOffset(const Field& field) { return startsWith(field.name, "uaddr("); }

std::string symbolText(const Context& context, const Field& field, ByteView bytes)
{
    const auto frames = context.framesOf(field, bytes);
    if (frames.empty()) return "0x0";
    const auto& frame = record::functionAt(frames);
    return shown(
        context, isModule(frame) ? frame.module : userFrameText(context, frame, tellsOffset(field) ? Offset::Shown : Offset::Hidden));
}

std::string traceText(const Context& context, const Field& field, ByteView bytes)
{
    if (context.rawBytes) {
        const auto part = partOf(field, bytes);
        if (field.kind != FieldKind::String) return dumpText(part);
        // A record has room for no more of a string than there may be, and a dump shows all that there may be.
        Bytes whole(part.begin(), part.end());
        whole.resize(context.stringSize + 1);
        return dumpText(whole);
    }

    switch (field.kind) {
    case FieldKind::Stack:
    case FieldKind::UserStack: return stackText(context, field, bytes, context.stackIndent);
    case FieldKind::Symbol: return keyText(context, field, bytes);
    case FieldKind::Int:
    case FieldKind::Uint: {
        const bool isSigned = field.kind == FieldKind::Int;
        const std::int64_t n = integerOf(field, bytes);
        const std::string text = isSigned ? std::to_string(n) : std::to_string(std::uint64_t(n));
        if (context.quiet) return text;
        switch (shownSizeOf(field)) {
        case 8: return ' ' + padded(text, isSigned ? 19 : 20);
        case 4: return ' ' + padded(text, 10);
        case 2: return ' ' + padded(text, 5);
        case 1: return ' ' + padded(text, 3);
        default: return dumpText(partOf(field, bytes));
        }
    }
    default: break;
    }

    std::string text;
    if (field.kind == FieldKind::String) {
        text = textAt(bytes, field.offset, field.size);
    } else {
        // An array may hold text, a struct does not, though its bytes may look like it.
        auto held = field.type.ends_with(']') ? textIn(partOf(field, bytes)) : std::nullopt;
        if (!held) return dumpText(partOf(field, bytes));
        text = *std::move(held);
    }
    text = shown(context, text);
    return context.quiet ? text : "  " + padded(text, -kTraceColumns);
}

std::uint64_t symbolAddress(const Context& context, const Field& field, ByteView bytes)
{
    const auto frames = context.framesOf(field, bytes);
    return frames.empty() ? 0 : record::functionAt(frames).address;
}

namespace {
/// A symbol that only %a prints by its name.
bool isAddress(const Field& field) { return field.kind == FieldKind::Symbol && field.shownSize != 0; }
} // namespace

std::int64_t keyInteger(const Field& field, ByteView bytes)
{
    // Below 8 and 4 bytes dtrace knows no sign here.
    Field plain = field;
    plain.kind = shownSizeOf(field) >= 4 ? FieldKind::Int : FieldKind::Uint;
    return integerOf(plain, bytes);
}

std::string keyText(const Context& context, const Field& field, ByteView bytes)
{
    switch (field.kind) {
    case FieldKind::Stack:
    case FieldKind::UserStack: return stackText(context, field, bytes, context.stackIndent);
    case FieldKind::Symbol:
        if (isAddress(field)) return ' ' + padded(std::to_string(std::int64_t(symbolAddress(context, field, bytes))), 16);
        return "  " + padded(symbolText(context, field, bytes), -kKeyColumns);
    case FieldKind::String:
        if (context.rawBytes) return dumpText(partOf(field, bytes));
        return "  " + padded(shown(context, stringOf(field, bytes)), -kKeyColumns);
    case FieldKind::Int:
    case FieldKind::Uint: {
        const std::string text = std::to_string(keyInteger(field, bytes));
        switch (shownSizeOf(field)) {
        case 8: return ' ' + padded(text, 16);
        case 4: return ' ' + padded(text, 8);
        case 2: return ' ' + padded(text, 5);
        case 1: return ' ' + padded(text, 3);
        default: break;
        }
        break;
    }
    case FieldKind::Bytes: break;
    }
    const auto text = context.rawBytes ? std::nullopt : textIn(partOf(field, bytes));
    return text && !text->empty() ? "  " + padded(shown(context, *text), -kKeyColumns) : dumpText(partOf(field, bytes));
}

std::string dumpText(ByteView bytes)
{
    if (bytes.empty()) return {};
    std::string out = "\n           ";
    for (const char c : std::string_view("0123456789abcdef"))
        out += formatted("  %c", c);
    out += "  0123456789abcdef\n";
    for (std::size_t line = 0; line < bytes.size(); line += 16) {
        const auto part = bytes.subspan(line, std::min<std::size_t>(16, bytes.size() - line));
        out += formatted("     %5zx:", line);
        for (const auto b : part)
            out += formatted(" %02x", std::to_integer<unsigned>(b));
        out.append((16 - part.size()) * 3 + 2, ' ');
        for (const auto b : part) {
            const char c = char(b);
            out += c < ' ' || c > '~' ? '.' : c;
        }
        out += '\n';
    }
    return out;
}

std::string escaped(std::string_view text)
{
    static constexpr std::string_view kSpecial("\0\a\b\f\n\r\t\v\"\\", 10), kLetters = "0abfnrtv\"\\";
    std::string out;
    for (const char c : text) {
        if (const auto at = kSpecial.find(c); at != std::string_view::npos) {
            out += '\\';
            out += kLetters[at];
        } else if (c >= ' ' && c <= '~') {
            out += c;
        } else {
            out += formatted("\\%03o", unsigned(static_cast<unsigned char>(c)));
        }
    }
    return out;
}

namespace {
/// Whether a terminal obeys it: C0, DEL or C1, the latter as a byte or in UTF-8 (U+0080 to U+009F).
bool isControl(std::string_view character)
{
    const auto first = static_cast<unsigned char>(character[0]);
    if (character.size() == 2) return first == 0xc2 && static_cast<unsigned char>(character[1]) < 0xa0;
    return character.size() == 1 && (first < ' ' ? first != '\n' && first != '\t' : first >= 0x7f && first < 0xa0);
}
} // namespace

std::string visible(std::string_view text)
{
    std::string out;
    out.reserve(text.size());
    for (std::size_t at = 0; at < text.size();) {
        const auto character = text.substr(at, characterSize(text.substr(at)));
        if (isControl(character))
            for (const char c : character)
                out += formatted("\\%03o", unsigned(static_cast<unsigned char>(c)));
        else
            out += character;
        at += character.size();
    }
    return out;
}

std::string shown(const Context& context, std::string text) { return context.toTerminal ? visible(text) : std::move(text); }

namespace {
constexpr std::uint64_t kSecond = 1'000'000'000;
constexpr std::array kMonths{"Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"};
constexpr std::array kDays{"Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"};

/// Calendar and clock in a zone, and what it is called then.
struct Moment {
    Moment(std::uint64_t ns, const Zone& zone)
    {
        const auto utc = std::int64_t(ns / kSecond);
        local = zone.at(utc);
        const std::time_t seconds = std::time_t(utc + local.offset);
        ::gmtime_r(&seconds, &tm);
    }

    std::tm tm{};
    Zone::Local local;
};
} // namespace

std::string dateText(std::uint64_t ns, const Zone& zone)
{
    const Moment m(ns, zone);
    return formatted("%d %s %2d %02d:%02d:%02d", m.tm.tm_year + 1900, kMonths[std::size_t(m.tm.tm_mon)], m.tm.tm_mday, m.tm.tm_hour,
        m.tm.tm_min, m.tm.tm_sec);
}

std::string dateText822(std::uint64_t ns, const Zone& zone)
{
    const Moment m(ns, zone);
    const int minutes = std::abs(m.local.offset / 60);
    const std::string name
        = m.local.name.empty() ? formatted("%c%02d%02d", m.local.offset < 0 ? '-' : '+', minutes / 60, minutes % 60) : m.local.name;
    // %G, the year of the ISO week, as every dtrace prints it: it is one year off on some days around New Year.
    char year[16] = {};
    std::strftime(year, sizeof year, "%G", &m.tm);
    return formatted("%s, %02d %s %s %02d:%02d:%02d %s", kDays[std::size_t(m.tm.tm_wday)], m.tm.tm_mday, kMonths[std::size_t(m.tm.tm_mon)],
        year, m.tm.tm_hour, m.tm.tm_min, m.tm.tm_sec, name.c_str());
}
} // namespace dscope::format
