#include "engine/symbols/whole_table.h"
#include "engine/symbols/rule_numbers.h"
#include <algorithm>
namespace dscope::symbols {
namespace {
constexpr std::uint64_t kPagesOfPart = FrameParts::kPart >> object::kWalkPageBits;
}

std::uint64_t CodeRun::pages() const
{
    if (begin >= end) return 0;
    return ((end - base() + FrameParts::kPart - 1) >> FrameParts::kPartBits) * kPagesOfPart;
}

std::vector<CodeRun> runsOfCode(const ElfFile& file)
{
    constexpr std::uint64_t kFar = 1 << 20;
    std::vector<CodeRun> segments, runs;
    for (const auto& segment : file.segments())
        if (segment.executable && segment.fileSize != 0) segments.push_back({segment.address, segment.address + segment.fileSize});
    std::sort(segments.begin(), segments.end(), [](const CodeRun& a, const CodeRun& b) { return a.begin < b.begin; });
    for (const auto& segment : segments) {
        if (!runs.empty() && segment.begin <= runs.back().end + kFar)
            runs.back().end = std::max(runs.back().end, segment.end);
        else
            runs.push_back(segment);
    }
    return runs;
}

CodeRun runOfCode(const ElfFile& file, std::uint64_t from, std::uint64_t to)
{
    for (const auto& run : runsOfCode(file))
        if (run.begin < to && from < run.end) return run;
    return {};
}

bool WholeTable::isSound() const
{
    std::uint64_t told = 0;
    for (const auto& run : runs) {
        if (run.base % FrameParts::kPart != 0 || run.pages % kPagesOfPart != 0 || run.pages > pages.size()) return false;
        told += run.pages;
    }
    if (told != pages.size() || rows.size() > object::kWalkRows || rules.size() > object::kWalkRules) return false;
    if (std::any_of(rows.begin(), rows.end(), [this](object::WalkRow row) { return object::ruleOf(row) >= rules.size(); })) return false;
    return std::all_of(pages.begin(), pages.end(), [this](std::uint32_t page) {
        const auto first = page & ((1U << object::kFirstRowBits) - 1), count = page >> object::kFirstRowBits;
        return count != 0 && count <= object::kMostRowsOfPage && first + count <= rows.size()
            && first / object::kRowsOfChunk == (first + count - 1) / object::kRowsOfChunk;
    });
}

WholeTable compileWholeTable(Module& module, const std::atomic<bool>& over, std::size_t most)
{
    WholeTable whole;
    WalkTable table;
    auto& frames = module.frames();
    const auto& restorers = module.restorers();
    const auto& ends = module.stackEnds();
    const auto& stubs = module.stubs();
    for (const auto& run : runsOfCode(module.file())) {
        if (run.pages() > object::kWalkPages) return {};
        whole.runs.push_back({run.base(), run.pages()});
        if (const auto* rows = frames.whole()) {
            appendWalkPages(table, *rows, run.base(), run.pages(), restorers, ends, stubs);
            if (table.rows.size() > most) return {};
            continue;
        }
        for (auto at = run.base(); at < run.end; at += FrameParts::kPart) {
            if (over) return {};
            appendWalkPages(table, frames.read(std::max(at, run.begin)), at, kPagesOfPart, restorers, ends, stubs);
            if (table.rows.size() > most) return {};
        }
    }
    whole.pages = std::move(table.pages);
    RuleNumbers numbers;
    whole.rows.reserve(table.rows.size());
    for (const auto row : table.rows)
        whole.rows.push_back(numbers.rowOf(row));
    whole.rules.assign(numbers.rules().begin(), numbers.rules().end());
    return whole;
}
} // namespace dscope::symbols
