#include "engine/demangle/d_reader.h"
#include "engine/demangle/d_reader_steps.h"
#include <cctype>
#include <charconv>
#include <cstdio>
namespace dscope::demangle {
namespace {
bool isShown(std::uint64_t c) { return c >= 0x20 && c < 0x7f; }
} // namespace

std::string DReader::digits(Digits kind)
{
    const bool hexadecimal = kind == Digits::Hexadecimal;
    const auto before = m_at;
    while (isDigit(peek()) || (hexadecimal && std::isxdigit(static_cast<unsigned char>(peek())) != 0))
        next();
    if (m_at == before) fail();
    return std::string(m_in.substr(before, m_at - before));
}

/// The letter of the type that follows, without its qualifiers and where it was spelled first.
char DReader::kindOfType()
{
    auto copy = *this;
    for (int n = 0; n < kDeepestName; ++n) {
        if (copy.peek() == 'Q') return copy.back([&copy] { return copy.peek() == 'Q' ? '\0' : copy.kindOfType(); });
        if (copy.eat("x") || copy.eat("y") || copy.eat("O") || copy.eat("Ng")) continue;
        return copy.peek();
    }
    return '\0';
}

std::string DReader::value(const std::string& name, char kind)
{
    const Deeper deeper(*this);
    if (!m_ok) return {};
    switch (peek()) {
    case 'n': return next(), "null";
    case 'N': return next(), '-' + integer(kind);
    case 'i': return next(), integer(kind);
    case 'e': return next(), real();
    case 'c': {
        next();
        const auto first = real();
        if (!eat("c")) fail();
        return bounded(first + '+' + real() + 'i');
    }
    case 'a':
    case 'w':
    case 'd': return text(next());
    case 'A': return next(), list(kind);
    case 'S': return next(), bounded(name + list('S'));
    case 'f': {
        next();
        return mangled().text;
    }
    default: return integer(kind);
    }
}

std::string DReader::integer(char kind)
{
    auto text = digits(Digits::Decimal);
    std::uint64_t value = 0;
    std::from_chars(text.data(), text.data() + text.size(), value);
    char quoted[24];
    switch (kind) {
    case 'a':
    case 'u':
    case 'w':
        if (isShown(value))
            std::snprintf(quoted, sizeof quoted, "'%c'", static_cast<char>(value));
        else
            std::snprintf(quoted, sizeof quoted,
                kind == 'a'       ? "'\\x%02llx'"
                    : kind == 'u' ? "'\\u%04llx'"
                                  : "'\\U%08llx'",
                static_cast<unsigned long long>(value));
        return quoted;
    case 'b': return value != 0 ? "true" : "false";
    case 'h':
    case 't':
    case 'k': return text + 'u';
    case 'l': return text + 'L';
    case 'm': return text + "uL";
    default: return text;
    }
}

std::string DReader::real()
{
    if (eat("NAN")) return "NaN";
    if (eat("INF")) return "Inf";
    if (eat("NINF")) return "-Inf";
    std::string text = eat("N") ? "-0x" : "0x";
    if (std::isxdigit(static_cast<unsigned char>(peek())) == 0) return fail(), std::string();
    text += next();
    text += '.';
    if (std::isxdigit(static_cast<unsigned char>(peek())) != 0) text += digits(Digits::Hexadecimal);
    if (!eat("P")) fail();
    text += eat("N") ? "p-" : "p";
    return text + digits(Digits::Decimal);
}

/// Text of bytes, each as two hexadecimal digits.
std::string DReader::text(char kind)
{
    auto left = number();
    if (!eat("_")) fail();
    std::string out = "\"";
    for (; m_ok && left > 0; --left) {
        if (m_in.size() - m_at < 2) return fail(), std::string();
        unsigned value = 0;
        const auto* const begin = m_in.data() + m_at;
        if (const auto [end, error] = std::from_chars(begin, begin + 2, value, 16); error != std::errc{} || end != begin + 2) fail();
        m_at += 2;
        switch (value) {
        case '\t': out += "\\t"; break;
        case '\n': out += "\\n"; break;
        case '\r': out += "\\r"; break;
        case '\f': out += "\\f"; break;
        case '\v': out += "\\v"; break;
        default:
            if (isShown(value))
                out += static_cast<char>(value);
            else {
                char code[8];
                std::snprintf(code, sizeof code, "\\x%c%c", begin[0], begin[1]);
                out += code;
            }
        }
        out = bounded(std::move(out));
    }
    out += '"';
    if (kind != 'a') out += kind;
    return out;
}

/// The elements of an array, an associative array or a structure.
std::string DReader::list(char kind)
{
    const Deeper deeper(*this);
    std::string out(1, kind == 'S' ? '(' : '[');
    for (auto left = number(); m_ok && left > 0; --left) {
        out += value({}, '\0');
        if (kind == 'H') out += ':' + value({}, '\0');
        out = bounded(out + (left > 1 ? ", " : ""));
    }
    return out + (kind == 'S' ? ')' : ']');
}
} // namespace dscope::demangle
