#include "engine/symbols/operand.h"
#include <array>
#include <charconv>
namespace dscope::symbols {
namespace {
struct Register {
    std::string_view name;
    int word = 0, size = 8, shift = 0;
};
/// "%eax": the word of struct pt_regs it is in, and which bits. Source: arch/x86/include/asm/ptrace.h.
std::optional<Register> registerOf(std::string_view name)
{
    struct Family {
        std::string_view r64, r32, r16, r8;
        int word;
    };

    static constexpr std::array<Family, 9> kNamed{{{"rax", "eax", "ax", "al", 10}, {"rbx", "ebx", "bx", "bl", 5},
        {"rcx", "ecx", "cx", "cl", 11}, {"rdx", "edx", "dx", "dl", 12}, {"rsi", "esi", "si", "sil", 13}, {"rdi", "edi", "di", "dil", 14},
        {"rbp", "ebp", "bp", "bpl", 4}, {"rsp", "esp", "sp", "spl", 19}, {"rip", "eip", "ip", "", 16}}};
    for (const auto& f : kNamed) {
        if (name == f.r64) return Register{name, f.word, 8, 0};
        if (name == f.r32) return Register{name, f.word, 4, 0};
        if (name == f.r16) return Register{name, f.word, 2, 0};
        if (!f.r8.empty() && name == f.r8) return Register{name, f.word, 1, 0};
    }

    static constexpr std::array<std::string_view, 4> kHigh{"ah", "bh", "ch", "dh"};
    static constexpr std::array<int, 4> kHighWords{10, 5, 11, 12};
    for (std::size_t i = 0; i < kHigh.size(); ++i)
        if (name == kHigh[i]) return Register{name, kHighWords[i], 1, 8};
    if (name.size() < 2 || name[0] != 'r') return {};
    int number = 0;
    const auto [end, error] = std::from_chars(name.data() + 1, name.data() + name.size(), number);
    if (error != std::errc{} || number < 8 || number > 15) return {};
    const std::string_view suffix(end, static_cast<std::size_t>(name.data() + name.size() - end));
    static constexpr std::array<int, 8> kWords{9, 8, 7, 6, 3, 2, 1, 0};
    const int size = suffix.empty() ? 8 : suffix == "d" ? 4 : suffix == "w" ? 2 : suffix == "b" ? 1 : 0;
    if (size == 0) return {};
    return Register{name, kWords[static_cast<std::size_t>(number - 8)], size, 0};
}
std::string raw(int word) { return "raw[" + std::to_string(word) + "]"; }
std::optional<std::int64_t> number(std::string_view text)
{
    bool negative = false;
    if (text.starts_with('-') || text.starts_with('+')) {
        negative = text[0] == '-';
        text.remove_prefix(1);
    }
    int base = 10;
    if (text.starts_with("0x")) {
        base = 16;
        text.remove_prefix(2);
    }
    std::uint64_t value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value, base);
    if (error != std::errc{} || end != text.data() + text.size()) return {};
    return static_cast<std::int64_t>(negative ? 0 - value : value);
}

/// What precedes the parenthesis: a number, a symbol, or both added.
std::optional<std::int64_t> displacement(std::string_view text, const SymbolAddress& symbol, bool& absolute)
{
    if (text.empty()) return 0;
    if (const auto plain = number(text)) return plain;
    std::int64_t sum = 0;
    while (!text.empty()) {
        const auto end = std::min(text.find_first_of("+-", 1), text.size());
        auto part = text.substr(0, end);
        text.remove_prefix(end);
        if (const auto plain = number(part)) {
            sum += *plain;
            continue;
        }
        if (part.starts_with('+')) part.remove_prefix(1);
        const auto at = symbol(part);
        if (!at) return {};
        absolute = true;
        sum += static_cast<std::int64_t>(*at);
    }
    return sum;
}

/// "disp(base,index,scale)" as the address it means.
std::optional<std::string> addressOf(std::string_view text, const SymbolAddress& symbol)
{
    const auto open = text.find('(');
    bool absolute = false;
    const auto offset = displacement(text.substr(0, std::min(open, text.size())), symbol, absolute);
    if (!offset) return {};
    std::string out = std::to_string(static_cast<std::uint64_t>(*offset)) + "UL";
    if (open == text.npos) return out;
    if (!text.ends_with(')')) return {};
    auto inside = text.substr(open + 1, text.size() - open - 2);
    std::array<std::string_view, 3> parts;
    for (auto& part : parts) {
        const auto comma = std::min(inside.find(','), inside.size());
        part = inside.substr(0, comma);
        inside.remove_prefix(std::min(comma + 1, inside.size()));
    }

    for (std::size_t i = 0; i < 2; ++i) {
        if (parts[i].empty()) continue;
        const auto reg = parts[i].starts_with('%') ? registerOf(parts[i].substr(1)) : std::nullopt;
        if (!reg || reg->size != 8) return {};
        // The linker has turned symbol(%rip) into a distance; the instruction holds only that.
        if (reg->name == "rip" && absolute) continue;
        const auto scale = i == 1 && !parts[2].empty() ? number(parts[2]) : std::optional<std::int64_t>(1);
        if (!scale) return {};
        out += " + " + raw(reg->word) + (*scale == 1 ? "" : " * " + std::to_string(*scale));
    }
    return out;
}

std::string typeName(const Operand& o) { return (o.isSigned ? "int" : "uint") + std::to_string(8 * o.size) + "_t"; }

/// Operands as they are written for aarch64: `x19`, `w0`, `-3`, `[sp, 12]`, `[x29, x1, lsl 3]`, `[x0, w1, sxtw 2]`.
/// Source: struct user_pt_regs in arch/arm64/include/uapi/asm/ptrace.h; GCC's config/aarch64, aarch64_print_address_internal().
namespace aarch64 {
std::optional<Register> registerOf(std::string_view name)
{
    if (name == "sp" || name == "wsp") return Register{name, 31, name == "sp" ? 8 : 4, 0};
    if (name == "xzr" || name == "wzr") return Register{name, -1, 8, 0};
    if (name.size() < 2 || (name[0] != 'x' && name[0] != 'w')) return {};
    int number = 0;
    const auto [end, error] = std::from_chars(name.data() + 1, name.data() + name.size(), number);
    if (error != std::errc{} || end != name.data() + name.size() || number < 0 || number > 30) return {};
    return Register{name, number, name[0] == 'x' ? 8 : 4, 0};
}
std::string wordOf(const Register& reg) { return reg.word < 0 ? "0" : raw(reg.word); }
std::string_view trimmed(std::string_view text)
{
    while (text.starts_with(' '))
        text.remove_prefix(1);
    while (text.ends_with(' '))
        text.remove_suffix(1);
    return text;
}

/// "[base, offset]", "[base, index, how amount]" as the address it means.
std::optional<std::string> addressOf(std::string_view text)
{
    if (!text.ends_with(']')) return {};
    auto inside = text.substr(1, text.size() - 2);
    std::array<std::string_view, 3> parts;
    for (auto& part : parts) {
        const auto comma = std::min(inside.find(','), inside.size());
        part = trimmed(inside.substr(0, comma));
        inside.remove_prefix(std::min(comma + 1, inside.size()));
    }

    const auto base = registerOf(parts[0]);
    if (!base || base->size != 8 || !inside.empty()) return {};
    auto out = wordOf(*base);
    if (parts[1].empty()) return out;

    auto plain = parts[1];
    if (plain.starts_with('#')) plain.remove_prefix(1);
    if (const auto offset = number(plain)) {
        if (!parts[2].empty()) return {};
        return out + " + " + std::to_string(static_cast<std::uint64_t>(*offset)) + "UL";
    }

    const auto index = registerOf(parts[1]);
    if (!index) return {};
    const auto blank = std::min(parts[2].find(' '), parts[2].size());
    const auto how = parts[2].substr(0, blank);
    auto by = trimmed(parts[2].substr(blank));
    if (by.starts_with('#')) by.remove_prefix(1);
    const auto amount = by.empty() ? std::optional<std::int64_t>(0) : number(by);
    if (!amount || *amount < 0 || *amount > 4) return {};
    const auto scaled = " * " + std::to_string(1 << *amount);
    if (index->size == 8 && (how.empty() || how == "lsl" || how == "sxtx")) return out + " + " + wordOf(*index) + scaled;
    if (index->size == 4 && how == "sxtw") return out + " + (int64_t)(int32_t)" + wordOf(*index) + scaled;
    if (index->size == 4 && how == "uxtw") return out + " + (uint64_t)(uint32_t)" + wordOf(*index) + scaled;
    return {};
}

std::string valueOf(const Operand& o, std::string_view text)
{
    if (text.starts_with('[')) {
        const auto address = addressOf(text);
        return address ? "*(userland " + typeName(o) + " *)(" + *address + ")" : std::string();
    }
    if (const auto reg = registerOf(text)) return "(" + typeName(o) + ")" + wordOf(*reg);
    if (text.starts_with('#')) text.remove_prefix(1);
    const auto constant = number(text);
    return constant ? "(" + typeName(o) + ")" + std::to_string(static_cast<std::uint64_t>(*constant)) + "UL" : std::string();
}
} // namespace aarch64

std::string valueOf(const Operand& o, std::string_view text, const SymbolAddress& symbol)
{
    if (text.starts_with('$')) {
        const auto constant = number(text.substr(1));
        return constant ? "(" + typeName(o) + ")" + std::to_string(static_cast<std::uint64_t>(*constant)) + "UL" : std::string();
    }
    if (text.starts_with('%')) {
        const auto reg = registerOf(text.substr(1));
        if (!reg) return {};
        return "(" + typeName(o) + ")" + (reg->shift ? "(" + raw(reg->word) + " >> 8)" : raw(reg->word));
    }
    const auto address = addressOf(text, symbol);
    return address ? "*(userland " + typeName(o) + " *)(" + *address + ")" : std::string();
}
} // namespace

