#include "exporters/exporter.h"
#include "exporters/number_columns.h"
#include "graph/text.h"
namespace dscope::exporters {
namespace {
/// Nothing is quoted: a tab or an end of a line within a text becomes a visible character.
/// Source: IANA, text/tab-separated-values; and OWASP, "CSV Injection", as in csv.cpp.
std::string cell(std::string_view raw, const graph::Column* column)
{
    auto text = graph::printable(raw);
    const bool isText = !column || !column->isNumber;
    if (isText && !text.empty() && std::string_view("=+-@").find(text.front()) != std::string_view::npos) text.insert(text.begin(), '\'');
    return text;
}

class Tsv final : public Exporter {
public:
    std::string_view suffix() const override { return "tsv"; }
    std::string_view summary() const override { return "Tab-separated values"; }

    Result<> write(const graph::Visual& visual, const Options&, std::ostream& out) const override
    {
        const auto table = visual.table();
        const NumberColumns numbers(table);
        for (std::size_t i = 0; i < table.columns.size(); ++i)
            out << (i ? "\t" : "") << cell(table.columns[i].title, nullptr);
        out << '\n';
        for (const auto& row : table.rows) {
            for (std::size_t i = 0; i < row.size(); ++i)
                out << (i ? "\t" : "") << cell(numbers.evened(row[i], i), i < table.columns.size() ? &table.columns[i] : nullptr);
            out << '\n';
        }
        if (!out) return Error{0, "cannot write the table"};
        return {};
    }
};
} // namespace

std::unique_ptr<Exporter> make_tsv() { return std::make_unique<Tsv>(); }
} // namespace dscope::exporters
