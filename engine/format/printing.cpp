#include "engine/format/printing.h"
#include "engine/format/messages.h"
#include "engine/format/text.h"
#include "engine/record/named_stacks.h"
#include "engine/record/value.h"
#include <algorithm>
#include <charconv>
#include <cinttypes>
#include <utility>
namespace dscope::format {
using namespace record;
namespace {
int numberOf(const std::map<std::string, std::string>& options, const std::string& name, int unset)
{
    const auto at = options.find(name);
    if (at == options.end()) return unset;
    int n = 0;
    const auto [end, error] = std::from_chars(at->second.data(), at->second.data() + at->second.size(), n);
    return error == std::errc{} ? std::clamp(n, 0, kWidestField) : unset;
}
/// A size as options have it: a number of bytes, or with k, m, g, t behind it.
std::size_t sizeOf(const std::map<std::string, std::string>& options, const std::string& name, std::size_t unset)
{
    const auto at = options.find(name);
    if (at == options.end()) return unset;
    std::size_t n = 0;
    const char* last = at->second.data() + at->second.size();
    const auto [end, error] = std::from_chars(at->second.data(), last, n);
    if (error != std::errc{}) return unset;
    const auto unit = end == last ? std::string_view::npos : std::string_view("kmgt").find(static_cast<char>(*end | 0x20));
    return std::min(unit == std::string_view::npos ? n : n << (10 * (unit + 1)), kLongestText);
}
} // namespace

void Printing::operator()(const Program& p)
{
    program = p;
    options = p.options;
    state = AggregationState(p.aggregations);
    const auto rules = Zone::parse(p.zone);
    context.zone = rules ? *rules : Zone(p.utcOffset);
    formats.assign(p.clauses.size(), {});
    for (std::size_t c = 0; c < p.clauses.size(); ++c)
        for (const auto& action : p.clauses[c].actions) {
            auto parsed = parseFormat(action.format);
            formats[c].push_back(parsed ? *std::move(parsed) : std::vector<Conversion>{});
        }
    optionsChanged();
}

void Printing::operator()(const StackDef& s)
{
    if (s.frames.empty())
        forgotten.push_back(s.id.value);
    else
        context.stacks.keep(s.id, s.frames);
}

void Printing::operator()(const Diagnostic& d) { messages((d.severity == Diagnostic::Severity::Debug ? "" : "dtrace: ") + d.text + '\n'); }

void Printing::operator()(const Drop& drop) { tell(dropText(drop, flagOf(options, "droptags") ? DropTags::Shown : DropTags::Hidden)); }

void Printing::operator()(const Fault& fault)
{
    // The first says it all; how many more like it there are is told at the end. DTrace for Linux's tests want each.
    if (!isForLinux() && faults[{fault.enabled, fault.probe.value, fault.action, fault.kind}]++ > 0) return;
    std::string text
        = placeText(probeOf(fault.probe), shownClause(fault.clause, fault.probe), fault.enabled, program.dialect) + ": " + faultText(fault);
    if (!isForLinux())
        text += formatted(" in action #%u", fault.action);
    else if (fault.offset != 0)
        text += formatted(" at BPF pc %u", fault.offset);
    tell(text);
    if (fault.kind == FaultKind::NoScratch && !isForLinux() && !std::exchange(toldOfScratch, true))
        tell("alloca() and copyin() have no more room in one firing: -x scratchsize=SIZE gives them more, 1m at most");
}

void Printing::operator()(const TargetExited& e)
{
    // dtrace's notices are silenced by -q, and DTrace for Linux has dropped this one.
    if (!context.quiet && !isForLinux()) tell(formatted("pid %d has exited", e.pid));
}

void Printing::tellRepeated()
{
    for (const auto& [which, count] : std::exchange(faults, {}))
        if (const auto& [enabled, probe, action, kind] = which; count > 1) {
            const auto again = count - 1;
            tell(placeText(probeOf(ProbeId{probe}), {}, enabled, program.dialect)
                + formatted(": %s in action #%u: %" PRIu64 " more like the first", nameOf(kind), action, again));
        }
}

void Printing::optionsChanged()
{
    context.quiet = flagOf(options, "quiet");
    context.rawBytes = flagOf(options, "rawbytes");
    context.noResolve = flagOf(options, "noresolve");
    context.stackIndent = numberOf(options, "stackindent", 14);
    context.stringSize = sizeOf(options, "strsize", 256);
    printSize = sizeOf(options, "printsize", 8192);
    sorting = sortOrder(options);
}

void Printing::forgetStacks()
{
    std::set<std::uint32_t> shown;
    for (std::size_t i = 0; i < state.aggregations().size(); ++i)
        for (const auto& row : state.entry(AggregationId{std::uint32_t(i)}).rows)
            eachStack(state.aggregations()[i].keys, row.key, [&shown](StackId id) { shown.insert(id.value); });
    std::erase_if(forgotten, [&](std::uint32_t id) {
        if (shown.contains(id)) return false;
        context.stacks.forget(StackId{id});
        return true;
    });
}

const ProbeDef& Printing::probeOf(ProbeId id)
{
    auto& p = probes[id.value];
    p.id = id;
    return p;
}

std::string Printing::placeOf(const Fired& fired)
{
    return placeText(probeOf(fired.probe), shownClause(fired.clause, fired.probe), fired.clause.value + 1, program.dialect);
}

ClauseId Printing::shownClause(ClauseId clause, ProbeId probe)
{
    return isForLinux() ? clauseForLinux(program.clauses, clause, probeOf(probe)) : clause;
}

bool Printing::isShown(const Clause& clause)
{
    return clause.actions.empty() || std::any_of(clause.actions.begin(), clause.actions.end(), [](const Action& a) {
        return a.kind != ActionKind::Commit && a.kind != ActionKind::Discard;
    });
}

ByteView Printing::memoryOf(const Action& action, ByteView payload)
{
    const ByteView bytes = partOf(action.fields[0], payload);
    if (action.fields.size() < 2) return bytes;
    // A negative size asks for all of it.
    const std::int64_t size = integerOf(action.fields[1], payload);
    const bool all = action.fields[1].kind == FieldKind::Int && size < 0;
    return !all && std::uint64_t(size) < bytes.size() ? bytes.first(std::size_t(size)) : bytes;
}

std::vector<AggregationId> Printing::unprinted() const
{
    std::vector<AggregationId> order;
    for (std::size_t i = 0; i < state.aggregations().size(); ++i)
        if (const AggregationId id{std::uint32_t(i)}; !state.entry(id).printed) order.push_back(id);
    if (sorting.reversed) std::reverse(order.begin(), order.end());
    return order;
}

void Printing::setopt(const Fired& fired, const Action& action)
{
    const std::string name = textAt(fired.payload, action.fields[0].offset, action.fields[0].size);
    // Without a value it is a switch.
    std::string value = "1";
    if (action.fields.size() > 1 && action.fields[1].kind == FieldKind::String)
        value = textAt(fired.payload, action.fields[1].offset, action.fields[1].size);
    if (optionCheck) {
        if (const auto fine = optionCheck(name, value); !fine) {
            // The blank line is dtrace's.
            tell(placeOf(fired) + ": couldn't set option \"" + name + "\" to \"" + value + "\": " + fine.error().message + '\n');
            return;
        }
    }
    options[name] = value;
    optionsChanged();
}
} // namespace dscope::format
