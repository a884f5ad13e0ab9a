#pragma once
#include <cstdint>
#include <string>
#include <string_view>
namespace dscope::demangle {
/// Recursive descent over a mangled name of D. Anything unexpected makes ok() false; texts are then of no use.
class DReader {
public:
    explicit DReader(std::string_view symbol) : m_in(symbol) { }
    struct Name {
        std::string text;
        std::size_t signature = 0; ///< where the parameters of the last function begin; the text's size if it is no function
        bool isArtificial = false; ///< ends with Z where other names have a type
    };
    /// "_D", a qualified name, its type.
    Name mangled();
    bool ok() const { return m_ok; }
    bool atEnd() const { return m_at == m_in.size(); }

private:
    struct Deeper;
    enum class Qualifiers { Shown, Hidden };
    char peek(std::size_t ahead = 0) const { return m_at + ahead < m_in.size() ? m_in[m_at + ahead] : '\0'; }
    char next();
    bool eat(std::string_view text);
    void fail() { m_ok = false; }
    std::string bounded(std::string text);
    std::uint64_t number();
    enum class Digits : std::uint8_t { Decimal, Hexadecimal };
    std::string digits(Digits kind);
    /// Reads what the reference at this place (Q and a distance) refers to.
    template <typename F> auto back(F f);

    Name qualified(Qualifiers qualifiers);
    bool beginsName() const;
    std::string identifier();
    std::string plainIdentifier();
    std::string templateInstance();
    std::string templateArgument();
    std::string symbolArgument();
    void signature(Name& name, Qualifiers qualifiers);

    std::string type();
    std::string qualifiedType();
    std::string modifiers();
    bool beginsFunction() const;
    std::string linkage();
    std::string attributes();
    std::string parameters();
    std::string functionType(std::string_view kind);

    std::string value(const std::string& name, char kind);
    std::string integer(char kind);
    std::string real();
    std::string text(char kind);
    std::string list(char kind);
    char kindOfType();

    std::string_view m_in;
    std::size_t m_at = 0;
    int m_depth = 0, m_steps = 0;
    bool m_ok = true;
};
} // namespace dscope::demangle
