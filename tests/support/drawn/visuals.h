#pragma once
#include "graph/store.h"
#include "graph/visual.h"
#include "tests/support/streams.h"
#include <QString>
#include <QStringList>
#include <map>
#include <memory>
/// Visuals of streams made by hand, and what they say.
namespace dscope::test {
QString q(std::string_view s);
/// Null when the program does not yield that view.
std::unique_ptr<graph::Visual> visual(const Stream& stream, std::string_view name);
QStringList titles(const graph::Table& table);
/// Rows as maps from column to cell.
std::vector<std::map<std::string, std::string>> rowsOf(const graph::Visual& v);
std::string textOf(const graph::Figure& figure);
} // namespace dscope::test
