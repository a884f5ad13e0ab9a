#pragma once
#include "engine/record/record.h"
#include <cstddef>
#include <functional>
#include <string>
#include <string_view>
#include <vector>
/// What is done with the stacks that another tool counted.
namespace dscope::record {
/// `stacks` with `root` as the outermost frame of each.
CountedStacks below(const NamedFrame& root, const CountedStacks& stacks);
/// The same stacks with other frames: `changed` gives what stands for one; it is asked once for each. Its texts last until it is asked
/// again.
CountedStacks withFrames(const CountedStacks& stacks, const std::function<NamedFrame(const NamedFrame&)>& changed);
/// `chosen` of the same table.
CountedStacks withStacks(const CountedStacks& of, std::vector<CountedStacks::Stack> chosen);
/// `stacks` in records of at most `most` bytes each, as far as no single stack is longer, in their order; none of no stacks.
std::vector<CountedStacks> inParts(const CountedStacks& stacks, std::size_t most);
/// All that measure the same in one record, in their order: what a stream has said in several. A record that is alone is not copied.
std::vector<CountedStacks> byMeasure(const std::vector<CountedStacks>& all);
/// What stacks of samples of `event` say that they count: clocks count the processors' time, whatever the tool calls them,
/// unless `all`, what the stacks count, tells a clock from another one by its name.
std::string nounOfEvent(const std::string& event, const std::vector<std::string>& all);
/// What the stacks count, each once, in their order.
std::vector<std::string> eventsOf(const std::vector<CountedStacks>& all);
/// Why nothing of `event` can be shown: what there is instead.
Error noSuchEvent(const std::string& event, const std::vector<std::string>& all);
/// Puts the stacks that count `event` before those that count something else. Error: there are none, and which there are.
Result<> putFirst(std::vector<Record>& records, const std::string& event);
/// The heaviest of the stacks, in their order: as many as `most` bytes hold of stacks of average length.
CountedStacks heaviest(const CountedStacks& stacks, std::size_t most);
/// Bytes of the folded text that the stacks are when written.
std::size_t textSize(const CountedStacks& stacks);
/// Each stack as folded text and its value, in their order.
void eachLine(const CountedStacks& stacks, const std::function<void(std::string_view stack, std::int64_t value)>& deliver);
/// Lines of folded text, as recordings before 1.8 hold them. Each stack has a value of more than 0.
class FoldedReader {
public:
    void add(std::string_view stack, std::int64_t value);
    CountedStacks take(std::string noun, StackUnit unit);

private:
    StackTableBuilder m_builder;
    std::vector<CountedStacks::Stack> m_stacks;
};
/// "0.6" of 6 and -1: a value with all of its digits. No zeros end its decimals.
std::string decimalText(std::int64_t value, int exponent);
} // namespace dscope::record
