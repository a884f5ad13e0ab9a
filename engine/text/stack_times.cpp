#include "engine/text/stack_times.h"
#include "engine/text/row_keys.h"
#include "engine/text/stack_counts.h"
#include "engine/text/words.h"
#include <algorithm>
#include <cstring>
#include <tuple>
namespace dscope::text {
namespace {
constexpr std::size_t kLeastName = 16; ///< of a thread's name with its NUL. Source: linux/include/linux/sched.h, TASK_COMM_LEN
constexpr std::size_t kMostName = 256; ///< with its NUL; longer ones are shortened, for every row has room for the longest
constexpr std::uint32_t kNotTold = UINT32_MAX;
constexpr std::int64_t kFewestSlices = 100, kMostSlices = 1000; ///< of the whole time
constexpr std::int64_t kOfSlice = 50; ///< samples: with fewer, lines over time show how they fell more than how many there were
/// The shortest time of at least `least` ns that people count in, 1, 2 or 5 with zeros, and that is a multiple of `unit`.
std::int64_t stepOf(std::int64_t least, std::int64_t unit)
{
    for (std::int64_t power = 1; power < INT64_MAX / 100; power *= 10)
        for (const std::int64_t digit : {1, 2, 5})
            if (digit * power >= least && digit * power % unit == 0) return digit * power;
    return unit;
}
/// Has no padding: its bytes are its identity.
struct TaskKeys {
    std::uint32_t name, pid, tid, cpu;
};
static_assert(std::has_unique_object_representations_v<TaskKeys>);
TaskKeys keysOf(std::string_view bytes)
{
    TaskKeys keys{};
    std::memcpy(&keys, bytes.data(), sizeof keys);
    return keys;
}
/// An aggregation and how the keys of its rows are made of a task.
struct Rows {
    record::Aggregation shape;
    std::vector<std::uint32_t TaskKeys::*> numbers;
    std::uint32_t nameSize = 0; ///< with its NUL; 0: it is no key

