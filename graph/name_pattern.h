#pragma once
#include "engine/base/result.h"
#include <memory>
#include <string>
#include <string_view>
namespace dscope::graph {
/// A regular expression that names are searched with. A copy costs little; any thread may use it.
class NamePattern {
public:
    /// `text`: a POSIX extended regular expression; glibc adds \w, \s, \b. Error: where it is wrong, in regcomp's words.
    static Result<NamePattern> of(std::string text);
    /// Whether a part of `name` matches.
    bool matches(std::string_view name) const;
    const std::string& text() const { return m_text; }
    bool operator==(const NamePattern& other) const { return m_text == other.m_text; }

private:
    struct Compiled;
    NamePattern(std::string text, std::shared_ptr<const Compiled> compiled) : m_text(std::move(text)), m_compiled(std::move(compiled)) { }
    std::string m_text;
    std::shared_ptr<const Compiled> m_compiled;
};
} // namespace dscope::graph
