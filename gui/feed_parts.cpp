#include "gui/feed_parts.h"
#include "engine/record/key_filter.h"
#include "engine/symbols/code_reader.h"
#include "engine/text/source_file.h"
#include "graph/keys.h"
#include "graph/units.h"
#include "graph/view_order.h"
#include "gui/ended_elsewhere.h"
#include "gui/tongue.h"
#include <map>
#include <mutex>
namespace dscope::gui {
std::shared_ptr<const graph::Table> tableOf(const graph::Visual& visual, std::size_t& rows)
{
    return endedElsewhere(std::make_unique<graph::Table>(visual.firstRows(kRowsShown, rows)));
}

QString titleOf(const graph::Visual& visual)
{
    const auto tongue = tongueOfWindow();
    return QString::fromStdString(visual.title());
}

namespace {
using graph::Unit;
/// The view of that kind in `before`, if it is not seen: to make it anew would cost and show nothing. A view with little in it is made
/// all the same, because what is in a view decides where it is shown.
const Snapshot::View* unseen(const graph::ViewFacts& kind, const std::optional<Feed::Seen>& seen, const Snapshot* before)
{
    if (!seen || !before || (kind.isTable ? seen->isTable : seen->views.contains(kind.name))) return nullptr;
    const auto known = std::find_if(
        before->views.begin(), before->views.end(), [&](const Snapshot::View& view) { return view.facts.name == kind.name; });
    const bool isKnown = known != before->views.end() && !known->visual->empty() && !known->visual->isSlight();
    return isKnown ? &*known : nullptr;
}
void makeViews(Snapshot& snapshot, const graph::Store& store, const std::optional<Feed::Seen>& seen, const Snapshot* before)
{
    snapshot.views.clear();
    snapshot.madeViews = 0;
    for (const auto& kind : graph::inOrderFor(store.program(), graph::kinds())) {
        if (!kind.fits(store)) continue;
        if (const auto* view = unseen(kind, seen, before)) {
            snapshot.views.push_back(*view);
            snapshot.views.back().isOld = true;
            continue;
        }
        auto visual = endedElsewhere(kind.make(store));
        snapshot.views.push_back({kind, titleOf(*visual), std::move(visual), {}});
        ++snapshot.madeViews;
    }
}
/// Shares beside the quantities of a table of functions.
std::shared_ptr<const graph::Table> functionsOf(const graph::Visual& visual, std::size_t& rows)
{
    auto table = visual.table(); // reads all stacks
    constexpr std::size_t kName = 0, kSelf = 1, kTotal = 2;
    if (table.columns.size() != kTotal + 1) return nullptr;
    auto out = endedElsewhere(std::make_unique<graph::Table>());
    double whole = 0;
    for (const auto& row : table.rows)
        whole += std::strtod(row[kSelf].c_str(), nullptr);
    rows = table.rows.size();
    if (rows > kRowsShown) table.rows.resize(kRowsShown);
    out->columns = {table.columns[kName], table.columns[kSelf], graph::Column::number("self %", Unit::Percent), table.columns[kTotal],
        graph::Column::number("total %", Unit::Percent)};
    const auto share = [&](const std::string& value) {
        return whole > 0 ? graph::formatFixed(std::strtod(value.c_str(), nullptr) / whole * 100, 1) : std::string();
    };
    for (const auto& row : table.rows)
        out->rows.push_back({row[kName], row[kSelf], share(row[kSelf]), row[kTotal], share(row[kTotal])});
    return out;
}
} // namespace

QString whereabouts(const record::Program& p)
{
    auto text = "host " + p.host + "\nkernel " + p.kernel + "\ndscope " + p.version;
    if (!p.command.empty()) text += "\ncommand " + p.command;
    return QString::fromStdString(text);
}
record::ReadCode rememberingReader(const Feed::Places& places)
{
    constexpr std::size_t kFunctions = 64; ///< that are remembered
    struct Known {
        std::mutex mutex;
        std::map<std::pair<std::string, std::uint64_t>, record::CodeText> texts; ///< by build id and end
        std::map<std::pair<std::string, std::uint64_t>, Error> refused;          ///< by build id and address
    };

