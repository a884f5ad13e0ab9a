#include "tests/support/drawn/visuals.h"
namespace dscope::test {
QString q(std::string_view s) { return QString::fromUtf8(s.data(), static_cast<qsizetype>(s.size())); }
std::unique_ptr<graph::Visual> visual(const Stream& stream, std::string_view name)
{
    graph::Store store;
    for (const auto& r : stream)
        store.take(r);
    for (const auto& kind : graph::kinds())
        if (kind.name == name && kind.fits(store)) return kind.make(store);
    return nullptr;
}
QStringList titles(const graph::Table& table)
{
    QStringList out;
    for (const auto& column : table.columns)
        out << q(column.title);
    return out;
}
std::vector<std::map<std::string, std::string>> rowsOf(const graph::Visual& v)
{
    const auto table = v.table();
    std::vector<std::map<std::string, std::string>> out;
    for (const auto& row : table.rows) {
        auto& cells = out.emplace_back();
        for (std::size_t i = 0; i < row.size(); ++i)
            cells[table.columns[i].title] = row[i];
    }
    return out;
}
std::string textOf(const graph::Figure& figure)
{
    std::string all;
    for (const auto& item : figure.items)
        if (const auto* t = std::get_if<graph::Text>(&item.shape)) all += t->text + '\n';
    return all;
}
} // namespace dscope::test
