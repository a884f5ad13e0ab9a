#pragma once
#include "engine/base/diagnostics.h"
#include <string>
#include <string_view>
#include <utility>
#include <vector>
namespace dscope::syntax {
/// The texts of one compilation; Span::file indexes them.
class Sources {
public:
    struct Source {
        std::string name; ///< path; empty for text of the command line, whose messages carry no line number
        std::string text;
        bool isLibrary = false;
        bool isProvider = false; ///< what a provider says of its probes, which is no file's
        /// How many parts its probe descriptions may have: a lone word is the last of them. 1 for -P, 2 for -m, 3 for -f.
        std::uint8_t parts = 4;
        std::string given{}; ///< what is named in messages where cpp made `text` of it; else empty
    };

    std::uint32_t add(Source source)
    {
        m_all.push_back(std::move(source));
        return static_cast<std::uint32_t>(m_all.size() - 1);
    }
    std::uint32_t addLibrary(std::string name, std::string text) { return add({.name = std::move(name), .text = std::move(text), .isLibrary = true}); }
    std::uint32_t addProvider(const std::string& provider, std::string text)
    {
        return add({.name = "provider " + provider, .text = std::move(text), .isLibrary = true, .isProvider = true});
    }
    const Source& at(std::uint32_t file) const { return m_all.at(file); }

    /// The first that is no library.
    const Source& program() const
    {
        for (const auto& source : m_all)
            if (!source.isLibrary) return source;
        return m_all.front();
    }

    std::string_view text(Span span) const { return std::string_view(m_all.at(span.file).text).substr(span.begin, span.end - span.begin); }
    struct Position {
        std::uint32_t line, column;
    }; ///< from 1; column in bytes
    /// Lines are counted as the program's # line directives say.
    Position position(Span span) const;
    /// The file that a # line directive says the text comes from; empty for the source itself.
    std::string includedFile(Span span) const;

private:
    std::vector<Source> m_all;
};
/// Option errtags: whether a message has its tag.
enum class Tags : std::uint8_t { Hidden, Shown };
/// Whether a message about command-line text repeats that text: each line of a long program was in each message about it.
enum class Given : std::uint8_t { Whole, LeftOut };
/// As dtrace tells it, without "dtrace: ": "failed to compile script PATH: line 3: MESSAGE", or for command-line text
/// "invalid probe specifier TEXT: MESSAGE"; with Tags::Shown, "[TAG] " before "line 3" or MESSAGE. An included file is named
/// before the line, and command-line text has its region there: `"/usr/include/x.h", line 3: `, `in action list: `.
std::string headline(const Diagnostic& diagnostic, const Sources& sources, Tags tags, Given given = Given::Whole);
/// The headline, below it the source line with a caret, and the hints, each on a line of its own.
std::string rendered(const Diagnostic& diagnostic, const Sources& sources, Tags tags, Given given = Given::Whole);
} // namespace dscope::syntax
