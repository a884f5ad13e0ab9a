#pragma once
#include "engine/base/result.h"
#include "graph/visual.h"
namespace dscope::graph {
/// The figure of a visual as it is exported: with the outlines, notes and ground that the options ask for.
Figure annotatedFigure(const Visual& visual, const LayoutOptions& options);
/// Whether there is something in the figure that LayoutOptions::highlight and each of the marks is about. Error: what there is
/// nothing of, and the names that there are.
Result<> checkNames(const Visual& visual, const LayoutOptions& options);
/// What notes of a file are about that the figure does not draw.
std::vector<std::string> unplacedNotes(const Visual& visual, const LayoutOptions& options);
} // namespace dscope::graph
