#pragma once
#include "graph/keys.h"
#include <string>
#include <string_view>
#include <vector>
namespace dscope::graph {
/// What a table calls the column of a key, one of `names`: its D expression, and of a literal, which names its first value only, "key", the
/// next ones "key2" and so on.
inline std::string keyColumn(const std::vector<std::string>& names, const std::string& name)
{
    if (!isLiteral(name)) return name;
    std::size_t number = 0;
    for (const auto& other : names) {
        number += isLiteral(other);
        if (other == name) break;
    }
    return number == 1 ? "key" : "key" + std::to_string(number);
}
/// The cells of a row in the columns of `names`: its keys, `own` with their `texts`; empty where it has no such key.
inline std::vector<std::string> keyCells(
    const std::vector<std::string>& names, const std::vector<record::Field>& own, const std::vector<std::string>& texts)
{
    std::vector<std::string> cells;
    for (const auto& name : names) {
        std::size_t at = 0;
        while (at < own.size() && own[at].name != name)
            ++at;
        cells.push_back(at < own.size() && at < texts.size() ? texts[at] : std::string());
    }
    return cells;
}
/// A key's expression as a title has it: what is read from memory by its name alone, "dirname(copyinstr(self->path))" as "dirname(path)".
inline std::string keyTitle(std::string_view expression)
{
    std::string out(expression);
    for (const std::string_view reads : {"copyinstr(self->", "copyinstr(this->", "stringof(self->", "stringof(this->"})
        for (auto at = out.find(reads); at != std::string::npos; at = out.find(reads, at + 1)) {
            const auto begin = at + reads.size(), end = out.find_first_of(",()", begin);
            const auto close = end == std::string::npos || out[end] == '(' ? std::string::npos : out.find(')', end);
            if (close == std::string::npos || end == begin) continue; // more than a name
            out.replace(at, close + 1 - at, out.substr(begin, end - begin));
        }
    return out;
}
} // namespace dscope::graph
