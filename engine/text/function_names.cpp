#include "engine/text/function_names.h"
#include "engine/text/words.h"
#include <algorithm>
#include <array>
#include <optional>
namespace dscope::text {
namespace {
constexpr auto kNone = std::string_view::npos;
bool isWord(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '$'
        || static_cast<unsigned char>(c) >= 0x80;
}
bool endsWithWord(std::string_view text, std::string_view word)
{
    return text.ends_with(word) && (text.size() == word.size() || !isWord(text[text.size() - word.size() - 1]));
}

/// What compilers put behind the parameters: "const", "&", "[clone .cold]", "[abi:cxx11]", LLVM's " (.cold)".
std::string_view withoutQualifiers(std::string_view s)
{
    constexpr std::array<std::string_view, 5> kQualifiers{" const", " volatile", " noexcept", " &&", " &"};
    for (;;) {
        const auto size = s.size();
        for (const auto qualifier : kQualifiers)
            if (s.ends_with(qualifier)) s.remove_suffix(qualifier.size());
        if (const auto open = s.rfind('['); open != kNone && s.ends_with(']')) {
            const auto before = trimmed(s.substr(0, open));
            if (before.ends_with(')') || before.ends_with(']') || s.substr(open).starts_with("[clone .")) s = before;
        }
        if (const auto open = s.rfind(" (."); open != kNone && s.find(')', open) == s.size() - 1) s = s.substr(0, open);
        if (s.size() == size) return s;
    }
}

/// Where the parenthesis opens that the text's last character closes.
std::size_t lastList(std::string_view s)
{
    int depth = 0;
    for (auto i = s.size(); i-- > 0;) {
        if (s[i] == ')') ++depth;
        if (s[i] == '(' && --depth == 0) return i;
    }
    return kNone;
}

/// Whether the list between parentheses belongs to the name that it ends.
bool isOfName(std::string_view before, std::string_view list)
{
    return before.empty() || list.starts_with("(anonymous") || (list == "()" && endsWithWord(before, "operator"))
        || before.ends_with('.')                                                                     // Go: a method's receiver
        || (before.ends_with('!') && !endsWithWord(before.substr(0, before.size() - 1), "operator")) // D: the arguments of a template
        || before.ends_with('\'')                                                                    // clang: 'lambda'(int)
        || trimmed(before).ends_with(" ->");                                                         // Swift: what a function gives
}

/// The length of a C++ operator's sign that `s` begins with; of a word, as in "operator new", 0.
std::size_t signAt(std::string_view s)
{
    constexpr std::array<std::string_view, 25> kLong{"\"\"", "<=>", "<<=", ">>=", "->*", "()", "[]", "->", "<<", ">>",
        "<=", ">=", "==", "!=", "&&", "||", "++", "--", "+=", "-=", "*=", "/=", "%=", "^=", "|="};
    for (const auto sign : kLong)
        if (s.starts_with(sign)) return sign.size();
    return !s.empty() && std::string_view("<>=+-*/%^&|~!,\"").find(s.front()) != kNone ? 1 : 0;
}

/// Behind the operator whose name begins at `at`, "operator<" or the first word of "operator new"; `at`: none does.
std::size_t behindOperator(std::string_view s, std::size_t at)
{
    constexpr std::string_view kOperator = "operator";
    const auto end = at + kOperator.size();
    if (!s.substr(at).starts_with(kOperator) || (at > 0 && isWord(s[at - 1])) || (end < s.size() && isWord(s[end]))) return at;
    return end + signAt(s.substr(end));
}

/// How many brackets are open behind `s[at]`, of `depth` before it.
int depthBehind(std::string_view s, std::size_t at, int depth)
{
    const char c = s[at];
    if (c == '(' || c == '<' || c == '{' || c == '[') return depth + 1;
    const bool isArrow = c == '>' && at > 0 && s[at - 1] == '-';
    return c == ')' || c == '}' || c == ']' || (c == '>' && !isArrow) ? depth - 1 : depth;
}

/// C++ tells the result's type of templates: "bool std::operator< <int>", "decltype(auto) call<void (*)(int)>".
std::string_view withoutResult(std::string_view s)
{
    std::size_t begin = 0;
    int depth = 0;
    for (std::size_t i = 0; i < s.size(); ++i) {
        if (const auto behind = behindOperator(s, i); behind > i) {
            const bool isWordNext = s[behind - 1] == 'r' || s[behind - 1] == '"'; // "operator new", "operator"" _km": the rest is the name
            if (depth == 0 && behind < s.size() && isWordNext && s[behind] == ' ') break;
            i = behind - 1;
            continue;
        }
        depth = depthBehind(s, i, depth);
        if (depth < 0) return s; // not what we know
        if (s[i] != ' ' || depth != 0) continue;
        const auto before = s.substr(0, i), rest = s.substr(i + 1);
        if (rest.starts_with('[')) return s;                                     // .NET: "void [Module] Class::Method"
        if (endsWithWord(before, "to") || endsWithWord(before, "for")) return s; // "virtual thunk to f"
        // "operator< <int>", "int (*f())()", "f() const::{lambda()#1}"
        const bool isUnnamed = rest.starts_with("(anonymous namespace)");
        if (rest.starts_with('<') || (rest.starts_with('(') && !isUnnamed) || rest.starts_with("const::")) continue;
        begin = i + 1;
    }
    return s.substr(begin);
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
} // namespace

std::string_view withoutParameters(std::string_view function)
{
    const auto whole = withoutQualifiers(function);
    if (!whole.ends_with(')')) return function;
    const auto open = lastList(whole);
    if (open == kNone || isOfName(whole.substr(0, open), whole.substr(open))) return function;
    const auto name = withoutResult(trimmed(whole.substr(0, open)));
    return name.empty() ? function : name;
}

std::string_view withoutArguments(std::string_view frame)
{
    int depth = 0;
    for (std::size_t i = 0; i < frame.size(); ++i) {
        if (const auto behind = behindOperator(frame, i); behind > i) {
            i = behind - 1;
            continue;
        }
        if (frame[i] == '(' && depth == 0 && i > 0 && frame[i - 1] == ' ') return withoutParameters(trimmed(frame.substr(0, i)));
        depth = depthBehind(frame, i, depth);
    }
    return withoutParameters(trimmed(frame));
}

std::string_view withoutOffset(std::string_view function)
{
    const auto plus = function.rfind("+0x");
    if (plus == kNone || plus + 3 == function.size() || function.find_first_not_of(kHexDigits, plus + 3) != kNone) return function;
    return function.substr(0, plus);
}

std::vector<std::string_view> javaMethods(std::string_view function)
{
    std::vector<std::string_view> methods;
    for (std::string_view rest = function;;) {
        const auto end = rest.find("->");
        const auto method = javaMethod(rest.substr(0, end));
        if (!method) return {function};
        methods.push_back(*method);
        if (end == kNone) return methods;
        rest.remove_prefix(end + 2);
    }
}
} // namespace dscope::text
