// Events that another process opens for us: held against what the kernel says when we open them ourselves.
#include "engine/host/event_opener.h"
#include "engine/host/open_event.h"
#include <QDir>
#include <QFile>
#include <QObject>
#include <QTest>
#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstdint>
#include <functional>
#include <linux/perf_event.h>
#include <thread>
#include <unistd.h>
#include <vector>
using namespace dscope;
using host::EventOpener;
namespace {
/// Faults of this thread's pages.
perf_event_attr faults()
{
    perf_event_attr attributes{};
    attributes.size = sizeof attributes;
    attributes.type = PERF_TYPE_SOFTWARE;
    attributes.config = PERF_COUNT_SW_PAGE_FAULTS;
    attributes.exclude_kernel = 1;
    attributes.exclude_hv = 1;
    return attributes;
}
QByteArrayList ourChildren()
{
    QFile file(QStringLiteral("/proc/self/task/%1/children").arg(::gettid()));
    auto all = file.open(QIODevice::ReadOnly) ? file.readAll().simplified().split(' ') : QByteArrayList();
    all.removeAll(QByteArray());
    return all;
}
} // namespace

class TestEventOpener : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void initTestCase()
    {
        if (!host::openEventHere(faults(), ::gettid(), -1, nullptr)) QSKIP("this kernel lets nobody without root open an event");
    }
    void anEventCountsWhatItsThreadDoes()
    {
        const auto opener = EventOpener::start([] { return true; });
        QVERIFY(opener);
        const auto event = (*opener)->open(faults(), ::gettid(), -1, nullptr);
        QVERIFY2(event, qPrintable(qt_error_string(errno)));
        std::uint64_t before = 0, after = 0;
        QCOMPARE(::read(event.get(), &before, sizeof before), ssize_t(sizeof before));
        const std::vector<char> touched(8 << 20, 1);
        QCOMPARE(::read(event.get(), &after, sizeof after), ssize_t(sizeof after));
        QVERIFY2(after >= before + 1000 && touched.back() == 1, QByteArray::number(quint64(after - before)));
    }
    void aRefusalIsTheKernels_data()
    {
        QTest::addColumn<std::function<Fd(const EventOpener*)>>("open");
        // The same by ourselves, or by another process.
        const auto row = [](const char* name, auto open) { QTest::newRow(name) << std::function<Fd(const EventOpener*)>(open); };
        const auto opened = [](const EventOpener* opener, const perf_event_attr& attributes, pid_t pid, const std::string* file) {
            return opener ? opener->open(attributes, pid, -1, file) : host::openEventHere(attributes, pid, -1, file);
        };
        row("no such kind", [=](const EventOpener* o) { auto a = faults(); a.type = 0x7fff'ff00; return opened(o, a, ::gettid(), nullptr); });
        row("no such process", [=](const EventOpener* o) { return opened(o, faults(), 0x3fff'ffff, nullptr); });
        row("no such bit", [=](const EventOpener* o) { auto a = faults(); a.sample_type = ~0ULL; return opened(o, a, ::gettid(), nullptr); });
        const auto inFile = [=](const EventOpener* o, const std::string& file) {
            QFile type("/sys/bus/event_source/devices/uprobe/type");
            auto a = faults();
            a.type = type.open(QIODevice::ReadOnly) ? type.readAll().trimmed().toUInt() : 0x7fff'ff00;
            return opened(o, a, ::gettid(), &file);
        };
        row("no such file", [=](const EventOpener* o) { return inFile(o, "/nonexistent/file"); });
        row("a name that is too long", [=](const EventOpener* o) { return inFile(o, std::string(5000, 'x')); });
    }
    void aRefusalIsTheKernels()
    {
        QFETCH(std::function<Fd(const EventOpener*)>, open);
        const auto opener = EventOpener::start([] { return true; });
        QVERIFY(opener);
        QVERIFY(!open(nullptr));
        const int code = errno;
        QVERIFY(!open(opener->get()));
        QCOMPARE(errno, code);
    }
    void manyThreadsMayAsk()
    {
        const auto opener = EventOpener::start([] { return true; });
        QVERIFY(opener);
        std::vector<std::thread> threads;
        std::atomic<int> opened = 0;
        for (int i = 0; i < 4; ++i)
            threads.emplace_back([&] {
                for (int n = 0; n < 50; ++n)
                    opened += bool((*opener)->open(faults(), ::gettid(), -1, nullptr));
            });
        for (auto& thread : threads) thread.join();
        QCOMPARE(opened.load(), 200);
    }
    /// It holds nothing but the line to us, may do next to nothing, and goes with us.
    void itDoesNothingElse()
    {
        const auto before = ourChildren();
        auto opener = EventOpener::start([] { return true; });
        QVERIFY(opener);
        QVERIFY((*opener)->open(faults(), ::gettid(), -1, nullptr)); // it serves
        auto mine = ourChildren();
        for (const auto& child : before) mine.removeAll(child);
        QCOMPARE(mine.size(), 1);
        const auto folder = "/proc/" + mine.first();
        // It sends an event before it closes its own descriptor of it.
        QTRY_COMPARE(QDir(folder + "/fd").entryList(QDir::Files | QDir::System).size(), 1);
        QFile status(folder + "/status");
        QVERIFY(status.open(QIODevice::ReadOnly));
        const auto text = status.readAll();
        QVERIFY2(text.contains("\nSeccomp:\t2\n") && text.contains("\nNoNewPrivs:\t1\n"), text.constData());
        opener->reset();
        QVERIFY(!ourChildren().contains(mine.first()));
    }
    void oneThatIsGoneIsAnError_data()
    {
        QTest::addColumn<bool>("begins");
        QTest::newRow("it was ended") << true;
        QTest::newRow("it could not give up its rights") << false;
    }
    void oneThatIsGoneIsAnError()
    {
        QFETCH(bool, begins);
        const auto before = ourChildren();
        const auto opener = EventOpener::start([begins] { return begins; });
        QVERIFY(opener);
        auto mine = ourChildren();
        for (const auto& child : before) mine.removeAll(child);
        if (begins) QCOMPARE(::kill(mine.value(0).toInt(), SIGKILL), 0);
        QVERIFY(!(*opener)->open(faults(), ::gettid(), -1, nullptr));
        QVERIFY2(errno == EPIPE || errno == ECONNRESET, qPrintable(qt_error_string(errno)));
    }
};
QTEST_GUILESS_MAIN(TestEventOpener)
#include "tst_event_opener.moc"
