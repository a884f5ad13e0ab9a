#include "engine/bpf/encode.h"
#include "engine/bpf/mnemonics.h"
#include "engine/bpf/opcode.h"
#include <charconv>
#include <limits>
#include <map>
#include <optional>
namespace dscope::bpf {
namespace {
using namespace opcode;
using Words = std::vector<std::string_view>;

/// Words of a line, without its comment; commas are blanks.
Words split(std::string_view line)
{
    Words words;
    line = line.substr(0, line.find('#'));
    constexpr std::string_view kBlank = " \t\r,";
    for (auto at = line.find_first_not_of(kBlank); at != line.npos; at = line.find_first_not_of(kBlank, at)) {
        const auto end = std::min(line.find_first_of(kBlank, at), line.size());
        words.push_back(line.substr(at, end - at));
        at = end;
    }
    return words;
}
std::optional<std::uint8_t> reg(std::string_view t)
{
    if (t == "%fp") return std::uint8_t{10};
    if (t.size() < 3 || !t.starts_with("%r")) return {};
    unsigned n = 0;
    const auto [end, ec] = std::from_chars(t.data() + 2, t.data() + t.size(), n);
    if (ec != std::errc{} || end != t.data() + t.size() || n > 10) return {};
    return static_cast<std::uint8_t>(n);
}
/// Decimal or 0x, with a sign or without; modulo 2^64.
std::optional<std::uint64_t> number(std::string_view t)
{
    const bool minus = t.starts_with('-');
    if (minus || t.starts_with('+')) t.remove_prefix(1);
    int base = 10;
    if (t.starts_with("0x")) {
        base = 16;
        t.remove_prefix(2);
    }
    std::uint64_t value = 0;
    const auto [end, ec] = std::from_chars(t.data(), t.data() + t.size(), value, base);
    if (t.empty() || ec != std::errc{} || end != t.data() + t.size()) return {};
    return minus ? 0 - value : value;
}
/// A signed number of type T; an unsigned one of its width is taken for its bits (0xffffffff is -1).
template <typename T> std::optional<T> integer(std::string_view t)
{
    const auto value = number(t);
    if (!value) return {};
    const auto wide = static_cast<std::int64_t>(*value);
    if (wide < std::numeric_limits<T>::min() || wide > std::int64_t{std::numeric_limits<std::make_unsigned_t<T>>::max()}) return {};
    return static_cast<T>(wide);
}
bool is(std::string_view word, std::string_view stem) { return word.starts_with(stem); }

/// One line's instruction. Each form is a member that gives false where the line is not of its form.
class Line {
public:
    explicit Line(const Words& words) : m_words(words) { }
    struct Target {
        std::string_view label;
        bool inImm = false;
    };
    Slot slot{};
    std::optional<std::int32_t> second; ///< imm of ld_imm64's other slot
    std::optional<Target> target;       ///< a label to resolve

    bool parse()
    {
        const auto m = m_words[0];
        if (m == "exit") return opcode(kReturn) && count(1);
        if (m == ".slot") return raw();
        if (m == "ja") return opcode(kGoto) && count(2) && jumpTo(m_words[1], Place::Offset);
        if (m == "ja32") return opcode(kGotoLong) && count(2) && jumpTo(m_words[1], Place::Immediate);
        if (m == "call") return call();
        if (m == "lddw") return loadImmediate();
        if (m == "lock") return atomic();
        if (is(m, "ldx")) return load(m.substr(3));
        if (is(m, "stx")) return store(kStx, m.substr(3));
        if (is(m, "st")) return store(kSt, m.substr(2));
        return byteOrder() || conditional() || arithmetic();
    }

private:
    bool count(std::size_t n) const { return m_words.size() == n; }

    bool opcode(unsigned code)
    {
        slot.opcode = static_cast<std::uint8_t>(code);
        return true;
    }

    bool dst(std::string_view t)
    {
        const auto r = reg(t);
        if (r) slot.dst = *r & 15;
        return r.has_value();
    }

    bool src(std::string_view t)
    {
        const auto r = reg(t);
        if (r) slot.src = *r & 15;
        return r.has_value();
    }

    bool imm(std::string_view t)
    {
        const auto n = integer<std::int32_t>(t);
        if (n) slot.imm = *n;
        return n.has_value();
    }

    bool offset(std::string_view t)
    {
        const auto n = integer<std::int16_t>(t);
        if (n) slot.offset = *n;
        return n.has_value();
    }

