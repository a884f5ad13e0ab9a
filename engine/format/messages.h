#pragma once
#include "engine/record/record.h"
#include <cstdint>
#include <span>
#include <string>
/// The messages that dtrace prints on stderr, without the "dtrace: " in front and the newline behind.
namespace dscope::format {
/// "[DTRACEDROP_AGGREGATION] " before what is told of a drop, as -x droptags asks.
enum class DropTags : std::uint8_t { Hidden, Shown };
/// "3 aggregation drops on CPU 1".
std::string dropText(const record::Drop& drop, DropTags tags);
/// "invalid address".
const char* nameOf(record::FaultKind kind);
/// "invalid address (0x10)".
std::string faultText(const record::Fault& fault);
/// DTrace for Linux makes a clause of each probe description that stands above one: the number of what `probe` fires of `clause`.
ClauseId clauseForLinux(std::span<const record::Clause> clauses, ClauseId clause, const record::ProbeDef& probe);
/// Where an error happened: "error on enabled probe ID 2 (ID 1: dtrace:::BEGIN)", or, as DTrace for Linux words it,
/// "error in dt_clause_0 for probe ID 1 (dtrace:::BEGIN)".
std::string placeText(const record::ProbeDef& probe, ClauseId clause, std::uint32_t enabled, record::Dialect dialect);
} // namespace dscope::format
