#include "graph/stack_steps.h"
#include "engine/record/folded.h"
#include "engine/record/value.h"
#include "graph/frame_label.h"
#include "graph/keys.h"
#include "graph/store.h"
#include "graph/text.h"
namespace dscope::graph {
namespace {
/// Of a file that a distribution installs, or another; /usr/local is the administrator's own (Filesystem Hierarchy Standard 3.0, 4.9).
StackFrame::Origin originOf(const record::Frame& frame)
{
    using Origin = StackFrame::Origin;
    const std::string_view path = frame.code->path;
    if (path.empty()) return Origin::Unknown;
    const auto isBelow = [&](std::string_view folder) { return path.starts_with(folder); };
    const bool isInstalled
        = !isBelow("/usr/local/") && (isBelow("/usr/") || isBelow("/bin/") || isBelow("/lib") || isBelow("/sbin/") || isBelow("["));
    return isInstalled ? Origin::Installed : Origin::Own;
}
} // namespace

StackAggregations stackAggregations(const Store& store)
{
    StackAggregations taken;
    const auto& program = store.program();
    taken.measure.noun = countedNoun(store);
    for (std::uint32_t id = 0; id < program.aggregations.size(); ++id) {
        const auto& a = program.aggregations[id];
        if (!sumsUpStacks(a)) continue;
        const auto measure = store.measure(a);
        const bool isCount = a.function == record::Aggregator::Count;
        if (!taken.ids.empty() && (isCount != taken.measure.isCount || !(measure == taken.measure.measure))) {
            ++taken.leftOut;
            continue;
        }
        if (taken.ids.empty()) {
            taken.measure.shape = a;
            if (!isCount) taken.measure.name = a.value;
        }
        taken.measure.measure = measure;
        taken.measure.isCount = isCount;
        taken.ids.push_back(AggregationId{id});
    }
    return taken;
}

StackSteps::StackSteps(const Store& store, Frames& frames) : m_store(store), m_frames(frames), m_syscalls(probeKinds(store).syscalls) { }

void StackSteps::add(std::string_view name) { m_steps.push_back(stepOf(name, Shade::Unknown, 0, 0, Origin::Unknown)); }

void StackSteps::addKeys(const record::Aggregation& a, ByteView key)
{
    for (const auto& field : a.keys)
        if (!isStack(field)) {
            const bool isCall = m_syscalls && field.name == "probefunc";
            const std::string text = printable(fieldText(field, key, m_store));
            m_steps.push_back(stepOf(text.empty() ? "[none]" : text, isCall ? Shade::System : Shade::Unknown, 0, 0, Origin::Unknown));
        }
    for (const auto kind : {record::FieldKind::UserStack, record::FieldKind::Stack})
        for (const auto& field : a.keys)
            if (field.kind == kind) addFrames(m_store.stack(record::stackOf(field, key)));
}

StackStep StackSteps::stepOf(std::string_view name, Shade shade, std::size_t module, std::uint32_t line, Origin origin)
{
    if (shade != Shade::Inlined && name.find(record::kFrameSeparator) == std::string_view::npos)
        return {m_frames.of(name, shade, module, origin), shade, line};
    auto frame = stackFrame({.name = name, .inlined = shade == Shade::Inlined});
    frame.shade = shade;
    frame.module = static_cast<std::uint32_t>(module);
    frame.origin = origin;
    return {m_frames.of(frame), shade, line};
}

StackStep StackSteps::stepOf(const record::Frame& f)
{
    return stepOf(frameName(f, unnamedOf(m_store.program())), f.inlined ? Shade::Inlined : shadeOf(f.kind),
        f.module.empty() ? 0 : printable(f.module).size(), m_frames.lineOf(printable(*f.file), f.line), originOf(f));
}

void StackSteps::addFrames(const record::KeptStacks::View& frames)
{
    for (auto left = frames.size(); left > 0; --left) {
        const auto number = frames.number(left - 1);
        if (number >= m_known.size()) m_known.resize(number + 1);
        auto& step = m_known[number];
        if (!step) step = stepOf(frames[left - 1]);
        m_steps.push_back(*step);
    }
}

std::optional<record::Truncation> cutOf(const record::Aggregation& a, ByteView key, const Store& store)
{
    for (const auto kind : {record::FieldKind::UserStack, record::FieldKind::Stack})
        for (const auto& field : a.keys) {
            if (field.kind != kind) continue;
            const auto frames = store.stack(record::stackOf(field, key));
            if (frames.size() == 0) continue;
            const auto& last = frames[frames.size() - 1];
            if (last.kind == record::Frame::Kind::Truncated) return static_cast<record::Truncation>(last.offset);
        }
    return std::nullopt;
}
} // namespace dscope::graph