    bool operand(std::string_view t)
    {
        if (!src(t)) return imm(t);
        slot.opcode |= kX;
        return true;
    }

    enum class Place : std::uint8_t { Offset, Immediate };

    bool jumpTo(std::string_view t, Place in)
    {
        if (t.starts_with('+') || t.starts_with('-')) return in == Place::Immediate ? imm(t) : offset(t);
        target = Target{t, in == Place::Immediate};
        return true;
    }

    /// "[%r1+8]"
    enum class Base : std::uint8_t { Destination, Source };

    bool memory(std::string_view t, Base base)
    {
        if (t.size() < 3 || t.front() != '[' || t.back() != ']') return false;
        t = t.substr(1, t.size() - 2);
        const auto cut = std::min(t.find_first_of("+-"), t.size());
        if (!(base == Base::Destination ? dst(t.substr(0, cut)) : src(t.substr(0, cut)))) return false;
        return cut == t.size() || offset(t.substr(cut));
    }

    bool raw()
    {
        if (!count(6)) return false;
        const auto code = integer<std::int16_t>(m_words[1]), to = integer<std::int16_t>(m_words[2]),
                   from = integer<std::int16_t>(m_words[3]);
        if (!code || !to || !from || *code < 0 || *code > 255 || *to < 0 || *to > 15 || *from < 0 || *from > 15) return false;
        opcode(static_cast<unsigned>(*code));
        slot.dst = static_cast<std::uint8_t>(*to) & 15;
        slot.src = static_cast<std::uint8_t>(*from) & 15;
        return offset(m_words[4]) && imm(m_words[5]);
    }

    bool call()
    {
        if (count(3) && m_words[1] == "local") {
            slot.src = kPseudoCall;
            return opcode(kCallHelper) && jumpTo(m_words[2], Place::Immediate);
        }
        if (!count(2)) return false;
        if (dst(m_words[1])) return opcode(kCallRegister);
        return opcode(kCallHelper) && imm(m_words[1]);
    }

    bool loadImmediate()
    {
        opcode(kLoadImm64);
        if (m_words.size() < 3 || !dst(m_words[1])) return false;
        second = 0;
        if (count(3)) {
            const auto n = number(m_words[2]);
            if (!n) return false;
            slot.imm = static_cast<std::int32_t>(*n);
            second = static_cast<std::int32_t>(*n >> 32);
            return true;
        }

        if (!count(4)) return false;
        const auto what = m_words[2], which = m_words[3];
        if (what == "map") {
            slot.src = kPseudoMapFd;
            return imm(which);
        }

        if (what == "function") {
            slot.src = kPseudoFunc;
            return jumpTo(which, Place::Immediate);
        }

        const auto plus = which.find('+');
        if (what != "value" || plus == which.npos) return false;
        slot.src = kPseudoMapValue;
        second = integer<std::int32_t>(which.substr(plus + 1));
        return second && imm(which.substr(0, plus));
    }

    bool atomic()
    {
        std::size_t at = 1;
        if (m_words.size() > 2 && m_words[1] == "fetch") {
            slot.imm = kFetch;
            at = 2;
        }
        if (!count(at + 3)) return false;
        auto name = m_words[at];
        const bool narrow = name.ends_with("32");
        if (narrow) name.remove_suffix(2);
        const auto operation = mnemonics::find(mnemonics::kAtomics, name);
        if (!operation || !memory(m_words[at + 1], Base::Destination) || !src(m_words[at + 2])) return false;
        slot.imm |= static_cast<std::int32_t>(*operation << 4) | (name.ends_with("xchg") ? kFetch : 0);
        return opcode(unsigned{kStx} | opcode::kAtomic | (narrow ? kW : kDw));
    }

    bool load(std::string_view size)
    {
        const bool extends = is(size, "s");
        const auto bits = mnemonics::find(mnemonics::kSizes, size.substr(extends ? 1 : 0));
        if (!bits || !count(3)) return false;
        opcode(unsigned{kLdx} | (extends ? kMemsx : kMem) | *bits << 3);
        return dst(m_words[1]) && memory(m_words[2], Base::Source);
    }

    bool store(std::uint8_t cls, std::string_view size)
    {
        const auto bits = mnemonics::find(mnemonics::kSizes, size);
        if (!bits || !count(3)) return false;
        opcode(unsigned{cls} | kMem | *bits << 3);
        return memory(m_words[1], Base::Destination) && (cls == kStx ? src(m_words[2]) : imm(m_words[2]));
    }

