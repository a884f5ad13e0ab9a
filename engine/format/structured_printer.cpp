#include "engine/format/structured_printer.h"
#include "engine/format/messages.h"
#include "engine/format/printing.h"
#include "engine/format/render.h"
#include "engine/format/rows.h"
#include "engine/format/structured_values.h"
#include "engine/record/counted_stacks.h"
#include "engine/record/sort.h"
#include "engine/record/value.h"
#include <array>
#include <map>
#include <set>
#include <span>
#include <utility>
namespace dscope::format {
using namespace record;
namespace {
/// The number of a kind of drops. Those that only dscope has come behind the others.
/// Source: FreeBSD, libdtrace's dtrace.h, dtrace_dropkind_t.
int dropNumber(Drop::Kind kind)
{
    switch (kind) {
    case Drop::Kind::Principal: return 0;
    case Drop::Kind::Aggregation: return 1;
    case Drop::Kind::Dynamic: return 2;
    case Drop::Kind::Speculation: return 5;
    case Drop::Kind::SpeculationBusy: return 6;
    case Drop::Kind::SpeculationUnavailable: return 7;
    case Drop::Kind::Stack: return 8;
    case Drop::Kind::Error: return 9;
    case Drop::Kind::Process: return 10;
    case Drop::Kind::Firing: return 11;
    }
    return 0;
}
} // namespace

struct StructuredPrinter::Impl final : Printing {
    Impl(DocumentStyle style, Write out, Write m, Effects* e)
        : Printing(std::move(m), e), document(makeDocument(style, std::move(out))), values(context, *document)
    {
        if (effects) effects->keepApart();
    }

    // -- records ---------------------------------------------------------------------------------------------------
    using Printing::operator();
    void operator()(const Program& p)
    {
        Printing::operator()(p);
        now = Nanoseconds(p.started);
        begin();
    }

    void operator()(const Fired& fired)
    {
        if (fired.clause.value >= program.clauses.size()) return;
        now = fired.when;
        const Clause& clause = program.clauses[fired.clause.value];
        const auto& formatsOfClause = formats[fired.clause.value];
        if (!isShown(clause)) return;
        openProbe(fired);
        document->openList("output");
        for (std::size_t i = 0; i < clause.actions.size(); ++i)
            perform(fired, clause.actions[i], formatsOfClause[i]);
        document->closeList();
        document->closeInstance();
        document->flush();
    }

    void operator()(const Drop& drop)
    {
        Printing::operator()(drop);
        auto& total = dropped[drop.kind];
        total += drop.count;
        openOwn("DROP");
        document->number("count", std::to_string(drop.count));
        document->number("total", std::to_string(total));
        document->number("kind", std::int64_t{dropNumber(drop.kind)});
        document->text("msg", dropText(drop, DropTags::Hidden) + '\n');
        document->closeInstance();
        document->flush();
    }

    void operator()(const Exit& exit)
    {
        now = exit.when;
        tellRepeated();
        writeRest();
        end();
        if (const auto cut = cutStacks.text(); !cut.empty()) tell(cut);
    }

    // -- the document ----------------------------------------------------------------------------------------------
    void begin()
    {
        if (std::exchange(isOpen, true)) return;
        document->open("dtrace");
        document->openList("probes");
        document->flush();
    }

    void end()
    {
        if (!std::exchange(isOpen, false)) return;
        document->closeList();
        document->close();
        document->flush();
    }

    void describe(std::int64_t cpu, std::int64_t id, const ProbeDef& probe)
    {
        begin();
        document->openInstance();
        document->number("timestamp", std::int64_t{now.count()});
        document->number("cpu", cpu);
        document->number("id", id);
        document->text("provider", probe.provider);
        document->text("module", probe.module);
        document->text("function", probe.function);
        document->text("name", probe.name);
    }
    void openProbe(const Fired& fired)
    {
        const auto& probe = probeOf(fired.probe);
        describe(std::int64_t{fired.cpu}, std::int64_t{probe.id.value}, probe);
    }
    /// Of something that no probe did.
    void openOwn(const char* name) { describe(-1, -1, {ProbeId{}, "dtrace", "INTERNAL", "INTERNAL", name}); }

    // -- actions ---------------------------------------------------------------------------------------------------
    template <typename Members> void output(Members&& members)
    {
        document->openInstance();
        members();
        document->closeInstance();
    }

