#pragma once
#include "engine/text/bpf_frames.h"
#include "engine/text/importer.h"
#include <string>
#include <string_view>
#include <vector>
namespace dscope::text {
/// What bcc's memleak prints: again and again, which stacks allocated memory that is not freed. Each printing tells the whole state, so the
/// last one counts. Source: bcc, tools/memleak.py and libbpf-tools/memleak.c
class BccLeaks {
public:
    /// Whether a line begins a printing: "[11:16:33] Top 2 stacks with outstanding allocations:".
    static bool isHeading(std::string_view line);
    /// False: the line is no part of a printing.
    bool take(std::string_view line);
    /// Puts bytes and allocations by stack among the records, with a warning of what is not in them.
    void put(Imported& out);

private:
    struct Stack {
        std::int64_t bytes = 0, allocations = 0;
        std::vector<BpfFrame> frames; ///< the innermost first
    };
    struct Printing {
        std::string time;
        std::size_t top = 0; ///< stacks that it has at most
        std::vector<Stack> stacks;
    };
    Printing m_now, m_before;                  ///< m_before: the last that has stacks
    std::size_t m_printings = 0, m_frames = 0; ///< m_frames: of this printing
    std::size_t m_left = 0;                    ///< stacks of this printing whose numbers have no room
    bool m_isOpen = false, m_inStack = false, m_isLeftOut = false;
};
} // namespace dscope::text
