#pragma once
#include "engine/record/record.h"
#include "engine/session/maps.h"
namespace dscope::session {
/// Tells what was lost since it was last asked.
class Drops {
public:
    Result<> report(const Maps& maps, MapId counters, const record::Source::Deliver& deliver);

private:
    std::vector<std::uint64_t> m_told; ///< by kind, then CPU
};
} // namespace dscope::session
