#include "exporters/exporter.h"
#include "exporters/number_columns.h"
#include "graph/text.h"
#include "graph/units.h"
#include <charconv>
namespace dscope::exporters {
namespace {
std::string quotedText(std::string_view raw)
{
    std::string out = "\"";
    for (const char c : graph::printable(raw)) { // no control characters are left
        if (c == '"' || c == '\\') out += '\\';
        out += c;
    }
    return out + '"';
}
/// A number as JSON has it; an empty cell is null, and what is no number after all stays text.
std::string numberCell(std::string_view text)
{
    if (text.empty()) return "null";
    double value = 0;
    const auto* end = text.data() + text.size();
    const auto read = std::from_chars(text.data(), end, value);
    // JSON allows neither a leading zero nor "inf".
    const auto digits = text.substr(text.front() == '-' ? 1 : 0);
    const bool isJson = read.ec == std::errc() && read.ptr == end && !digits.empty() && digits.front() >= '0' && digits.front() <= '9'
        && (digits.size() == 1 || digits.front() != '0' || digits[1] == '.');
    return isJson ? std::string(text) : quotedText(text);
}
std::string_view unitName(graph::Unit unit)
{
    switch (unit) {
    case graph::Unit::Count: return "count";
    case graph::Unit::Bytes: return "bytes";
    case graph::Unit::Nanoseconds: return "nanoseconds";
    case graph::Unit::Percent: return "percent";
    case graph::Unit::None: break;
    }
    return {};
}

/// A view's table with what its columns are: {"schema": {"fields": [{"name", "type", "unit"}]}, "rows": [[cell, ...]]}.
/// Source of the schema's words: Frictionless Data, Table Schema 1.0 (fields, name, type string or number); unit is ours.
class RowsJson final : public Exporter {
public:
    std::string_view suffix() const override { return "rows.json"; }
    std::string_view summary() const override { return "The table as JSON, with a schema"; }

    Result<> write(const graph::Visual& visual, const Options& options, std::ostream& out) const override
    {
        const auto table = visual.table();
        const NumberColumns numbers(table);
        const auto title = options.layout.title ? *options.layout.title : options.layout.redact ? std::string() : visual.title();
        out << "{\"exporter\":\"dscope " DSCOPE_VERSION "\",\"view\":" << quotedText(visual.name()) << ",\"title\":" << quotedText(title)
            << ",\n\"schema\":{\"fields\":[";
        for (std::size_t i = 0; i < table.columns.size(); ++i) {
            const auto& column = table.columns[i];
            out << (i ? ",\n" : "\n") << "{\"name\":" << quotedText(column.title) << ",\"type\":\""
                << (column.isNumber ? "number" : "string") << '"';
            if (const auto unit = unitName(column.unit); column.isNumber && !unit.empty()) out << ",\"unit\":\"" << unit << '"';
            out << '}';
        }

        out << "],\"missingValues\":[\"\"]},\n";
        if (const auto& clocks = options.clocks; clocks.hosts > 0) {
            out << "\"clocks\":{\"hosts\":" << clocks.hosts << ",\"unknown\":" << clocks.unknown << ",\"within_ns\":";
            const bool isKnown = clocks.hosts >= clocks.unknown + 2;
            out << (isKnown ? std::to_string(clocks.within) : "null") << "},\n";
        }
        out << "\"rows\":[";
        for (std::size_t r = 0; r < table.rows.size(); ++r) {
            std::string line;
            for (std::size_t i = 0; i < table.columns.size(); ++i) {
                const std::string_view cell = i < table.rows[r].size() ? std::string_view(table.rows[r][i]) : std::string_view();
                line += (i ? "," : "") + (table.columns[i].isNumber ? numberCell(numbers.evened(cell, i)) : quotedText(cell));
            }
            out << (r ? ",\n[" : "\n[") << line << ']';
        }
        out << "\n]}\n";
        if (!out) return Error{0, "cannot write the table"};
        return {};
    }
};
} // namespace

std::unique_ptr<Exporter> make_rows_json() { return std::make_unique<RowsJson>(); }
} // namespace dscope::exporters
