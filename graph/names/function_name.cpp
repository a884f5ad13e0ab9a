#include "graph/names/function_name.h"
#include <algorithm>
#include <array>
#include <cctype>
#include <cstdint>
namespace dscope::graph {
namespace {
using Part = FunctionName::Part;
constexpr std::string_view kEllipsis = "\u2026";
constexpr auto kNone = std::string_view::npos;

bool isLetter(char c)
{
    return std::isalpha(static_cast<unsigned char>(c)) || c == '_' || c == '$' || static_cast<unsigned char>(c) >= 0x80;
}
bool isDigit(char c) { return std::isdigit(static_cast<unsigned char>(c)); }
bool isWord(char c) { return isLetter(c) || isDigit(c); }
bool areDigits(std::string_view text) { return !text.empty() && std::all_of(text.begin(), text.end(), isDigit); }

/// The length of a C++ operator's name that begins at `at`; 0 when none does.
std::size_t operatorAt(std::string_view text, std::size_t at)
{
    constexpr std::string_view kWord = "operator";
    const auto rest = text.substr(at);
    if (!rest.starts_with(kWord) || (at > 0 && isWord(text[at - 1]))) return 0;
    const auto sign = rest.substr(kWord.size());
    if (sign.empty() || isWord(sign.front())) return 0;
    constexpr std::array<std::string_view, 40> kSigns{"<=>", "<<=", ">>=", "->*", "()", "[]", "<<", ">>", "<=", ">=", "==", "!=", "&&",
        "||", "++", "--", "->", "+=", "-=", "*=", "/=", "%=", "^=", "&=", "|=", "<", ">", "=", "+", "-", "*", "/", "%", "^", "&", "|", "~",
        "!", ",", "\"\""};
    for (const auto each : kSigns)
        if (sign.starts_with(each)) {
            auto size = kWord.size() + each.size();
            if (each != "\"\"") return size;
            while (size < rest.size() && (rest[size] == ' ' || isWord(rest[size]))) // a literal's suffix
                ++size;
            return size;
        }
    if (sign.front() != ' ') return 0;

    // " new[]", " delete", or what is converted to: up to the parameters.
    int depth = 0;
    std::size_t size = kWord.size();
    for (; size < rest.size(); ++size) {
        const char c = rest[size];
        if (c == '(' && depth == 0) break;
        if (c == '<' || c == '(') ++depth;
        if (c == '>' || c == ')') --depth;
        if (depth < 0) break;
    }
    return size;
}

/// Behind the bracket that closes the one at `at`; npos where none does. Arrows and operators are no brackets.
std::size_t behindBracket(std::string_view text, std::size_t at)
{
    std::string open;
    for (std::size_t i = at; i < text.size(); ++i) {
        if (const auto size = operatorAt(text, i); size > 0) {
            i += size - 1;
            continue;
        }
        const char c = text[i];
        if (c == '"') {
            const auto end = text.find('"', i + 1);
            if (end == kNone) return kNone;
            i = end;
        } else if (c == '(' || c == '[' || c == '{' || c == '<') {
            open += c == '(' ? ')' : c == '[' ? ']' : c == '{' ? '}' : '>';
        } else if (c == '>' && i > at && (text[i - 1] == '-' || text[i - 1] == '=')) {
            continue;
        } else if (c == ')' || c == ']' || c == '}' || c == '>') {
            while (!open.empty() && open.back() != c && open.back() == '>' && c != '>') // it was "less than"
                open.pop_back();
            if (open.empty() || open.back() != c) {
                if (c == '>') continue; // it was "greater than"
                return kNone;
            }
            open.pop_back();
            if (open.empty()) return i + 1;
        }
    }
    return kNone;
}

/// What rustc wrote into symbols that nobody demangled. Source: rustc's legacy symbol mangling
std::string rustDecoded(std::string_view name)
{
    constexpr std::array<std::pair<std::string_view, std::string_view>, 8> kSigns{
        {{"$LT$", "<"}, {"$GT$", ">"}, {"$RF$", "&"}, {"$BP$", "*"}, {"$LP$", "("}, {"$RP$", ")"}, {"$C$", ","}, {"..", "::"}}};
    if (name.find("$LT$") == kNone && name.find("$u7b$") == kNone) return std::string(name);
    if (name.starts_with("_$")) name.remove_prefix(1);
    std::string out;
    for (std::size_t i = 0; i < name.size();) {
        const auto rest = name.substr(i);
        const auto sign = std::find_if(kSigns.begin(), kSigns.end(), [&](const auto& s) { return rest.starts_with(s.first); });
        if (sign != kSigns.end()) {
            out += sign->second;
            i += sign->first.size();
            continue;
        }
        if (rest.starts_with("$u") && rest.size() > 4 && rest[4] == '$') {
            const auto digit = [](char c) { return isDigit(c) ? c - '0' : c >= 'a' && c <= 'f' ? c - 'a' + 10 : 0; };
            out += static_cast<char>(digit(rest[2]) * 16 + digit(rest[3]));
            i += 5;
            continue;
        }
        out += name[i++];
    }
    return out;
}

/// Without what compilers append to the names of copies and parts of functions: ".part.0", ".constprop.1", " [clone .cold]".
std::string_view withoutClones(std::string_view name)
{
    constexpr std::array<std::string_view, 8> kMarks{
        ".part", ".constprop", ".isra", ".cold", ".lto_priv", ".llvm", ".localalias", "._omp_fn"};
    if (const auto clone = name.find(" [clone "); clone != kNone) name = name.substr(0, clone);
    for (std::size_t at = name.find('.', 1); at != kNone; at = name.find('.', at + 1))
        for (const auto mark : kMarks) {
            const auto end = at + mark.size();
            if (name.substr(at).starts_with(mark) && (end == name.size() || name[end] == '.' || isDigit(name[end])))
                return name.substr(0, at);
        }
    return name;
}

/// Functions of virtual machines that tell more than a name. Empty when it is none of theirs.
std::string_view scriptFunction(std::string_view name)
{
    if (name.starts_with("py::")) { // Source: CPython, Python/perf_trampoline.c: "py::function:file"
        name.remove_prefix(4);
        return name.substr(0, name.find(':'));
    }
    // Source: V8, src/logging/log.cc: a kind, "~", "^", "*" or "+" for the tier, the function, the file with line and column
    constexpr std::array<std::string_view, 4> kKinds{"LazyCompile:", "Function:", "Script:", "JS:"};
    for (const auto kind : kKinds)
        if (name.starts_with(kind)) {
            name.remove_prefix(kind.size());
            while (!name.empty() && std::string_view("~^*+").find(name.front()) != kNone)
                name.remove_prefix(1);
            return name.substr(0, name.find(' '));
        }
    return {};
}

bool isNumbered(std::string_view name, std::string_view word) { return name.starts_with(word) && areDigits(name.substr(word.size())); }
/// Names that many functions have, or that compilers gave: only with their scope they say something.
bool needsOwner(const std::vector<Part>& parts, std::size_t at)
{
    const std::string_view name = parts[at].name;
    const bool isGoClosure = parts[at].separator == "." && name.starts_with("func") && name.size() > 4 && isDigit(name[4]);
    return name.starts_with("operator(") || name.starts_with('{') || name.starts_with("__lambda") || name.starts_with("__dgliteral")
        || name.starts_with("'lambda") || isGoClosure || isNumbered(name, "gowrap") || areDigits(name) || name == "<init>"
        || name == "<clinit>" || name == "__ctor" || name == "__dtor" || name == "opCall" || (at > 0 && name == parts[at - 1].name);
}

class Parser {
public:
    explicit Parser(std::string_view text) : m_text(text) { }

