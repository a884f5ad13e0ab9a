#pragma once
#include "engine/base/interned.h"
#include "engine/text/perf_head.h"
#include "engine/text/stack_counts.h"
#include "engine/text/stack_times.h"
#include <cstdint>
#include <deque>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>
/// Samples that perf script printed, once their heads and frames are read.
namespace dscope::text::perf {
/// The samples of one event.
class PerfEvent {
public:
    explicit PerfEvent(std::string name) : m_name(std::move(name)) { }

    /// A frame of the sample that is read: which function of which table, where in the source, and for what was inlined in which module.
    struct Frame {
        std::uint32_t function = 0, source = 0, module = 0;
        bool java = false;
        bool operator==(const Frame&) const = default;
    };
    StackCounts& stacks() { return m_stacks; }
    StackTimes& times() { return m_times; }
    const std::string& name() const { return m_name; }
    Meaning meaning() const { return meaningOf(m_name, m_hasPeriods); }
    std::size_t samples() const { return m_samples; }

    /// Counts a sample, whose frames stacks() was given. The number of its stack.
    std::uint32_t add(const Head& head, std::string_view execname)
    {
        const auto stack = m_stacks.add(head.period);
        addTime(head, execname, stack);
        return stack;
    }
    void addAgain(const Head& head, std::string_view execname, std::uint32_t stack)
    {
        m_stacks.addAgain(stack, head.period);
        addTime(head, execname, stack);
    }
    void addTime(const Head& head, std::string_view execname, std::uint32_t stack)
    {
        if (m_samples++ == 0) m_hasPeriods = head.hasPeriod;
        if (head.period <= 0) return;
        if (head.when <= 0) return m_times.addUntimed();
        const bool isTime = meaning().unit == record::StackUnit::Time;
        m_times.add(head.when, {execname, head.pid, head.tid, head.cpu}, stack, head.period, isTime ? 1 : head.period);
    }

    /// The numbers of a function's frames among the stacks; `make` gives them when the frame is new.
    template <typename Make> std::span<const std::uint32_t> numbers(const Frame& key, Make make)
    {
        const bool isPlain = key.source == 0 && key.module == 0 && !key.java;
        if (!isPlain) return placed(key, make);
        if (key.function >= m_plain.size()) m_plain.resize(key.function + 1, kNew);
        auto& number = m_plain[key.function];
        if (number == kNew) {
            const auto& made = placed(key, make);
            number = made.size() == 1 ? made.front() : kOthers;
        }
        return number == kOthers ? std::span(placed(key, make)) : std::span(&number, 1);
    }

private:
    template <typename Make> const std::vector<std::uint32_t>& placed(const Frame& key, Make make)
    {
        const auto [known, isNew] = m_placed.try_emplace({key.function, key.source, key.module, key.java});
        if (isNew) known->second = make();
        return known->second;
    }

    std::string m_name;
    StackCounts m_stacks;
    StackTimes m_times;
    static constexpr std::uint32_t kNew = UINT32_MAX, kOthers = UINT32_MAX - 1;
    std::vector<std::uint32_t> m_plain; ///< by function, of nearly all frames: its only number; kOthers: m_placed has none or several
    std::map<std::tuple<std::uint32_t, std::uint32_t, std::uint32_t, bool>, std::vector<std::uint32_t>> m_placed;
    std::size_t m_samples = 0;
    bool m_hasPeriods = false;
};

/// Stacks whose text came lately, so that the same text need not be read again. Bounded: where few come again they are forgotten.
class KnownStacks {
public:
    struct Stack {
        std::string text;
        std::vector<PerfEvent::Frame> frames;
        bool java = false;
        // Where it was counted the last time.
        const PerfEvent* event = nullptr;
        std::string command;
        std::uint32_t number = 0;
    };
    static constexpr std::size_t kMostText = 8192; ///< bytes of a text that is kept
    /// Whether it is worth to look for a text and to keep it.
    bool isOn() const { return m_rest == 0; }
    /// Null: it is not known.
    Stack* find(std::string_view text, bool java)
    {
        const auto number = m_places[placeOf(text)];
        auto* at = number == kFree ? nullptr : &m_stacks[number];
        const bool isKnown = at && at->java == java && at->text == text;
        m_found += isKnown ? 1 : 0;
        if (++m_asked == kOften) {
            if (m_found < kOften / 8) m_rest = 16 * kOften;
            m_asked = m_found = 0;
        }
        return isKnown ? at : nullptr;
    }
    Stack* keep(std::string_view text, bool java, const std::vector<PerfEvent::Frame>& frames)
    {
        auto& number = m_places[placeOf(text)];
        if (number == kFree) {
            number = static_cast<std::uint32_t>(m_stacks.size());
            m_stacks.emplace_back();
        }
        auto& at = m_stacks[number];
        at.text.assign(text);
        at.frames = frames;
        at.java = java;
        at.event = nullptr;
        return &at;
    }
    /// For each sample whose text is not looked for.
    void pass() { m_rest -= m_rest > 0 ? 1 : 0; }

private:
    static constexpr std::size_t kPlaces = 4096, kOften = 4096;
    static std::size_t placeOf(std::string_view text) { return hashOf(text) % kPlaces; }
    static constexpr std::uint32_t kFree = UINT32_MAX;
    std::vector<std::uint32_t> m_places = std::vector<std::uint32_t>(kPlaces, kFree); ///< numbers of stacks, by their texts
    std::deque<Stack> m_stacks;
    std::size_t m_asked = 0, m_found = 0;
    std::size_t m_rest = 0; ///< samples until it is tried again
};
} // namespace dscope::text::perf
