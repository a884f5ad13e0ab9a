#include "engine/format/text_printer.h"
#include "engine/format/cut_stacks.h"
#include "engine/format/flow.h"
#include "engine/format/layout.h"
#include "engine/format/messages.h"
#include "engine/format/render.h"
#include "engine/format/rows.h"
#include "engine/format/text.h"
#include "engine/record/named_stacks.h"
#include "engine/record/sort.h"
#include "engine/record/value.h"
#include <algorithm>
#include <charconv>
#include <cinttypes>
#include <set>
#include <tuple>
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

struct TextPrinter::Impl {
    Impl(Write o, Write m, Effects* e) : original(std::move(o)), messages(std::move(m)), effects(e) { }
    ~Impl() { release(); }
    Impl(const Impl&) = delete;
    Impl& operator=(const Impl&) = delete;

    // -- records ---------------------------------------------------------------------------------------------------
    void operator()(const Program& p)
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

    void operator()(const ProbeDef& p) { probes[p.id.value] = p; }

    void operator()(const StackDef& s)
    {
        if (s.frames.empty())
            forgotten.push_back(s.id.value);
        else
            context.stacks.keep(s.id, s.frames);
    }

    void operator()(const AggregationRows& rows) { state.take(rows); }
    void operator()(const FoldedStacks& stacks) { folded.push_back(stacks); }
    void operator()(const ProcessEvent&) { }
    void operator()(const Diagnostic& d) { messages((d.severity == Diagnostic::Severity::Debug ? "" : "dtrace: ") + d.text + '\n'); }
    void operator()(const Drop& drop) { tell(dropText(drop, flagOf(options, "droptags") ? DropTags::Shown : DropTags::Hidden)); }

    void operator()(const Fault& fault)
    {
        // The first says it all; how many more like it there are is told at the end. DTrace for Linux's tests want each.
        if (!isForLinux() && faults[{fault.enabled, fault.probe.value, fault.action, fault.kind}]++ > 0) return;
        std::string text = placeText(probeOf(fault.probe), fault.clause, fault.enabled, program.dialect) + ": " + faultText(fault);
        if (!isForLinux())
            text += formatted(" in action #%u", fault.action);
        else if (fault.offset != 0)
            text += formatted(" at BPF pc %u", fault.offset);
        tell(text);
    }

    void operator()(const TargetExited& e)
    {
        // dtrace's notices are silenced by -q, and DTrace for Linux has dropped this one.
        if (!context.quiet && !isForLinux()) tell(formatted("pid %d has exited", e.pid));
    }

    void operator()(const Exit& exit)
    {
        // dtrace prints this newline when it sees the signal, before END's output, which was held back for that.
        if (exit.interrupted && !isForLinux()) write("\n", Early::Yes);
        release();
        tellRepeated();
        if (folded.empty() || !state.aggregations().empty()) write("\n");
        std::vector<std::size_t> order(state.aggregations().size());
        for (std::size_t i = 0; i < order.size(); ++i)
            order[i] = sorting.reversed ? order.size() - 1 - i : i;
        for (const auto i : order) {
            const AggregationId id{std::uint32_t(i)};
            if (!state.entry(id).printed) writeSorted(id);
        }
        for (const auto& stacks : folded)
            writeLines(stacks);
        if (const auto cut = cutStacks.text(); !cut.empty() && !isForLinux()) tell(cut);
    }

    void operator()(const Fired& fired);

    void tellRepeated()
    {
        for (const auto& [which, count] : std::exchange(faults, {}))
            if (const auto& [enabled, probe, action, kind] = which; count > 1) {
                const auto again = count - 1;
                tell(placeText(probeOf(ProbeId{probe}), {}, enabled, program.dialect)
                    + formatted(": %s in action #%u: %" PRIu64 " more like the first", nameOf(kind), action, again));
            }
    }

    // -- actions ---------------------------------------------------------------------------------------------------
    void perform(const Fired& fired, const Action& action, const std::vector<Conversion>& format);
    void writePacket(const Fired& fired, ByteView bytes, const Action& action);
    void printa(const Action& action, const std::vector<Conversion>& format);
    void freopen(const Fired& fired, const std::string& path);
    void setopt(const Fired& fired, const Action& action);

