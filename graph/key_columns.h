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
