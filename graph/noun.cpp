#include "graph/noun.h"
#include "graph/tongue.h"
#include <algorithm>
#include <array>
namespace dscope::graph {
namespace {
struct NounWords {
    const char *plural, *one, *many; ///< one, many: with a number
    const char *ofOne, *ofMany;      ///< with a part of it
};
constexpr std::string_view kNounSamples = "samples", kNounValues = "values";
constexpr std::array kNounWords{
    NounWords{toSay("events"), toSay("%1 event"), toSay("%1 events"), toSay("%1 of %2 event"), toSay("%1 of %2 events")},
    NounWords{toSay("samples"), toSay("%1 sample"), toSay("%1 samples"), toSay("%1 of %2 sample"), toSay("%1 of %2 samples")},
    NounWords{toSay("calls"), toSay("%1 call"), toSay("%1 calls"), toSay("%1 of %2 call"), toSay("%1 of %2 calls")},
    NounWords{toSay("values"), toSay("%1 value"), toSay("%1 values"), toSay("%1 of %2 value"), toSay("%1 of %2 values")},
};
} // namespace

Noun::Noun(std::string_view plural) : m_plural(plural), m_known(kUnknown)
{
    const auto found = std::find_if(kNounWords.begin(), kNounWords.end(), [&](const NounWords& words) { return plural == words.plural; });
    if (found != kNounWords.end()) m_known = static_cast<std::size_t>(found - kNounWords.begin());
}

std::string Noun::said() const { return m_known == kUnknown ? m_plural : graph::said(kNounWords[m_known].plural); }

std::string Noun::with(const std::string& number) const
{
    const bool isOne = number == "1";
    if (m_known != kUnknown) return graph::said(isOne ? kNounWords[m_known].one : kNounWords[m_known].many, number);
    auto noun = m_plural;
    if (isOne && noun.ends_with('s')) noun.pop_back();
    return number + ' ' + noun;
}

std::string Noun::partOf(const std::string& part, const std::string& whole) const
{
    if (m_known == kUnknown) return graph::said("%1 of %2", part, with(whole));
    const bool isOne = whole == "1";
    return graph::said(isOne ? kNounWords[m_known].ofOne : kNounWords[m_known].ofMany, part, whole);
}

Noun ofValues(Noun noun) { return noun.plural() == kNounSamples ? Noun(kNounValues) : noun; }
} // namespace dscope::graph