    void optionsChanged()
    {
        context.quiet = flagOf(options, "quiet");
        context.rawBytes = flagOf(options, "rawbytes");
        context.noResolve = flagOf(options, "noresolve");
        context.stackIndent = numberOf(options, "stackindent", 14);
        context.stringSize = sizeOf(options, "strsize", 256);
        printSize = sizeOf(options, "printsize", 8192);
        flowIndent = flagOf(options, "flowindent");
        sorting = sortOrder(options);
        style = rowStyle(options);
    }

    /// Lets go of the stacks that nothing to come names, but for those that stand in rows.
    void forgetStacks()
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

    const ProbeDef& probeOf(ProbeId id)
    {
        auto& p = probes[id.value];
        p.id = id;
        return p;
    }

    /// Columns before the data of a firing; the heading before the first of them.
    std::string columns(const Fired& fired);

    void writeSorted(AggregationId id)
    {
        auto& entry = state.entry(id);
        auto rows = entry.rows;
        sortRows(state.aggregations()[id.value], rows, sorting);
        cutStacks.take(context, state.aggregations()[id.value], rows);
        writeRows(context, style, state.aggregations()[id.value], rows, entry.divisor, [this](std::string_view text) { write(text); });
    }

    void writeLines(const FoldedStacks& stacks)
    {
        std::string text; // one for all lines: they may be a gigabyte
        for (const auto& line : stacks.lines) {
            if (context.toTerminal)
                text = visible(line.stack);
            else
                text = line.stack;
            write(text.append(1, ' ').append(std::to_string(line.value)).append(1, '\n'));
        }
    }

    // -- output ----------------------------------------------------------------------------------------------------
    enum class Early : bool { No, Yes };

    void write(std::string_view text, Early early = Early::No)
    {
        if (text.empty()) return;
        if (holding && early == Early::No)
            held += text;
        else if (redirected)
            redirected(text);
        else if (!elsewhere)
            original(text);
    }

    /// What was held back goes out.
    void release()
    {
        holding = false;
        write(std::exchange(held, {}));
    }
    void tell(const std::string& text) { messages("dtrace: " + text + '\n'); }
    void tellReplay(const std::string& text) { messages("dscope: not done in a replay: " + text + '\n'); }

    Write original, messages;
    Effects* effects;
    OptionCheck optionCheck;
    Write redirected; ///< by freopen(), live
    std::string redirectedTo;
    std::set<std::string> captures; ///< files of packets, begun already
    bool elsewhere = false;         ///< by freopen(), in a replay
    bool holding = false;           ///< since END fired
    std::string held;

    Program program;
    std::vector<std::vector<std::vector<Conversion>>> formats; ///< by clause and action
    std::map<std::string, std::string> options;                ///< the program's, and what setopt() made of them
    std::map<std::uint32_t, ProbeDef> probes;
    /// How often each has happened: enabled probe, probe, action, kind.
    std::map<std::tuple<std::uint32_t, std::uint32_t, std::uint32_t, FaultKind>, std::uint64_t> faults;
    std::vector<std::uint32_t> forgotten; ///< stacks that are to go once no row has them
    Context context;
    AggregationState state;
    std::vector<FoldedStacks> folded; ///< imported; printed at the end, behind the aggregations
    FlowIndent flow;
    SortOrder sorting;
    RowStyle style;
    CutStacks cutStacks;
    bool isTerminal = false; ///< `original`
    bool flowIndent = false, headed = false;
    bool isForLinux() const { return program.dialect == Dialect::DtraceForLinux; }
    std::size_t printSize = 0;
};

std::string TextPrinter::Impl::columns(const Fired& fired)
{
    std::string out;
    if (!headed) {
        headed = true;
        if (flowIndent)
            out = isForLinux() ? formatted("%-41s\n", "FUNCTION") : formatted("%3s %-41s\n", "CPU", "FUNCTION");
        else if (!context.quiet)
            out = isForLinux() ? formatted("%32s\n", "FUNCTION:NAME") : formatted("%3s %6s %32s\n", "CPU", "ID", "FUNCTION:NAME");
    }
    const ProbeDef& probe = probeOf(fired.probe);
    if (flowIndent) {
        if (!isForLinux()) out += formatted("%3u ", fired.cpu);
        out += padded(shown(context, flow.column(probe, fired)), -41) + ' ';
    } else if (!context.quiet) {
        if (!isForLinux()) out += formatted("%3u %6u ", fired.cpu, probe.id.value);
        out += padded(shown(context, probe.function + ':' + probe.name), 32) + ' ';
    }
    return out;
}

