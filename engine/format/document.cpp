#include "engine/format/document.h"
#include "engine/base/result.h"
#include "engine/format/text.h"
#include <utility>
namespace dscope::format {
namespace {
/// What both have in common: levels, and the blanks before a line of a document that is indented.
class Nested : public Document {
public:
    Nested(Write out, bool pretty) : Document(std::move(out)), m_pretty(pretty) { }

protected:
    struct Level {
        std::string name;
        enum class Kind : std::uint8_t { Container, List, Instance } kind;
        bool isEmpty = true;
    };
    void push(std::string_view name, Level::Kind kind) { m_levels.push_back({std::string(name), kind}); }
    Level pop()
    {
        DSCOPE_ASSERT(!m_levels.empty());
        auto level = std::move(m_levels.back());
        m_levels.pop_back();
        return level;
    }
    void line()
    {
        constexpr std::size_t kIndent = 2;
        if (m_pretty) m_text.append(1, '\n').append(kIndent * depth(), ' ');
    }
    virtual std::size_t depth() const { return m_levels.size(); }

    bool m_pretty;
    std::vector<Level> m_levels;
};

class Json final : public Nested {
public:
    using Nested::Nested;

    void open(std::string_view name) override
    {
        if (m_levels.empty()) begin();
        key(name);
        m_text += '{';
        push(name, Level::Kind::Container);
    }
    void close() override
    {
        end('}');
        if (m_levels.size() > 1) return;
        end('}'); // the document's
        m_text += '\n';
    }
    void openList(std::string_view name) override
    {
        key(name);
        m_text += '[';
        push(name, Level::Kind::List);
    }
    void closeList() override { end(']'); }
    void openInstance() override
    {
        next();
        // A line for each probe that fired, for readers that take line by line.
        constexpr std::size_t kProbes = 3;
        if (!m_pretty && m_levels.size() == kProbes) m_text += '\n';
        m_text += '{';
        push({}, Level::Kind::Instance);
    }
    void closeInstance() override { end('}'); }
    void text(std::string_view name, std::string_view value) override
    {
        key(name);
        m_text += jsonString(value);
    }
    void number(std::string_view name, std::string_view digits) override
    {
        key(name);
        m_text += digits;
    }

private:
    void begin()
    {
        m_text += '{';
        push({}, Level::Kind::Container);
    }
    void next()
    {
        if (!std::exchange(m_levels.back().isEmpty, false)) m_text += ',';
        line();
    }
    void key(std::string_view name)
    {
        next();
        m_text.append(jsonString(name)).append(m_pretty ? ": " : ":");
    }
    void end(char bracket)
    {
        const auto level = pop();
        if (!level.isEmpty) line();
        m_text += bracket;
    }
};

class Xml final : public Nested {
public:
    using Nested::Nested;

