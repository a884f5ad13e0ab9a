#pragma once
#include "engine/record/record.h"
#include <map>
#include <string>
#include <string_view>
namespace dscope::format {
/// Whether a probe of this name enters a function, or leaves one: it is or ends in "-entry", "-return".
bool entersFunction(std::string_view probeName);
bool leavesFunction(std::string_view probeName);
/// The FUNCTION column of -F: how deep each CPU is, and the arrow of the probe that fired.
class FlowIndent {
public:
    /// "    -> open", for one firing.
    std::string column(const record::ProbeDef& probe, const record::Fired& fired);

private:
    struct Cpu {
        int indent = 0;
        bool any = false;
        ProbeId probe; ///< the last that fired, and in which clause
        ClauseId clause;
    };
    std::map<std::uint32_t, Cpu> m_cpus;
};
} // namespace dscope::format
