#pragma once
#include "graph/keys.h"
#include <string>
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
} // namespace dscope::graph
