#include "graph/name_pattern.h"
#include <array>
#include <regex.h>
#include <utility>
namespace dscope::graph {
struct NamePattern::Compiled {
    regex_t expression{};
    bool isThere = false;
    Compiled() = default;
    Compiled(const Compiled&) = delete;
    Compiled& operator=(const Compiled&) = delete;
    ~Compiled()
    {
        if (isThere) ::regfree(&expression);
    }
};

Result<NamePattern> NamePattern::of(std::string text)
{
    auto compiled = std::make_shared<Compiled>();
    if (const int failed = ::regcomp(&compiled->expression, text.c_str(), REG_EXTENDED | REG_NOSUB); failed != 0) {
        std::array<char, 200> why{};
        ::regerror(failed, &compiled->expression, why.data(), why.size());
        return Error{0, '"' + text + "\" is not a regular expression: " + why.data()};
    }
    compiled->isThere = true;
    return NamePattern(std::move(text), std::move(compiled));
}

bool NamePattern::matches(std::string_view name) const
{
    // The length is given by the first match (REG_STARTEND), so that a name needs no end of its own.
    std::array<regmatch_t, 1> within{};
    within[0].rm_so = 0;
    within[0].rm_eo = static_cast<regoff_t>(name.size());
    return ::regexec(&m_compiled->expression, name.empty() ? "" : name.data(), within.size(), within.data(), REG_STARTEND) == 0;
}
} // namespace dscope::graph
