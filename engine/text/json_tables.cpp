#include "engine/text/json_tables.h"
#include "engine/text/json_file.h"
#include <algorithm>
namespace dscope::text {
bool JsonTables::ended(const JsonReader& reader, std::size_t from)
{
    m_position = from + reader.position();
    m_what = reader.failed() ? reader.what() : isFull() ? "a table too many: they have more than 64,000,000 entries" : "";
    return *m_what == '\0';
}

bool JsonTables::readCell(JsonReader& reader, const Column& column)
{
    if (++m_cells > kMostCells) return false;
    if (reader.kind() != JsonReader::Kind::Number) {
        column.out->push_back(kNull);
        return reader.skip();
    }
    const auto written = reader.number();
    if (!written) return false;
    column.out->push_back(scaledNumber(*written, column.power).value_or(kNull));
    if (column.decimals) *column.decimals = std::max(*column.decimals, decimalsOf(*written).value_or(0));
    return true;
}

/// Rows may end early: what is missing at their end is null.
bool JsonTables::readRows(std::size_t position, const std::vector<const Column*>& schema)
{
    auto reader = at(position);
    const bool read = reader.elements([&] {
        if (reader.kind() != JsonReader::Kind::Array) return reader.skip();
        std::size_t cell = 0;
        const bool isRead = reader.elements([&] {
            const auto* const column = cell < schema.size() ? schema[cell] : nullptr;
            ++cell;
            return column ? readCell(reader, *column) : reader.skip();
        });
        for (; isRead && cell < schema.size(); ++cell)
            if (schema[cell] && ++m_cells <= kMostCells) schema[cell]->out->push_back(kNull);
        return isRead && !isFull();
    });
    return ended(reader, position) && read;
}

bool JsonTables::read(std::size_t position, std::initializer_list<Column> columns)
{
    constexpr std::int64_t kMostColumns = 64;
    auto reader = at(position);
    if (reader.kind() != JsonReader::Kind::Object) return reader.skip() && ended(reader, position);
    const auto columnOf = [&](std::string_view name) {
        const auto* const found = std::find_if(columns.begin(), columns.end(), [&](const Column& c) { return c.name == name; });
        return found == columns.end() ? nullptr : found;
    };
    std::vector<const Column*> schema;
    std::size_t rows = 0;
    reader.members([&](std::string_view key) {
        const auto kind = reader.kind();
        if (key == "schema" && kind == JsonReader::Kind::Object)
            return reader.members([&](std::string_view name) {
                const auto number = integer(reader).value_or(-1);
                if (number < 0 || number >= kMostColumns) return !reader.failed();
                schema.resize(std::max(schema.size(), static_cast<std::size_t>(number) + 1));
                schema[static_cast<std::size_t>(number)] = columnOf(name);
                return !reader.failed();
            });
        if (key == "data") rows = position + reader.position();
        const auto* const column = columnOf(key);
        if (!column || kind != JsonReader::Kind::Array) return reader.skip();
        column->out->clear();
        return reader.elements([&] { return readCell(reader, *column); });
    });
    if (!ended(reader, position)) return false;
    if (schema.empty() || rows == 0) return true;
    for (const auto& column : columns)
        column.out->clear();
    return readRows(rows, schema);
}

bool JsonTables::read(std::size_t position, std::vector<std::string>& out)
{
    auto reader = at(position);
    if (reader.kind() != JsonReader::Kind::Array) return reader.skip() && ended(reader, position);
    reader.elements([&] { return ++m_cells <= kMostCells && textOrNothing(reader, out.emplace_back()); });
    return ended(reader, position);
}
} // namespace dscope::text
