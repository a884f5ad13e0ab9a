#pragma once
#include <string>
#include <vector>
namespace dscope::graph {
/// Names in little room: paths without the folders that all paths among them share, "…/a.c" and "…/b.c" of "/src/lib/a.c" and
/// "/src/lib/b.c". Others stay, and so do all where fewer than two paths differ or hardly anything is shared.
std::vector<std::string> withoutSharedFolders(std::vector<std::string> names);
} // namespace dscope::graph
