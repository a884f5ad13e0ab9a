#pragma once
#include "engine/record/record.h"
#include <string>
namespace dscope::graph {
/// Whether a program prints text that reads as the beginning of a graph in Graphviz's language.
bool printsGraph(const record::Program& program);
/// The graph in what was printed: from the first line that begins one to the last closing brace; empty when there is none.
std::string graphIn(const std::string& printed);
} // namespace dscope::graph
