// needs-programs: dscope
// io against a file system on a device of its own: what a script read and wrote there, and what the kernel counted.
#include "tests/support/facts.h"
#include "tests/support/run_dscope.h"
#include <QDir>
#include <QFile>
#include <QObject>
#include <QRegularExpression>
#include <QTemporaryDir>
#include <QTest>
using namespace dscope::tests;
/// Notes, without BPF, in which threads the requests of a device end: whichever they interrupt.
class Interrupted {
public:
    explicit Interrupted(const QByteArray& device) : m_dir(QString("/sys/kernel/tracing/instances/dscope-io-%1").arg(::getpid()))
    {
        // Source of the number: include/linux/kdev_t.h
        const auto number = (7 << 20) + device.mid(device.lastIndexOf('p') + 1).toInt();
        m_notes = QDir().mkdir(m_dir) && write("options/record-tgid", "1")
            && write(m_event + "filter", "dev==" + QByteArray::number(number)) && write(m_event + "enable", "1");
    }
    ~Interrupted()
    {
        write(m_event + "enable", "0");
        QDir().rmdir(m_dir);
    }
    /// The kernel may be made such that it runs no program in the threads of process 1; then nobody sees what ends there.
    bool processOne() const
    {
        QFile trace(m_dir + "/trace");
        if (!m_notes || !trace.open(QIODevice::ReadOnly)) return false;
        // NAME-THREAD (PROCESS) [CPU]
        static const QRegularExpression kOne("-\\d+ +\\( *1\\) \\[\\d+\\]");
        return QString::fromUtf8(trace.readAll()).contains(kOne);
    }

private:
    bool write(const QString& file, const QByteArray& text) const
    {
        QFile out(m_dir + '/' + file);
        return out.open(QIODevice::WriteOnly | QIODevice::Unbuffered) && out.write(text) == text.size();
    }
    const QString m_dir, m_event = "events/block/block_rq_complete/";
    bool m_notes = false;
};
class TestIo : public QObject {
    Q_OBJECT
    std::unique_ptr<QTemporaryDir> m_dir;
    QString m_device;
    QByteArray m_mount;
    Outcome m_run;
    QList<QList<QByteArray>> m_starts, m_dones, m_waits; ///< on our device
    // Of a line: who, flags, bytes, block, file, offset, file system, mount, driver, device, path, major, status.
    enum Column { Who, Flags, Bytes, Block, File, Offset, FileSystem, Mount, Driver, Device, Path, Major, Error };

