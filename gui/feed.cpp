#include "gui/feed.h"
#include "engine/base/fd.h"
#include "engine/base/output_file.h"
#include "engine/format/text_printer.h"
#include "engine/record/wire.h"
#include "engine/symbols/code_reader.h"
#include "engine/text/importer.h"
#include "engine/text/source_file.h"
#include "exporters/web/kept_run.h"
#include "graph/units.h"
#include <QElapsedTimer>
#include <QFile>
#include <algorithm>
#include <sys/mman.h>
#include <unistd.h>
namespace dscope::gui {
namespace {
using graph::Unit;
constexpr qint64 kRefresh
    = 60; ///< ms between snapshots at the least: the helper writes ten times a second, and none is to wait for the next
constexpr qint64 kRecordEvery = 1000; ///< ms: what is lost of a recording at most when the window is killed
constexpr qint64 kShare = 3;          ///< reading gets so many times the time that a snapshot took, lest the helper waits for us

std::vector<Snapshot::View> viewsOf(const graph::Store& store)
{
    std::vector<Snapshot::View> views;
    for (const auto& kind : graph::kinds()) {
        if (!kind.fits(store)) continue;
        auto visual = kind.make(store);
        views.push_back({kind, QString::fromStdString(visual->title()), std::move(visual)});
    }
    return views;
}
QString whereabouts(const record::Program& p)
{
    auto text = "host " + p.host + "\nkernel " + p.kernel + "\ndscope " + p.version;
    if (!p.command.empty()) text += "\ncommand " + p.command;
    return QString::fromStdString(text);
}
/// The end of a text, at most `lines` lines of it.
std::string_view lastLines(std::string_view text, int lines)
{
    auto from = text.size();
    for (int i = 0; i <= lines && from != std::string_view::npos; ++i)
        from = from == 0 ? std::string_view::npos : text.rfind('\n', from - 1);
    return from == std::string_view::npos ? text : text.substr(from + 1);
}
/// What is printed of stacks: they may be a gigabyte of text, of which the window keeps the end.
record::FoldedStacks lastLines(const record::FoldedStacks& stacks)
{
    const auto shown = std::min(stacks.lines.size(), static_cast<std::size_t>(kLinesKept));
    return {stacks.lines.part(stacks.lines.size() - shown, shown), stacks.noun, stacks.unit};
}
/// A kept run's records; an error when there are none.
Result<> readInto(graph::Store& store, const exporters::KeptRun& run, const std::vector<record::KeyValue>& keys = {})
{
    const auto recording = run.recording(SIZE_MAX);
    if (recording.bytes.empty()) return Error{0, "a run was too large to be kept: record it, and open the recording"};
    const Fd file(::memfd_create("dscope", MFD_CLOEXEC));
    if (!file || ::write(file.get(), recording.bytes.data(), recording.bytes.size()) != static_cast<ssize_t>(recording.bytes.size()))
        return Error{0, "there is no memory for the runs"};
    ::lseek(file.get(), 0, SEEK_SET);
    record::Reader reader(file.get());
    record::KeyFilter filter(keys);
    const auto take = [&](const record::Record& r) {
        if (keys.empty()) return store.take(r);
        if (const auto left = filter(r)) store.take(*left);
    };
    for (bool more = true; more;) {
        DSCOPE_TRY(more, reader.poll(std::chrono::milliseconds(0), take));
    }
    return {};
}
std::shared_ptr<const graph::Table> tableOf(const graph::Visual& visual, std::size_t& rows)
{
    auto table = std::make_shared<graph::Table>(visual.table());
    rows = table->rows.size();
    if (rows > kRowsShown) table->rows.resize(kRowsShown);
    return table;
}
/// Shares beside the quantities of a table of functions.
std::shared_ptr<const graph::Table> functionsOf(const graph::Visual& visual, std::size_t& rows)
{
    auto table = tableOf(visual, rows);
    constexpr std::size_t kName = 0, kSelf = 1, kTotal = 2;
    if (table->columns.size() != kTotal + 1) return nullptr;
    auto out = std::make_shared<graph::Table>();
    double whole = 0;
    for (const auto& row : visual.table().rows)
        whole += std::strtod(row[kSelf].c_str(), nullptr);
    out->columns = {table->columns[kName], table->columns[kSelf], graph::Column::number("self %", Unit::Percent), table->columns[kTotal],
        graph::Column::number("total %", Unit::Percent)};
    const auto share = [&](const std::string& value) {
        return whole > 0 ? graph::formatFixed(std::strtod(value.c_str(), nullptr) / whole * 100, 1) : std::string();
    };
    for (const auto& row : table->rows)
        out->rows.push_back({row[kName], row[kSelf], share(row[kSelf]), row[kTotal], share(row[kTotal])});
    return out;
}
/// All that can be drawn and read of a store.
void showStore(Snapshot& snapshot, graph::Store& store)
{
    graph::supplySources(store, text::sourceLines);
    if (snapshot.finished) store.readCodeBy(symbols::codeReader()); // it would be asked ten times a second
    snapshot.views = viewsOf(store);
    snapshot.table.reset();
    snapshot.functions.reset();
    snapshot.tableRows = snapshot.functionRows = 0;
    for (const auto& view : snapshot.views) {
        if (view.facts.isTable) snapshot.table = tableOf(*view.visual, snapshot.tableRows);
        if (view.facts.listsFunctions && snapshot.finished) snapshot.functions = functionsOf(*view.visual, snapshot.functionRows);
    }
    snapshot.duration = store.lastTime() > store.program().started ? store.lastTime() - store.program().started : 0;
}
} // namespace

Feed::Feed(int fd, QString recordTo, QObject* parent) : QObject(parent), m_fd(fd), m_recordTo(std::move(recordTo)) { }
Feed::Feed(QString foreign, QObject* parent) : QObject(parent), m_foreign(std::move(foreign)) { }

Feed::Feed(std::shared_ptr<const exporters::KeptRun> before, std::shared_ptr<const exporters::KeptRun> after, QObject* parent)
    : QObject(parent), m_before(std::move(before)), m_after(std::move(after))
{
}

Feed::Feed(std::shared_ptr<const Snapshot> whole, Selection selection, QObject* parent)
    : QObject(parent), m_whole(std::move(whole)), m_selection(std::move(selection))
{
}

Feed::~Feed()
{
    m_stop = true;
    if (m_thread) m_thread->wait();
}

void Feed::start()
{
    m_thread.reset(QThread::create([this] { m_before ? compare() : m_whole ? select() : read(); }));
    m_thread->start();
}

void Feed::select()
{
    auto snapshot = std::make_shared<Snapshot>(*m_whole);
    snapshot->selection = m_selection;
    snapshot->diagnostics.clear();
    snapshot->output.clear();
    snapshot->trouble.clear();
    graph::Store store;
    prepare(store, m_selection);
    auto done = readInto(store, *m_whole->run->kept, m_selection.keys);
    if (done) done = apply(store, m_selection);
    if (!done)
        snapshot->trouble = QString::fromStdString(done.error().message);
    else
        showStore(*snapshot, store);
    Q_EMIT progressed(snapshot);
}

void Feed::compare()
{
    auto snapshot = std::make_shared<Snapshot>();
    graph::Store before, after;
    auto done = readInto(before, *m_before);
    if (done) done = readInto(after, *m_after);
    snapshot->finished = snapshot->isCompared = true;
    if (!done) snapshot->trouble = QString::fromStdString(done.error().message);
    for (const auto& kind : graph::kinds()) {
        if (!done || !kind.compare || !kind.fits(before) || !kind.fits(after)) continue;
        auto visual = kind.compare(before, after);
        snapshot->views.push_back({kind, QString::fromStdString(visual->title()), std::move(visual)});
        if (kind.isTable) snapshot->table = tableOf(*snapshot->views.back().visual, snapshot->tableRows);
    }
    if (done && snapshot->views.empty()) snapshot->trouble = tr("These two runs have no picture in common: run the same program twice.");
    snapshot->source = QString::fromStdString(after.program().source);
    snapshot->name = QString::fromStdString(after.program().name);
    snapshot->command = QString::fromStdString(after.program().command);
    snapshot->where = whereabouts(after.program());
    snapshot->records = after.generation();
    Q_EMIT progressed(snapshot);
}

void Feed::read()
{
    const Fd input(m_fd);
    auto snapshot = std::make_shared<Snapshot>();
    std::optional<OutputFile> recording;
    std::unique_ptr<record::Writer> recorder;
    const auto unrecorded = [&](const Error& why) {
        snapshot->trouble = QString::fromStdString(why.message);
        recorder.reset();
    };

    const auto beginRecording = [&]() -> Result<> {
        DSCOPE_TRY(recording, OutputFile::open(QFile::encodeName(m_recordTo).toStdString(), OutputFile::Kind::Growing));
        DSCOPE_CHECK(recording->begin());
        recorder = std::make_unique<record::Writer>(recording->descriptor());
        return {};
    };

    if (!m_recordTo.isEmpty())
        if (auto begun = beginRecording(); !begun) unrecorded(begun.error());
    record::Reader reader(input.get());
    graph::Store store;
    std::string text;
    format::TextPrinter printer([&](std::string_view s) { text += s; }, [&](std::string_view s) { text += s; });
    std::uint64_t records = 0;
    Losses losses;
    const auto kept = std::make_shared<exporters::KeptRun>();
    const auto deliver = [&](const record::Record& r) {
        const auto* diagnostic = std::get_if<record::Diagnostic>(&r);
        if (diagnostic) snapshot->diagnostics.push_back(*diagnostic);
        if (!diagnostic) ++records;
        if (const auto* drop = std::get_if<record::Drop>(&r)) losses[drop->kind] += drop->count;
        store.take(r);
        if (const auto* stacks = std::get_if<record::FoldedStacks>(&r))
            printer.take(lastLines(*stacks));
        else if (!diagnostic)
            printer.take(r);
        if (recorder) recorder->take(r);
        kept->take(r);
    };

    std::uint64_t told = ~std::uint64_t{0};
    qint64 pause = kRefresh;
    QElapsedTimer since;
    since.start();
    const auto tell = [&] {
        QElapsedTimer work;
        work.start();
        told = store.generation();
        showStore(*snapshot, store);
        const auto printed = lastLines(text, kLinesKept);
        snapshot->output = QString::fromUtf8(printed.data(), static_cast<qsizetype>(printed.size()));
        text.clear();
        snapshot->source = QString::fromStdString(store.program().source);
        snapshot->name = QString::fromStdString(store.program().name);
        snapshot->command = QString::fromStdString(store.program().command);
        snapshot->isImported = store.program().isImported;
        snapshot->probes = store.program().matched.empty() ? 0 : store.probes().size();
        snapshot->where = whereabouts(store.program());
        snapshot->records = records;
        snapshot->drops = store.drops();
        snapshot->losses = losses;
        snapshot->started = store.program().started;
        m_waiting = true;
        Q_EMIT progressed(std::exchange(snapshot, std::make_shared<Snapshot>()));
        pause = std::max(kRefresh, kShare * work.elapsed());
        since.restart();
    };

    const auto import = [&] {
        // Copied: the window shows the stacks for long, and the file may change.
        auto imported = text::import(importers::all(), QFile::encodeName(m_foreign).toStdString(), {}, {}, text::Keep::Copied);
        if (!imported) {
            snapshot->trouble = QString::fromStdString(imported.error().message);
            return;
        }
        if (imported->notUnderstood > 0)
            snapshot->trouble = tr("lines that were not understood: %1; the first is line %2: %3")
                                    .arg(imported->notUnderstood)
                                    .arg(imported->firstNumber)
                                    .arg(QString::fromStdString(imported->firstLine));
        else if (!imported->comparedWith.empty())
            snapshot->trouble = tr("the run that this figure compares with is left out here; dscope --import shows both");
        else if (!imported->further.empty())
            snapshot->trouble
                = tr("the first of several runs, %1; dscope --again draws them all").arg(QString::fromStdString(imported->name));
        imported->program.options["quiet"] = "";
        deliver(imported->program);
        for (const auto& r : imported->records)
            deliver(r);
    };

    QElapsedTimer sinceRecorded;
    sinceRecorded.start();
    bool more = m_foreign.isEmpty();
    if (!more) import();
    while (more && !m_stop) {
        auto polled = reader.poll(std::chrono::milliseconds(kRefresh / 3), deliver);
        if (!polled) {
            snapshot->trouble = QString::fromStdString(polled.error().message);
            more = false;
        } else
            more = *polled;
        if (recorder && sinceRecorded.elapsed() >= kRecordEvery) {
            recorder->flush();
            sinceRecorded.start();
        }
        if (recorder && recorder->failure()) unrecorded(recording->refused(*recorder->failure()));
        if (more && !m_waiting && since.elapsed() >= pause && store.generation() != told) tell();
    }

    if (recorder) {
        const auto finished = recorder->finish();
        if (const auto whole = finished ? recording->commit() : Result<>(recording->refused(finished.error())); !whole)
            unrecorded(whole.error());
    }

    snapshot->cut = reader.cut();
    kept->finish();
    snapshot->run = std::make_shared<const exporters::Run>(exporters::Run{false, {}, kept});
    snapshot->finished = true;
    if (!m_stop) tell();
}
} // namespace dscope::gui
