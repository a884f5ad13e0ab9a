#pragma once
#include "graph/visual.h"
#include <ostream>
namespace dscope::exporters {
/// A table as comma-separated values (RFC 4180), its titles first. No cell of text is a formula for a spreadsheet. The stream tells
/// failures.
void writeCsv(const graph::Table& table, std::ostream& out);
} // namespace dscope::exporters