    static Outcome sh(const QString& command) { return runDscope({"-c", command}, {}, "/bin/sh"); }
    static qint64 sum(const QList<QList<QByteArray>>& lines, int flag, const QByteArray& file = {})
    {
        qint64 bytes = 0;
        for (const auto& l : lines)
            if (l[Flags].toInt(nullptr, 16) & flag && (file.isEmpty() || l[File] == file)) bytes += l[Bytes].toLongLong();
        return bytes;
    }
private Q_SLOTS:
    void initTestCase()
    {
        if (const auto why = whyNoTracing(); !why.isEmpty()) QSKIP(why.constData());
        m_dir = std::make_unique<QTemporaryDir>("/var/tmp/dscope-io-XXXXXX");
        const auto image = m_dir->filePath("image");
        m_mount = m_dir->filePath("mount").toUtf8();
        QVERIFY(QDir().mkdir(m_mount));
        QFile file(image);
        QVERIFY(file.open(QIODevice::WriteOnly) && file.resize(64 << 20));
        file.close();
        if (sh("mkfs.ext4 -q -E lazy_itable_init=0,lazy_journal_init=0 " + image).status != 0) QSKIP("needs mkfs.ext4 (package e2fsprogs)");
        const auto loop = sh("losetup -f --show " + image);
        if (loop.status != 0) QSKIP("needs a loop device: " + loop.err.trimmed());
        m_device = loop.out.trimmed();
        const QString line = "execname, args[0]->b_flags, args[0]->b_bcount, args[0]->b_blkno, args[2]->fi_pathname, args[2]->fi_offset,"
                             " args[2]->fi_fs, args[2]->fi_mount, args[1]->dev_name, args[1]->dev_statname, args[1]->dev_pathname,"
                             " args[1]->dev_major, args[0]->b_error";
        const QString print = " /args[1]->dev_statname == $$1/ { printf(\"%s %s %x %d %d %s %d %s %s %s %s %s %d %d\\n\", probename, " + line + "); }\n";
        // A run in which a request's end interrupted process 1 shows nothing of ours: not more often than that.
        for (int tries = 0; tries < 8; ++tries) {
            QCOMPARE(sh("mkfs.ext4 -q -E lazy_itable_init=0,lazy_journal_init=0 " + m_device).status, 0);
            const Interrupted interrupted(m_device.toUtf8());
            m_run = runApart({"-qn", "io:::start, io:::done" + print + "io:::wait-start, io:::wait-done" + print, "-c",
                QStringLiteral(DSCOPE_SOURCE "/tests/programs/known_io.sh ") + m_device + " " + m_mount, m_device.section('/', -1)});
            if (m_run.status != 0 || !interrupted.processOne()) break;
            qInfo("a request's end interrupted process 1: once more");
        }
        QVERIFY2(m_run.status == 0, m_run.err.constData());
        m_starts = linesOf(m_run.out, "start");
        m_dones = linesOf(m_run.out, "done");
        m_waits = linesOf(m_run.out, "wait-start");
        QVERIFY2(!m_run.err.contains("drops") && !m_run.err.contains("error on enabled probe"), m_run.err.constData());
    }
    void cleanupTestCase()
    {
        if (!m_device.isEmpty()) sh("umount " + m_mount + " 2>/dev/null; losetup -d " + m_device);
    }
    void theBytesAreThoseThatTheKernelCounted()
    {
        const auto facts = factsOf(m_run.out);
        QVERIFY(facts["written"].toLongLong() * 512 > 5'000'000);
        QCOMPARE(sum(m_starts, 0x40), facts["read"].toLongLong() * 512);
        QCOMPARE(sum(m_starts, 0x100), facts["written"].toLongLong() * 512);
        QCOMPARE(sum(m_dones, 0x40), facts["read"].toLongLong() * 512);
        QCOMPARE(sum(m_dones, 0x100), facts["written"].toLongLong() * 512);
    }
    void whatBeganIsDone()
    {
        QCOMPARE(m_dones.size(), m_starts.size());
        QHash<QByteArray, int> open;
        const auto key = [](const QList<QByteArray>& l) { return l[Flags] + ' ' + l[Block] + ' ' + l[Bytes] + ' ' + l[File] + ' ' + l[Offset]; };
        for (const auto& l : m_starts) ++open[key(l)];
        for (const auto& l : m_dones) --open[key(l)];
        for (auto i = open.begin(); i != open.end(); ++i) QVERIFY2(i.value() == 0, i.key());
    }
    /// A request of a disk may end several that file systems asked for: the probe fires for each, in a function of the program's own.
    void stacksBeginInTheKernel_data()
    {
        QTest::addColumn<QString>("probe");
        for (const auto* probe : {"io:::start", "io:::done", "io:::wait-start"})
            QTest::newRow(probe) << QString(probe);
    }
    void stacksBeginInTheKernel()
    {
        QFETCH(QString, probe);
        const auto run = runDscope(
            {"-qn", probe + " { @[stack(1)] = count(); @all = count(); } END { printa(\"%k\", @); printa(\"all %@d\\n\", @all); }", "-c",
                QStringLiteral(DSCOPE_SOURCE "/tests/programs/known_io.sh ") + m_device + " " + m_mount});
        QCOMPARE(run.status, 0);
        QVERIFY2(run.out.contains("vmlinux`"), run.out + run.err);
        for (const auto* ours : {"vmlinux`bpf", "vmlinux`__traceiter", "vmlinux`__bpf"})
            QVERIFY2(!run.out.contains(ours), run.out);
    }
    void filesAreNamed_data()
    {
        QTest::addColumn<QByteArray>("file");
        QTest::addColumn<int>("direction");
        QTest::addColumn<int>("how"); // B_PHYS or B_PAGEIO
        QTest::addColumn<qlonglong>("bytes");
        QTest::newRow("written directly") << QByteArray("direct") << 0x100 << 0x20 << 2'097'152LL;
        QTest::newRow("read directly") << QByteArray("direct") << 0x40 << 0x20 << 2'097'152LL;
        QTest::newRow("written, then fsync") << QByteArray("buffered") << 0x100 << 0x10 << 2'097'152LL;
        QTest::newRow("read from the disk") << QByteArray("buffered") << 0x40 << 0x10 << 2'097'152LL;
        QTest::newRow("written back later") << QByteArray("later") << 0x100 << 0x10 << 1'228'800LL;
    }
    void filesAreNamed()
    {
        QFETCH(QByteArray, file);
        QFETCH(int, direction);
        QFETCH(int, how);
        QFETCH(qlonglong, bytes);
        const auto path = m_mount + '/' + file;
        QCOMPARE(sum(m_dones, direction, path), bytes);
        QMap<qint64, qint64> parts;
        for (const auto& l : m_starts) {
            const auto flags = l[Flags].toInt(nullptr, 16);
            if (l[File] != path || !(flags & direction)) continue;
            QVERIFY2(flags & how, l[Flags]);
            QCOMPARE(l[FileSystem], QByteArray("ext4"));
            QCOMPARE(l[Mount], m_mount);
            parts[l[Offset].toLongLong()] = l[Bytes].toLongLong();
            if (how == 0x20) QCOMPARE(l[Who], QByteArray("dd"));
        }
        // The parts lie side by side from the beginning to the end of the file.
        qint64 end = 0;
        for (auto p = parts.begin(); p != parts.end(); ++p) {
            QCOMPARE(p.key(), end);
            end += p.value();
        }
        QCOMPARE(end, bytes);
    }
    void metadataHasNoFile()
    {
        QVERIFY(sum(m_starts, 0x100, "<none>") > 0);
        for (const auto& l : m_starts)
            if (l[File] == "<none>") {
                QCOMPARE(l[Offset], QByteArray("-1"));
                QCOMPARE(l[Flags].toInt(nullptr, 16) & 0x30, 0);
            }
    }
    void theDeviceIsTheLoop()
    {
        for (const auto& l : m_starts + m_dones) {
            QCOMPARE(l[Driver], QByteArray("loop"));
            QCOMPARE(l[Path], m_device.toUtf8());
            QCOMPARE(l[Major], QByteArray("7"));
            QCOMPARE(l[Error], QByteArray("0"));
        }
    }
    void aThreadWaitsForWhatItAskedFor()
    {
        QVERIFY(m_waits.size() > 10);
        // A thread of the file system may begin to wait, or be waiting still, when tracing ends.
        QVERIFY(std::abs(linesOf(m_run.out, "wait-done").size() - m_waits.size()) <= 2);
        int direct = 0;
        for (const auto& l : m_waits) direct += l[Who] == "dd" && l[File] == m_mount + "/direct";
        QVERIFY2(direct > 10, QByteArray::number(direct));
    }
};
QTEST_GUILESS_MAIN(TestIo)
#include "tst_io.moc"
