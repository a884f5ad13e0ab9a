#include "engine/format/structured_values.h"
#include "engine/format/charts.h"
#include "engine/format/layout.h"
#include "engine/format/rows.h"
#include "engine/format/text.h"
#include "engine/record/value.h"
#include <algorithm>
#include <array>
#include <cinttypes>
namespace dscope::format {
using namespace record;
namespace {
std::string inHex(std::uint64_t n) { return formatted("0x%" PRIx64, n); }

std::string hexBytes(ByteView bytes)
{
    static constexpr std::string_view kDigits = "0123456789abcdef";
    std::string out = "0x";
    for (const auto b : bytes) {
        out += kDigits[std::to_integer<unsigned>(b) >> 4U];
        out += kDigits[std::to_integer<unsigned>(b) & 15U];
    }
    return out;
}

bool isWholeNumber(const Field& field)
{
    return (field.kind == FieldKind::Int || field.kind == FieldKind::Uint)
        && (field.size == 1 || field.size == 2 || field.size == 4 || field.size == 8);
}

/// What D calls the function.
std::string_view wordOf(Aggregator function)
{
    static constexpr std::array<std::string_view, 9> kNames{
        "count", "sum", "min", "max", "avg", "stddev", "quantize", "lquantize", "llquantize"};
    return kNames.at(static_cast<std::size_t>(function));
}

bool isNumber(std::string_view text)
{
    if (text.starts_with('-')) text.remove_prefix(1);
    return !text.empty() && std::all_of(text.begin(), text.end(), [](char c) { return c >= '0' && c <= '9'; });
}
} // namespace

void StructuredValues::memory(std::string_view name, ByteView bytes) { m_document.text(name, hexBytes(bytes)); }

void StructuredValues::value(const Field& field, ByteView bytes)
{
    constexpr std::string_view kName = "value";
    const auto part = partOf(field, bytes);
    switch (field.kind) {
    case FieldKind::Stack:
    case FieldKind::UserStack: return frames(field, bytes);
    case FieldKind::Symbol: return symbol(field, bytes);
    default: break;
    }
    if (m_context.rawBytes) return memory(kName, part);
    if (isWholeNumber(field)) {
        const auto n = integerOf(field, bytes);
        return m_document.number(kName, field.kind == FieldKind::Int ? std::to_string(n) : std::to_string(static_cast<std::uint64_t>(n)));
    }
    if (field.kind == FieldKind::String) return m_document.text(kName, textAt(bytes, field.offset, field.size));
    // An array may hold text, a struct does not, though its bytes may look like it.
    const auto text = field.type.ends_with(']') ? textIn(part) : std::nullopt;
    text ? m_document.text(kName, *text) : memory(kName, part);
}

void StructuredValues::key(const Field& field, ByteView bytes)
{
    if (isWholeNumber(field)) return m_document.number("value", keyInteger(field, bytes));
    if (field.kind != FieldKind::Bytes || m_context.rawBytes) return value(field, bytes);
    const auto part = partOf(field, bytes);
    const auto text = textIn(part);
    text ? m_document.text("value", *text) : memory("value", part);
}

void StructuredValues::frames(const Field& field, ByteView bytes)
{
    const auto all = m_context.framesOf(field, bytes);
    // A stack that a variable holds may be either.
    const bool isUser = field.kind == FieldKind::UserStack && (all.empty() || all[0].kind != Frame::Kind::Kernel);
    m_document.openList(isUser ? "ustack-frames" : "stack-frames");
    for (const auto& frame : all) {
        m_document.openInstance();
        m_document.text("symbol", isUser ? userFrameText(m_context, frame) : frameText(frame));
        if (frame.kind != Frame::Kind::Truncated) {
            if (!frame.module.empty()) m_document.text("module", frame.module);
            if (!frame.function.empty()) m_document.text("name", frame.function);
            if (frame.function.empty())
                m_document.text("offset", inHex(frame.address));
            else if (frame.offset != 0)
                m_document.text("offset", inHex(frame.offset));
        }
        if (frame.line != 0) {
            m_document.text("file", *frame.file);
            m_document.number("line", std::int64_t{frame.line});
        }
        if (frame.inlined) m_document.number("inlined", std::int64_t{1});
        m_document.closeInstance();
    }
    m_document.closeList();
}

void StructuredValues::symbol(const Field& field, ByteView bytes)
{
    const auto all = m_context.framesOf(field, bytes);
    const auto frame = all.empty() ? Frame{} : functionAt(all);
    const bool isUser = field.type == "_usymaddr" || frame.kind == Frame::Kind::User || frame.kind == Frame::Kind::Library;
    const bool isFile = !all.empty() && isModule(frame);
    const std::string name = tellsOffset(field) ? "uaddr" : std::string(isUser ? "u" : "") + (isFile ? "mod" : "sym");
    m_document.text(name, symbolText(m_context, field, bytes));
    if (isFile || all.empty()) return;
    if (!frame.module.empty()) m_document.text("object", frame.module);
    if (!frame.function.empty()) m_document.text("name", frame.function);
    if (frame.function.empty() || frame.offset != 0)
        m_document.text("offset", inHex(frame.function.empty() ? frame.address : frame.offset));
}

void StructuredValues::row(const Aggregation& aggregation, ByteView key, const std::vector<std::int64_t>& data, std::int64_t divisor)
{
    m_document.openList("keys");
    for (const auto& field : aggregation.keys) {
        m_document.openInstance();
        this->key(field, key);
        m_document.closeInstance();
    }
    m_document.closeList();

    if (!isDistribution(aggregation)) return m_document.number(wordOf(aggregation.function), scalarOf(aggregation.function, data, divisor));
    m_document.openList("buckets");
    for (const auto& bucket : shownBuckets(aggregation, data)) {
        m_document.openInstance();
        // The outermost ones say which side of a number they are on: "< 0".
        if (isNumber(bucket.label))
            m_document.number("value", bucket.label);
        else
            m_document.text("value", bucket.label);
        m_document.number("count", normalized(bucket.count, divisor));
        m_document.closeInstance();
    }
    m_document.closeList();
}

void StructuredValues::object(const Action& action, ByteView payload, std::size_t most)
{
    constexpr std::size_t kMostInstances = std::size_t{1} << 18U; // a recording may tell of arrays within arrays without end
    m_room = kMostInstances;
    m_document.openList("type");
    if (action.fields.size() > 1 && !action.layout.empty()) {
        const auto address = static_cast<std::uint64_t>(integerOf(action.fields[0], payload));
        part({action.layout, partOf(action.fields[1], payload), most, inHex(address)}, 0, 0, 0);
    }
    m_document.closeList();
}

/// `shift`: distance of an array's element from the first one, in bits. `depth`: of the part within the list.
void StructuredValues::part(const Object& object, std::size_t at, std::uint64_t shift, std::uint32_t depth)
{
    const auto& part = object.parts[at];
    const auto bitOffset = part.bitOffset + shift;
    if (bitOffset / 8 >= std::min<std::uint64_t>(object.most, object.bytes.size()) || m_room == 0) return;
    --m_room;
    m_document.openInstance();
    if (at == 0) m_document.text("address", object.address);
    if (!part.name.empty()) m_document.text("member-name", part.name);
    m_document.text("name", part.type);
    m_document.number("depth", std::int64_t{depth});
    if (part.kind == LayoutPart::Kind::Array) elements(object, at, shift);
    if (part.kind != LayoutPart::Kind::Array && part.kind != LayoutPart::Kind::Struct) word(part, object, bitOffset);
    m_document.closeInstance();
    if (part.kind != LayoutPart::Kind::Struct) return;
    for (auto member = at + 1; member < partAfter(object.parts, at); member = partAfter(object.parts, member))
        this->part(object, member, shift, depth + 1);
}

void StructuredValues::word(const LayoutPart& part, const Object& object, std::uint64_t bitOffset)
{
    const auto bits = bitsOf(object.bytes, bitOffset, part.bits);
    if (!bits) return;
    const auto text = partText(part, *bits);
    if (part.kind == LayoutPart::Kind::Signed || part.kind == LayoutPart::Kind::Unsigned)
        m_document.number("value", text);
    else
        m_document.text("value", text);
}

/// "value" of an array: a text, or a list of what its elements are.
void StructuredValues::elements(const Object& object, std::size_t at, std::uint64_t shift)
{
    if (at + 1 >= object.parts.size()) return;
    const auto& element = object.parts[at + 1];
    const auto from = (element.bitOffset + shift) / 8, room = std::min<std::uint64_t>(object.most, object.bytes.size());
    if (element.kind == LayoutPart::Kind::Char && from < room) {
        const auto bytes = object.bytes.subspan(from, std::min(object.parts[at].count, room - from));
        const auto end = std::find(bytes.begin(), bytes.end(), std::byte{0});
        return m_document.text("value", std::string_view(reinterpret_cast<const char*>(bytes.data()), std::size_t(end - bytes.begin())));
    }
    m_document.openList("value");
    for (std::uint64_t i = 0; element.bits != 0 && i < object.parts[at].count; ++i) {
        const auto further = shift + i * element.bits;
        if ((element.bitOffset + further) / 8 >= room || m_room == 0) break;
        --m_room;
        m_document.openInstance();
        if (element.kind == LayoutPart::Kind::Struct || element.kind == LayoutPart::Kind::Array) {
            m_document.openList("type");
            part(object, at + 1, further, 0);
            m_document.closeList();
        } else {
            word(element, object, element.bitOffset + further);
        }
        m_document.closeInstance();
    }
    m_document.closeList();
}
} // namespace dscope::format
