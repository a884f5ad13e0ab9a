#include "exporters/csv.h"
#include "exporters/exporter.h"
#include "exporters/number_columns.h"
#include "graph/text.h"
#include <algorithm>
#include <charconv>
namespace dscope::exporters {
namespace {
bool isPlainNumber(std::string_view text)
{
    double value = 0;
    const auto end = text.data() + text.size();
    return !text.empty() && std::from_chars(text.data(), end, value).ptr == end;
}
// Well-formed UTF-8; line ends and tabs stay, within quotes, other control characters become visible.
std::string cleaned(std::string_view raw)
{
    std::string out;
    for (std::size_t at = 0; at < raw.size();) {
        const char32_t c = graph::nextCodePoint(raw, at);
        const bool stays = c >= 0x20 || c == '\n' || c == '\r' || c == '\t';
        if (c >= 0x7F && c < 0xA0)
            graph::appendUtf8(out, c == 0x7F ? 0x2421 : 0xFFFD);
        else
            graph::appendUtf8(out, stays ? c : 0x2400 + c);
    }
    return out;
}
// Source: RFC 4180; and OWASP, "CSV Injection": a spreadsheet takes what starts like this for a formula.
enum class Holds : std::uint8_t { Text, Number };
std::string cell(std::string_view raw, Holds what)
{
    std::string text = cleaned(raw);
    const bool formula = !text.empty() && std::string_view("=+-@\t\r").find(text.front()) != std::string_view::npos;
    if (formula && !(what == Holds::Number && isPlainNumber(text))) text.insert(text.begin(), '\'');
    if (text.find_first_of(",\"\r\n\t") == std::string::npos) return text;
    std::string quoted = "\"";
    for (const char c : text) {
        if (c == '"') quoted += '"';
        quoted += c;
    }
    return quoted + '"';
}

class Csv final : public Exporter {
public:
    std::string_view suffix() const override { return "csv"; }
    std::string_view summary() const override { return "Comma-separated values"; }

    Result<> write(const graph::Visual& visual, const Options&, std::ostream& out) const override
    {
        writeCsv(visual.table(), out);
        if (!out) return Error{0, "cannot write the table"};
        return {};
    }
};
} // namespace

void writeCsv(const graph::Table& table, std::ostream& out)
{
    const NumberColumns numbers(table);
    std::string line;
    for (std::size_t i = 0; i < table.columns.size(); ++i)
        line += (i ? "," : "") + cell(table.columns[i].title, Holds::Text);
    out << line << "\r\n";
    for (const auto& row : table.rows) {
        line.clear();
        for (std::size_t i = 0; i < row.size(); ++i)
            line += (i ? "," : "")
                + cell(numbers.evened(row[i], i), i < table.columns.size() && table.columns[i].isNumber ? Holds::Number : Holds::Text);
        out << line << "\r\n";
    }
}

std::unique_ptr<Exporter> make_csv() { return std::make_unique<Csv>(); }
} // namespace dscope::exporters
