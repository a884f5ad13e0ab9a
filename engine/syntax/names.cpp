#include "engine/syntax/names.h"
#include "engine/language/language.h"
#include <algorithm>
#include <array>
namespace dscope::syntax {
namespace {
using namespace std::literals;
// Each sorted: looked up by bisection.
constexpr std::array kKeywords{"auto"sv, "break"sv, "case"sv, "char"sv, "const"sv, "continue"sv, "counter"sv, "default"sv, "do"sv,
    "double"sv, "else"sv, "enum"sv, "extern"sv, "float"sv, "for"sv, "goto"sv, "if"sv, "import"sv, "inline"sv, "int"sv, "long"sv,
    "offsetof"sv, "probe"sv, "provider"sv, "register"sv, "restrict"sv, "self"sv, "short"sv, "signed"sv, "sizeof"sv, "static"sv, "string"sv,
    "stringof"sv, "struct"sv, "switch"sv, "this"sv, "translator"sv, "typedef"sv, "union"sv, "unsigned"sv, "void"sv, "volatile"sv, "while"sv,
    "xlate"sv};
constexpr std::array kTypeKeywords{"char"sv, "const"sv, "double"sv, "enum"sv, "float"sv, "int"sv, "long"sv, "restrict"sv, "short"sv,
    "signed"sv, "string"sv, "struct"sv, "union"sv, "unsigned"sv, "void"sv, "volatile"sv};
/// The next part of "1.2.1", taken off its front; 0 when none is left.
unsigned part(std::string_view& version)
{
    unsigned value = 0;
    std::size_t i = 0;
    for (; i < version.size() && version[i] >= '0' && version[i] <= '9'; ++i)
        value = value * 10 + static_cast<unsigned>(version[i] - '0');
    version.remove_prefix(std::min(version.size(), i + 1));
    return value;
}
static_assert(std::is_sorted(kKeywords.begin(), kKeywords.end()) && std::is_sorted(kTypeKeywords.begin(), kTypeKeywords.end()));
} // namespace

bool isKeyword(std::string_view word) { return std::binary_search(kKeywords.begin(), kKeywords.end(), word); }
bool isTypeKeyword(std::string_view word) { return std::binary_search(kTypeKeywords.begin(), kTypeKeywords.end(), word); }
bool isQualifier(std::string_view word) { return word == "const" || word == "volatile" || word == "restrict"; }
bool isKnownType(std::string_view word) { return language::isType(word); }
bool isBuiltin(std::string_view word)
{
    const auto* row = language::findWord(word);
    return row && !row->isInternal && !row->yields;
}
bool isYielding(std::string_view word)
{
    const auto* row = language::findWord(word);
    return row && row->yields;
}
bool isYounger(std::string_view word, std::string_view version)
{
    if (version.empty()) return false;
    const auto* row = language::findWord(word);
    if (!row) return false;
    for (auto since = row->since; !since.empty() || !version.empty();)
        if (const auto a = part(since), b = part(version); a != b) return a > b;
    return false;
}
} // namespace dscope::syntax