    FunctionName parse()
    {
        findPath();
        while (m_at < m_text.size() && !m_ended)
            step();
        finishPart();
        dropEponymous();
        FunctionName out;
        out.parts = std::move(m_parts);
        if (out.parts.empty()) out.parts.push_back({std::string(m_text), std::string(m_text), {}});
        out.telling = out.parts.size() - 1;
        while (out.telling > 0 && needsOwner(out.parts, out.telling))
            --out.telling;
        return out;
    }

private:
    std::string_view rest() const { return m_text.substr(m_at); }
    bool begins() const { return m_part.name.empty(); }

    void take(std::size_t size)
    {
        m_part.name += rest().substr(0, size);
        m_part.whole += rest().substr(0, size);
        m_at += size;
    }

    void finishPart()
    {
        if (m_part.name.ends_with(';')) m_part.name.pop_back(); // a class of the virtual machine's own spelling
        if (!m_part.name.empty()) m_parts.push_back(std::move(m_part));
        m_part = {};
        m_hasParameters = false;
    }

    void separate(std::string_view separator)
    {
        finishPart();
        m_part.separator = m_parts.empty() ? std::string_view() : separator;
        m_at += separator.size();
    }

    void findPath();
    void step();
    void bracket();
    void angle(std::string_view inside, std::size_t end);
    void blank();
    void dropEponymous();

