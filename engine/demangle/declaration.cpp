#include "engine/demangle/declaration.h"
#include "engine/demangle/brackets.h"
#include <algorithm>
#include <array>
#include <cctype>
#include <span>
namespace dscope::demangle {
namespace {
constexpr auto kNone = std::string_view::npos;
constexpr int kMostDeclarators = 8; // functions that give functions that give functions ...

bool isDecimal(char c) { return c >= '0' && c <= '9'; }
bool startsWithAny(std::string_view text, std::span<const std::string_view> all)
{
    return std::any_of(all.begin(), all.end(), [&](auto each) { return text.starts_with(each); });
}

/// Whether ".cold", ".part.0" names a copy or a part of the same function. The others do something else ("._omp_fn.0", ".resume",
/// ".resolver") or tell functions of one name apart (".__uniq.1234"). Source: GCC's clone_function_name() and its callers; LLVM's
/// CodeExtractor, ThinLTO's promotion
bool isOfSameFunction(std::string_view clone)
{
    constexpr std::array<std::string_view, 10> kKinds{
        "cold", "part", "constprop", "isra", "llvm", "localalias", "lto_priv", "unlikely", "hot", "warm"};
    const auto word = clone.substr(1, clone.find('.', 1) - 1);
    return std::find(kKinds.begin(), kKinds.end(), word) != kKinds.end();
}

/// Returns the end of the clone suffix that begins at `at` (".cold", ".part.0", "._omp_fn.0"), or `at` if none begins there.
std::size_t behindClone(std::string_view s, std::size_t at)
{
    if (at + 1 >= s.size() || s[at] != '.' || !(std::isalpha(static_cast<unsigned char>(s[at + 1])) || s[at + 1] == '_')) return at;
    auto end = at + 2;
    while (end < s.size() && (std::isalnum(static_cast<unsigned char>(s[end])) || s[end] == '_'))
        ++end;
    while (end + 1 < s.size() && s[end] == '.' && isDecimal(s[end + 1]))
        end = std::min(s.find_first_not_of("0123456789", end + 1), s.size());
    return end;
}

struct Clones {
    std::string kept, left;
    void add(std::string_view clone)
    {
        auto& to = isOfSameFunction(clone) ? left : kept;
        to += (&to == &kept || !to.empty() ? " [clone " : "[clone ") + std::string(clone) + ']';
    }
};

/// Takes "[clone .part.0] [clone .cold]" or LLVM's " (.part.0.cold)" off the end.
Clones takeClones(std::string_view& text)
{
    Clones clones;
    constexpr std::string_view kGnu = " [clone .";
    if (const auto first = text.find(kGnu); first != kNone && text.ends_with(']')) {
        auto rest = text.substr(first);
        while (rest.starts_with(kGnu)) {
            const auto end = rest.find(']');
            if (end == kNone) break;
            clones.add(rest.substr(kGnu.size() - 1, end - kGnu.size() + 1));
            rest.remove_prefix(end + 1);
        }
        if (!rest.empty()) return {};
        text = text.substr(0, first);
    } else if (const auto open = text.rfind(" (."); open != kNone && open > 0 && text.ends_with(')')) {
        const auto inside = text.substr(open + 2, text.size() - open - 3);
        std::size_t at = 0;
        for (auto end = behindClone(inside, at); end > at; at = end, end = behindClone(inside, at))
            clones.add(inside.substr(at, end - at));
        if (at != inside.size()) return {};
        text = text.substr(0, open);
    }
    return clones;
}

/// Removes the qualifiers that follow the parameter list: C++'s and D's.
void takeQualifiers(std::string_view& s)
{
    constexpr std::array<std::string_view, 10> kQualifiers{
        " const", " volatile", " noexcept", " &&", " &", " const&", " const&&", " inout", " immutable", " shared"};
    for (auto size = s.size() + 1; s.size() < size;) {
        size = s.size();
        for (const auto qualifier : kQualifiers)
            if (s.ends_with(qualifier)) s.remove_suffix(qualifier.size());
        const auto open = s.ends_with(']') ? s.rfind('[') : kNone;
        if (open == kNone || open == 0) continue;
        const auto before = s.substr(0, open), inside = s.substr(open + 1, s.size() - open - 2);
        const bool isEnabled = before.ends_with(") ") && inside.starts_with("enable_if:"); // clang's
        // "[abi:cxx11]"; .NET's "[Tier0]", "[PreJIT]". An index of a type is a number.
        if (isEnabled || (before.ends_with(')') && !inside.empty() && !isDecimal(inside.front())))
            s = s.substr(0, open - (isEnabled ? 1 : 0));
    }
}

/// "Foo.bar(_:at:)": the labels of Swift's parameters are part of the name.
bool areLabels(std::string_view list)
{
    const auto inside = list.substr(1, list.size() - 2);
    if (!inside.ends_with(':') || inside.ends_with("::")) return false;
    return std::all_of(inside.begin(), inside.end(), [](char c) { return isWord(c) || c == ':'; }) && inside.find("::") == kNone;
}

/// Whether the list that ends a text belongs to the name before it.
bool isOfName(std::string_view before, std::string_view list)
{
    if (before.empty() || before.back() == ' ' || areLabels(list)) return true;
    if (list.starts_with("(.") && list != "(...)") return true; // Go's linker: "net(.text)"
    if (list == "()" && endsWithWord(before, "operator")) return true;
    if (list == "(this)" && endsWithWord(before, "this")) return true; // D's postblit
    // A method's receiver in Go; arguments of a template in D; clang's 'lambda'(int); scopes and what is no name.
    if (std::string_view(".!'#@/:,;=<").find(before.back()) == kNone) return false;
    const auto word = before.rfind("operator");
    return word == kNone || behindOperator(before, word) != before.size();
}

/// Names that virtual machines and compilers make up, which hold parentheses but no parameters of C++: V8's, CPython's, Crystal's, .NET's.
bool isOtherLanguage(std::string_view s)
{
    constexpr std::array<std::string_view, 22> kBegins{"LazyCompile:", "Function:", "Script:", "JS:", "RegExp:", "Eval:", "Builtin:",
        "Stub:", "Handler:", "BytecodeHandler:", "Callback:", "Wasm:", "py::", "-[", "+[", "*", "~proc", "@objc ", "closure #",
        "implicit closure #", "block in ", "block ("};
    return startsWithAny(s, kBegins);
}

/// Qualifiers of a member function within a name: "f() const::{lambda()#1}", D's "f(int) shared const.__lambda2".
bool qualifiesScope(std::string_view rest)
{
    for (const std::string_view word : {"const", "volatile", "noexcept", "&&", "&", "inout", "immutable", "shared"})
        if (rest.starts_with(word))
            return rest.substr(word.size()).starts_with("::") || rest.substr(word.size()).starts_with(' ')
                || rest.substr(word.size()).starts_with('.');
    return false;
}

/// Whether a text can be the type of a result: "std::vector<int> const&", "decltype(auto)", D's "pure @safe int[]". Swift's "closure #1
/// () -> () in", "reabstraction thunk helper from" are none, nor is "virtual thunk to".
bool canBeResult(std::string_view s)
{
    constexpr std::array<std::string_view, 12> kLast{
        "in", "for", "of", "to", "from", "with", "thunk", "closure", "function", "getter", "setter", "specialized"};
    if (s.find('#') != kNone && s.find('#') < std::min(s.find('{'), s.find('<'))) return false;
    if (s.find(" -> ") != kNone && s.find(" -> ") < s.find('<')) return false;
    return std::none_of(kLast.begin(), kLast.end(), [&](auto word) { return endsWithWord(s, word); });
}

/// Where the name begins behind the type of a result; kNone: what is before it is none.
std::size_t nameStart(std::string_view text, const Brackets& brackets)
{
    std::size_t start = 0;
    for (const auto blank : brackets.blanks) {
        if (blank >= text.size()) break;
        const auto rest = text.substr(blank + 1);
        if (rest.starts_with('[')) return 0; // .NET: "void [Module] Class::Method" is the name
        const bool isDeclarator = rest.starts_with('(') && !rest.starts_with("(anonymous ");
        if (isDeclarator || rest.starts_with('<') || (blank > 0 && qualifiesScope(rest))) continue;
        start = blank + 1;
    }
    if (start > 0 && !canBeResult(text.substr(0, start - 1))) return kNone;
    const auto name = text.substr(start);
    const auto member = name.find("::*"); // "int A::*f<int>" gives a pointer to a member
    const bool isPointer = member != kNone && member < name.find_first_of("<({ ") && !name.ends_with("operator");
    return isPointer ? std::min(text.find_first_not_of('*', start + member + 2), text.size()) : start;
}

/// The function in "(*&f<int>(int))", the declarator of one that gives a pointer or a reference to a function or an array.
std::string_view declarator(std::string_view inner)
{
    if (inner.empty() || (inner[0] != '*' && inner[0] != '&')) return {};
    inner.remove_prefix(std::min(inner.find_first_not_of("*&"), inner.size()));
    return inner.find('(') == kNone ? std::string_view() : inner;
}

/// What a demangler writes before the name of data, which has no parameters.
bool isData(std::string_view s)
{
    constexpr std::array<std::string_view, 13> kData{"vtable for ", "VTT for ", "typeinfo for ", "typeinfo name for ", "typeinfo fn for ",
        "construction vtable for ", "guard variable for ", "reference temporary #", "TLS init function for ", "TLS wrapper function for ",
        "template parameter object for ", "initializer for module ", "java Class for "};
    return startsWithAny(s, kData);
}

/// Takes "virtual thunk to " off the beginning: it is part of the name.
std::string_view takeThunk(std::string_view& text)
{
    constexpr std::array<std::string_view, 7> kThunks{"non-virtual thunk to ", "virtual thunk to ", "covariant return thunk to ",
        "transaction clone for ", "non-transaction clone for ", "hidden alias for ", "invocation function for block in "};
    const auto known = std::find_if(kThunks.begin(), kThunks.end(), [&](auto each) { return text.starts_with(each); });
    if (known == kThunks.end()) return {};
    text.remove_prefix(known->size());
    return *known;
}

/// The name of a function without clones and thunks; empty: `text` is the name.
std::string_view nameIn(std::string_view text)
{
    for (int depth = 0; depth < kMostDeclarators; ++depth) {
        if (const auto clause = text.rfind(" requires "); clause != kNone && text.substr(0, clause).find(')') != kNone) {
            const Brackets before(text.substr(0, text.find(" requires ")));
            if (before.isBalanced) text = text.substr(0, text.find(" requires "));
        }
        auto array = text;
        if (text.ends_with(']') && text.rfind(") [") != kNone) array = text.substr(0, text.rfind(") [") + 1);
        auto whole = array;
        takeQualifiers(whole);
        if (!whole.ends_with(')')) return {};
        const Brackets brackets(whole);
        if (!brackets.isBalanced || brackets.lastList == kNone) return {};
        const auto open = brackets.lastList;
        const auto inside = whole.substr(open + 1, whole.size() - open - 2);
        if (array.size() < text.size()) { // "int (&f(int)) [3]"
            text = declarator(inside);
            if (text.empty()) return {};
            continue;
        }
        if (brackets.conversion != kNone) { // "operator void (*)(int)()"
            if (!inside.empty() || whole.substr(0, open).ends_with("*)") || whole.substr(0, open).ends_with("&)")
                || whole.substr(0, open).ends_with(' '))
                return {};
        } else if (brackets.beforeLast != kNone && brackets.beforeLast > 0 && whole[brackets.beforeLast - 1] == ' ') {
            const auto inner = declarator(whole.substr(brackets.beforeLast + 1, open - brackets.beforeLast - 2));
            if (!inner.empty()) {
                text = inner;
                continue;
            }
        }
        const auto before = whole.substr(0, open);
        if (brackets.conversion == kNone && isOfName(before, whole.substr(open))) return {};
        const auto start = nameStart(before, brackets);
        return start == kNone ? std::string_view() : before.substr(start);
    }
    return {};
}
} // namespace

Declaration declarationOf(std::string_view printed)
{
    const bool isPlain = printed.find_first_of("([") == kNone; // most names of C are
    if (isPlain || printed.size() > kLongestDeclaration || isData(printed) || isOtherLanguage(printed)) return {std::string(printed), {}};
    auto text = printed;
    auto clones = takeClones(text);
    // Of what the linker makes for a function of a library.
    constexpr std::string_view kStub = "@plt";
    const auto stub = text.ends_with(kStub) ? kStub : std::string_view();
    text.remove_suffix(stub.size());
    const auto whole = text, thunk = takeThunk(text);
    const auto name = nameIn(text);
    std::string shown = name.empty() ? std::string(whole) : std::string(thunk).append(name);
    return {shown.append(stub).append(clones.kept), std::move(clones.left)};
}

std::string withoutSignature(std::string_view declaration) { return declarationOf(declaration).name; }
} // namespace dscope::demangle