    void perform(const Fired& fired, const Action& action, const std::vector<Conversion>& format)
    {
        const ByteView payload = fired.payload;
        const auto text = [&] { return render(context, format, action.fields, payload); };
        switch (action.kind) {
        case ActionKind::Trace: output([&] { values.value(action.fields[0], payload); }); break;
        case ActionKind::Tracemem: output([&] { values.memory("tracemem", memoryOf(action, payload)); }); break;
        case ActionKind::Printf:
            output([&] { document->text("message", text()); });
            for (const auto& field : action.fields)
                output([&] { values.value(field, payload); });
            // FreeBSD's has a value in any case.
            if (action.fields.empty()) output([&] { document->number("value", std::int64_t{0}); });
            break;
        case ActionKind::Print: output([&] { values.object(action, payload, printSize); }); break;
        case ActionKind::Printa: printa(action, format); break;
        case ActionKind::Stack:
        case ActionKind::UserStack:
            cutStacks.take(context, action.fields[0], payload);
            output([&] { values.frames(action.fields[0], payload); });
            break;
        case ActionKind::Symbol: output([&] { values.symbol(action.fields[0], payload); }); break;
        case ActionKind::Clear:
        case ActionKind::Trunc:
        case ActionKind::Normalize:
        case ActionKind::Denormalize: state.apply(action, payload); break;
        case ActionKind::System: {
            const auto command = text();
            output([&] { document->text("system", command); });
            document->flush();
            if (effects)
                effects->run(command);
            else
                tellReplay("system(\"" + escaped(command) + "\")");
            break;
        }
        case ActionKind::Freopen:
            output([&] { document->text("freopen", text()); });
            tellUndone("freopen()");
            break;
        case ActionKind::Ftruncate: tellUndone("ftruncate()"); break;
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

    /// Once for each.
    void tellUndone(const std::string& what)
    {
        if (undone.insert(what).second)
            tell(what + " has no effect with option oformat, whose document is one: -o names its file, and -x oformat=text obeys " + what);
    }

    void printa(const Action& action, const std::vector<Conversion>& format)
    {
        const std::span<const AggregationId> ids = action.aggregations;
        for (const auto id : ids)
            if (!state.entry(id).rows.empty()) state.entry(id).printed = true;
        const auto rows = joinRows(state, ids, sorting);
        for (std::size_t i = 0; i < ids.size(); ++i)
            writeRows(ids, i, rows, action.format.empty() ? nullptr : &format);
    }

    /// One of the aggregations that a printa() shows together. `format`: of the message of each row, which the first one tells.
    void writeRows(
        std::span<const AggregationId> ids, std::size_t at, const std::vector<JoinedRow>& rows, const std::vector<Conversion>* format)
    {
        const auto& aggregation = state.aggregations()[ids[at].value];
        cutStacks.take(context, aggregation, state.entry(ids[at]).rows);
        output([&] {
            document->openList("aggregation-data");
            for (const auto& row : rows)
                output([&] {
                    values.row(aggregation, *row.key, dataOf(aggregation, row.rows[at]), state.entry(ids[at]).divisor);
                    if (format && at == 0) document->text("message", messageOf(ids, row, *format));
                });
            document->closeList();
            document->text("aggregation-name", aggregation.name.empty() ? "_" : aggregation.name);
        });
    }

    std::string messageOf(std::span<const AggregationId> ids, const JoinedRow& row, const std::vector<Conversion>& format)
    {
        std::vector<AggregationValue> all;
        for (std::size_t i = 0; i < ids.size(); ++i) {
            const auto& a = state.aggregations()[ids[i].value];
            all.push_back({&a, dataOf(a, row.rows[i]), state.entry(ids[i]).divisor, rowStyle(options).scale});
        }
        return render(context, format, state.aggregations()[ids[0].value].keys, *row.key, all);
    }

    /// What has not been printed by the end.
    void writeRest()
    {
        std::vector<AggregationId> rest;
        for (const auto id : unprinted())
            if (!state.entry(id).rows.empty()) rest.push_back(id);
        if (rest.empty() && counted.empty()) return;
        openOwn("AGGREGATIONS");
        document->openList("output");
        for (const auto id : rest) {
            const std::array one{id};
            writeRows(one, 0, joinRows(state, one, sorting), nullptr);
        }
        for (const auto& stacks : counted)
            eachLine(stacks, [&](std::string_view stack, std::int64_t value) {
                output([&] {
                    document->text("stack", stack);
                    document->number("value", decimalText(value, stacks.exponent));
                });
            });
        document->closeList();
        document->closeInstance();
    }

    std::unique_ptr<Document> document;
    StructuredValues values;
    Nanoseconds now{}; ///< of what was told last
    std::map<Drop::Kind, std::uint64_t> dropped;
    std::set<std::string> undone; ///< what was told to have no effect
    bool isOpen = false;
};

StructuredPrinter::StructuredPrinter(DocumentStyle style, Write out, Write messages, Effects* effects)
    : m(std::make_unique<Impl>(style, std::move(out), std::move(messages), effects))
{
}
StructuredPrinter::~StructuredPrinter() = default;
void StructuredPrinter::checkOptions(OptionCheck check) { m->optionCheck = std::move(check); }
void StructuredPrinter::groupDigits(Grouping grouping) { m->context.grouping = std::move(grouping); }
void StructuredPrinter::take(const Record& record) { giveTo(*m, record); }
void StructuredPrinter::finish() { m->end(); }
} // namespace dscope::format