std::vector<Operand> operandsOf(std::string_view arguments, const SymbolAddress& symbol, OperandsOf processor)
{
    std::vector<Operand> out;
    while (!arguments.empty()) {
        // A blank ends one, but for those within brackets.
        auto end = std::min(arguments.find(' '), arguments.size());
        if (const auto open = arguments.find('['); open < end)
            end = std::min(arguments.find(' ', arguments.find(']', open)), arguments.size());
        auto one = arguments.substr(0, end);
        arguments.remove_prefix(std::min(end + 1, arguments.size()));
        if (one.empty()) continue;
        Operand operand;
        if (const auto at = one.find('@'); at != one.npos) {
            auto size = one.substr(0, at);
            one.remove_prefix(at + 1);
            operand.isSigned = size.starts_with('-');
            if (operand.isSigned) size.remove_prefix(1);
            const bool floating = size.ends_with('f'); // its bits are handed over
            if (floating) size.remove_suffix(1);
            const auto bytes = number(size).value_or(8);
            operand.size = bytes == 1 || bytes == 2 || bytes == 4 ? static_cast<int>(bytes) : 8;
        }
        operand.value = processor == OperandsOf::Aarch64 ? aarch64::valueOf(operand, one) : valueOf(operand, one, symbol);
        out.push_back(std::move(operand));
    }
    return out;
}
} // namespace dscope::symbols
