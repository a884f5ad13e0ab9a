#pragma once
#include "engine/base/interned.h"
#include "engine/text/lines.h"
#include <array>
namespace dscope::text {
/// Lines that come again and again, as the frames of stacks do: numbered from 0 in the order of their coming. A frame is
/// mostly called by the one that called it before, so the line behind a known one is compared with the line that was there
/// the last time: neither its end nor its hash has to be found.
class KnownLines {
public:
    explicit KnownLines(Lines& lines) : m_lines(lines) { }

    /// The number of a line that of() has seen.
    std::optional<std::uint32_t> find(std::string_view line)
    {
        const auto number = m_known.find(line);
        if (number) follow(*number);
        return number;
    }

    /// A new number, the count of those before, when the line has none.
    std::uint32_t of(std::string_view line)
    {
        const auto number = m_known.of(line);
        if (number == m_expected.size()) m_expected.emplace_back(m_known.text(number), number);
        follow(number);
        return number;
    }

    /// Takes the next line from the text when it is known and the one that was expected.
    std::optional<std::uint32_t> next()
    {
        if (m_last == kNone) return {};
        const auto number = m_expected[m_last].next;
        if (!m_lines.take(m_expected[number].line)) return {};
        m_last = number;
        return number;
    }

    /// The known line that came last; empty behind stop().
    std::string_view last() const { return m_last == kNone ? std::string_view() : m_known.text(m_last); }
    /// What follows is not behind a known line.
    void stop() { m_last = kNone; }

private:
    void follow(std::uint32_t number)
    {
        if (m_last != kNone) m_expected[m_last].next = number;
        m_last = number;
    }
    static constexpr std::uint32_t kNone = UINT32_MAX;
    struct Expected {
        Expected(std::string_view text, std::uint32_t number) : line(text), next(number) { }
        Lines::Sample line;
        std::uint32_t next; ///< the one behind it the last time; itself while nothing was
    };
    Lines& m_lines;
    Interned m_known;
    std::vector<Expected> m_expected; ///< by number
    std::uint32_t m_last = kNone;
};
} // namespace dscope::text
