#pragma once
#include "engine/record/record.h"
#include <map>
#include <string>
namespace dscope::format {
/// The FUNCTION column of -F: how deep each CPU is, and the arrow of the probe that fired.
/// A probe whose name is or ends in "-entry" enters a function, "-return" leaves one.
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
