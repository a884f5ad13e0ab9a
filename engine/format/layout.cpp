#include "engine/format/layout.h"
#include "engine/format/text.h"
#include "engine/format/values.h"
#include "engine/record/value.h"
#include <algorithm>
#include <cinttypes>
#include <optional>
#include <string_view>
#include <vector>
namespace dscope::format {
namespace {
constexpr std::size_t kIndent = 44;

using record::Layout, record::LayoutPart;
using Kind = LayoutPart::Kind;

std::string quoted(const LayoutPart& part, const std::string& text) { return part.kind == Kind::Char ? "'" + text + "'" : text; }
} // namespace

std::size_t partAfter(const Layout& parts, std::size_t at)
{
    auto next = at + 1;
    while (next < parts.size() && parts[next].depth > parts[at].depth)
        ++next;
    return next;
}

std::optional<std::uint64_t> bitsOf(ByteView bytes, std::uint64_t bitOffset, std::uint64_t bits)
{
    const auto first = bitOffset / 8, last = (bitOffset + bits + 7) / 8;
    if (bits == 0 || bits > 64 || last > bytes.size() || last - first > 8) return std::nullopt;
    std::uint64_t word = 0;
    for (auto i = last; i > first; --i)
        word = word << 8U | std::to_integer<std::uint64_t>(bytes[i - 1]);
    word >>= bitOffset % 8;
    return bits == 64 ? word : word & ((std::uint64_t{1} << bits) - 1);
}

std::string partText(const LayoutPart& part, std::uint64_t word)
{
    const auto asSigned = part.bits < 64 && (word >> (part.bits - 1) & 1) ? static_cast<std::int64_t>(word | ~std::uint64_t{0} << part.bits)
                                                                          : static_cast<std::int64_t>(word);
    switch (part.kind) {
    case Kind::Char:
        if (word >= ' ' && word <= '~') return std::string(1, static_cast<char>(word));
        return formatted("\\%03o", unsigned(word & 0xff));
    case Kind::Pointer: return formatted("0x%" PRIx64, word);
    case Kind::Enum:
        for (const auto& [name, number] : part.enumerators)
            if (number == asSigned || static_cast<std::uint64_t>(number) == word) return name;
        return std::to_string(asSigned);
    case Kind::Unsigned: return std::to_string(word);
    default: return std::to_string(asSigned);
    }
}

namespace {
class ObjectText {
public:
    ObjectText(const Layout& parts, ByteView bytes, std::size_t most) : m_parts(parts), m_bytes(bytes), m_most(most) { }

    std::string text()
    {
        if (!m_parts.empty()) show(0, 0, m_parts[0].name);
        close(0);
        return std::move(m_out);
    }

private:
    bool isZero(std::uint64_t bitOffset, std::uint64_t bits) const
    {
        if (bitOffset % 8 != 0 || bits % 8 != 0) return bitsOf(m_bytes, bitOffset, bits).value_or(1) == 0;
        const auto from = std::min<std::uint64_t>(bitOffset / 8, m_bytes.size());
        const auto part = m_bytes.subspan(from, std::min<std::uint64_t>(bits / 8, m_bytes.size() - from));
        return part.size() == bits / 8 && std::all_of(part.begin(), part.end(), [](std::byte b) { return b == std::byte{0}; });
    }

    void line(const std::string& text)
    {
        m_out.append(kIndent + m_open.size(), ' ');
        m_out += text;
        m_out += '\n';
    }

    /// Closes the structs that are open beyond `depth`. Called when another member follows; "..." is not one.
    void close(std::size_t depth)
    {
        while (m_open.size() > depth) {
            const auto end = m_open.back();
            m_open.pop_back();
            line(end);
        }
    }

    /// `shift`: distance of an array's element from the first one, in bits. False if printing stops here.
    bool show(std::size_t at, std::uint64_t shift, std::string_view name)
    {
        const auto& part = m_parts[at];
        const auto bitOffset = part.bitOffset + shift;
        const bool whole = at == 0;
        if (m_ended || m_out.size() > kLongestText) return false;
        if (!whole && isZero(bitOffset, part.bits)) return true;
        if (bitOffset / 8 >= std::min<std::uint64_t>(m_most, m_bytes.size())) {
            m_out.append(kIndent + m_depth, ' ');
            m_out += "...\n";
            m_ended = true;
            return false;
        }

        close(m_depth);
        const auto label = (name.empty() ? std::string() : '.' + std::string(name) + " = ") + '(' + part.type + ')';
        const char* const comma = whole ? "" : ",";
        if (part.kind == Kind::Struct || part.kind == Kind::Array) {
            const bool isArray = part.kind == Kind::Array;
            line(label + (isArray ? " [" : " {"));
            m_open.push_back(std::string(isArray ? "]" : "}") + comma);
            ++m_depth;
            if (isArray)
                elements(at, shift);
            else
                for (auto member = at + 1; member < partAfter(m_parts, at) && show(member, shift, m_parts[member].name);
                     member = partAfter(m_parts, member)) { }
            --m_depth;
            if (isArray && !m_ended) close(m_depth);
            return !m_ended;
        }
        const auto word = bitsOf(m_bytes, bitOffset, part.bits);
        line(label + (word ? quoted(part, partText(part, *word)) : std::string("...")) + comma);
        return true;
    }

    void elements(std::size_t at, std::uint64_t shift)
    {
        if (at + 1 >= m_parts.size() || m_parts[at].count == 0) return;
        const auto& element = m_parts[at + 1];
        if (element.bits == 0) return; // as many as there are would show nothing
        for (std::uint64_t i = 0; i < m_parts[at].count; ++i) {
            const auto further = shift + i * element.bits;
            // Text ends at its NUL.
            if (element.kind == Kind::Char && isZero(element.bitOffset + further, element.bits)) return;
            if (!show(at + 1, further, {})) return;
        }
    }

    const Layout& m_parts;
    ByteView m_bytes;
    std::size_t m_most;
    std::string m_out;
    std::vector<std::string> m_open; ///< what ends them
    std::size_t m_depth = 0;
    bool m_ended = false;
};
} // namespace

std::string objectText(const record::Action& action, ByteView payload, std::size_t most)
{
    if (action.fields.size() < 2) return {};
    const auto address = static_cast<std::uint64_t>(record::integerOf(action.fields[0], payload));
    return formatted("0x%" PRIx64 " = *\n", address) + ObjectText(action.layout, partOf(action.fields[1], payload), most).text();
}
} // namespace dscope::format
