#pragma once
#include <string>
namespace dscope {
/// A name that could stand where one is wrong, and its type as C spells it.
struct Choice {
    std::string name, type;
    bool operator==(const Choice&) const = default;
};
} // namespace dscope
