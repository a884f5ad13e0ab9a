// What Host::local() says, held against what the system's own programs and files say.
#include "engine/host/host.h"
#include <QCoreApplication>
#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QObject>
#include <QProcess>
#include <QRegularExpression>
#include <QTemporaryDir>
#include <QTest>
#include <cerrno>
#include <sched.h>
#include <thread>
#include <unistd.h>
using namespace dscope;
namespace {
/// What a command prints, without the line's end; empty when it is not there or fails.
QByteArray printed(const QString& program, const QStringList& arguments)
{
    QProcess process;
    process.start(program, arguments);
    if (!process.waitForFinished() || process.exitStatus() != QProcess::NormalExit || process.exitCode() != 0) return {};
    return process.readAllStandardOutput().trimmed();
}
QByteArray bytesOf(const std::string& s) { return QByteArray::fromStdString(s); }
} // namespace

class TestLocal : public QObject {
    Q_OBJECT
    std::unique_ptr<host::Host> m_host = host::local();

private Q_SLOTS:
    void releaseAndNameAreThoseOfUname()
    {
        QCOMPARE(bytesOf(m_host->kernelRelease()), printed(QStringLiteral("uname"), {QStringLiteral("-r")}));
        QCOMPARE(bytesOf(m_host->hostName()), printed(QStringLiteral("uname"), {QStringLiteral("-n")}));
    }
    void theVersionIsTheReleasesAsANumber()
    {
        const auto release = QString::fromUtf8(printed(QStringLiteral("uname"), {QStringLiteral("-r")}));
        const auto match = QRegularExpression(QStringLiteral("^(\\d+)\\.(\\d+)(?:\\.(\\d+))?")).match(release);
        QVERIFY(match.hasMatch());
        const auto version = m_host->kernelVersion();
        QCOMPARE(version >> 16, match.captured(1).toUInt());
        QCOMPARE(version >> 8 & 255, match.captured(2).toUInt());
        QCOMPARE(version & 255, qMin(match.captured(3).toUInt(), 255U));
    }

    void processorsAreThoseOfGetconf()
    {
        QCOMPARE(
            QByteArray::number(m_host->onlineCpus().size()), printed(QStringLiteral("getconf"), {QStringLiteral("_NPROCESSORS_ONLN")}));
        QVERIFY(m_host->cpuCount() >= printed(QStringLiteral("getconf"), {QStringLiteral("_NPROCESSORS_CONF")}).toInt());
    }
    void everyProcessorWeMayRunOnIsOnlineAndPossible()
    {
        cpu_set_t allowed;
        CPU_ZERO(&allowed);
        QCOMPARE(::sched_getaffinity(0, sizeof allowed, &allowed), 0);
        const auto online = m_host->onlineCpus();
        for (int cpu = 0; cpu < CPU_SETSIZE; ++cpu) {
            if (!CPU_ISSET(cpu, &allowed)) continue;
            QVERIFY(std::find(online.begin(), online.end(), cpu) != online.end());
            QVERIFY(cpu < m_host->cpuCount());
        }
    }

