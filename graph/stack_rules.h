#pragma once
#include "graph/name_pattern.h"
#include "graph/stack_frames.h"
#include <optional>
#include <string>
#include <vector>
namespace dscope::graph {
/// Rules that select stacks and merge their frames. Every view of stacks draws the result.
class StackRules {
public:
    /// Only stacks in which a frame or a key is called so; of several, any.
    void keep(NamePattern name) { m_keep.push_back(std::move(name)); }
    /// No stacks in which a frame or a key is called so.
    void drop(NamePattern name) { m_drop.push_back(std::move(name)); }
    /// Neighbours that are called so stand as one frame: the module that they have in common, or "[folded]".
    void fold(NamePattern name) { m_fold.push_back(std::move(name)); }
    /// A function that calls itself, directly or through a few others, stands once.
    void foldRecursion() { m_foldsRecursion = true; }

    /// Only stacks with code of one's own, whose other code is folded. Without `name` one's own is the program that was run (-c), and
    /// every file that no distribution installs (StackFrame::origin); where files are not known, what is no library and no kernel.
    void mine(std::optional<NamePattern> name)
    {
        m_onlyMine = true;
        m_mine = std::move(name);
    }
    bool empty() const { return m_keep.empty() && m_drop.empty() && m_fold.empty() && !m_foldsRecursion && !m_onlyMine; }
    /// Whether they leave out whole stacks.
    bool leaveOut() const { return !m_keep.empty() || !m_drop.empty() || m_onlyMine; }
    /// Whether they make one frame of several.
    bool mergeFrames() const { return !m_fold.empty() || m_foldsRecursion || m_onlyMine; }
    /// The rules in words, in the order in which they are obeyed: "only stacks with mix", "recursion folded".
    std::vector<std::string> inWords() const;

private:
    friend class StackFilter;
    std::vector<NamePattern> m_keep, m_drop, m_fold;
    bool m_foldsRecursion = false, m_onlyMine = false;
    std::optional<NamePattern> m_mine;
};

/// Applies rules to stacks, one after the other. Each name is looked at once.
class StackFilter {
public:
    /// `frames` has the frames of the steps, and gets those that stand for others; `command`: of -c. All three outlive this.
    StackFilter(const StackRules& rules, Frames& frames, std::string_view command);
    /// Changes the steps, from the root to the leaf, as the rules say. False: the stack is left out.
    bool operator()(std::vector<StackStep>& steps);

private:
    struct Known {
        bool isAsked = false, isKept = false, isDropped = false, isFolded = false, isMine = false;
    };
    const Known& known(std::uint32_t frame);
    bool isMine(const StackFrame& frame) const;
    void fold(std::vector<StackStep>& steps);

    const StackRules& m_rules;
    Frames& m_frames;
    std::string m_program; ///< of the command, without its folder
    std::vector<Known> m_known; ///< by frame
};
/// Repetitions of up to kLongestCycle frames as one, which tells in StackStep::times how many there were.
void foldRecursion(std::vector<StackStep>& steps);
constexpr std::size_t kLongestCycle = 4;
} // namespace dscope::graph
