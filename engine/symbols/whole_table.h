#pragma once
#include "engine/base/result.h"
#include "engine/symbols/module.h"
#include "engine/symbols/walk_table.h"
#include <atomic>
#include <cstdint>
#include <vector>
namespace dscope::symbols {
/// A run of code of a file, linked addresses, half open.
struct CodeRun {
    std::uint64_t begin = 0, end = 0;
    /// Where a part of FrameParts begins: the parts of a run are then whole runs of pages.
    std::uint64_t base() const { return begin >> FrameParts::kPartBits << FrameParts::kPartBits; }
    std::uint64_t pages() const;
};
/// All of a file, ascending. Distant segments are separate runs, because the gap between them is not in the file and may be gigabytes.
std::vector<CodeRun> runsOfCode(const ElfFile& file);
/// The one that overlaps [from, to); empty if none does.
CodeRun runOfCode(const ElfFile& file, std::uint64_t from, std::uint64_t to);

/// The unwind rows of all of a file's code (engine/object/walk.h), as files keep them.
struct WholeTable {
    struct Run {
        std::uint64_t base = 0;  ///< linked address of the first page
        std::uint64_t pages = 0; ///< how many of `pages` are this run's
    };
    std::vector<Run> runs;
    std::vector<std::uint32_t> pages;  ///< as in WalkTable
    std::vector<object::WalkRow> rows; ///< with numbers in `rules`
    std::vector<std::uint64_t> rules;  ///< object::walkRule()
    /// Nothing in it leads out of it.
    bool isSound() const;
};
/// Takes some hundred ms for the largest libraries. Ends early, with nothing, once `over` is set or where it has more than `most` rows.
WholeTable compileWholeTable(Module& module, const std::atomic<bool>& over, std::size_t most = object::kWalkRows);
} // namespace dscope::symbols
