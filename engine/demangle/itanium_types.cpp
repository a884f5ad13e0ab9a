#include "engine/demangle/itanium_steps.h"
#include <array>
#include <cctype>
namespace dscope::demangle {
namespace {
std::string_view builtin(char c)
{
    constexpr std::array<std::string_view, 26> kAll{"signed char", "bool", "char", "double", "long double", "float", "__float128",
        "unsigned char", "int", "unsigned int", "", "long", "unsigned long", "__int128", "unsigned __int128", "", "", "", "short",
        "unsigned short", "", "void", "wchar_t", "long long", "unsigned long long", "..."};
    return c >= 'a' && c <= 'z' ? kAll[static_cast<std::size_t>(c - 'a')] : std::string_view();
}
std::string_view extended(char c)
{
    switch (c) {
    case 'a': return "auto";
    case 'c': return "decltype(auto)";
    case 'd': return "decimal64";
    case 'e': return "decimal128";
    case 'f': return "decimal32";
    case 'h': return "half";
    case 'i': return "char32_t";
    case 'n': return "decltype(nullptr)";
    case 's': return "char16_t";
    case 'u': return "char8_t";
    default: return {};
    }
}
} // namespace

const ItaniumNode* ItaniumReader::arguments()
{
    const Deeper deeper(*this);
    if (!m_ok || (!eat("I") && !eat("J"))) return fail();
    const bool named = m_namesFunction;
    const auto last = m_last;
    m_namesFunction = false;
    Nodes all;
    while (m_ok && !eat("E")) {
        if (eat("Q")) { // what the arguments must be
            expression();
            continue;
        }
        all.push_back(argument());
    }
    m_namesFunction = named;
    m_last = last;
    const auto* is = make({Kind::Arguments, {}, std::move(all)});
    if (named) m_arguments = is;
    return is;
}

const ItaniumNode* ItaniumReader::argument()
{
    const Deeper deeper(*this);
    if (!m_ok) return nullptr;
    if (peek() == 'T' && std::string_view("yntp").find(peek(1)) != std::string_view::npos) { // how it was declared
        Nodes names;
        lambdaParameter(names);
        return argument();
    }
    if (eat("X")) {
        const auto* value = expression();
        return eat("E") ? value : fail();
    }
    if (peek() == 'L') return literal();
    if (!eat("J") && !eat("I")) return type(); // older compilers wrote "I"
    Nodes all;
    while (m_ok && !eat("E"))
        all.push_back(argument());
    return make({Kind::Pack, {}, std::move(all)});
}

/// "T_", "T0_", "TL0__": what the template was given for this parameter.
const ItaniumNode* ItaniumReader::parameter()
{
    if (!eat("T")) return fail();
    if (eat("L")) {
        if (!number() || !eat("_")) return fail();
    }
    std::size_t index = 0;
    if (!eat("_")) {
        const auto told = number();
        if (!told || !eat("_")) return fail();
        index = *told + 1;
    }
    return make({Kind::Parameter, "auto:" + std::to_string(index + 1), {}, index});
}

std::string ItaniumReader::qualifiers()
{
    std::string all;
    for (;;) {
        if (eat("r"))
            all.insert(0, " __restrict");
        else if (eat("V"))
            all.insert(0, " volatile");
        else if (eat("K"))
            all.insert(0, " const");
        else
            return all;
    }
}

const ItaniumNode* ItaniumReader::types()
{
    Nodes all;
    while (m_ok && m_at < m_in.size() && std::string_view("E.Q").find(peek()) == std::string_view::npos) {
        if ((peek() == 'R' || peek() == 'O') && peek(1) == 'E') break; // a function's own
        if (peek() == 'v' && all.empty()
            && (m_at + 1 == m_in.size() || std::string_view("E.QRO").find(peek(1)) != std::string_view::npos)) {
            ++m_at;
            break;
        }
        all.push_back(type());
    }
    return make({Kind::List, {}, std::move(all)});
}

const ItaniumNode* ItaniumReader::type()
{
    const Deeper deeper(*this);
    if (!m_ok) return nullptr;
    const bool named = m_namesFunction;
    const auto last = m_last;
    m_namesFunction = false;
    const auto* one = plainType();
    m_namesFunction = named;
    m_last = last;
    return m_ok ? one : nullptr;
}

/// Types but those of the language itself are remembered, for substitutions.
const ItaniumNode* ItaniumReader::plainType()
{
    Said said;
    switch (const char c = peek()) {
    case 'r':
    case 'V':
    case 'K': {
        auto words = qualifiers();
        if (peek() == 'F' || (peek() == 'D' && std::string_view("oOwx").find(peek(1)) != std::string_view::npos))
            return remember(functionType(std::move(words)));
        const auto* of = type();
        return remember(make({Kind::Qualified, std::move(words), {of}}));
    }
    case 'P':
    case 'R':
    case 'O': {
        ++m_at;
        const auto* to = type();
        return remember(make({Kind::Pointer, c == 'P' ? "*" : c == 'R' ? "&" : "&&", {to}}));
    }
    case 'C':
    case 'G': {
        ++m_at;
        const auto* of = type();
        return remember(make({Kind::Qualified, c == 'C' ? " _Complex" : " _Imaginary", {of}}));
    }
    case 'U': {
        if (peek(1) == 'l' || peek(1) == 't') return remember(name(said));
        ++m_at;
        const auto* word = sourceName();
        if (peek() == 'I') word = joined({word, arguments()});
        const auto* of = type();
        return remember(joined({of, text(" "), word}));
    }
    case 'F': return remember(functionType({}));
    case 'A': return remember(arrayType());
    case 'M': return remember(memberType());
    case 'D': return extendedType();
    case 'u': {
        ++m_at;
        const auto* word = sourceName();
        return remember(peek() == 'I' ? joined({word, arguments()}) : word);
    }
    case 'T': {
        if (peek(1) == 's' || peek(1) == 'u' || peek(1) == 'e') m_at += 2;
        if (peek() != 'T') return remember(name(said));
        const auto* of = remember(parameter());
        return peek() == 'I' ? remember(joined({of, arguments()})) : of;
    }
    case 'S': {
        if (peek(1) == 't') return remember(name(said));
        bool isModule = false;
        const auto* known = substitution(isModule);
        if (isModule) {
            const auto* one = remember(unqualified(nullptr, said, known));
            return peek() == 'I' ? remember(joined({one, arguments()})) : one;
        }
        return peek() == 'I' ? remember(joined({known, arguments()})) : known;
    }
    default: break;
    }
    if (const auto word = builtin(peek()); !word.empty()) return ++m_at, text(word);
    return remember(name(said));
}

const ItaniumNode* ItaniumReader::extendedType()
{
    switch (peek(1)) {
    case 'p': {
        m_at += 2;
        const auto* of = type();
        return remember(make({Kind::Expansion, {}, {of}}));
    }
    case 't':
    case 'T': return remember(decltypeType());
    case 'v': return remember(vectorType());
    case 'F': return floatType();
    case 'o':
    case 'O':
    case 'w':
    case 'x': return remember(functionType({}));
    case 'a':
    case 'c':
        if (const auto word = extended(peek(1)); true) return m_at += 2, text(word);
    default: break;
    }
    const auto word = extended(peek(1));
    if (word.empty()) return fail();
    m_at += 2;
    return text(word);
}

/// "DF16_", "DF32x", "DF16b".
const ItaniumNode* ItaniumReader::floatType()
{
    m_at += 2;
    const auto bits = digits();
    if (bits.empty()) return fail();
    if (eat("b")) return bits == "16" ? text("std::bfloat16_t") : fail();
    const bool isExtended = eat("x");
    if (!isExtended && !eat("_")) return fail();
    return text("_Float" + std::string(bits) + (isExtended ? "x" : ""));
}

const ItaniumNode* ItaniumReader::vectorType()
{
    m_at += 2;
    const Node* size = nullptr;
    if (eat("_"))
        size = expression();
    else
        size = text(digits());
    if (!eat("_")) return fail();
    const auto* of = eat("p") ? text("pixel") : type();
    return joined({of, text(" __vector("), size, text(")")});
}

const ItaniumNode* ItaniumReader::functionType(std::string words)
{
    const Deeper deeper(*this);
    std::string thrown;
    if (eat("Do"))
        thrown = " noexcept";
    else if (eat("DO")) {
        const auto* when = expression();
        ItaniumPrinter printer(m_budget);
        if (m_ok) thrown = " noexcept(" + printer.printed(when) + ')';
        if (!printer.ok() || !eat("E")) return fail();
    } else if (eat("Dw")) {
        const auto* what = types();
        ItaniumPrinter printer(m_budget);
        if (m_ok) thrown = " throw(" + printer.printed(what) + ')';
        if (!printer.ok() || !eat("E")) return fail();
    }
    if (eat("Dx")) words += " transaction_safe";
    if (!m_ok || !eat("F")) return fail();
    eat("Y");
    const auto* result = type();
    const auto* parameters = types();
    if (eat("R"))
        words += " &";
    else if (eat("O"))
        words += " &&";
    if (!eat("E")) return fail();
    return make({Kind::Function, words + thrown, {result, parameters}});
}

const ItaniumNode* ItaniumReader::arrayType()
{
    ++m_at;
    const Node* size = nullptr;
    if (const auto told = digits(); !told.empty())
        size = text(told);
    else if (peek() != '_')
        size = expression();
    if (!eat("_")) return fail();
    const auto* of = type();
    return make({Kind::Array, {}, {of, size}});
}

const ItaniumNode* ItaniumReader::memberType()
{
    ++m_at;
    const auto* of = type();
    const auto* member = type();
    return make({Kind::Member, {}, {of, member}});
}

const ItaniumNode* ItaniumReader::decltypeType()
{
    if (!eat("Dt") && !eat("DT")) return fail();
    const auto* of = expression();
    return eat("E") ? joined({text("decltype ("), of, text(")")}) : fail();
}
} // namespace dscope::demangle
