#pragma once
#include "graph/stacks.h"
#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>
namespace dscope::exporters {
/// Texts by number, each once. Number 0 is the empty text.
class Strings {
public:
    std::uint64_t of(const std::string& text)
    {
        const auto [at, isNew] = m_numbers.try_emplace(text, m_order.size());
        if (isNew) m_order.push_back(text);
        return at->second;
    }

    const std::vector<std::string>& all() const { return m_order; }

private:
    std::unordered_map<std::string, std::uint64_t> m_numbers{{"", 0}};
    std::vector<std::string> m_order{""};
};

/// Stacks as formats of profiles keep them: tables, whose rows name rows of others. The row behind number 1 is the first; 0 is none.
struct Profile {
    struct Label {
        std::uint64_t key = 0, value = 0; ///< strings
        bool operator==(const Label&) const = default;
    };
    struct Sample {
        std::vector<std::uint64_t> locations; ///< the innermost first
        std::vector<Label> labels;            ///< the keys beside the stack
        std::uint64_t value = 0;
    };
    struct Function {
        std::uint64_t name = 0, file = 0; ///< strings
    };
    struct Line {
        std::uint64_t function = 0, line = 0; ///< line 0: not known
    };
    struct Location {
        std::uint64_t mapping = 0;
        std::vector<Line> lines; ///< those of inlined functions first, the innermost of them before the others
    };
    struct Mapping {
        std::uint64_t file = 0, buildId = 0; ///< strings; where it was mapped is not kept, since a name is what is exported
    };
    Strings strings;
    std::uint64_t type = 0, unit = 0; ///< strings: "samples" in "count", "time" in "nanoseconds"; no unit where only an expression is known
    std::vector<Sample> samples;
    std::vector<Location> locations;
    std::vector<Function> functions;
    std::vector<Mapping> mappings; ///< the program first: readers call the profile by it
};
/// Without the mark of what kind of code it is, which is no part of its name: its location says that it was inlined.
std::string nameOf(const graph::StackFrame& frame);
/// `command`: that was traced; empty: none, or not known.
Profile profileOf(const graph::Stacks& stacks, std::string_view command);
} // namespace dscope::exporters
