#pragma once
#include "graph/page.h"
#include "graph/process_changes.h"
#include "graph/visual.h"
#include <memory>
#include <string>
namespace dscope::graph {
/// Two runs of a command.
struct ComparedProcesses {
    ProcessRun before, after;
    Provenance provenance; ///< of the later run
    /// How a figure of one of them is called, which is said: without a command, and of one.
    struct Titles {
        const char *plain = "", *ofCommand = "";
    } titles;
    std::string command, program; ///< of the later run; program: without arguments
    std::string titled(Privacy privacy) const;
    bool haveTimes() const { return before.hasTimes() && after.hasTimes(); }
};
/// Both trees as one outline: how long all processes of a program below the same parents took, before and after.
std::unique_ptr<Visual> comparedTrees(const ViewFacts& facts, ComparedProcesses runs);
/// From the one run's time to the other's, a step for each process whose part in deciding it changed. Without a root, or where it is not
/// known of both, nothing has decided the time.
std::unique_ptr<Visual> comparedTimes(const ViewFacts& facts, ComparedProcesses runs);
} // namespace dscope::graph
