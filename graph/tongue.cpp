#include "graph/tongue.h"
#include <array>
#include <utility>
namespace dscope::graph {
namespace {
thread_local const Tongue* t_tongue = nullptr;
}

Tongue::Tongue(Words words, Separators separators)
    : m_words(std::move(words)), m_separators(std::move(separators)), m_before(std::exchange(t_tongue, this))
{
}
Tongue::~Tongue() { t_tongue = m_before; }
const Tongue::Words* Tongue::here() { return t_tongue ? &t_tongue->m_words : nullptr; }
const Tongue::Separators& Tongue::separators()
{
    static const Separators english;
    return t_tongue ? t_tongue->m_separators : english;
}

std::string said(const char* english, const std::string& first, const std::string& second, const std::string& third)
{
    const auto* words = Tongue::here();
    const std::string text = words ? (*words)(english) : english;
    const std::array<const std::string*, 3> values{&first, &second, &third};
    std::string out;
    for (std::size_t i = 0; i < text.size(); ++i) {
        const bool isPlace = text[i] == '%' && i + 1 < text.size() && text[i + 1] >= '1' && text[i + 1] <= '3';
        if (isPlace)
            out += *values[static_cast<std::size_t>(text[++i] - '1')];
        else
            out += text[i];
    }
    return out;
}
} // namespace dscope::graph