void TextPrinter::Impl::operator()(const Fired& fired)
{
    if (fired.clause.value >= program.clauses.size()) return;
    const ProbeDef& probe = probeOf(fired.probe);
    if (!redirected && !elsewhere && probe.provider == "dtrace" && probe.name == "END") holding = true;
    const Clause& clause = program.clauses[fired.clause.value];
    // commit() and discard() alone record nothing that anyone asked to see.
    const bool shown = clause.actions.empty() || std::any_of(clause.actions.begin(), clause.actions.end(), [](const Action& a) {
        return a.kind != ActionKind::Commit && a.kind != ActionKind::Discard;
    });
    if (!shown) return;
    write(columns(fired));
    for (std::size_t i = 0; i < clause.actions.size(); ++i)
        perform(fired, clause.actions[i], formats[fired.clause.value][i]);
    if (!context.quiet) write("\n");
}

void TextPrinter::Impl::perform(const Fired& fired, const Action& action, const std::vector<Conversion>& format)
{
    const ByteView payload = fired.payload;
    const auto text = [&] { return render(context, format, action.fields, payload); };
    // For a command or as a file's name.
    const auto plainText = [&] {
        const bool wasTerminal = std::exchange(context.toTerminal, false);
        auto plain = text();
        context.toTerminal = wasTerminal;
        return plain;
    };

    switch (action.kind) {
    case ActionKind::Trace: write(traceText(context, action.fields[0], payload)); break;
    case ActionKind::Tracemem: {
        ByteView bytes = partOf(action.fields[0], payload);
        if (action.fields.size() > 1) {
            // A negative size asks for all of it.
            const std::int64_t size = integerOf(action.fields[1], payload);
            const bool all = action.fields[1].kind == FieldKind::Int && size < 0;
            if (!all && std::uint64_t(size) < bytes.size()) bytes = bytes.first(std::size_t(size));
        }
        if (action.fields.size() > 3 && redirected)
            writePacket(fired, bytes, action);
        else
            write(dumpText(bytes));
        break;
    }
    case ActionKind::Printf: write(text()); break;
    case ActionKind::Print: write(objectText(action, payload, printSize)); break;
    case ActionKind::Printa: printa(action, format); break;
    case ActionKind::Stack:
    case ActionKind::UserStack:
        cutStacks.take(context, action.fields[0], payload);
        write(stackText(context, action.fields[0], payload, context.stackIndent));
        break;
    case ActionKind::Symbol: write(keyText(context, action.fields[0], payload)); break;
    case ActionKind::Clear:
    case ActionKind::Trunc:
    case ActionKind::Normalize:
    case ActionKind::Denormalize: state.apply(action, payload); break;
    case ActionKind::System:
        if (!effects)
            tellReplay("system(\"" + escaped(plainText()) + "\")");
        else {
            release();
            effects->run(plainText());
        }
        break;
    case ActionKind::Freopen: freopen(fired, plainText()); break;
    case ActionKind::Ftruncate:
        if (!effects)
            tellReplay("ftruncate()");
        else {
            release();
            effects->truncate();
        }
        break;
    case ActionKind::Setopt: setopt(fired, action); break;
    case ActionKind::Exit:
    case ActionKind::Raise:
    case ActionKind::Stop:
    case ActionKind::Chill:
    case ActionKind::Commit:
    case ActionKind::Discard:
    case ActionKind::Speculate: break;
    }
}

