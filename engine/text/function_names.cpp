#include "engine/text/function_names.h"
#include "engine/demangle/brackets.h"
#include "engine/demangle/declaration.h"
#include "engine/demangle/demangle.h"
#include "engine/text/words.h"
#include <algorithm>
#include <array>
#include <charconv>
namespace dscope::text {
namespace {
using demangle::endsWithWord;
using demangle::isWord;
constexpr auto kNone = std::string_view::npos;

/// A number that all of `digits` are.
template <typename T> std::optional<T> numberIn(std::string_view digits, int base)
{
    T value = 0;
    const auto* const end = digits.data() + digits.size();
    const auto read = std::from_chars(digits.data(), end, value, base);
    return read.ec == std::errc() && read.ptr == end ? std::optional(value) : std::nullopt;
}

/// Takes "_[k]" off the end. Source: FlameGraph's stackcollapse-perf.pl, options --kernel and --jit
void takeMark(std::string_view& s, FunctionName& to)
{
    if (s.size() < 5 || !s.ends_with(']') || s.substr(s.size() - 4, 2) != "_[") return;
    switch (s[s.size() - 2]) {
    case 'k': to.kind = record::Frame::Kind::Kernel; break;
    case 'j': to.kind = record::Frame::Kind::Jit; break;
    case 'i': to.inlined = true; break;
    default: return;
    }
    s.remove_suffix(4);
}

/// Takes "(mix.c:31)" and what is before it off the end, where `isPlace` says that it is one.
template <typename F> void takePlace(std::string_view& s, std::string_view before, FunctionName& to, F isPlace)
{
    const auto open = s.ends_with(')') ? s.rfind(before) : kNone;
    if (open == kNone || open == 0) return;
    const auto place = s.substr(open + before.size(), s.size() - open - before.size() - 1);
    const auto colon = place.rfind(':');
    if (colon == kNone || !isDigits(place.substr(colon + 1)) || !isPlace(place.substr(0, colon))) return;
    to.file = place.substr(0, colon);
    to.line = numberIn<std::uint32_t>(place.substr(colon + 1), 10).value_or(0);
    s = s.substr(0, open);
}

/// Takes "+0x1c" off the end. The last "+" may be an operator's: "libstdc++.so.6`0xd44a3", "A::operator+".
void takeOffset(std::string_view& s, NameHints::Offset spelling, FunctionName& to)
{
    const bool isHexadecimal = spelling == NameHints::Offset::Hexadecimal;
    const std::string_view sign = isHexadecimal ? "+0x" : "+";
    const auto plus = spelling == NameHints::Offset::None ? kNone : s.rfind(sign);
    if (plus == kNone || plus == 0) return;
    const auto offset = numberIn<std::uint64_t>(s.substr(plus + sign.size()), isHexadecimal ? 16 : 10);
    if (!offset) return;
    to.offset = offset;
    s = s.substr(0, plus);
}

/// Takes "libc.so.6`" off the beginning. A quote at the beginning is Microsoft's: "`anonymous namespace'::f".
void takeModule(std::string_view& s, FunctionName& to)
{
    const auto tick = s.find('`');
    if (tick == kNone || tick == 0 || s.substr(0, tick).find_first_of("(<") != kNone) return;
    to.module = s.substr(0, tick);
    s.remove_prefix(tick + 1);
}

/// Behind the type that begins at `at`: "I", "[[J", "Ljava/lang/String;", "V". `at`: none does.
std::size_t behindJavaType(std::string_view s, std::size_t at)
{
    const auto type = s.find_first_not_of('[', at);
    if (type == kNone) return at;
    if (s[type] != 'L') return std::string_view("BCDFIJSVZ").find(s[type]) == kNone ? at : type + 1;
    const auto end = s.find_first_of(";()", type);
    return end != kNone && s.substr(end).starts_with(";") ? end + 1 : at;
}

/// Behind "(ILjava/lang/String;)V", where `s` begins with it; else 0.
/// Source: The Java Virtual Machine Specification, 4.3.3
std::size_t behindJavaSignature(std::string_view s)
{
    std::size_t at = 1;
    while (at < s.size() && s[at] != ')') {
        const auto behind = behindJavaType(s, at);
        if (behind == at) return 0;
        at = behind;
    }
    if (at >= s.size()) return 0;
    const auto behind = behindJavaType(s, at + 1);
    return behind == at + 1 ? 0 : behind;
}

/// Without its signature a method as the virtual machine of Java spells it: "La/Outer;::run(I)V", "a.Outer::<init>", with a place
/// behind it if there is one: "a.Outer::run(Outer.java:12)". Nothing where it is no such name: "outer(int)::Local::run".
std::optional<std::string_view> javaMethod(std::string_view s)
{
    if (s.empty() || !isWord(s.front()) || endsWithWord(s, "operator")) return {};
    const auto name = s.substr(0, s.find('('));
    constexpr std::array<std::string_view, 2> kConstructors{"<init>", "<clinit>"};
    for (std::size_t i = 0; i < name.size(); ++i) {
        const auto known
            = std::find_if(kConstructors.begin(), kConstructors.end(), [&](auto each) { return name.substr(i).starts_with(each); });
        if (known != kConstructors.end())
            i += known->size() - 1;
        else if (!isWord(name[i]) && std::string_view("./;:-[").find(name[i]) == kNone)
            return {};
    }
    if (name.size() == s.size()) return name;

    const auto behind = name.size() + behindJavaSignature(s.substr(name.size()));
    if (behind == s.size()) return name;
    const bool endsInPlace = s[behind] == '(' && s.find_first_of("()", behind + 1) == s.size() - 1 && s.ends_with(')');
    return endsInPlace ? std::optional(s) : std::nullopt;
}

/// The methods of "outer->inner", each as it is; `function` alone where it is no chain of them.
std::vector<std::string_view> javaParts(std::string_view function)
{
    std::vector<std::string_view> parts;
    for (std::string_view rest = function;;) {
        const auto end = rest.find("->");
        if (!javaMethod(rest.substr(0, end))) return {function};
        parts.push_back(rest.substr(0, end));
        if (end == kNone) return parts;
        rest.remove_prefix(end + 2);
    }
}

/// "Ljava/lang/String;::indexOf(I)I", "a.Outer::run(Outer.java:12)": a method as virtual machines of Java write it.
bool takeJavaMethod(std::string_view& s, FunctionName& to)
{
    constexpr std::array<std::string_view, 5> kEnds{".java", ".kt", ".scala", ".groovy", ".clj"};
    if (s.find('(') == kNone) return false;
    const auto whole = s;
    takePlace(
        s, "(", to, [&](auto file) { return std::any_of(kEnds.begin(), kEnds.end(), [&](auto end) { return file.ends_with(end); }); });
    const auto method = javaMethod(s);
    if (!method || method->size() == s.size()) return s.size() < whole.size();
    to.descriptor = s.substr(method->size());
    s = *method;
    return true;
}

/// Without the hash that rustc ends its legacy symbols with: "app::run::h0123456789abcdef", where a demangler of C++ read them.
std::string_view withoutHash(std::string_view s)
{
    constexpr std::string_view kHash = "::h";
    constexpr std::size_t kDigits = 16, kSize = kHash.size() + kDigits;
    const bool is
        = s.size() > kSize && s.substr(s.size() - kSize).starts_with(kHash) && s.find_first_not_of(kHexDigits, s.size() - kDigits) == kNone;
    return is ? s.substr(0, s.size() - kSize) : s;
}

/// As rustc's demangler spells names: without which crate of a name it is ("app[3c1c0]::run"), as GNU's tells when asked for all, and with
/// the arrows that perf leaves as rustc encoded them ("<fn(i32) .> i32 as Tr>::go").
/// Source: rustc compiler/rustc_symbol_mangling/src/legacy.rs, which writes "." for "-"
std::string asRustSpells(std::string name)
{
    constexpr std::string_view kArrow = ") .> ", kEnd = "]::";
    for (auto at = name.find(kArrow); at != std::string::npos; at = name.find(kArrow, at + 1))
        name[at + 2] = '-';
    std::string shown;
    std::size_t from = 0;
    for (auto end = name.find(kEnd); end != std::string::npos; end = name.find(kEnd, end + 1)) {
        auto digits = end;
        while (digits > from && kHexDigits.find(name[digits - 1]) != kNone)
            --digits;
        const bool isHash = digits < end && digits > from + 1 && name[digits - 1] == '[' && isWord(name[digits - 2]);
        if (!isHash) continue;
        shown.append(name, from, digits - 1 - from);
        from = end + 1;
    }
    return shown.append(name, from);
}

/// Mangled, as far as it is certain. Symbols of macOS have one more underscore.
std::optional<demangle::Declaration> demangled(std::string_view symbol)
{
    if (symbol.size() < 4 || symbol[0] != '_') return {};
    if (symbol[1] == '_') symbol.remove_prefix(1);
    if (symbol[1] != 'Z' && symbol[1] != 'R' && symbol[1] != 'D') return {};
    return demangle::demangledDeclaration(symbol);
}

void readName(std::string_view s, FunctionName& to)
{
    auto is = demangled(s);
    if (!is && takeJavaMethod(s, to)) {
        to.name = s;
        return;
    }
    if (!is) {
        is = demangle::declarationOf(withoutHash(s));
        is->name = asRustSpells(std::move(is->name));
    }
    to.name = std::move(is->name);
    to.clone = std::move(is->clone);
}

/// Reads what stands around the name, which is left.
std::string_view takeName(std::string_view s, NameHints hints, FunctionName& to)
{
    s = trimmed(s);
    if (hints.hasMark) takeMark(s, to);
    constexpr std::string_view kInlined = " (inlined)";
    if (hints.hasPlace && s.ends_with(kInlined)) {
        to.inlined = true;
        s.remove_suffix(kInlined.size());
    }
    if (hints.hasPlace) takePlace(s, " (", to, [](auto) { return true; });
    takeOffset(s, hints.offset, to);
    if (hints.hasModule) takeModule(s, to);
    return s;
}
} // namespace

FunctionName readFunctionName(std::string_view printed, NameHints hints)
{
    FunctionName is;
    readName(takeName(printed, hints, is), is);
    return is;
}

std::vector<FunctionName> readFunctionNames(std::string_view printed, NameHints hints)
{
    FunctionName around;
    const auto all = takeName(printed, hints, around);
    std::vector<FunctionName> names;
    for (const auto part : javaParts(all)) {
        auto& is = names.emplace_back(around);
        readName(part, is);
        around.inlined = true;
        around.offset.reset();
    }
    return names;
}

void OverloadedMethods::add(std::string_view name, std::string_view descriptor)
{
    if (descriptor.empty()) return;
    const auto [method, isNew] = m_methods.try_emplace(std::string(name));
    if (isNew) method->second.descriptor = descriptor;
    if (method->second.descriptor != descriptor) method->second.hasOthers = true;
}

bool OverloadedMethods::has(std::string_view name) const
{
    const auto method = m_methods.find(std::string(name));
    return method != m_methods.end() && method->second.hasOthers;
}

std::string_view withoutParameters(std::string_view function)
{
    const auto name = demangle::declarationOf(function).name;
    const auto at = function.find(name);
    return at == kNone ? function : function.substr(at, name.size());
}

std::string_view withoutArguments(std::string_view frame)
{
    const demangle::Brackets brackets(frame);
    for (const auto blank : brackets.blanks)
        if (frame.substr(blank).starts_with(" (") && blank > 0) return withoutParameters(trimmed(frame.substr(0, blank)));
    return withoutParameters(trimmed(frame));
}

/// Called for each line of a stack: it makes no FunctionName.
std::string_view withoutOffset(std::string_view function)
{
    constexpr std::string_view kSign = "+0x", kOfNumber = "0123456789abcdefABCDEF";
    constexpr std::size_t kMostDigits = 16;
    auto digits = function.size();
    while (digits > 0 && kOfNumber.find(function[digits - 1]) != kNone)
        --digits;
    const bool isOffset = digits < function.size() && function.size() - digits <= kMostDigits && digits > kSign.size()
        && function.substr(digits - kSign.size(), kSign.size()) == kSign;
    return isOffset ? function.substr(0, digits - kSign.size()) : function;
}

std::vector<JavaMethod> javaMethods(std::string_view function)
{
    std::vector<JavaMethod> out;
    for (const auto part : javaParts(function)) {
        const auto name = javaMethod(part).value_or(part);
        out.push_back({name, part.substr(name.size())});
    }
    return out;
}
} // namespace dscope::text
