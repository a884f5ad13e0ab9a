#pragma once
#include "engine/record/record.h"
#include <string>
/// The messages that dtrace prints on stderr, without the "dtrace: " in front and the newline behind.
namespace dscope::format {
/// "3 aggregation drops on CPU 1". `tagged`: "[DTRACEDROP_AGGREGATION] " first, as -x droptags asks.
std::string dropText(const record::Drop& drop, bool tagged);
/// "invalid address (0x10)".
std::string faultText(const record::Fault& fault);
/// Where an error happened: "error on enabled probe ID 2 (ID 1: dtrace:::BEGIN)", or, as DTrace for Linux words it,
/// "error in dt_clause_0 for probe ID 1 (dtrace:::BEGIN)".
std::string placeText(const record::ProbeDef& probe, ClauseId clause, std::uint32_t enabled, bool linuxWords);
} // namespace dscope::format