/// Into the file that freopen() named, in the format of libpcap, which tcpdump and Wireshark read. The first packet empties it.
/// Source: draft-ietf-opsawg-pcap (times in nanoseconds); LINKTYPE_RAW stands for DLT_RAW.
void TextPrinter::Impl::writePacket(const Fired& fired, ByteView bytes, const Action& action)
{
    constexpr std::uint32_t kRaw = 12, kRawInFiles = 101;
    const auto type = static_cast<std::uint32_t>(integerOf(action.fields[3], fired.payload));
    auto length = static_cast<std::uint32_t>(integerOf(action.fields[2], fired.payload));
    // A link type of raw IP means the packet from its IP header on, wherever that is in the buffer.
    if (type == kRaw && action.fields.size() > 4) {
        const auto header = integerOf(action.fields[4], fired.payload);
        if (header > 0 && static_cast<std::uint64_t>(header) < bytes.size()) {
            bytes = bytes.subspan(static_cast<std::size_t>(header));
            length -= static_cast<std::uint32_t>(header);
        }
    }

    std::string out;
    const auto put = [&out](auto value) { out.append(reinterpret_cast<const char*>(&value), sizeof value); };
    if (captures.insert(redirectedTo).second) {
        effects->truncate();
        put(std::uint32_t{0xa1b23c4d});
        put(std::uint16_t{2}); // version 2.4
        put(std::uint16_t{4});
        put(std::uint64_t{0});
        put(std::uint32_t{action.fields[0].size});
        put(type == kRaw ? kRawInFiles : type);
    }

    constexpr std::uint64_t kSecond = 1'000'000'000;
    const auto when = static_cast<std::uint64_t>(fired.when.count() + program.wallClockOffset);
    put(static_cast<std::uint32_t>(when / kSecond));
    put(static_cast<std::uint32_t>(when % kSecond));
    put(static_cast<std::uint32_t>(bytes.size()));
    put(length);
    out.append(reinterpret_cast<const char*>(bytes.data()), bytes.size());
    write(out);
}

void TextPrinter::Impl::printa(const Action& action, const std::vector<Conversion>& format)
{
    const auto& ids = action.aggregations;
    const bool plain = action.format.empty();
    if (plain) write("\n");
    for (const auto id : ids)
        if (!state.entry(id).rows.empty()) state.entry(id).printed = true;
    if (plain && ids.size() == 1) return writeSorted(ids[0]);
    for (const auto id : ids)
        cutStacks.take(context, state.aggregations()[id.value], state.entry(id).rows);

    for (const JoinedRow& row : joinRows(state, ids, sorting)) {
        if (plain) {
            write(joinedText(context, style, state, ids, row));
            continue;
        }
        std::vector<AggregationValue> values;
        for (std::size_t i = 0; i < ids.size(); ++i) {
            const auto& a = state.aggregations()[ids[i].value];
            values.push_back({&a, dataOf(a, row.rows[i]), state.entry(ids[i]).divisor, style.scale});
        }
        write(render(context, format, state.aggregations()[ids[0].value].keys, *row.key, values));
    }
}

void TextPrinter::Impl::freopen(const Fired& fired, const std::string& path)
{
    if (!effects) {
        elsewhere = !path.empty();
        tellReplay("freopen(\"" + escaped(path) + "\")");
        return;
    }
    release();
    context.toTerminal = isTerminal && path.empty();
    if (path.empty()) {
        redirected = nullptr;
        effects->restore();
        return;
    }
    if (auto opened = effects->redirect(path)) {
        redirected = *std::move(opened);
        redirectedTo = path;
    } else {
        context.toTerminal = isTerminal && !redirected;
        tell(placeText(probeOf(fired.probe), fired.clause, fired.clause.value + 1, program.dialect) + ": couldn't freopen() \"" + path
            + "\": " + opened.error().message);
    }
}

void TextPrinter::Impl::setopt(const Fired& fired, const Action& action)
{
    const std::string name = textAt(fired.payload, action.fields[0].offset, action.fields[0].size);
    // Without a value it is a switch.
    std::string value = "1";
    if (action.fields.size() > 1 && action.fields[1].kind == FieldKind::String)
        value = textAt(fired.payload, action.fields[1].offset, action.fields[1].size);
    if (optionCheck) {
        if (const auto fine = optionCheck(name, value); !fine) {
            // The blank line is dtrace's.
            tell(placeText(probeOf(fired.probe), fired.clause, fired.clause.value + 1, program.dialect) + ": couldn't set option \"" + name
                + "\" to \"" + value + "\": " + fine.error().message + '\n');
            return;
        }
    }
    options[name] = value;
    optionsChanged();
}

TextPrinter::TextPrinter(Write out, Write messages, Effects* effects)
    : m(std::make_unique<Impl>(std::move(out), std::move(messages), effects))
{
}
TextPrinter::~TextPrinter() = default;
void TextPrinter::checkOptions(OptionCheck check) { m->optionCheck = std::move(check); }
void TextPrinter::toTerminal(bool isTerminal) { m->isTerminal = m->context.toTerminal = isTerminal; }
void TextPrinter::take(const Record& record)
{
    if (!m->forgotten.empty() && !std::holds_alternative<StackDef>(record)) m->forgetStacks();
    std::visit(*m, record);
}
} // namespace dscope::format
