#include "engine/format/text_printer.h"
#include "engine/format/flow.h"
#include "engine/format/layout.h"
#include "engine/format/printing.h"
#include "engine/format/render.h"
#include "engine/format/rows.h"
#include "engine/format/text.h"
#include "engine/record/counted_stacks.h"
#include "engine/record/named_stacks.h"
#include "engine/record/sort.h"
#include "engine/record/value.h"
#include <set>
#include <utility>
namespace dscope::format {
using namespace record;
struct TextPrinter::Impl final : Printing {
    Impl(Write o, Write m, Effects* e) : Printing(std::move(m), e), original(std::move(o)) { }
    ~Impl() override { release(); }

    // -- records ---------------------------------------------------------------------------------------------------
    using Printing::operator();
    void operator()(const Exit& exit)
    {
        // dtrace prints this newline when it sees the signal, before END's output, which was held back for that.
        if (exit.interrupted && !isForLinux()) write("\n", Early::Yes);
        release();
        tellRepeated();
        if (counted.empty() || !state.aggregations().empty()) write("\n");
        for (const auto id : unprinted())
            if (!showsCpus || id.value % 2 == 0) writeSorted(id);
        for (const auto& stacks : counted)
            writeLines(stacks);
        if (const auto cut = cutStacks.text(); !cut.empty() && !isForLinux()) tell(cut);
    }

    void operator()(const Fired& fired);

    // -- actions ---------------------------------------------------------------------------------------------------
    void perform(const Fired& fired, const Action& action, const std::vector<Conversion>& format);
    void writePacket(const Fired& fired, ByteView bytes, const Action& action);
    void printa(const Action& action, const std::vector<Conversion>& format);
    void freopen(const Fired& fired, const std::string& path);

    void optionsChanged() override
    {
        Printing::optionsChanged();
        flowIndent = flagOf(options, "flowindent");
        style = rowStyle(options);
        showsCpus = flagOf(options, "aggpercpu");
    }

    /// Columns before the data of a firing; the heading before the first of them.
    std::string columns(const Fired& fired);

    void writeSorted(AggregationId id)
    {
        auto& entry = state.entry(id);
        auto rows = entry.rows;
        sortRows(state.aggregations()[id.value], rows, sorting);
        cutStacks.take(context, state.aggregations()[id.value], rows);
        const auto& aggregation = state.aggregations()[id.value];
        const auto writeText = [this](std::string_view text) { write(text); };
        if (!showsCpus) return writeRows(context, style, aggregation, rows, entry.divisor, writeText);
        const ValuesByCpu byCpu(state, id, program.cpus);
        for (const auto& row : rows) {
            writeRows(context, style, aggregation, std::span(&row, 1), entry.divisor, writeText);
            write(byCpu.text(style, row));
        }
    }

    void writeLines(const CountedStacks& stacks)
    {
        std::string text; // one for all lines: they may be a gigabyte
        eachLine(stacks, [&](std::string_view stack, std::int64_t value) {
            if (context.toTerminal)
                text = visible(stack);
            else
                text = stack;
            write(text.append(1, ' ').append(decimalText(value, stacks.exponent)).append(1, '\n'));
        });
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

    Write original;
    Write redirected; ///< by freopen(), live
    std::string redirectedTo;
    std::set<std::string> captures; ///< files of packets, begun already
    bool elsewhere = false;         ///< by freopen(), in a replay
    bool holding = false;           ///< since END fired
    std::string held;

    FlowIndent flow;
    RowStyle style;
    bool isTerminal = false; ///< `original`
    bool flowIndent = false, headed = false;
    bool showsCpus = false; ///< aggpercpu: behind each aggregation stands the one that has the CPU as a key, too
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
    if (!isShown(clause)) return;
    write(columns(fired));
    for (std::size_t i = 0; i < clause.actions.size(); ++i) {
        if (hasUnreadable(clause.actions[i].fields, fired.payload)) return;
        perform(fired, clause.actions[i], formats[fired.clause.value][i]);
    }
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
        const auto bytes = memoryOf(action, payload);
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
        if (effects) effects->exit();
        break;
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

    std::vector<ValuesByCpu> byCpu;
    if (plain && showsCpus)
        for (const auto id : ids)
            byCpu.emplace_back(state, id, program.cpus);
    for (const JoinedRow& row : joinRows(state, ids, sorting)) {
        if (plain) {
            write(joinedText(context, style, state, ids, byCpu, row));
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
        tell(placeOf(fired) + ": couldn't freopen() \"" + path + "\": " + opened.error().message);
    }
}

TextPrinter::TextPrinter(Write out, Write messages, Effects* effects)
    : m(std::make_unique<Impl>(std::move(out), std::move(messages), effects))
{
}
TextPrinter::~TextPrinter() = default;
void TextPrinter::checkOptions(OptionCheck check) { m->optionCheck = std::move(check); }
void TextPrinter::toTerminal(bool isTerminal) { m->isTerminal = m->context.toTerminal = isTerminal; }
void TextPrinter::groupDigits(Grouping grouping) { m->context.grouping = std::move(grouping); }
void TextPrinter::take(const Record& record) { giveTo(*m, record); }
} // namespace dscope::format
