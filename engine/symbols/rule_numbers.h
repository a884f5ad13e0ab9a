#pragma once
#include "engine/object/walk.h"
#include <cstdint>
#include <span>
#include <unordered_map>
#include <vector>
namespace dscope::symbols {
/// Gives each unwind rule (object::walkRule()) that is met a number, which rows then have in its place.
class RuleNumbers {
public:
    /// That of WalkKind::Unknown once there are object::kWalkRules: the few stacks that need more are copied.
    std::uint32_t of(std::uint64_t rule);
    /// A row of a WalkTable as the kernel has it.
    object::WalkRow rowOf(std::uint64_t row)
    {
        constexpr std::uint64_t kRule = (std::uint64_t{1} << object::kRowShift) - 1;
        return object::walkRow(static_cast<std::uint32_t>(row >> object::kRowShift), of(row & kRule));
    }
    /// By their numbers; the first is walkRule(WalkKind::Unknown).
    std::span<const std::uint64_t> rules() const { return m_rules; }

private:
    std::vector<std::uint64_t> m_rules{object::walkRule(object::WalkKind::Unknown)};
    std::unordered_map<std::uint64_t, std::uint32_t> m_numbers{{m_rules.front(), 0}};
};
} // namespace dscope::symbols
