#pragma once
#include <compare>
#include <cstdint>
namespace dscope {
/// An index that cannot be mistaken for another kind of index.
template <typename Tag>
struct Id {
    std::uint32_t value = 0;
    constexpr auto operator<=>(const Id&) const = default;
};
using ProbeId = Id<struct ProbeTag>;             ///< the ID column of `-l`; 1 is dtrace:::BEGIN
using ClauseId = Id<struct ClauseTag>;           ///< index into record::Program::clauses
using AggregationId = Id<struct AggregationTag>; ///< index into record::Program::aggregations
using VariableId = Id<struct VariableTag>;       ///< index into sema::Program::variables
using StackId = Id<struct StackTag>;             ///< of record::StackDef; 0 is the empty stack
using MapId = Id<struct MapTag>;                 ///< index into object::Object::maps
} // namespace dscope