    void byName(std::string name, std::size_t longest)
    {
        nameSize = static_cast<std::uint32_t>(std::clamp((longest + 8) / 8 * 8, kLeastName, kMostName));
        shape.keys.push_back({record::FieldKind::String, 0, nameSize, std::move(name), "string"});
        shape.keySize = nameSize;
    }
    void by(std::uint32_t TaskKeys::*number, std::string name)
    {
        shape.keys.push_back({record::FieldKind::Uint, shape.keySize, sizeof(std::uint32_t), std::move(name), "uint32_t"});
        shape.keySize += sizeof(std::uint32_t);
        numbers.push_back(number);
    }
    Bytes key(const TaskKeys& task, std::string_view name) const
    {
        Bytes out(shape.keySize);
        auto* at = out.data();
        if (nameSize > 0) {
            const auto text = shortened(name, nameSize - 1);
            std::memcpy(at, text.data(), text.size());
        }
        at += nameSize;
        for (const auto number : numbers) {
            std::memcpy(at, &(task.*number), sizeof(std::uint32_t));
            at += sizeof(std::uint32_t);
        }
        return out;
    }
};
} // namespace

void StackTimes::add(std::int64_t when, const Task& task, std::uint32_t stack, std::int64_t value, std::int64_t amount)
{
    if (m_isFull) return;
    const TaskKeys keys{m_names.of(task.name), task.pid.value_or(kNotTold), task.tid.value_or(kNotTold), task.cpu.value_or(kNotTold)};
    m_first = std::min(m_first, when);
    m_last = std::max(m_last, when);
    m_samples.push_back({when, m_tasks.of({reinterpret_cast<const char*>(&keys), sizeof keys}), stack, value, amount});
    if (m_samples.size() < kMost) return;
    mergeWithin(stepOf((m_last - m_first) / kMostSlices, 2 * m_step));
    m_isFull = m_samples.size() > kMost / 2;
}

void StackTimes::mergeWithin(std::int64_t step)
{
    m_step = step;
    for (auto& sample : m_samples)
        sample.when -= sample.when % step;
    const auto order = [](const Sample& s) { return std::tuple(s.when, s.task, s.stack); };
    std::sort(m_samples.begin(), m_samples.end(), [&](const Sample& a, const Sample& b) { return order(a) < order(b); });
    auto into = m_samples.begin();
    for (auto next = m_samples.begin(); next != m_samples.end(); ++next) {
        if (next == into) continue;
        const bool fits = into->value <= INT64_MAX - next->value && into->amount <= INT64_MAX - next->amount;
        if (order(*next) == order(*into) && fits) {
            into->value += next->value;
            into->amount += next->amount;
            continue;
        }
        *++into = *next;
    }
    if (!m_samples.empty()) m_samples.erase(into + 1, m_samples.end());
}

void StackTimes::put(Imported& out, std::string noun, std::span<const std::uint32_t> lines, std::string nameKey)
{
    if (m_isFull) out.warn("it has so many samples that when each was taken is left out: record a shorter time to have that");
    if (m_samples.empty() || m_isFull || m_first <= 0) return;
    if (m_untimed > 0)
        out.warn(counted(m_untimed, "sample has", "samples have") + " no time, but others do: figures over time and by "
            + (nameKey == "execname" ? "process" : nameKey) + " leave " + (m_untimed == 1 ? "it" : "them") + " out");
    const auto slices = std::clamp(static_cast<std::int64_t>(m_samples.size()) / kOfSlice, kFewestSlices, kMostSlices);
    mergeWithin(stepOf((m_last - m_first) / slices, m_step));

    Rows threads, cpus;
    threads.shape.name = "threads";
    cpus.shape.name = "cpus";
    const auto isTold = [&](std::uint32_t TaskKeys::*number) {
        for (std::uint32_t task = 0; task < m_tasks.size(); ++task)
            if (keysOf(m_tasks.text(task)).*number != kNotTold) return true;
        return false;
    };
    std::size_t longest = 0, cut = 0;
    for (std::uint32_t name = 0; name < m_names.size(); ++name) {
        longest = std::max(longest, m_names.text(name).size());
        cut += m_names.text(name).size() >= kMostName ? 1 : 0;
    }
    if (cut > 0)
        out.warn(counted(cut, "name of a thread is", "names of threads are") + " longer than " + std::to_string(kMostName - 1)
            + " bytes and cut in figures over time: where the rest was, 16 digits tell them apart");
    threads.byName(std::move(nameKey), longest);
    if (isTold(&TaskKeys::pid)) threads.by(&TaskKeys::pid, "pid");
    if (isTold(&TaskKeys::tid)) threads.by(&TaskKeys::tid, "tid");
    std::vector<Rows> all{std::move(threads)};
    cpus.by(&TaskKeys::cpu, "cpu");
    if (isTold(&TaskKeys::cpu)) all.push_back(std::move(cpus));

    record::StackParts parts;
    parts.noun = std::move(noun);
    for (const auto& rows : all)
        parts.by.push_back(rows.shape);
    std::int64_t room = INT64_MAX, roomOfLines = INT64_MAX; // as StackCounts has it
    const Sample* before = nullptr;
    for (const auto& sample : m_samples) {
        const auto line = sample.stack < lines.size() ? lines[sample.stack] : StackCounts::Numbered::kNone;
        const auto amount = std::min(sample.amount, room), value = std::min(sample.value, roomOfLines);
        if (line == StackCounts::Numbered::kNone || amount <= 0 || value <= 0) continue;
        room -= amount;
        roomOfLines -= value;
        if (!before || before->when != sample.when || before->task != sample.task) {
            auto& part = parts.parts.emplace_back();
            part.from = record::Nanoseconds(std::max(sample.when, m_first));
            part.to = record::Nanoseconds(std::min(sample.when + m_step, m_last));
            const auto task = keysOf(m_tasks.text(sample.task));
            for (const auto& rows : all)
                part.keys.push_back(rows.key(task, m_names.text(task.name)));
        }
        before = &sample;
        parts.parts.back().amount += amount;
        parts.parts.back().lines.push_back({line, value});
    }
    out.program.started = m_first;
    out.records.emplace_back(std::move(parts));
}
} // namespace dscope::text
