#include "graph/tongue.h"
#include <utility>
namespace dscope::graph {
namespace {
thread_local const Tongue* t_tongue = nullptr;
}

Tongue::Tongue(Words words, Separators separators, Initials initials)
    : m_words(std::move(words)), m_separators(std::move(separators)), m_initials(initials), m_before(std::exchange(t_tongue, this))
{
}
Tongue::~Tongue() { t_tongue = m_before; }
const Tongue::Words* Tongue::here() { return t_tongue ? &t_tongue->m_words : nullptr; }
const Tongue::Separators& Tongue::separators()
{
    static const Separators english;
    return t_tongue ? t_tongue->m_separators : english;
}
Tongue::Initials Tongue::initials() { return t_tongue ? t_tongue->m_initials : Initials::Small; }

std::string saidWith(const char* english, std::span<const std::string_view> values)
{
    const auto* words = Tongue::here();
    const std::string text = words ? (*words)(english) : english;
    std::string out;
    for (std::size_t i = 0; i < text.size(); ++i) {
        const bool isPlace = text[i] == '%' && i + 1 < text.size() && text[i + 1] >= '1' && text[i + 1] <= '9';
        if (!isPlace)
            out += text[i];
        else if (const auto place = static_cast<std::size_t>(text[++i] - '1'); place < values.size())
            out += values[place];
    }
    return out;
}
} // namespace dscope::graph
