#pragma once
#include "engine/probe/provider.h"
namespace dscope::probe {
/// Shell glob as dtrace matches probe descriptions: `*`, `?`, `[a-z]`, `[!a]`, `\x`. An empty glob matches all.
bool matches(std::string_view glob, std::string_view text);
/// Whether it may match more than the one text: empty, or with `*`, `?`, `[`, `\` in it.
bool isGlob(std::string_view text);
bool matches(const Pattern& pattern, const Name& name);
/// The same for many names, faster: a part that is no glob is compared as text. `pattern` must outlive it.
class Matcher {
public:
    explicit Matcher(const Pattern& pattern);
    bool operator()(const Name& name) const;

private:
    enum class How { All, Glob, Equal };
    struct Part {
        std::string_view text;
        How how;
        bool matches(std::string_view name) const;
    };
    static Part part(std::string_view text);
    Part m_provider, m_module, m_function, m_name;
};
/// "provider:module:function:name"; fewer parts bind from the right: "BEGIN", "read:entry", "syscall::read:entry". A colon
/// with nothing in front of it ends the parsing: "::read:entry" means the same as ":read:entry".
/// With fewer `parts` the last word is not the name but the provider (1), module (2) or function (3).
/// Error ("Overspecified probe description") when there are more.
Result<Pattern> parsePattern(std::string_view text, std::size_t parts = 4);
} // namespace dscope::probe
