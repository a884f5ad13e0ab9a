#include "engine/sema/widths.h"
#include <algorithm>
namespace dscope::sema {
void Widths::startOver()
{
    for (auto& [place, known] : m_places)
        known.begun.reset();
}

void Widths::give(const Undeclared& place, const Width& width)
{
    auto& known = m_places[place].width;
    const bool isVariable = place.scope.has_value();
    const bool inWord = isVariable || known.inWord || width.inWord;
    if (width.size > known.size) known = width;
    known.inWord = inWord && known.size < 8;
}

const Width& Widths::begin(const Undeclared& place, const Width& first)
{
    give(place, first);
    auto& known = m_places.at(place);
    known.begun = known.width;
    return known.width;
}

bool Widths::haveGrown() const
{
    return std::any_of(m_places.begin(), m_places.end(), [](const auto& each) {
        const auto& [width, begun] = each.second;
        return begun && width != *begun;
    });
}
} // namespace dscope::sema