    auto read = places.debugFolders.empty() ? symbols::codeReader() : symbols::codeReader(places.debugFolders);
    return [read = std::move(read), known = std::make_shared<Known>()](
               const record::CodeFile& file, std::uint64_t address) -> Result<record::CodeText> {
        const std::lock_guard lock(known->mutex);
        const std::pair asked(file.buildId, address);
        const auto found = known->texts.upper_bound(asked);
        if (found != known->texts.end() && found->first.first == file.buildId && found->second.begin <= address) return found->second;
        if (const auto no = known->refused.find(asked); no != known->refused.end()) return no->second;
        auto text = read(file, address);
        if (known->texts.size() + known->refused.size() >= kFunctions) {
            known->texts.clear();
            known->refused.clear();
        }
        if (text)
            known->texts.insert_or_assign(std::pair(file.buildId, text->end), *text);
        else
            known->refused.insert_or_assign(asked, text.error());
        return text;
    };
}
namespace {
void listFunctions(Snapshot& snapshot)
{
    snapshot.functions.reset();
    snapshot.functionRows = 0;
    for (const auto& view : snapshot.views)
        if (view.facts.listsFunctions && snapshot.finished) snapshot.functions = functionsOf(*view.visual, snapshot.functionRows);
}
void listFindings(Snapshot& snapshot)
{
    snapshot.findings.clear();
    if (!snapshot.finished) return;
    for (const auto& view : snapshot.views)
        for (const auto& finding : view.visual->findings(graph::Privacy::Open))
            if (const auto text = QString::fromStdString(finding); !snapshot.findings.contains(text)) snapshot.findings << text;
}
} // namespace

void showAgain(Snapshot& snapshot, const Snapshot& drawn)
{
    snapshot.views = drawn.views;
    snapshot.table = drawn.table;
    snapshot.tableRows = drawn.tableRows;
    snapshot.hasNewestRows = drawn.hasNewestRows;
    snapshot.distributions = drawn.distributions;
    snapshot.keys = drawn.keys;
    snapshot.events = drawn.events;
    snapshot.duration = drawn.duration;
    listFindings(snapshot);
    listFunctions(snapshot);
}

void showStore(Snapshot& snapshot, graph::Store& store, const Feed::Places& places, const record::ReadCode& code,
    const std::optional<Feed::Seen>& seen, const Snapshot* before)
{
    graph::supplySources(
        store, [&](const std::string& path) { return text::sourceLines(places.sourceHere ? places.sourceHere(path) : path); });
    store.readCodeBy(code);
    makeViews(snapshot, store, seen, before);
    snapshot.table.reset();
    snapshot.distributions.clear();
    for (const auto& aggregation : store.program().aggregations)
        if (graph::isQuantized(aggregation.function)) snapshot.distributions << QString::fromStdString(graph::valueColumn(aggregation));
    snapshot.events.clear();
    for (const auto& event : store.events())
        snapshot.events << QString::fromStdString(event);
    snapshot.keys.clear();
    for (const auto& aggregation : store.program().aggregations)
        for (const auto& key : aggregation.keys)
            if (record::KeyFilter::canAsk(key) && !snapshot.keys.contains(QString::fromStdString(key.name)))
                snapshot.keys << QString::fromStdString(key.name);
    snapshot.tableRows = 0;
    for (const auto& view : snapshot.views) {
        if (!view.facts.isTable) continue;
        if (before && unseen(view.facts, seen, before)) {
            snapshot.table = before->table;
            snapshot.tableRows = before->tableRows;
            snapshot.hasNewestRows = before->hasNewestRows;
            continue;
        }
        snapshot.table = tableOf(*view.visual, snapshot.tableRows);
        snapshot.hasNewestRows = snapshot.tableRows > 0 && store.firedNotShown() > 0;
        if (snapshot.hasNewestRows) snapshot.tableRows += store.firedNotShown();
    }
    listFunctions(snapshot);
    listFindings(snapshot);
    snapshot.duration = store.lastTime() > store.program().started ? store.lastTime() - store.program().started : 0;
}

void showProgram(Snapshot& snapshot, const graph::Store& store)
{
    const auto& program = store.program();
    snapshot.source = QString::fromStdString(program.source);
    snapshot.name = QString::fromStdString(program.name);
    snapshot.command = QString::fromStdString(program.command);
    if (const auto& options = program.options; options.contains("runname"))
        snapshot.runName = QString::fromStdString(options.at("runname"));
    for (const auto& argument : program.arguments)
        snapshot.arguments << QString::fromStdString(argument);
    snapshot.isImported = program.isImported;
    snapshot.probes = program.matched.empty() ? 0 : store.probes().size();
    snapshot.where = whereabouts(program);
    snapshot.host = QString::fromStdString(program.host);
    snapshot.kernel = QString::fromStdString(program.kernel);
    if (program.wallClockOffset != 0)
        snapshot.began = QDateTime::fromMSecsSinceEpoch((program.started + program.wallClockOffset) / 1'000'000);
    snapshot.drops = store.drops();
    snapshot.bounds = store.bounds();
    snapshot.started = program.started;
}
} // namespace dscope::gui
