#include "gui/feed.h"
#include "engine/base/fd.h"
#include "engine/base/output_file.h"
#include "engine/format/text_printer.h"
#include "engine/record/imported.h"
#include "engine/record/wire.h"
#include "engine/text/importer.h"
#include "exporters/web/kept_run.h"
#include <QElapsedTimer>
#include <QFile>
#include <algorithm>
namespace dscope::gui {
namespace {
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
std::shared_ptr<const graph::Table> tableOf(const graph::Visual& visual, std::size_t& rows)
{
    auto table = std::make_shared<graph::Table>(visual.table());
    rows = table->rows.size();
    if (rows > kRowsShown) table->rows.resize(kRowsShown);
    return table;
}
} // namespace

Feed::Feed(int fd, QString recordTo, QObject* parent) : QObject(parent), m_fd(fd), m_recordTo(std::move(recordTo)) { }
Feed::Feed(QString foreign, QObject* parent) : QObject(parent), m_foreign(std::move(foreign)) { }

Feed::~Feed()
{
    m_stop = true;
    if (m_thread) m_thread->wait();
}

void Feed::start()
{
    m_thread.reset(QThread::create([this] { read(); }));
    m_thread->start();
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
    exporters::KeptRun kept;
    const auto deliver = [&](const record::Record& r) {
        const auto* diagnostic = std::get_if<record::Diagnostic>(&r);
        if (diagnostic) snapshot->diagnostics.push_back(*diagnostic);
        if (!diagnostic) ++records;
        store.take(r);
        if (!diagnostic) printer.take(r);
        if (recorder) recorder->take(r);
        kept.take(r);
    };
    std::uint64_t told = ~std::uint64_t{0};
    qint64 pause = kRefresh;
    QElapsedTimer since;
    since.start();
    const auto tell = [&] {
        QElapsedTimer work;
        work.start();
        told = store.generation();
        snapshot->views = viewsOf(store);
        for (const auto& view : snapshot->views)
            if (view.facts.isTable) snapshot->table = tableOf(*view.visual, snapshot->tableRows);
        const auto printed = lastLines(text, kLinesKept);
        snapshot->output = QString::fromUtf8(printed.data(), static_cast<qsizetype>(printed.size()));
        text.clear();
        snapshot->source = QString::fromStdString(store.program().source);
        snapshot->name = QString::fromStdString(store.program().name);
        snapshot->command = QString::fromStdString(store.program().command);
        snapshot->isImported = record::isImported(store.program());
        snapshot->probes = store.program().matched.empty() ? 0 : store.probes().size();
        snapshot->where = whereabouts(store.program());
        snapshot->records = records;
        snapshot->drops = store.drops();
        snapshot->duration = store.lastTime() > store.program().started ? store.lastTime() - store.program().started : 0;
        m_waiting = true;
        Q_EMIT progressed(std::exchange(snapshot, std::make_shared<Snapshot>()));
        pause = std::max(kRefresh, kShare * work.elapsed());
        since.restart();
    };
    record::FoldedStacks stacks;
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
        else if (imported->before)
            snapshot->trouble = tr("the run that this figure compares with is left out here; dscope --import shows both");
        imported->program.options["quiet"] = "";
        deliver(imported->program);
        for (const auto& r : imported->records)
            deliver(r);
        if (imported->stacks.lines.empty()) return;
        stacks = imported->stacks;
        store.take(stacks);
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
    if (auto whole = kept.finish(); !whole.empty())
        snapshot->run = std::make_shared<const exporters::Run>(exporters::Run{false, std::move(whole), stacks});
    snapshot->finished = true;
    if (!m_stop) tell();
}
} // namespace dscope::gui
