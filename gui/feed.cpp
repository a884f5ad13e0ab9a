#include "gui/feed.h"
#include "engine/base/fd.h"
#include "engine/base/output_file.h"
#include "engine/format/text_printer.h"
#include "engine/record/counted_stacks.h"
#include "engine/record/wire.h"
#include "engine/text/importer.h"
#include "exporters/web/kept_run.h"
#include "graph/view_order.h"
#include "gui/feed_parts.h"
#include "gui/kept_records.h"
#include <QElapsedTimer>
#include <QFile>
#include <algorithm>
#include <functional>
#include <malloc.h>
#include <map>
#include <mutex>
#include <string_view>
#include <unistd.h>
namespace dscope::gui {
namespace {
constexpr qint64 kRefresh
    = 60; ///< ms between snapshots at the least: the helper writes ten times a second, and none is to wait for the next
constexpr qint64 kRecordEvery = 1000;                       ///< ms: what is lost of a recording at most when the window is killed
constexpr qint64 kGiveBackEvery = 2000;                     ///< ms
constexpr int kPatience = 30'000;                           ///< ms: tables do not wait longer than that for a picture
constexpr std::size_t kTextWaiting = std::size_t{8} << 20U; ///< bytes of printed text, until a snapshot takes its end
constexpr qint64 kShare = 3; ///< reading gets so many times the time that a snapshot took, lest the helper waits for us

/// What snapshots took that are gone goes back to the system: they are made on one thread and end on others, which leaves holes in all.
void giveBackMemory()
{
#ifdef __GLIBC__
    ::malloc_trim(0);
#endif
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
record::CountedStacks lastLines(const record::CountedStacks& stacks)
{
    const auto all = stacks.all();
    const auto shown = all.last(std::min(all.size(), static_cast<std::size_t>(kLinesKept)));
    return record::withStacks(stacks, {shown.begin(), shown.end()});
}
Result<> readInto(graph::Store& store, const exporters::KeptRun& run, const std::vector<record::KeyValue>& keys = {})
{
    record::KeyFilter filter(keys);
    return readEach(run, [&](const record::Record& r) {
        if (keys.empty()) return store.take(r);
        if (const auto left = filter(r)) store.take(*left);
    });
}
/// Without all that keys reach: rows and firings.
Result<> readWithoutRows(graph::Store& store, const exporters::KeptRun& run)
{
    return readEach(run, [&](const record::Record& r) {
        if (const auto* parts = std::get_if<record::StackParts>(&r))
            return store.take(record::StackParts{parts->by, parts->noun, parts->hasLines, false, {}});
        if (!std::holds_alternative<record::Fired>(r) && !std::holds_alternative<record::AggregationRows>(r)) store.take(r);
    });
}
/// Views that have something to show of a store which has nothing that some part of a selection reaches: they do not obey that part.
std::vector<std::string_view> viewsLeft(const graph::Store& store)
{
    std::vector<std::string_view> left;
    for (const auto& kind : graph::kinds())
        if (!kind.isTable && kind.fits(store) && !kind.make(store)->empty()) left.push_back(kind.name);
    return left;
}
/// What of a selection each view does not obey; a view with nothing left shows the whole run again, for an empty picture tells nothing.
Result<> markDisobedient(Snapshot& snapshot, const graph::Store& store, const Snapshot& whole)
{
    const auto& selection = snapshot.selection;
    std::vector<std::string_view> deafToKeys, deafToStacks;
    if (!selection.keys.empty()) {
        graph::Store rowless;
        DSCOPE_CHECK(readWithoutRows(rowless, *whole.run->kept));
        deafToKeys = viewsLeft(rowless);
    }

    if (!selection.functions.isEmpty() || !selection.without.isEmpty()) {
        graph::Store stackless;
        Selection none;
        none.functions << QString(QChar(1)); // no function has such a name
        prepare(stackless, none);
        DSCOPE_CHECK(readInto(stackless, *whole.run->kept));
        deafToStacks = viewsLeft(stackless);
    }

    const auto has = [](const auto& names, std::string_view name) { return std::find(names.begin(), names.end(), name) != names.end(); };
    for (auto& view : snapshot.views) {
        if (has(deafToKeys, view.facts.name)) view.ignored.keys = selection.keys;
        if (has(deafToStacks, view.facts.name)) {
            view.ignored.functions = selection.functions;
            view.ignored.without = selection.without;
        }
        if (view.facts.heeds.amounts == graph::Heeds::Amounts::Stacks && store.hasUntimedStacks()) view.ignored.time = selection.time;
        if (view.facts.isTable || !view.visual->empty()) continue;
        const auto before = std::find_if(
            whole.views.begin(), whole.views.end(), [&](const Snapshot::View& one) { return one.facts.name == view.facts.name; });
        if (before == whole.views.end() || before->visual->empty()) continue;
        view = *before;
        view.ignored = selection;
    }
    return {};
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
    m_drawn.release();
    if (m_thread) m_thread->wait();
}

void Feed::see(Seen seen)
{
    const std::lock_guard lock(m_seeing);
    if (m_seen
        && ((seen.isTable && !m_seen->isTable)
            || !std::includes(m_seen->views.begin(), m_seen->views.end(), seen.views.begin(), seen.views.end())))
        m_hasMoreToShow = true;
    m_seen = std::move(seen);
}

std::optional<Feed::Seen> Feed::seen()
{
    const std::lock_guard lock(m_seeing);
    return m_seen;
}

void Feed::start()
{
    m_thread.reset(QThread::create([this] {
        m_before ? compare() : m_whole ? select() : m_isCollected ? collect() : read();
        giveBackMemory();
    }));
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
    const auto code = rememberingReader(m_places);
    prepare(store, m_selection);
    auto done = readInto(store, *m_whole->run->kept, m_selection.keys);
    if (done) done = apply(store, m_selection);
    if (done) {
        showStore(*snapshot, store, m_places, code);
        done = markDisobedient(*snapshot, store, *m_whole);
    }
    if (!done) snapshot->trouble = QString::fromStdString(done.error().message);
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
    for (const auto& kind : graph::inOrderFor(after.program(), graph::kinds())) {
        if (!done || !kind.compare || !kind.fits(before) || !kind.fits(after)) continue;
        auto visual = kind.compare(before, after);
        snapshot->views.push_back({kind, titleOf(*visual), std::move(visual)});
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
    store.showNewest(kRowsShown);
    const auto code = rememberingReader(m_places);
    std::string text;
    // Leaves the lines that the window keeps.
    const auto shorten = [&] {
        const auto end = lastLines(text, kLinesKept);
        const auto left = text.size() - end.size();
        snapshot->linesLeftOut
            += static_cast<std::uint64_t>(std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(left), '\n'));
        text.erase(0, left);
    };
    const auto print = [&](std::string_view s) {
        text += s;
        if (text.size() > kTextWaiting) shorten();
    };
    format::TextPrinter printer(print, print);
    std::uint64_t records = 0;
    Losses losses;
    const auto kept = std::make_shared<exporters::KeptRun>();
    const auto deliver = [&](const record::Record& r) {
        const auto* diagnostic = std::get_if<record::Diagnostic>(&r);
        if (diagnostic) snapshot->diagnostics.push_back(*diagnostic);
        if (!diagnostic) ++records;
        if (const auto* drop = std::get_if<record::Drop>(&r)) losses[drop->kind] += drop->count;
        store.take(r);
        if (const auto* stacks = std::get_if<record::CountedStacks>(&r))
            printer.take(lastLines(*stacks));
        else if (!diagnostic)
            printer.take(r);
        if (recorder) recorder->take(r);
        kept->take(r);
    };

    std::uint64_t told = ~std::uint64_t{0};
    std::shared_ptr<const Snapshot> drawn; // what was told last
    bool isAllDrawn = false;               // all of its views were made, seen or not
    qint64 pause = kRefresh;
    QElapsedTimer since, sinceGivenBack;
    since.start();
    sinceGivenBack.start();
    const auto tell = [&] {
        QElapsedTimer work;
        work.start();
        const bool hasMoreToShow = m_hasMoreToShow.exchange(false);
        const auto seen = snapshot->finished ? std::nullopt : this->seen();
        const bool isSame = drawn && told == store.generation();
        if (isSame && (isAllDrawn || (seen && !hasMoreToShow)))
            showAgain(*snapshot, *drawn);
        else {
            showStore(*snapshot, store, m_places, code, seen, drawn.get());
            isAllDrawn = !seen;
        }
        told = store.generation();
        shorten();
        snapshot->output = QString::fromUtf8(text.data(), static_cast<qsizetype>(text.size()));
        text.clear();
        showProgram(*snapshot, store);
        snapshot->records = records;
        snapshot->losses = losses;
        m_waiting = true;
        drawn = std::exchange(snapshot, std::make_shared<Snapshot>());
        Q_EMIT progressed(drawn);
        if (sinceGivenBack.elapsed() >= kGiveBackEvery) {
            giveBackMemory();
            sinceGivenBack.restart();
        }
        pause = std::max(kRefresh, kShare * work.elapsed());
        since.restart();
    };

    const auto import = [&] {
        // Copied: the window shows the stacks for long, and the file may change.
        auto imported = text::import(importers::all(), QFile::encodeName(m_foreign).toStdString(), {});
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
    if (!more) {
        import();
        // Pictures first: what comes next may read all stacks once more.
        tell();
        if (m_isPictureFirst) m_drawn.tryAcquire(1, kPatience);
        snapshot->trouble = drawn->trouble;
    }
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
            if (const auto there = recording->checkKept(); !there) unrecorded(there.error());
        }
        if (recorder && recorder->failure()) unrecorded(recording->refused(*recorder->failure()));
        const bool isDue = since.elapsed() >= pause && store.generation() != told;
        if (more && !m_waiting && (isDue || (drawn && m_hasMoreToShow))) tell();
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
    store.showNewest(0);
    if (!m_stop) tell();
}
} // namespace dscope::gui
