#include "engine/demangle/d_reader.h"
#include "engine/demangle/d_reader_steps.h"
#include <array>
#include <cctype>
namespace dscope::demangle {
char DReader::next()
{
    if (m_at < m_in.size()) return m_in[m_at++];
    fail();
    return '\0';
}

bool DReader::eat(std::string_view text)
{
    if (!m_in.substr(m_at).starts_with(text)) return false;
    m_at += text.size();
    return true;
}

std::string DReader::bounded(std::string text)
{
    m_steps += static_cast<int>(text.size() / kTextOfStep);
    if (text.size() > kMostText || m_steps > kMostSteps) fail();
    return m_ok ? std::move(text) : std::string();
}

std::uint64_t DReader::number()
{
    if (!isDigit(peek())) fail();
    std::uint64_t value = 0;
    while (m_ok && isDigit(peek())) {
        value = value * 10 + static_cast<std::uint64_t>(next() - '0');
        if (value > 0xffffffff) fail();
    }
    return value;
}

DReader::Name DReader::mangled()
{
    const Deeper deeper(*this);
    if (!eat("_D")) fail();
    auto name = qualified(Qualifiers::Shown);
    if (eat("Z"))
        name.isArtificial = true;
    else
        type(); // what it returns, or is
    return name;
}

/// What begins another part of a qualified name.
bool DReader::beginsName() const
{
    if (isDigit(peek()) || m_in.substr(m_at).starts_with("__T") || m_in.substr(m_at).starts_with("__U")) return true;
    if (peek() != 'Q') return false;
    auto copy = *this;
    return copy.back([&copy] { return isDigit(copy.peek()); });
}

DReader::Name DReader::qualified(Qualifiers qualifiers)
{
    const Deeper deeper(*this);
    Name name;
    do {
        while (m_ok && peek() == '0') // a part without a name
            next();
        if (!m_ok || atEnd()) break;
        if (!name.text.empty()) name.text += '.';
        name.text += identifier();
        name.signature = name.text.size();
        if (eat("MFZ")) { // only __postblit's own
            if (name.text.ends_with("__postblit")) {
                name.text.replace(name.text.size() - 10, 10, "this(this)");
                name.signature = name.text.size();
                continue;
            }
            m_at -= 3;
        }
        signature(name, qualifiers);
        name.text = bounded(std::move(name.text));
    } while (m_ok && beginsName());
    if (name.text.empty()) fail();
    return name;
}

/// The parameters of a function within a name. Where nothing follows them they were the type of something else.
void DReader::signature(Name& name, Qualifiers qualifiers)
{
    if (!m_ok) return;
    const auto before = m_at;
    const auto after = eat("M") ? modifiers() : std::string();
    if (beginsFunction()) {
        linkage();
        attributes();
        const auto all = parameters();
        if (m_ok && !atEnd()) {
            name.text += all;
            if (qualifiers == Qualifiers::Shown) name.text += after;
            return;
        }
    }
    m_at = before;
    m_ok = m_steps <= kMostSteps;
}

std::string DReader::identifier()
{
    const Deeper deeper(*this);
    if (!m_ok) return {};
    if (peek() == 'Q') return back([this] { return isDigit(peek()) ? identifier() : (fail(), std::string()); });
    if (m_in.substr(m_at).starts_with("__T") || m_in.substr(m_at).starts_with("__U")) return templateInstance();
    return plainIdentifier();
}

std::string DReader::plainIdentifier()
{
    const auto length = number();
    if (!m_ok || length == 0 || length > m_in.size() - m_at) return fail(), std::string();
    const auto name = m_in.substr(m_at, length);
    const auto end = m_at + length;
    if (name.starts_with("__T") || name.starts_with("__U")) {
        auto instance = templateInstance();
        if (m_at != end) fail();
        return instance;
    }
    m_at = end;
    // Makes symbols of one function differ that have the same name: no part of it.
    if (name.size() >= 4 && name.starts_with("__S") && name.find_first_not_of("0123456789", 3) == name.npos) return identifier();
    if (name == "__ctor") return "this";
    if (name == "__dtor") return "~this";
    return std::string(name);
}

std::string DReader::templateInstance()
{
    const Deeper deeper(*this);
    m_at += 3; // __T or __U
    auto text = identifier() + "!(";
    for (bool first = true; m_ok && !eat("Z"); first = false) {
        if (!first) text += ", ";
        text = bounded(text + templateArgument());
    }
    return bounded(text + ')');
}

std::string DReader::templateArgument()
{
    const Deeper deeper(*this);
    eat("H"); // for which the template was specialized
    switch (next()) {
    case 'T': return type();
    case 'S': return symbolArgument();
    case 'V': {
        const char kind = kindOfType();
        const auto name = type();
        return value(name, kind);
    }
    case 'X': {
        const auto length = number();
        if (!m_ok || length > m_in.size() - m_at) return fail(), std::string();
        m_at += length;
        return std::string(m_in.substr(m_at - length, length));
    }
    default: return fail(), std::string();
    }
}

std::string DReader::symbolArgument()
{
    if (m_in.substr(m_at).starts_with("_D")) return mangled().text;
    if (isDigit(peek())) { // older compilers told its length
        const auto before = m_at;
        const auto length = number();
        if (m_ok && m_in.substr(m_at).starts_with("_D")) {
            const auto end = m_at + length;
            auto name = mangled().text;
            if (m_at != end) fail();
            return name;
        }
        m_at = before;
    }
    return qualified(Qualifiers::Hidden).text;
}
} // namespace dscope::demangle
