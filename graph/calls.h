#pragma once
#include "graph/figure.h"
#include <cstdint>
#include <string>
#include <vector>
namespace dscope::graph {
class Store;
/// One call of one function by one thread.
struct Call {
    std::uint32_t thread = 0;        ///< index into Calls::threads
    std::uint32_t name = 0;          ///< index into Calls::names
    std::uint32_t depth = 0;         ///< 0: called by nothing that is traced
    Shade shade = Shade::Unknown;    ///< User, Library, Kernel or System
    bool begun = true, ended = true; ///< whether its entry and its return were seen; where not, start and end are the trace's
    bool lost = false;               ///< it ended, but its return was not seen: its caller's was
    std::int64_t start = 0, end = 0; ///< ns, CLOCK_MONOTONIC; equal where only entries are probed
};
/// What entry and return probes tell: calls in the order of their time, nested.
struct Calls {
    struct Thread {
        std::uint32_t pid = 0, tid = 0;
        std::string name;        ///< of the program it ran at last; empty when not known
        std::string own;         ///< the thread's own, where the stream told one; else empty
        std::uint32_t depth = 0; ///< levels
        std::size_t calls = 0;
    };
    std::vector<Thread> threads;    ///< by their first call
    std::vector<Call> calls;        ///< by thread, then start, then depth
    std::vector<std::string> names; ///< "module`function", system calls by their name alone
    std::int64_t from = 0, to = 1;  ///< the first and the last firing; from < to
    std::size_t returnsAlone = 0;   ///< returns to which no call could be found
};
Calls callsOf(const Store& store);
} // namespace dscope::graph
