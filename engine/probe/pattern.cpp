#include "engine/probe/pattern.h"
#include <array>
namespace dscope::probe {
namespace {
/// Matches one `[...]` at glob[at] (the bracket) against c; moves `at` past it. A bracket that never closes is itself.
bool inClass(std::string_view glob, std::size_t& at, char c)
{
    std::size_t i = at + 1;
    const bool negated = i < glob.size() && (glob[i] == '!' || glob[i] == '^');
    if (negated) ++i;
    bool found = false;
    const std::size_t first = i;
    for (; i < glob.size() && (glob[i] != ']' || i == first); ++i) {
        if (i + 2 < glob.size() && glob[i + 1] == '-' && glob[i + 2] != ']') {
            if (glob[i] <= c && c <= glob[i + 2]) found = true;
            i += 2;
        } else if (glob[i] == c)
            found = true;
    }
    if (i >= glob.size()) {
        ++at;
        return c == '[';
    }
    at = i + 1;
    return found != negated;
}
bool matchesHere(std::string_view glob, std::string_view text)
{
    // Linear with one point to come back to: the last star.
    std::size_t g = 0, t = 0, starGlob = glob.npos, starText = 0;
    while (t < text.size()) {
        if (g < glob.size() && glob[g] == '*') {
            starGlob = ++g;
            starText = t;
            continue;
        }
        bool ok = false;
        std::size_t next = g;
        if (g < glob.size()) {
            if (glob[g] == '?') {
                ok = true;
                next = g + 1;
            } else if (glob[g] == '[')
                ok = inClass(glob, next, text[t]);
            else {
                if (glob[g] == '\\' && g + 1 < glob.size()) ++next;
                ok = glob[next] == text[t];
                ++next;
            }
        }
        if (ok) {
            g = next;
            ++t;
        } else if (starGlob != glob.npos) {
            g = starGlob;
            t = ++starText;
        } else
            return false;
    }
    while (g < glob.size() && glob[g] == '*')
        ++g;
    return g == glob.size();
}
} // namespace

bool matches(std::string_view glob, std::string_view text) { return glob.empty() || matchesHere(glob, text); }

bool isGlob(std::string_view text) { return text.empty() || text.find_first_of("*?[\\") != text.npos; }
bool matches(const Pattern& pattern, const Name& name) { return Matcher(pattern)(name); }

Matcher::Matcher(const Pattern& pattern)
    : m_provider(part(pattern.provider)), m_module(part(pattern.module)), m_function(part(pattern.function)), m_name(part(pattern.name))
{
}
Matcher::Part Matcher::part(std::string_view text) { return {text, text.empty() ? How::All : isGlob(text) ? How::Glob : How::Equal}; }
bool Matcher::Part::matches(std::string_view name) const
{
    return how == How::All || (how == How::Equal ? text == name : matchesHere(text, name));
}
bool Matcher::operator()(const Name& name) const
{
    return m_function.matches(name.function) && m_provider.matches(name.provider) && m_name.matches(name.name)
        && m_module.matches(name.module);
}

Result<Pattern> parsePattern(std::string_view text, std::size_t parts)
{
    std::array<std::string, 4> found;
    auto left = text;
    for (std::size_t slot = parts; !left.empty(); --slot) {
        if (slot == 0) return Error{0, "Overspecified probe description"};
        const auto colon = left.rfind(':');
        const auto begin = colon == left.npos ? 0 : colon + 1;
        found[slot - 1] = std::string(left.substr(begin));
        left = left.substr(0, begin == 0 ? 0 : colon);
    }
    return Pattern{found[0], found[1], found[2], found[3]};
}
} // namespace dscope::probe
