#pragma once
#include <array>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
namespace dscope::text {
/// Reads a JSON text value by value, as a caller asks for them: nothing is kept, what is skipped is not copied, and no depth of
/// nesting uses up the stack. Files of traces have gigabytes, so they are never a tree of values in memory, nor whole as text.
/// After a false answer the reader is at its end; failed() tells whether the text was wrong there. Source: RFC 8259.
class JsonReader {
public:
    /// Gives the text piece by piece, each valid until the next is asked for; an empty piece is the end.
    using Source = std::function<std::string_view()>;
    explicit JsonReader(std::string_view json) : m_text(json), m_at(json.starts_with("\xEF\xBB\xBF") ? 3 : 0) { }
    explicit JsonReader(Source source);
    JsonReader(const JsonReader&) = delete;
    JsonReader& operator=(const JsonReader&) = delete;
    enum class Kind : std::uint8_t {
        Object,
        Array,
        Text,
        Number,
        Word,
        None
    }; ///< Word: true, false, null; None: the text ends or is wrong
    /// What the value that comes next is.
    Kind kind();

    /// Hands the name of every member of the object that comes next to `each`, which reads or skips its value, and says false to end.
    template <typename Each> bool members(Each each)
    {
        if (!open('{')) return false;
        std::string name;
        for (bool first = true; more('}', first); first = false) {
            if (!text(name) || !colon()) return false;
            if (!each(std::string_view(name))) return false;
        }
        return !m_failed;
    }

    /// Calls `each` in front of every value of the array that comes next; it reads or skips that, and says false to end.
    template <typename Each> bool elements(Each each)
    {
        if (!open('[')) return false;
        for (bool first = true; more(']', first); first = false)
            if (!each()) return false;
        return !m_failed;
    }

    /// The text that comes next, without quotes and escapes.
    bool text(std::string& out);
    /// The number that comes next, as it is written; also one in quotes, as some tools write it. It stays valid until the next is read.
    std::optional<std::string_view> number();
    /// Passes a value, whatever it is and however deep.
    bool skip();
    bool failed() const { return m_failed; }
    bool atEnd();                                            ///< nothing but blanks follows
    const char* what() const { return m_what; }              ///< what was wrong, as the object of "there is"; "" unless failed()
    std::size_t position() const { return m_before + m_at; } ///< bytes read; of a failure, where it is
    std::size_t line() const;                                ///< where position() is, from 1
    std::string near() const;                                ///< some bytes around position(), of one line

    static constexpr std::size_t kDeepest = 512;     ///< levels that skip() follows
    static constexpr std::size_t kMostDigits = 4096; ///< of a number

private:
    bool has() { return m_at < m_text.size() || fill(m_text.size()); }
    bool fill(std::size_t keptFrom);
    void blanks();
    bool open(char bracket);
    bool more(char close, bool first);
    bool colon();
    bool string(std::string* out);
    bool scalar(std::size_t& from);
    bool skipNested();
    std::optional<std::uint32_t> unit();
    bool unicode(std::string& out);
    bool escape(std::string& out);
    bool fail(const char* what);
    std::string_view m_text;
    std::size_t m_at = 0;
    bool m_failed = false;
    const char* m_what = "";
    Source m_source;
    std::string m_kept;                          ///< a number that lies in two pieces, with what follows
    std::size_t m_before = 0, m_linesBefore = 0; ///< of what was read before m_text
};
/// Whether a text is JSON by its beginning: no text of lines begins with a brace and a quote, or a bracket and a brace.
bool beginsJson(std::string_view head);
/// A decimal number times 10 to the `power`, rounded; nothing where it is none or beyond 64 bits. "1.5" and 3 are 1500.
std::optional<std::int64_t> scaledNumber(std::string_view number, int power);
/// How many digits behind the point a decimal number has that are not zeros at its end: 2 of "1.250", 0 of "1e3", 7 of "2.5e-6".
/// Nothing where it is no number, or more than 400.
std::optional<int> decimalsOf(std::string_view number);
} // namespace dscope::text
