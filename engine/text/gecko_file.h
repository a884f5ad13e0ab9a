#pragma once
#include "engine/text/gecko_frames.h"
#include "engine/text/importer.h"
#include "engine/text/json_tables.h"
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>
namespace dscope::text::gecko {
constexpr int kMillisecond = 6; ///< power of 10, to nanoseconds

/// The parts of a profile that stand in any order: where they are, and what its tables have. Errors name the place.
class File {
public:
    explicit File(std::string_view json) : m_json(json), m_tables(json) { }
    /// Where the members of an object begin.
    using Parts = std::map<std::string, std::size_t, std::less<>>;
    Result<Parts> partsOf(std::size_t from) const;
    /// What a profile says of itself.
    struct Meta {
        Categories categories;
        bool isOfBytes = false; ///< "times" are places in a file
        std::int64_t began = 0; ///< ns: its times count from there
    };
    Result<> readMeta(std::size_t from, Meta& meta) const;
    Result<> readLibs(std::size_t from, std::vector<Lib>& out) const;
    Result<> readTables(const Parts& parts, Tables& t);
    JsonTables& tables() { return m_tables; }
    std::string_view json() const { return m_json; }
    Error damaged(std::size_t at, std::string_view what) const;
    Error damaged(const JsonReader& reader, std::size_t from) const { return damaged(from + reader.position(), reader.what()); }
    Error damagedTable() const { return damaged(m_tables.position(), m_tables.what()); }

private:
    std::string_view m_json;
    JsonTables m_tables;
};
} // namespace dscope::text::gecko