    bool byteOrder()
    {
        struct Form {
            std::string_view stem;
            unsigned code;
        };
        static constexpr Form kForms[]{{"be", unsigned{kAlu} | kEnd | kToBe}, {"le", unsigned{kAlu} | kEnd | kToLe},
            {"bswap", unsigned{kAlu64} | kEnd}, {"swap", unsigned{kAlu64} | kEnd}};
        if (!count(2)) return false;
        for (const auto& form : kForms) {
            if (!is(m_words[0], form.stem)) continue;
            const auto bits = m_words[0].substr(form.stem.size());
            return (bits == "16" || bits == "32" || bits == "64") && opcode(form.code) && dst(m_words[1]) && imm(bits);
        }
        return false;
    }

    /// The word without "32" or "64"; `narrow` when it was "32".
    std::string_view stem(bool& narrow) const
    {
        auto m = m_words[0];
        narrow = m.ends_with("32");
        if (narrow || m.ends_with("64")) m.remove_suffix(2);
        return m;
    }

    bool conditional()
    {
        bool narrow = false;
        const auto operation = mnemonics::find(mnemonics::kJumps, stem(narrow));
        if (!operation || !count(4)) return false;
        opcode(*operation << 4 | (narrow ? kJmp32 : kJmp));
        return dst(m_words[1]) && operand(m_words[2]) && jumpTo(m_words[3], Place::Offset);
    }

    bool arithmetic()
    {
        bool narrow = false;
        auto name = stem(narrow);
        if (is(name, "movsx")) {
            if (!offset(name.substr(5)) || !count(3) || !opcode(unsigned{kMov} | kX | (narrow ? kAlu : kAlu64))) return false;
            return (slot.offset == 8 || slot.offset == 16 || (slot.offset == 32 && !narrow)) && dst(m_words[1]) && src(m_words[2]);
        }
        if (name == "sdiv" || name == "smod") {
            slot.offset = 1;
            name.remove_prefix(1);
        }
        const auto operation = mnemonics::find(mnemonics::kArithmetic, name);
        if (!operation) return false;
        opcode(*operation << 4 | (narrow ? kAlu : kAlu64));
        if (name == "neg") return count(2) && dst(m_words[1]);
        return count(3) && dst(m_words[1]) && operand(m_words[2]);
    }

    const Words& m_words;
};
} // namespace

Result<std::vector<Slot>> assemble(std::string_view text)
{
    struct Use {
        std::size_t slot, line;
        Line::Target target;
    };

    std::vector<Slot> slots;
    std::map<std::string_view, std::size_t> labels;
    std::vector<Use> uses;
    std::size_t last = 0, lineNumber = 0;
    auto bad = [&](std::size_t line, std::string what) { return Error{0, "line " + std::to_string(line) + ": " + std::move(what)}; };
    while (!text.empty()) {
        const auto end = std::min(text.find('\n'), text.size());
        const auto line = text.substr(0, end);
        text.remove_prefix(std::min(end + 1, text.size()));
        ++lineNumber;
        auto words = split(line);
        if (!words.empty() && words[0].ends_with(':')) {
            labels[words[0].substr(0, words[0].size() - 1)] = slots.size();
            words.erase(words.begin());
        }
        if (words.empty()) continue;
        Line parsed(words);
        if (!parsed.parse()) return bad(lineNumber, "no instruction: " + std::string(line));
        last = slots.size();
        if (parsed.target) uses.push_back({last, lineNumber, *parsed.target});
        slots.push_back(parsed.slot);
        if (parsed.second) {
            Slot high{};
            high.imm = *parsed.second;
            slots.push_back(high);
        }
    }

    labels.emplace("exit", last);
    for (const auto& use : uses) {
        const auto bound = labels.find(use.target.label);
        if (bound == labels.end()) return bad(use.line, "unknown label " + std::string(use.target.label));
        const auto distance = static_cast<std::int64_t>(bound->second) - static_cast<std::int64_t>(use.slot) - 1;
        if (use.target.inImm)
            slots[use.slot].imm = static_cast<std::int32_t>(distance);
        else if (distance < std::numeric_limits<std::int16_t>::min() || distance > std::numeric_limits<std::int16_t>::max())
            return bad(use.line, "jump too long");
        else
            slots[use.slot].offset = static_cast<std::int16_t>(distance);
    }
    return slots;
}
} // namespace dscope::bpf