    std::string_view m_text;
    std::size_t m_at = 0;
    std::vector<Part> m_parts;
    Part m_part;
    std::size_t m_path = 0; ///< bytes of what is a path with slashes, whose dots are no separators
    bool m_hasParameters = false, m_dots = true, m_ended = false;
};

/// Slashes are separators where a scope follows them, and dots behind them, but not in the name of a file.
void Parser::findPath()
{
    std::size_t last = 0;
    for (std::size_t i = 1; i + 1 < m_text.size(); ++i) {
        if (std::string_view("<([{").find(m_text[i]) != kNone) {
            const auto end = behindBracket(m_text, i);
            if (end == kNone) break;
            i = end - 1;
        } else if (m_text[i] == '/' && !isDigit(m_text[i + 1])) {
            last = i;
        }
    }
    if (last > 0 && m_text.find_first_of(".:;", last) != kNone) m_path = last + 1;
    const auto library = m_text.rfind(".so");
    m_dots = m_text != "a.out"
        && (library == kNone || (library + 3 < m_text.size() && !(m_text[library + 3] == '.' && isDigit(m_text.back()))));
}

void Parser::step()
{
    const char c = rest().front();
    if (rest().starts_with("::")) return separate("::");
    if (const auto size = operatorAt(m_text, m_at); size > 0 && begins()) return take(size);
    if (c == '(' || c == '[' || c == '{' || c == '<') return bracket();
    if (c == ' ') return blank();
    if (c == '/' && m_at < m_path && !begins()) return separate("/");
    const char next = m_at + 1 < m_text.size() ? m_text[m_at + 1] : ' ';
    if (m_dots && c == '.' && m_at >= m_path && !begins() && (isLetter(next) || next == '(' || next == '<')) return separate(".");
    if (c == '!' && !begins() && isWord(next)) { // D: sort!int
        const auto from = m_at++;
        while (m_at < m_text.size() && isWord(m_text[m_at]))
            ++m_at;
        m_part.whole += m_text.substr(from, m_at - from);
        return;
    }
    if (c == '!' && next == '(') {
        m_part.whole += c;
        ++m_at;
        return;
    }
    take(1);
}

void Parser::bracket()
{
    const char c = rest().front();
    const auto end = behindBracket(m_text, m_at);
    if (end == kNone) return take(1);
    const auto inside = m_text.substr(m_at + 1, end - m_at - 2), all = m_text.substr(m_at, end - m_at);
    if (c == '<') return angle(inside, end);
    if (c == '{') { // "{lambda(int)#1}": which one it is, not what it takes
        const auto parameters = inside.find('('), number = inside.rfind('#');
        m_part.name += parameters != kNone && number != kNone && number > parameters
            ? '{' + std::string(inside.substr(0, parameters)) + std::string(inside.substr(number)) + '}'
            : std::string(all);
        m_part.whole += all;
    } else if (c == '(' && begins()) { // "(anonymous namespace)", "(*Server)"
        m_part.name
            += all.starts_with("(*") || all.starts_with("(anonymous") ? std::string(all.substr(0, all.find('['))) : std::string(all);
        if (m_part.name.back() != ')') m_part.name += ')';
        m_part.whole += all;
    } else if (c == '(' && !m_part.whole.ends_with('!')) {
        m_hasParameters = true;
    } else { // "[abi:cxx11]", Go's and D's arguments
        if (begins()) m_part.name += all;
        m_part.whole += all;
    }
    m_at = end;
}

/// The last part of a type, without what it is made of: "Vec" of "&mut alloc::vec::Vec<T>".
std::string shortType(std::string_view type)
{
    constexpr std::array<std::string_view, 7> kBefore{"&", "*const ", "*mut ", "mut ", "dyn ", "impl ", " "};
    for (bool more = true; more;) {
        more = false;
        if (type.starts_with('\'') && type.find(' ') != kNone) type.remove_prefix(type.find(' ') + 1);
        for (const auto before : kBefore)
            if (type.starts_with(before)) {
                type.remove_prefix(before.size());
                more = true;
            }
    }
    if (type.empty() || !isLetter(type.front())) return std::string(type);
    auto parts = Parser(type).parse().parts;
    return parts.back().name;
}
/// Where " as " or " for " stands outside of all brackets.
std::size_t wordOutside(std::string_view text, std::string_view word)
{
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (text.substr(i).starts_with(word)) return i;
        if (std::string_view("<([{").find(text[i]) == kNone) continue;
        const auto end = behindBracket(text, i);
        if (end == kNone) return kNone;
        i = end - 1;
    }
    return kNone;
}

/// Angle brackets are template arguments, or they are a type of Rust's whose function follows.
void Parser::angle(std::string_view inside, std::size_t end)
{
    const auto all = m_text.substr(m_at, end - m_at);
    m_at = end;
    if (!begins()) {
        if (m_part.whole.ends_with('<')) m_part.whole += ' '; // "operator<< <char>"
        m_part.whole += all;
        return;
    }

    constexpr std::string_view kAs = " as ", kFor = " for ", kImpl = "impl ";
    const bool isImplementation = inside.starts_with(kImpl);
    if (!m_parts.empty() && !isImplementation && inside != "init" && inside != "clinit") { // Rust: "collect::<Vec<u8>>"
        m_part = std::move(m_parts.back());
        m_parts.pop_back();
        m_part.whole += "::" + std::string(all);
        return;
    }

    m_part.whole += all;
    if (isImplementation) inside.remove_prefix(kImpl.size());
    if (const auto as = wordOutside(inside, kAs); as != kNone)
        m_part.name = '<' + shortType(inside.substr(0, as)) + " as " + shortType(inside.substr(as + kAs.size())) + '>';
    else if (const auto target = wordOutside(inside, kFor); target != kNone)
        m_part.name = '<' + shortType(inside.substr(0, target)) + " for " + shortType(inside.substr(target + kFor.size())) + '>';
    else
        m_part.name = inside == "init" || inside == "clinit" ? std::string(all) : shortType(inside);
}

/// A blank ends a return type, or follows the parameters.
void Parser::blank()
{
    constexpr std::array<std::string_view, 5> kQualifiers{" const", " volatile", " &&", " &", " noexcept"};
    if (!m_hasParameters) {
        if (rest().starts_with(" ") && (rest().substr(1).starts_with('<') || rest().substr(1).starts_with('('))) { // "operator< <int>"
            ++m_at;
            if (rest().front() == '<' && begins()) m_part = {};
            return;
        }
        m_parts.clear();
        m_part = {};
        ++m_at;
        return;
    }

    for (bool more = true; more;) {
        more = false;
        for (const auto word : kQualifiers)
            if (rest().starts_with(word)) {
                m_at += word.size();
                more = true;
            }
    }

    if (rest().starts_with(' ') && rest().size() > 1 && isLetter(rest()[1])) { // "decltype(auto) f()": it was a type
        m_parts.clear();
        m_part = {};
        m_hasParameters = false;
        ++m_at;
        return;
    }
    if (!rest().starts_with("::") && !rest().starts_with(".")) m_ended = true;
}

/// D names a function of a template after the template: "sort!(…).sort".
void Parser::dropEponymous()
{
    for (std::size_t i = 0; i + 1 < m_parts.size(); ++i)
        while (i + 1 < m_parts.size() && m_parts[i].whole.find('!') != std::string::npos && m_parts[i].name == m_parts[i + 1].name)
            m_parts.erase(m_parts.begin() + static_cast<std::ptrdiff_t>(i) + 1);
}

enum class Names : std::uint8_t { Whole, Short };
std::string joined(const std::vector<Part>& parts, std::size_t first, Names names)
{
    std::string out;
    for (std::size_t i = first; i < parts.size(); ++i)
        out += (i > first ? parts[i].separator : std::string()) + (names == Names::Whole ? parts[i].whole : parts[i].name);
    return out;
}
/// A part as an owner in little room: the trait of an implementation, the innermost of nested classes.
std::string asOwner(std::string_view name)
{
    for (const std::string_view word : {" as ", " for "})
        if (const auto at = name.find(word); name.starts_with('<') && at != kNone)
            return std::string(word == " as " ? name.substr(at + word.size(), name.size() - at - word.size() - 1) : name.substr(1, at - 1));
    if (const auto nested = name.rfind('$'); nested != kNone && nested + 1 < name.size() && nested > 0
        && std::isupper(static_cast<unsigned char>(name[nested + 1])) && name[nested - 1] != '$')
        return std::string(name.substr(nested + 1));
    return std::string(name);
}
} // namespace

