#pragma once
#include "engine/base/choice.h"
#include <algorithm>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>
namespace dscope {
/// Half-open byte range of one source text; `file` indexes syntax::Sources. Line and column are computed when shown.
struct Span {
    std::uint32_t file = 0, begin = 0, end = 0;
};

/// What is wrong with a D program. `tag` is dtrace's stable name of the situation ("D_PROTO_LEN"), which
/// `-x errtags` prints; `message` is dtrace's text, further lines (prototype, argument) included;
/// `hints` are ours and follow below it.
struct Diagnostic {
    enum class Severity : std::uint8_t { Warning, Error } severity = Severity::Error;
    std::string_view tag;
    Span at;
    std::string message;
    std::vector<std::string> hints;
    std::string_view region = {};     ///< "action list", "predicate": told for text that has no line numbers
    std::vector<Choice> choices = {}; ///< the members of the type, where a member is wrong: for editors, never printed
};

/// Collects what is wrong with a program; analysis goes on after an error where it can.
class Diagnostics {
public:
    /// `tag` must outlive this object (a literal). The result may be given hints; it is valid until the next error.
    Diagnostic& error(std::string_view tag, Span at, std::string message)
    {
        return m_all.emplace_back(Diagnostic{Diagnostic::Severity::Error, tag, at, std::move(message), {}, m_region, {}});
    }
    Diagnostic& warning(std::string_view tag, Span at, std::string message)
    {
        return m_all.emplace_back(Diagnostic{Diagnostic::Severity::Warning, tag, at, std::move(message), {}, m_region, {}});
    }
    /// One hint more for the newest.
    void hint(std::string text) { m_all.back().hints.push_back(std::move(text)); }
    /// One that another collector found.
    void add(Diagnostic found) { m_all.push_back(std::move(found)); }
    /// What is being looked at: the region of the diagnostics to come (a literal, or empty).
    void setRegion(std::string_view region) { m_region = region; }

    bool ok() const
    {
        for (const auto& d : m_all)
            if (d.severity == Diagnostic::Severity::Error) return false;
        return true;
    }

    const std::vector<Diagnostic>& all() const { return m_all; }

    /// Of the errors from number `first` on, those that come of it become one, which has their common cause. Whether there was one
    /// of them.
    bool merge(std::size_t first, const std::function<bool(const Diagnostic&)>& comesOfIt, Diagnostic cause)
    {
        const auto begin = m_all.begin() + static_cast<std::ptrdiff_t>(first);
        const auto end = std::remove_if(
            begin, m_all.end(), [&](const Diagnostic& d) { return d.severity == Diagnostic::Severity::Error && comesOfIt(d); });
        if (end == m_all.end()) return false;
        m_all.erase(end, m_all.end());
        m_all.push_back(std::move(cause));
        return true;
    }

private:
    std::vector<Diagnostic> m_all;
    std::string_view m_region;
};
} // namespace dscope
