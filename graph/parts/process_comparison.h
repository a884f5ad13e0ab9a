#pragma once
#include "graph/page.h"
#include "graph/process_changes.h"
#include "graph/visual.h"
#include <memory>
#include <string>
namespace dscope::graph {
/// Two runs of a command, and how they are called: `title` in full, and without arguments.
struct ComparedProcesses {
    ProcessRun before, after;
    Provenance provenance; ///< of the later run
    std::string title, redactedTitle;
    const std::string& titled(Privacy privacy) const { return privacy == Privacy::Redacted ? redactedTitle : title; }
};
/// Both trees as one outline: how long all processes of a program below the same parents took, before and after.
std::unique_ptr<Visual> comparedTrees(const ViewFacts& facts, ComparedProcesses runs);
/// From the one run's time to the other's, a step for each process whose part in deciding it changed. Without a root, or where it is not known
/// of both, nothing has decided the time.
std::unique_ptr<Visual> comparedTimes(const ViewFacts& facts, ComparedProcesses runs);
} // namespace dscope::graph
