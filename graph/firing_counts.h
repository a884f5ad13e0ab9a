#pragma once
#include "graph/noun.h"
#include <cstdint>
#include <map>
#include <string>
namespace dscope::graph {
class Store;
/// How many firings are behind the values of all distributions of a run. Two distributions that one clause fills have the same firings, not
/// twice as many.
class FiringCounts {
public:
    explicit FiringCounts(const Store& store);

    /// `values`: how many each aggregation has, by its name. Where it is not known how many firings they come from, the number of all
    /// values: noun() says what it is.
    double number(const std::map<std::string, double>& values) const;
    /// `counted`: what is counted of a single distribution.
    Noun noun(const Noun& counted) const { return m_are == Are::Unknown ? Noun("values") : counted; }
    /// Whether a run has more than one distribution.
    bool areSeveral() const { return m_are != Are::One; }

private:
    enum class Are : std::uint8_t { One, Same, Apart, Unknown } m_are = Are::One;
};
} // namespace dscope::graph
