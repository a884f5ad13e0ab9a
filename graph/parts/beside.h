#pragma once
#include "graph/page.h"
#include "graph/visual.h"
#include <array>
#include <functional>
#include <memory>
#include <string>
namespace dscope::graph {
/// What is said of two figures together.
struct BesideWords {
    std::string title, subtitle;
    std::array<std::string, 2> sides; ///< what each run's own figure is of, the earlier one's first
};
/// Two runs in one figure, the earlier one at the left, or above where the page is narrow: drawn by the view itself, with axes and colours
/// as far as both need. Its table is that of both, the run in front. For views whose marks have no partner in another run, as the cells of
/// a heat map. `words`: in the language of the thread that asks, as long as both live. `provenance`: of the later run.
std::unique_ptr<Visual> beside(
    std::unique_ptr<Visual> before, std::unique_ptr<Visual> after, std::function<BesideWords()> words, Provenance provenance);
} // namespace dscope::graph
