#include "exporters/exporter.h"
#include "exporters/number_columns.h"
#include "graph/text.h"
#include <algorithm>
namespace dscope::exporters {
namespace {
/// Characters that take a column each, as far as a terminal agrees; combining marks take none.
std::size_t columnsOf(std::string_view text)
{
    std::size_t n = 0;
    for (std::size_t at = 0; at < text.size();) {
        const char32_t c = graph::nextCodePoint(text, at);
        n += !(c >= 0x300 && c < 0x370);
    }
    return n;
}

class Text final : public Exporter {
public:
    std::string_view suffix() const override { return "txt"; }
    std::string_view summary() const override { return "Plain text, in columns"; }
    bool accepts(const graph::Visual& visual) const override { return visual.facts().isTable || visual.facts().isText; }

    Result<> write(const graph::Visual& visual, const Options&, std::ostream& out) const override
    {
        const auto table = visual.table();
        const NumberColumns numbers(table);
        std::vector<std::vector<std::string>> lines(1);
        for (const auto& column : table.columns)
            lines.front().push_back(graph::printable(column.title));
        for (const auto& row : table.rows) {
            auto& line = lines.emplace_back();
            for (std::size_t i = 0; i < row.size(); ++i)
                line.push_back(graph::printable(numbers.evened(row[i], i)));
            line.resize(table.columns.size());
        }

        std::vector<std::size_t> widths(table.columns.size());
        for (const auto& line : lines)
            for (std::size_t i = 0; i < line.size(); ++i)
                widths[i] = std::max(widths[i], columnsOf(line[i]));
        for (const auto& line : lines) {
            std::string text;
            for (std::size_t i = 0; i < line.size(); ++i) {
                const std::string pad(widths[i] - columnsOf(line[i]), ' ');
                if (i) text += "  ";
                text += table.columns[i].isNumber ? pad + line[i] : line[i] + pad;
            }
            text.resize(text.find_last_not_of(' ') + 1);
            out << text << '\n';
        }
        if (!out) return Error{0, "cannot write the table"};
        return {};
    }
};
} // namespace

std::unique_ptr<Exporter> make_txt() { return std::make_unique<Text>(); }
} // namespace dscope::exporters