    void aFileIsReadWhole_data()
    {
        QTest::addColumn<int>("size");
        QTest::newRow("empty") << 0;
        QTest::newRow("one byte") << 1;
        QTest::newRow("as long as the first piece, less one") << 64 * 1024 - 1;
        QTest::newRow("as long as the first piece") << 64 * 1024;
        QTest::newRow("several pieces") << 3 * 1024 * 1024 + 17;
    }
    void aFileIsReadWhole()
    {
        QFETCH(int, size);
        QByteArray bytes;
        for (int i = 0; i < size; ++i)
            bytes += static_cast<char>(i * 31 + i / 251);
        const QTemporaryDir dir;
        const auto path = dir.filePath(QStringLiteral("file"));
        QFile file(path);
        QVERIFY(file.open(QIODevice::WriteOnly));
        QCOMPARE(file.write(bytes), qint64(size));
        file.close();

        const auto read = m_host->read(path.toStdString());
        QVERIFY(read);
        QVERIFY(bytesOf(*read) == bytes); // not printed: it is long
    }
    /// Files of /proc say that their size is 0, pipes too, and a pipe gives less at a time than is asked for.
    void whatDoesNotSayItsSizeIsReadWhole()
    {
        const auto own = m_host->read("/proc/self/maps");
        QVERIFY(own);
        const auto self = QFileInfo(QCoreApplication::applicationFilePath()).fileName().toStdString();
        QVERIFY(own->find(self) != std::string::npos && own->ends_with('\n'));

        int ends[2];
        QCOMPARE(::pipe(ends), 0);
        const std::string text(3'000'000, 'x');
        std::thread writer([&] {
            for (std::size_t at = 0; at < text.size();) {
                const auto n = ::write(ends[1], text.data() + at, std::min<std::size_t>(text.size() - at, 100'000));
                if (n <= 0) break;
                at += static_cast<std::size_t>(n);
            }
            ::close(ends[1]);
        });
        const auto piped = m_host->read("/dev/fd/" + std::to_string(ends[0]));
        writer.join();
        ::close(ends[0]);
        QVERIFY(piped);
        QVERIFY(*piped == text);
    }
    void whatCannotBeReadIsNamedWithTheReason_data()
    {
        QTest::addColumn<QByteArray>("path");
        QTest::addColumn<int>("code");
        QTest::newRow("missing") << QByteArray("/nonexistent/file") << ENOENT;
        QTest::newRow("a directory") << QByteArray("/proc") << EISDIR;
        QTest::newRow("below a file") << QByteArray("/proc/version/x") << ENOTDIR;
    }
    void whatCannotBeReadIsNamedWithTheReason()
    {
        QFETCH(QByteArray, path);
        QFETCH(int, code);
        const auto read = m_host->read(path.toStdString());
        QVERIFY(!read);
        QCOMPARE(read.error().code, code);
        const auto message = bytesOf(read.error().message);
        QVERIFY2(message.contains(path) && message.contains(std::strerror(code)), message.constData());
    }

    void entriesAreSortedAndComplete()
    {
        const QTemporaryDir dir;
        const QStringList names{QStringLiteral(".hidden"), QStringLiteral("B"), QStringLiteral("a"), QStringLiteral("a b")};
        for (const auto& name : names) {
            QFile file(dir.filePath(name));
            QVERIFY(file.open(QIODevice::WriteOnly));
        }
        const auto found = m_host->entries(dir.path().toStdString());
        QVERIFY(found);
        QVERIFY((*found == std::vector<std::string>{".hidden", "B", "a", "a b"}));

        const auto none = m_host->entries(dir.filePath(QStringLiteral("none")).toStdString());
        QVERIFY(!none);
        QCOMPARE(none.error().code, ENOENT);
        QVERIFY(!m_host->entries(dir.filePath(QStringLiteral("a")).toStdString()));
    }

    void theKernelsTypesAreReadOnceWhileSomebodyHasThem()
    {
        QFile file(QStringLiteral("/sys/kernel/btf/vmlinux"));
        if (!file.open(QIODevice::ReadOnly)) QSKIP("needs a kernel with BTF");
        const auto first = m_host->kernelTypes();
        QVERIFY(first);
        QVERIFY(bytesOf(std::string(**first)) == file.readAll());
        const auto second = m_host->kernelTypes();
        QVERIFY(second);
        QCOMPARE(first->get(), second->get());
    }
    /// tracefs lists the events; each stands on a tracepoint, which mostly has the event's name.
    void tracepointsAreThoseOfTracefs()
    {
        const auto& names = m_host->tracepoints();
        if (names.empty()) QSKIP("needs a kernel with BTF");
        QVERIFY(std::is_sorted(names.begin(), names.end()));
        QVERIFY(std::adjacent_find(names.begin(), names.end()) == names.end());
        QVERIFY(m_host->hasTracepoint("sys_enter"));
        QVERIFY(!m_host->hasTracepoint("no_such_tracepoint"));

        const auto listed = m_host->read("/sys/kernel/tracing/available_events");
        if (!listed) QSKIP("needs root: tracefs");
        for (const char* event : {"sched_switch", "sched_process_exec", "sched_process_exit", "signal_generate", "block_rq_issue"}) {
            const bool inTracefs = bytesOf(*listed).contains(QByteArray(":") + event + "\n");
            QVERIFY2(!inTracefs || m_host->hasTracepoint(event), event);
        }
    }

    /// Source: pid_namespaces(7); the first namespace has the number that include/linux/proc_ns.h gives it.
    void theFirstNamespaceOfProcessesIsNone()
    {
        const auto own = printed(QStringLiteral("readlink"), {QStringLiteral("/proc/self/ns/pid")});
        QVERIFY2(own.startsWith("pid:["), own.constData());
        const auto number = own.mid(5, own.size() - 6).toULongLong();
        const auto found = m_host->pidNamespace();
        QCOMPARE(found.has_value(), number != 4026531836U);
        if (found) QCOMPARE(found->inode, std::uint64_t(number));
    }
};
QTEST_GUILESS_MAIN(TestLocal)
#include "tst_local.moc"
