#include "graph/stack_rules.h"
#include "graph/text.h"
#include "graph/tongue.h"
#include <algorithm>
namespace dscope::graph {
namespace {
constexpr std::string_view kFolded = "[folded]", kUnknown = "[unknown]";

bool anyMatches(const std::vector<NamePattern>& patterns, std::string_view name)
{
    return std::any_of(patterns.begin(), patterns.end(), [&](const NamePattern& p) { return p.matches(name); });
}
std::string either(const std::vector<NamePattern>& patterns)
{
    std::string out;
    for (const auto& p : patterns)
        out = out.empty() ? printable(p.text()) : said("%1 or %2", out, printable(p.text()));
    return out;
}
/// A key that stands as a root frame is no code.
bool isCode(const StackFrame& frame)
{
    return frame.module > 0 || frame.mark > 0 || frame.shade != Shade::Unknown || frame.shown() == kUnknown;
}
} // namespace

std::vector<std::string> StackRules::inWords() const
{
    std::vector<std::string> out;
    if (!m_drop.empty()) out.push_back(said("without stacks that have %1", either(m_drop)));
    if (!m_keep.empty()) out.push_back(said("only stacks that have %1", either(m_keep)));
    if (m_onlyMine && m_mine) out.push_back(said("only stacks that have code of %1, other code folded", printable(m_mine->text())));
    if (m_onlyMine && !m_mine) out.push_back(said("only stacks that have code of one's own, other code folded"));
    if (!m_fold.empty()) out.push_back(said("%1 folded", either(m_fold)));
    if (m_foldsRecursion) out.push_back(said("recursion folded"));
    return out;
}

StackFilter::StackFilter(const StackRules& rules, Frames& frames, std::string_view command) : m_rules(rules), m_frames(frames)
{
    m_program = baseName(command.substr(0, command.find(' ')));
}

bool StackFilter::isMine(const StackFrame& frame) const
{
    if (m_rules.m_mine) return m_rules.m_mine->matches(frame.shown());
    if (frame.shade == Shade::Kernel || frame.shade == Shade::System) return false;
    const auto module = std::string_view(frame.name).substr(0, frame.module);
    if (!m_program.empty() && module == m_program) return true;
    if (frame.origin != StackFrame::Origin::Unknown) return frame.origin == StackFrame::Origin::Own;
    return frame.shade == Shade::User || frame.shade == Shade::Jit || frame.shade == Shade::Inlined;
}

const StackFilter::Known& StackFilter::known(std::uint32_t number)
{
    if (number >= m_known.size()) m_known.resize(std::max<std::size_t>(m_frames.size(), number + 1));
    auto& known = m_known[number];
    if (known.isAsked) return known;
    const auto& frame = m_frames[number];
    known.isAsked = true;
    known.isKept = anyMatches(m_rules.m_keep, frame.shown());
    known.isDropped = anyMatches(m_rules.m_drop, frame.shown());
    known.isMine = m_rules.m_onlyMine && isCode(frame) && isMine(frame);
    known.isFolded = (m_rules.m_onlyMine && isCode(frame) && !known.isMine) || anyMatches(m_rules.m_fold, frame.shown());
    return known;
}

bool StackFilter::operator()(std::vector<StackStep>& steps)
{
    const auto any = [&](bool Known::*is) {
        return std::any_of(steps.begin(), steps.end(), [&](const StackStep& step) { return known(step.frame).*is; });
    };
    if (!m_rules.m_drop.empty() && any(&Known::isDropped)) return false;
    if (!m_rules.m_keep.empty() && !any(&Known::isKept)) return false;
    if (m_rules.m_onlyMine && !any(&Known::isMine)) return false;
    if (m_rules.m_onlyMine || !m_rules.m_fold.empty()) fold(steps);
    if (m_rules.m_foldsRecursion) foldRecursion(steps);
    return true;
}

void StackFilter::fold(std::vector<StackStep>& steps)
{
    std::vector<StackStep> out;
    for (std::size_t at = 0; at < steps.size();) {
        if (!known(steps[at].frame).isFolded) {
            out.push_back(steps[at++]);
            continue;
        }
        const auto moduleOf = [&](std::size_t i) {
            const auto& frame = m_frames[steps[i].frame];
            return std::string_view(frame.name).substr(0, frame.module);
        };
        const auto module = moduleOf(at);
        const auto shade = steps[at].shade;
        bool isOneModule = !module.empty(), isOneShade = true;
        auto end = at;
        for (; end < steps.size() && known(steps[end].frame).isFolded; ++end) {
            isOneModule = isOneModule && moduleOf(end) == module;
            isOneShade = isOneShade && steps[end].shade == shade;
        }
        const auto kind = isOneShade ? shade : Shade::Unknown;
        const std::string name(isOneModule ? module : kFolded);
        out.push_back({m_frames.of(name, kind), kind});
        at = end;
    }
    steps = std::move(out);
}

void foldRecursion(std::vector<StackStep>& steps)
{
    std::vector<StackStep> out;
    out.reserve(steps.size());
    const auto repeats = [&](std::size_t length) { // whether the last so many are those before them
        if (out.size() < 2 * length) return false;
        const auto end = out.size();
        for (std::size_t i = 0; i < length; ++i)
            if (out[end - length + i].frame != out[end - 2 * length + i].frame) return false;
        return true;
    };
    for (const auto& step : steps) {
        out.push_back(step);
        for (std::size_t length = 1; length <= kLongestCycle; ++length) {
            if (!repeats(length)) continue;
            const auto again = out[out.size() - length].times;
            out.resize(out.size() - length);
            out[out.size() - length].times += again;
            break;
        }
    }
    steps = std::move(out);
}
} // namespace dscope::graph
