#pragma once
#include "engine/record/record.h"
#include <algorithm>
/// What the actions of clauses do to the stream: for callers that keep what merges of it.
namespace dscope::record {
constexpr bool removesRows(ActionKind kind) { return kind == ActionKind::Clear || kind == ActionKind::Trunc; }
constexpr bool normalizes(ActionKind kind) { return kind == ActionKind::Normalize || kind == ActionKind::Denormalize; }
/// What a clause does to aggregations, or that it ends the run: nothing that anybody reads.
constexpr bool isSilent(ActionKind kind)
{
    switch (kind) {
    case ActionKind::Printa:
    case ActionKind::Exit:
    case ActionKind::Clear:
    case ActionKind::Trunc:
    case ActionKind::Normalize:
    case ActionKind::Denormalize:
    case ActionKind::Setopt:
    case ActionKind::Raise:
    case ActionKind::Stop:
    case ActionKind::Chill:
    case ActionKind::Commit:
    case ActionKind::Discard:
    case ActionKind::Speculate: return true;
    default: return false;
    }
}
/// Whether a firing of the clause prints or traces something.
inline bool tells(const Clause& clause)
{
    if (clause.actions.empty()) return !clause.silent;
    return std::any_of(clause.actions.begin(), clause.actions.end(), [](const Action& action) { return !isSilent(action.kind); });
}
} // namespace dscope::record