FunctionName functionName(std::string_view name)
{
    name = withoutMark(name);
    if (const auto script = scriptFunction(name); !script.empty()) name = script;
    const std::string decoded = rustDecoded(withoutClones(name));
    std::string_view text = decoded;
    const bool isObjectiveC = text.starts_with("-[") || text.starts_with("+["),
               isGoType = text.starts_with("type:.") || text.starts_with("type..");
    if (isObjectiveC || isGoType) return {{{decoded, decoded, {}}}, 0};
    if (text.starts_with('L') && text.find(";::") != kNone) text.remove_prefix(1); // Java: "Ljava/lang/String;::hashCode"
    return Parser(text).parse();
}

std::vector<std::string> nameForms(std::string_view name)
{
    name = withoutMark(name);
    std::vector<std::string> forms{std::string(name)};
    const auto letters = [](std::string_view form) { return form.size() - (form.starts_with(kEllipsis) ? kEllipsis.size() - 1 : 0); };
    const auto add = [&](std::string form) {
        if (letters(form) < letters(forms.back())) forms.push_back(std::move(form));
    };

    const auto parsed = functionName(name);
    add(joined(parsed.parts, 0, Names::Whole));
    // Nobody looks for what has no name, or for the version of a library's interface.
    std::vector<Part> parts;
    std::size_t telling = 0;
    for (std::size_t i = 0; i < parsed.parts.size(); ++i) {
        const auto& part = parsed.parts[i];
        const bool says = part.name != "(anonymous namespace)" && part.name != "__cxx11" && part.name != "__1" && part.name != "_V2";
        if (i == parsed.telling) telling = parts.size();
        if (says || i >= parsed.telling) parts.push_back(part);
    }

    add(joined(parts, 0, Names::Short));
    for (std::size_t first = 1; first < telling; ++first)
        add(std::string(kEllipsis) + joined(parts, first, Names::Short));
    parts[telling].name = asOwner(parts[telling].name);
    if (telling > 0) {
        parts[telling - 1].name = asOwner(parts[telling - 1].name);
        add(joined(parts, telling - 1, Names::Short));
    }
    add(joined(parts, telling, Names::Short));
    return forms;
}
std::string_view withoutMark(std::string_view name)
{
    constexpr std::string_view kKinds = "kjiw";
    if (name.size() <= 4 || !name.ends_with(']') || name.substr(name.size() - 4, 2) != "_[") return name;
    return kKinds.find(name[name.size() - 2]) == kNone ? name : name.substr(0, name.size() - 4);
}
std::size_t addressIn(std::string_view frame)
{
    const auto at = frame.rfind("0x");
    if (at == frame.npos || at + 2 == frame.size() || frame.find('`') != frame.npos) return frame.npos;
    if (frame.find_first_not_of("0123456789abcdef", at + 2) != frame.npos) return frame.npos;
    if (at == 0) return 0;
    return frame[at - 1] == '+' ? at - 1 : frame.npos;
}
} // namespace dscope::graph
