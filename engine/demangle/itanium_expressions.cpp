#include "engine/demangle/itanium_steps.h"
#include <algorithm>
#include <array>
#include <cctype>
namespace dscope::demangle {
namespace {
bool isDigitOf(char c) { return c >= '0' && c <= '9'; }
} // namespace

const ItaniumOperator* operatorOf(std::string_view code)
{
    static constexpr std::array<ItaniumOperator, 54> kAll{{{"aN", "&=", 2}, {"aS", "=", 2}, {"aa", "&&", 2}, {"ad", "&", 1}, {"an", "&", 2},
        {"aw", "co_await", 1}, {"cl", "()", 0}, {"cm", ",", 2}, {"co", "~", 1}, {"dV", "/=", 2}, {"da", "delete[]", 1}, {"de", "*", 1},
        {"dl", "delete", 1}, {"ds", ".*", 2}, {"dv", "/", 2}, {"eO", "^=", 2}, {"eo", "^", 2}, {"eq", "==", 2}, {"ge", ">=", 2},
        {"gt", ">", 2}, {"ix", "[]", 0}, {"lS", "<<=", 2}, {"le", "<=", 2}, {"ls", "<<", 2}, {"lt", "<", 2}, {"mI", "-=", 2},
        {"mL", "*=", 2}, {"mi", "-", 2}, {"ml", "*", 2}, {"mm", "--", 1}, {"na", "new[]", 0}, {"ne", "!=", 2}, {"ng", "-", 1},
        {"nt", "!", 1}, {"nw", "new", 0}, {"oR", "|=", 2}, {"oo", "||", 2}, {"or", "|", 2}, {"pL", "+=", 2}, {"pl", "+", 2},
        {"pm", "->*", 2}, {"pp", "++", 1}, {"ps", "+", 1}, {"pt", "->", 0}, {"qu", "?", 0}, {"rM", "%=", 2}, {"rS", ">>=", 2},
        {"rm", "%", 2}, {"rs", ">>", 2}, {"ss", "<=>", 2}, {"sz", "", 0}, {"st", "", 0}, {"dt", "", 0}, {"tw", "", 0}}};
    const auto known = std::find_if(kAll.begin(), kAll.end(), [&](const auto& o) { return code.starts_with(o.code); });
    return known == kAll.end() ? nullptr : &*known;
}

const ItaniumNode* ItaniumReader::list(char end)
{
    Nodes all;
    while (m_ok && peek() != end)
        all.push_back(expression());
    if (m_ok) ++m_at;
    return make({Kind::List, {}, std::move(all)});
}

const ItaniumNode* ItaniumReader::literal()
{
    const Deeper deeper(*this);
    if (!m_ok || !eat("L")) return fail();
    if (eat("_Z") || eat("Z")) {
        const auto* object = encoding();
        return eat("E") ? object : fail();
    }
    struct Suffix {
        char type;
        std::string_view text;
    };

    static constexpr std::array<Suffix, 6> kSuffixes{{{'i', ""}, {'j', "u"}, {'l', "l"}, {'m', "ul"}, {'x', "ll"}, {'y', "ull"}}};
    const char kind = peek();
    const auto* of = type();
    const auto end = m_in.find('E', m_at);
    if (!m_ok || end == std::string_view::npos) return fail();
    auto value = std::string(m_in.substr(m_at, end - m_at));
    m_at = end + 1;
    if (kind == 'b' && (value == "0" || value == "1")) return text(value == "1" ? "true" : "false");
    if (value.starts_with('n')) value[0] = '-';
    if (!std::all_of(value.begin(), value.end(), [](char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '-'; }))
        return fail();
    for (const auto& suffix : kSuffixes)
        if (kind == suffix.type) return text(value + std::string(suffix.text));
    const bool isReal = std::string_view("fdeg").find(kind) != std::string_view::npos;
    return joined({text("("), of, text(")"), text(isReal ? '[' + value + ']' : value)});
}

/// Reads the scope that follows "sr": a type, or names up to an "E".
const ItaniumNode* ItaniumReader::unresolvedScope()
{
    if (!isDigitOf(peek()) && (peek() != 'N' || !isDigitOf(peek(1)))) return type(); // its names are remembered
    eat("N");
    const Node* scope = nullptr;
    while (m_ok && !eat("E")) {
        const auto* one = sourceName();
        if (peek() == 'I') one = joined({one, arguments()});
        scope = scope ? joined({scope, text("::"), one}) : one;
    }
    return scope;
}

/// A name that only an instance of the template knows: "sr" and its scope, "on" and an operator, a name.
const ItaniumNode* ItaniumReader::unresolved()
{
    eat("gs");
    const auto* const scope = eat("sr") ? unresolvedScope() : nullptr;
    Said said;
    const bool isDestructor = eat("dn");
    if (!isDestructor) eat("on");
    const auto* one = isDigitOf(peek()) ? sourceName() : isDestructor ? type() : operatorName(said);
    if (isDestructor) one = joined({text("~"), one});
    if (peek() == 'I') one = joined({one, arguments()});
    return scope ? joined({scope, text("::"), one}) : one;
}

const ItaniumNode* ItaniumReader::expression()
{
    const Deeper deeper(*this);
    if (!m_ok) return nullptr;
    const char c = peek();
    if (c == 'L') return literal();
    if (c == 'T') return parameter();
    if (isDigitOf(c)) return unresolved();
    const auto code = m_in.substr(std::min(m_at, m_in.size()), 2);
    if (code == "sr" || code == "on" || code == "dn") return unresolved();
    const bool isGlobal = eat("gs");
    const auto operatorCode = m_in.substr(std::min(m_at, m_in.size()), 2);
    if (!isGlobal || (operatorCode != "nw" && operatorCode != "na")) return operation(operatorCode);
    return joined({text("::"), operation(operatorCode)});
}

const ItaniumNode* ItaniumReader::operation(std::string_view code)
{
    if (code == "fp" || code == "fL") {
        m_at += 2;
        if (code == "fL" && (!number() || !eat("p"))) return fail();
        qualifiers();
        if (eat("T")) return text("this");
        const auto index = peek() == '_' ? 1 : number().value_or(0) + 2;
        return eat("_") ? text("{parm#" + std::to_string(index) + '}') : fail();
    }
    const auto is = [&](std::string_view one) { return code == one && (m_at += 2, true); };
    const auto around = [&](std::string_view word, const Node* node) { return joined({text(word), text(" ("), node, text(")")}); };
    if (is("st")) return around("sizeof", type());
    if (is("sz")) return around("sizeof", expression());
    if (is("at")) return around("alignof", type());
    if (is("az")) return around("alignof", expression());
    if (is("ti")) return around("typeid", type());
    if (is("te")) return around("typeid", expression());
    if (is("nx")) return around("noexcept", expression());
    if (is("sZ")) return joined({text("sizeof..."), inBrackets(peek() == 'T' ? parameter() : expression())});
    if (is("sp")) {
        const auto* pattern = expression();
        return make({Kind::Expansion, {}, {pattern}});
    }
    if (is("nw") || is("na")) {
        const auto* where = list('_');
        if (!where->parts.empty()) where = joined({inBrackets(where), text(" ")});
        const auto* of = type();
        const bool hasList = m_in.substr(std::min(m_at, m_in.size())).starts_with("il");
        const auto* with = eat("pi") ? inBrackets(list()) : hasList ? expression() : eat("E") ? text({}) : fail();
        return joined({text("new "), where, of, with});
    }
    if (is("tw")) return joined({text("throw "), expression()});
    if (is("tr")) return text("throw");
    if (is("cv")) {
        const auto* to = type();
        const auto* what = eat("_") ? list() : expression();
        return joined({inBrackets(to), inBrackets(what)});
    }
    if (is("tl")) {
        const auto* of = type();
        return joined({of, text("{"), list(), text("}")});
    }
    if (is("il")) return joined({text("{"), list(), text("}")});
    if (is("cl") || is("cp")) {
        const auto* function = expression();
        return joined({function, inBrackets(list())});
    }
    if (is("dt") || is("pt")) {
        const auto* object = expression();
        const auto* member = isDigitOf(peek()) || peek() == 's' || peek() == 'o' || peek() == 'd' ? unresolved() : expression();
        return joined({object, text(code == "dt" ? "." : "->"), member});
    }
    if (is("ix")) {
        const auto* array = expression();
        return joined({inBrackets(array), text("["), expression(), text("]")});
    }
    if (is("qu")) {
        const auto* when = expression();
        const auto* then = expression();
        return joined({inBrackets(when), text("?"), inBrackets(then), text(" : "), inBrackets(expression())});
    }
    for (const auto& [cast, word] :
        {std::pair{"dc", "dynamic_cast<"}, {"sc", "static_cast<"}, {"cc", "const_cast<"}, {"rc", "reinterpret_cast<"}})
        if (is(cast)) {
            const auto* to = type();
            return joined({text(word), to, text(">"), inBrackets(expression())});
        }
    if (code == "fl" || code == "fr" || code == "fR" || (code.starts_with("fL"))) {
        m_at += 2;
        const auto* fold = operatorOf(m_in.substr(std::min(m_at, m_in.size()), 2));
        if (!fold) return fail();
        m_at += 2;
        const auto* first = expression();
        return joined({text("("), inBrackets(first), text(fold->sign), text("...)")});
    }
    const auto* known = operatorOf(code);
    if (!known || known->operands == 0) return fail();
    m_at += 2;
    if (known->operands == 1) {
        const bool isBefore = (code == "pp" || code == "mm") && eat("_");
        const bool isObject = m_in.substr(std::min(m_at, m_in.size())).starts_with("L_Z");
        const auto* operand = expression();
        if (!m_ok) return nullptr;
        // Of a function the parameters are left out, but for those of an instance of a template.
        const bool isNamed = operand && operand->kind == Kind::Named, isInstance = isNamed && operand->parts[0]->parts[0];
        if (code == "ad" && isObject && !isInstance) return joined({text("&"), isNamed ? operand->parts[1] : operand});
        return isBefore || (code != "pp" && code != "mm") ? joined({text(known->sign), inBrackets(operand)})
                                                          : joined({inBrackets(operand), text(known->sign)});
    }
    const auto* left = expression();
    const auto* both = joined({inBrackets(left), text(known->sign), inBrackets(expression())});
    return code == "gt" ? inBrackets(both) : both;
}
} // namespace dscope::demangle
