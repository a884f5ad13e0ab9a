#pragma once
#include "engine/object/walk.h"
#include "engine/symbols/frame_rows.h"
#include "engine/symbols/go_functions.h"
#include <cstdint>
#include <span>
#include <vector>
namespace dscope::symbols {
/// The unwind rows of a stretch of a file's code as the walker in the kernel reads them (engine/object/walk.h): pages of code, each
/// with rows of its own. Rules that need more registers than rsp and rbp, or an expression other than the usual ones, are Unknown
/// there.
struct WalkTable {
    std::uint64_t base = 0;           ///< linked address of the first page
    std::vector<std::uint64_t> rows;  ///< a byte's offset in its page above object::kRowShift, below it the rule; fit anywhere that begins
                                      ///< on a boundary of object::kRowsOfChunk
    std::vector<std::uint32_t> pages; ///< number of rows and the first, counted from the first of `rows`; never 0
};
/// `count` pages from the linked address `base` on, a page's first. `rows`: of all functions there. `restorers`: linked addresses of
/// signal trampolines that no row tells of. `ends`: ascending, where others than rows tell the rule; `stubs`: where all is as at
/// a function's entry (Module::stubs()).
WalkTable compileWalkTable(const FrameRows& rows, std::uint64_t base, std::size_t count, std::span<const std::uint64_t> restorers = {},
    std::span<const StackEnd> ends = {}, std::span<const CodeRange> stubs = {});
/// Adds `count` pages from `base` on, which is where the table ends or another of its runs of code begins.
void appendWalkPages(WalkTable& table, const FrameRows& rows, std::uint64_t base, std::size_t count,
    std::span<const std::uint64_t> restorers, std::span<const StackEnd> ends, std::span<const CodeRange> stubs);
/// One rule as a word of such a table; without the offset.
std::uint64_t walkRuleOf(const FrameRule& rule, const FrameRows& rows);
} // namespace dscope::symbols
