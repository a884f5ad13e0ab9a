#include "engine/demangle/d_reader.h"
#include "engine/demangle/d_reader_steps.h"
#include <cctype>
#include <utility>
namespace dscope::demangle {
namespace {
std::string_view basicType(char c)
{
    switch (c) {
    case 'n': return "typeof(null)";
    case 'v': return "void";
    case 'g': return "byte";
    case 'h': return "ubyte";
    case 's': return "short";
    case 't': return "ushort";
    case 'i': return "int";
    case 'k': return "uint";
    case 'l': return "long";
    case 'm': return "ulong";
    case 'f': return "float";
    case 'd': return "double";
    case 'e': return "real";
    case 'o': return "ifloat";
    case 'p': return "idouble";
    case 'j': return "ireal";
    case 'q': return "cfloat";
    case 'r': return "cdouble";
    case 'c': return "creal";
    case 'b': return "bool";
    case 'a': return "char";
    case 'u': return "wchar";
    case 'w': return "dchar";
    default: return {};
    }
}
} // namespace

std::string DReader::type()
{
    const Deeper deeper(*this);
    if (!m_ok) return {};
    const auto around = [this](std::string_view word) { return bounded(std::string(word) + '(' + type() + ')'); };
    if (beginsFunction()) return functionType("");
    switch (const char c = next()) {
    case 'O': return around("shared");
    case 'x': return around("const");
    case 'y': return around("immutable");
    case 'N':
        switch (next()) {
        case 'g': return around("inout");
        case 'h': return around("__vector");
        case 'n': return "typeof(*null)";
        default: return fail(), std::string();
        }
    case 'A': return bounded(type() + "[]");
    case 'G': {
        const auto size = digits(Digits::Decimal);
        return bounded(type() + '[' + size + ']');
    }
    case 'H': {
        const auto key = type();
        return bounded(type() + '[' + key + ']');
    }
    case 'P': return beginsFunction() ? functionType(" function") : bounded(type() + '*');
    case 'D': {
        const auto after = modifiers();
        if (peek() == 'Q') return bounded(back([this] { return functionType(" delegate"); }) + after);
        return bounded(functionType(" delegate") + after);
    }
    case 'I':
    case 'C':
    case 'S':
    case 'E':
    case 'T': return qualified(Qualifiers::Hidden).text;
    case 'B': {
        std::string text = "Tuple!(";
        for (auto left = number(); m_ok && left > 0; --left)
            text = bounded(text + type() + (left > 1 ? ", " : ""));
        return bounded(text + ')');
    }
    case 'Q': return --m_at, back([this] { return type(); });
    case 'z':
        switch (next()) {
        case 'i': return "cent";
        case 'k': return "ucent";
        default: return fail(), std::string();
        }
    default: {
        const auto name = basicType(c);
        if (name.empty()) fail();
        return std::string(name);
    }
    }
}

/// Qualifiers of a member function or a delegate, each behind a blank.
std::string DReader::modifiers()
{
    std::string text;
    if (eat("y")) return " immutable";
    if (eat("O")) text += " shared";
    if (eat("Ng")) text += " inout";
    if (eat("x")) text += " const";
    return text;
}

bool DReader::beginsFunction() const
{
    constexpr std::string_view kLinkages = "FUVWRY";
    return peek() != '\0' && kLinkages.find(peek()) != kLinkages.npos;
}

std::string DReader::linkage()
{
    switch (next()) {
    case 'F': return {};
    case 'U': return "extern(C) ";
    case 'W': return "extern(Windows) ";
    case 'V': return "extern(Pascal) ";
    case 'R': return "extern(C++) ";
    case 'Y': return "extern(Objective-C) ";
    default: return fail(), std::string();
    }
}

/// Each behind a blank. What begins a parameter has an N as well.
std::string DReader::attributes()
{
    static constexpr std::pair<char, std::string_view> kAll[] = {{'a', " pure"}, {'b', " nothrow"}, {'c', " ref"}, {'d', " @property"},
        {'e', " @trusted"}, {'f', " @safe"}, {'i', " @nogc"}, {'j', " return"}, {'l', " scope"}, {'m', " @live"}};
    std::string text;
    while (m_ok && peek() == 'N') {
        std::string_view word;
        for (const auto& [letter, one] : kAll)
            if (peek(1) == letter) word = one;
        if (word.empty()) break;
        m_at += 2;
        text = bounded(text + std::string(word));
    }
    return text;
}

/// "(int, ref char, ...)".
std::string DReader::parameters()
{
    const Deeper deeper(*this);
    std::string text = "(";
    for (bool first = true; m_ok; first = false) {
        if (eat("Z")) break;
        if (eat("X")) {
            text += "...";
            break;
        }
        if (eat("Y")) {
            text += first ? "..." : ", ...";
            break;
        }
        if (!first) text += ", ";
        if (eat("M")) text += "scope ";
        if (eat("Nk")) text += "return ";
        if (eat("I")) {
            text += "in ";
            if (eat("K")) text += "ref ";
        } else if (eat("J"))
            text += "out ";
        else if (eat("K"))
            text += "ref ";
        else if (eat("L"))
            text += "lazy ";
        text = bounded(text + type());
    }
    return bounded(text + ')');
}

/// "extern(C) int(char) pure function".
std::string DReader::functionType(std::string_view kind)
{
    const Deeper deeper(*this);
    const auto before = linkage(), after = attributes(), all = parameters(), result = type();
    return bounded(before + result + all + after + std::string(kind));
}
} // namespace dscope::demangle
