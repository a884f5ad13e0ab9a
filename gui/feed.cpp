#include "gui/feed.h"
#include "engine/base/fd.h"
#include "engine/format/text_printer.h"
#include "engine/record/wire.h"
#include <QElapsedTimer>
#include <QFile>
namespace dscope::gui {
namespace {
constexpr qint64 kRefresh = 100; ///< ms between snapshots

std::vector<Snapshot::View> viewsOf(const graph::Store& store)
{
    std::vector<Snapshot::View> views;
    for (const auto& kind : graph::kinds()) {
        if (!kind.fits(store)) continue;
        auto visual = kind.make(store);
        views.push_back({std::string(kind.name), QString::fromStdString(visual->title()), std::move(visual)});
    }
    return views;
}
} // namespace

Feed::Feed(int fd, QString recordTo, QObject* parent) : QObject(parent), m_fd(fd), m_recordTo(std::move(recordTo)) { }

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
    QFile recording(m_recordTo);
    std::unique_ptr<record::Writer> recorder;
    if (!m_recordTo.isEmpty() && recording.open(QIODevice::WriteOnly)) recorder = std::make_unique<record::Writer>(recording.handle());
    record::Reader reader(input.get());
    graph::Store store;
    std::string text;
    format::TextPrinter printer([&](std::string_view s) { text += s; }, [&](std::string_view s) { text += s; });
    std::uint64_t records = 0;
    const auto deliver = [&](const record::Record& r) {
        ++records;
        store.take(r);
        printer.take(r);
        if (recorder) recorder->take(r);
    };
    auto snapshot = std::make_shared<Snapshot>();
    std::uint64_t told = ~std::uint64_t{0};
    QElapsedTimer since;
    since.start();
    const auto tell = [&] {
        told = store.generation();
        snapshot->views = viewsOf(store);
        snapshot->output = QString::fromUtf8(text.data(), static_cast<qsizetype>(text.size()));
        text.clear();
        snapshot->records = records;
        snapshot->drops = store.drops();
        snapshot->duration = store.lastTime() > store.program().started ? store.lastTime() - store.program().started : 0;
        m_waiting = true;
        Q_EMIT progressed(std::exchange(snapshot, std::make_shared<Snapshot>()));
        since.restart();
    };
    bool more = true;
    while (more && !m_stop) {
        auto polled = reader.poll(std::chrono::milliseconds(kRefresh), deliver);
        if (!polled) {
            snapshot->trouble = QString::fromStdString(polled.error().message);
            more = false;
        } else
            more = *polled;
        if (more && !m_waiting && since.elapsed() >= kRefresh && store.generation() != told) tell();
    }
    if (recorder && !recorder->finish()) snapshot->trouble = tr("The recording could not be written.");
    snapshot->cut = reader.cut();
    snapshot->finished = true;
    if (!m_stop) tell();
}
} // namespace dscope::gui
