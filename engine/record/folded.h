#pragma once
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>
namespace dscope::record {
/// An option of an imported program: its firings' times are numbers of lines, because the text tells no times.
constexpr std::string_view kTimesAreLines = "_lines";
/// Stacks as lines of text, "root;caller;callee" each with a value: what foreign profilers write, and too many to be
/// taken apart before somebody looks. They stand beside the records, not among them.
struct FoldedStacks {
    struct Line {
        std::string_view stack; ///< frames from the root, joined by ';'; points into `text`
        std::int64_t value = 0; ///< more than 0
    };
    std::vector<Line> lines;          ///< the sum of their values is a number too: at most INT64_MAX
    std::string noun;                 ///< what is counted: "samples", "calls", "stacks"
    std::shared_ptr<const void> text; ///< keeps what the lines point into
};
} // namespace dscope::record