    void open(std::string_view name) override
    {
        if (m_levels.empty()) m_text += "<?xml version=\"1.0\"?>\n";
        begin(name, Level::Kind::Container);
    }
    void close() override
    {
        finish();
        if (m_levels.empty()) m_text += '\n';
    }
    void openList(std::string_view name) override { push(name, Level::Kind::List); }
    void closeList() override { pop(); }
    void openInstance() override { begin(std::string(m_levels.back().name), Level::Kind::Instance); }
    void closeInstance() override { finish(); }
    void text(std::string_view name, std::string_view value) override
    {
        fill();
        line();
        m_text.append("<").append(name);
        if (value.empty())
            m_text += "/>";
        else
            m_text.append(">").append(xmlText(value)).append("</").append(name).append(">");
    }
    void number(std::string_view name, std::string_view digits) override { text(name, digits); }

private:
    std::size_t depth() const override
    {
        std::size_t n = 0; // a list has no element of its own
        for (const auto& level : m_levels)
            n += level.kind == Level::Kind::List ? 0 : 1;
        return n;
    }
    /// Whatever is around has something in it.
    void fill()
    {
        for (auto& level : m_levels)
            level.isEmpty = false;
    }
    void begin(std::string_view name, Level::Kind kind)
    {
        fill();
        if (!m_levels.empty()) line();
        m_text.append("<").append(name).append(">");
        push(name, kind);
    }
    void finish()
    {
        const auto level = pop();
        if (!level.isEmpty) line();
        m_text.append("</").append(level.name).append(">");
        constexpr std::size_t kProbes = 2;
        if (!m_pretty && m_levels.size() == kProbes) m_text += '\n';
    }
};

std::string octal(std::string_view bytes)
{
    std::string out;
    for (const char c : bytes)
        out += formatted("\\%03o", unsigned(static_cast<unsigned char>(c)));
    return out;
}

/// Each well-formed character of a text, and each byte that belongs to none.
template <typename Character, typename Other> void eachCharacter(std::string_view text, Character&& character, Other&& other)
{
    while (!text.empty()) {
        const auto size = characterSize(text);
        const auto one = text.substr(0, size);
        if (size > 1 || static_cast<unsigned char>(one[0]) < 0x80)
            character(one);
        else
            other(one);
        text.remove_prefix(size);
    }
}
/// Of U+0080 to U+009F, which terminals obey, the number; else 0.
unsigned upperControl(std::string_view c)
{
    return c.size() == 2 && static_cast<unsigned char>(c[0]) == 0xc2 && static_cast<unsigned char>(c[1]) < 0xa0
        ? static_cast<unsigned char>(c[1])
        : 0;
}
} // namespace

std::string jsonString(std::string_view text)
{
    std::string out = "\"";
    eachCharacter(
        text,
        [&](std::string_view c) {
            static constexpr std::string_view kSpecial("\b\f\n\r\t\"\\"), kLetters("bfnrt\"\\");
            const auto code = static_cast<unsigned char>(c[0]);
            if (const auto upper = upperControl(c))
                out += formatted("\\u%04x", upper);
            else if (const auto at = kSpecial.find(c[0]); at != std::string_view::npos)
                out.append(1, '\\').append(1, kLetters[at]);
            else if (code < ' ' || code == 0x7f)
                out += formatted("\\u%04x", unsigned(code));
            else
                out += c;
        },
        [&](std::string_view byte) { out += jsonString(octal(byte)).substr(1, 5); });
    return out += '"';
}

std::string xmlText(std::string_view text)
{
    std::string out;
    eachCharacter(
        text,
        [&](std::string_view c) {
            const auto code = static_cast<unsigned char>(c[0]);
            const bool isNonCharacter = c == "\xef\xbf\xbe" || c == "\xef\xbf\xbf";
            if (const auto upper = upperControl(c))
                out += formatted("&#x%x;", upper);
            else if (c[0] == '&')
                out += "&amp;";
            else if (c[0] == '<')
                out += "&lt;";
            else if (c[0] == '>')
                out += "&gt;";
            else if (code == '\r' || code == 0x7f)
                out += formatted("&#x%x;", unsigned(code));
            else if ((code < ' ' && c[0] != '\n' && c[0] != '\t') || isNonCharacter)
                out += octal(c);
            else
                out += c;
        },
        [&](std::string_view byte) { out += octal(byte); });
    return out;
}

std::optional<DocumentStyle> documentStyle(std::string_view oformat)
{
    using Syntax = DocumentStyle::Syntax;
    const auto comma = oformat.find(',');
    const auto syntax = oformat.substr(0, comma);
    const bool pretty = comma != std::string_view::npos && oformat.substr(comma + 1) == "pretty";
    if (syntax == "json") return DocumentStyle{Syntax::Json, pretty};
    if (syntax == "xml") return DocumentStyle{Syntax::Xml, pretty};
    return std::nullopt;
}

std::unique_ptr<Document> makeDocument(DocumentStyle style, Write out)
{
    if (style.syntax == DocumentStyle::Syntax::Xml) return std::make_unique<Xml>(std::move(out), style.pretty);
    return std::make_unique<Json>(std::move(out), style.pretty);
}
} // namespace dscope::format
