#pragma once
#include "engine/text/json.h"
#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>
namespace dscope::text {
/// Reads columns of numbers from the tables of Firefox' profiler, in both forms: { "a": [1, 2], "b": [3, 4] }, and
/// { "schema": { "a": 0, "b": 1 }, "data": [[1, 3], [2, 4]] }.
class JsonTables {
public:
    static constexpr std::int64_t kNull = INT64_MIN;      ///< null, or no number
    static constexpr std::size_t kMostCells = 64'000'000; ///< of all tables
    struct Column {
        std::string_view name;
        int power; ///< of 10, which numbers are multiplied by
        std::vector<std::int64_t>* out;
        int* decimals = nullptr; ///< grows to the most digits behind the point that a number of it has
    };
    /// `json`: the whole text. A reader of its own begins at each table.
    explicit JsonTables(std::string_view json) : m_json(json) { }
    /// Reads the table that begins at `position`. False: see what() and position().
    bool read(std::size_t position, std::initializer_list<Column> columns);
    /// A list of texts.
    bool read(std::size_t position, std::vector<std::string>& out);
    JsonReader at(std::size_t position) const { return JsonReader(m_json.substr(position)); }
    const char* what() const { return m_what; }
    std::size_t position() const { return m_position; }
    bool isFull() const { return m_cells > kMostCells; }

private:
    bool readCell(JsonReader& reader, const Column& column);
    bool readRows(std::size_t position, const std::vector<const Column*>& schema);
    bool ended(const JsonReader& reader, std::size_t from);
    std::string_view m_json;
    std::size_t m_cells = 0, m_position = 0;
    const char* m_what = "";
};
} // namespace dscope::text
