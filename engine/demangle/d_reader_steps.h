#pragma once
#include "engine/demangle/d_reader.h"
#include <cctype>
namespace dscope::demangle {
inline bool isDigit(char c) { return std::isdigit(static_cast<unsigned char>(c)) != 0; }

/// Bounds of a name: references may repeat what was spelled before, in each other.
constexpr int kDeepestName = 200, kMostSteps = 100'000;
constexpr std::size_t kMostText = 1u << 16, kTextOfStep = 1024;
/// Counts one level of nesting while it lives; too deep a name, or too many steps, makes the reader fail.
struct DReader::Deeper {
    explicit Deeper(DReader& owner) : o(owner)
    {
        if (++o.m_depth > kDeepestName || ++o.m_steps > kMostSteps) o.m_ok = false;
    }
    ~Deeper() { --o.m_depth; }
    Deeper(const Deeper&) = delete;
    Deeper& operator=(const Deeper&) = delete;
    DReader& o;
};

/// Letters are digits of base 26, the last one in lower case; they tell how far back from the Q something was spelled already.
template <typename F> auto DReader::back(F f)
{
    const Deeper deeper(*this);
    const auto from = m_at;
    if (!eat("Q")) fail();
    std::size_t distance = 0;
    while (m_ok) {
        const char c = next();
        if (!std::isalpha(static_cast<unsigned char>(c)) || distance > m_in.size()) fail();
        const bool last = std::islower(static_cast<unsigned char>(c)) != 0;
        distance = distance * 26 + static_cast<std::size_t>(c - (last ? 'a' : 'A'));
        if (last) break;
    }
    if (distance == 0 || distance > from) fail();
    const auto after = m_at;
    m_at = m_ok ? from - distance : m_in.size();
    auto result = f();
    m_at = after;
    return result;
}
} // namespace dscope::demangle
