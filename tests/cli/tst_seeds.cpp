// needs-programs: dscope
// The scripts and one-liners of the talks and chapters that dscope is made for, to the letter, each on a workload that makes it
// speak; what they print is held against what the workload did and the kernel counted.
#include "tests/support/facts.h"
#include "tests/support/run_dscope.h"
#include <QDir>
#include <QFile>
#include <QObject>
#include <QRegularExpression>
#include <QSet>
#include <QTemporaryDir>
#include <QTest>
#include <sched.h>
using namespace dscope::tests;
namespace {
const QString kSeeds = QStringLiteral(DSCOPE_SOURCE "/tests/engine/syntax/seeds/");
const QString kPrograms = QStringLiteral(DSCOPE_PROGRAMS "/");
const QString kScripts = QStringLiteral(DSCOPE_SOURCE "/tests/programs/");

QByteArray contents(const QString& path)
{
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}
/// The clause of one_liners.d that begins so.
QString oneLiner(const QByteArray& begins)
{
    const auto all = contents(kSeeds + "one_liners.d");
    const auto from = all.indexOf(begins);
    return from < 0 ? QString() : QString::fromUtf8(all.mid(from, all.indexOf("}\n", from) + 1 - from));
}
QList<QByteArray> lines(const QByteArray& text, const QString& pattern)
{
    QList<QByteArray> found;
    const QRegularExpression expression(pattern);
    for (const auto& line : text.split('\n'))
        if (const auto match = expression.match(QString::fromUtf8(line)); match.hasMatch())
            found << match.captured(match.lastCapturedIndex()).toUtf8();
    return found;
}
/// Bucket and count of the distribution that stands below the first line with `heading`; empty buckets left out.
QMap<QByteArray, qint64> distribution(const QByteArray& text, const QByteArray& heading)
{
    QMap<QByteArray, qint64> counts;
    const auto from = text.indexOf("-- Distribution --", text.indexOf(heading));
    if (text.indexOf(heading) < 0 || from < 0) return counts;
    for (const auto& line : text.mid(text.indexOf('\n', from) + 1).split('\n')) {
        const auto bar = line.indexOf('|');
        if (bar < 0) break;
        if (const auto n = line.mid(bar + 41).trimmed().toLongLong()) counts[line.left(bar).trimmed()] = n;
    }
    return counts;
}
} // namespace

class TestSeeds : public QObject {
    Q_OBJECT
    std::unique_ptr<QTemporaryDir> m_dir;
    QString m_device; ///< a loop device with a file system; empty where there is none

    QString file(const QString& name) const { return m_dir->filePath(name); }
    static Outcome sh(const QString& command) { return runDscope({"-c", command}, {}, "/bin/sh"); }
    /// Runs a seed's file; its output stands behind the command's.
    static Outcome seed(const char* name, const QString& command, const QStringList& more = {})
    {
        return runApart(QStringList{"-s", kSeeds + name, "-c", command} + more);
    }
    Outcome onTheDisk(const char* name) const
    {
        return seed(name, kScripts + "office_start.sh " + m_device + ' ' + file("mount") + ' ' + file("soffice.bin"));
    }
    QString device() const { return m_device.section('/', -1); }

private Q_SLOTS:
    void initTestCase()
    {
        if (const auto why = whyNoTracing(); !why.isEmpty()) QSKIP(why.constData());
        m_dir = std::make_unique<QTemporaryDir>("/var/tmp/dscope-seeds-XXXXXX");
        QVERIFY(QFile::copy("/bin/dd", file("soffice.bin")) && QFile::copy("/bin/dd", file("qemu-dm")));
        QVERIFY(QFile::copy(kPrograms + "kernel_work", file("find")));
        QVERIFY(QDir().mkdir(file("mount")));
        QFile image(file("image"));
        QVERIFY(image.open(QIODevice::WriteOnly) && image.resize(64 << 20));
        image.close();
        if (sh("mkfs.ext4 -q -E lazy_itable_init=0,lazy_journal_init=0 " + file("image")).status != 0) return;
        m_device = sh("losetup -f --show " + file("image")).out.trimmed();
    }
    void cleanupTestCase()
    {
        if (!m_device.isEmpty()) sh("umount " + file("mount") + " 2>/dev/null; losetup -d " + m_device);
    }

    void requestsToTheDisk_data()
    {
        QTest::addColumn<QString>("name");
        for (const auto* name : {"fileio.d", "io_applicat.d", "io_iosnoop.d", "io_iotime.d", "io_throughput.d", "io_waits.d", "io_whoio.d",
                 "io_whowrite.d", "one_liners.d"})
            QTest::newRow(name) << name;
    }
    void requestsToTheDisk()
    {
        if (m_device.isEmpty()) QSKIP("needs mkfs.ext4 (package e2fsprogs) and a loop device");
        QFETCH(QString, name);
        const auto run = name != "one_liners.d"
            ? onTheDisk(qPrintable(name))
            : runApart({"-n", oneLiner("io:::start"), "-c",
                kScripts + "office_start.sh " + m_device + ' ' + file("mount") + ' ' + file("soffice.bin")});
        QVERIFY2(run.status == 0, run.err.constData());
        const auto facts = factsOf(run.out);
        const auto number = [&](const char* fact) { return facts[fact].toLongLong(); };
        QVERIFY2(number("sectors") * 512 >= 64 * 65536, run.out.constData());
        const auto registry = QRegularExpression::escape(file("mount") + "/applicat.rdb");

        if (name == "fileio.d") {
            QCOMPARE(lines(run.out, "^ +" + device() + " +applicat\\.rdb +soffice\\.bin +(\\d+)$"), QList<QByteArray>{"4194304"});
        } else if (name == "io_applicat.d") {
            // Blocks of 65536 bytes by the million of 1024000 that they begin in.
            QCOMPARE(distribution(run.out, "value"), (QMap<QByteArray, qint64>{{"0", 16}, {"1", 16}, {"2", 15}, {"3", 16}, {"4", 1}}));
        } else if (name == "io_iosnoop.d") {
            QCOMPARE(lines(run.out, "^ +" + device() + " +" + registry + " +(W)$").size(), 64);
        } else if (name == "io_iotime.d") {
            QCOMPARE(lines(run.out, "^ +" + device() + " +" + registry + " +W +(\\d+\\.\\d{3})$").size(), 64);
        } else if (name == "io_throughput.d") {
            qint64 requests = 0;
            for (const auto n : distribution(run.out, (device() + " (" + m_device + ")").toUtf8()))
                requests += n;
            // The kernel's figure leaves out the requests that flush a cache, and what is written together with one.
            QVERIFY2(requests >= number("requests") && requests <= number("requests") + 2 * number("flushes"), run.out.constData());
        } else if (name == "io_waits.d") {
            const auto ms = [&](const QString& what) { return lines(run.out, "^  " + what + " +(\\d+)$").value(0, "-1").toLongLong(); };
            const auto waited = ms("<I/O wait>"), forTheRegistry = ms("applicat\\.rdb"), lived = number("nanoseconds") / 1'000'000;
            QVERIFY2(waited >= forTheRegistry && forTheRegistry >= 0, run.out.constData());
            QVERIFY2(ms("<on cpu>") >= 0 && ms("<on cpu>") + waited <= lived + 1, run.out.constData());
        } else if (name == "io_whoio.d") {
            qint64 bytes = 0;
            for (const auto& n : lines(run.out, "^ +" + device() + " +\\S+ +\\d+ +(\\d+)$"))
                bytes += n.toLongLong();
            QCOMPARE(bytes, number("sectors") * 512);
            QCOMPARE(lines(run.out, "^ +" + device() + " +soffice\\.bin +(\\d+) +").value(0), facts["office"]);
        } else if (name == "io_whowrite.d") {
            QCOMPARE(
                lines(run.out, "^ +soffice\\.bin +" + QRegularExpression::escape(file("mount")) + " +(\\d+)$"), QList<QByteArray>{"64"});
        } else {
            QCOMPARE(lines(run.out, ":start " + facts["office"] + " soffice\\.bin (65536)\\s*$").size(), 64);
        }
    }

    void packetsOfAnAddress_data()
    {
        QTest::addColumn<QString>("name");
        for (const auto* name : {"ip_size.d", "ip_top.d", "ip_top_named.d"})
            QTest::newRow(name) << name;
    }
    void packetsOfAnAddress()
    {
        if (sh("command -v ip && command -v unshare && command -v bash").status != 0)
            QSKIP("needs ip (package iproute2), unshare and bash");
        QFETCH(QString, name);
        // A test network's address (RFC 2544), another for each run.
        const auto address = QStringLiteral("198.18.%1.%2").arg(::getpid() / 250 % 250).arg(::getpid() % 250 + 1);
        const bool sizes = name == "ip_size.d";
        const auto run = seed(qPrintable(name), "unshare -n " + kScripts + "own_address.sh " + address + (sizes ? " 0" : " 2.5"),
            sizes ? QStringList() : QStringList{"2s", "50"});
        QVERIFY2(run.status == 0, run.err.constData());
        const auto facts = factsOf(run.out);
        QVERIFY2(facts["OutRequests"].toInt() >= 40, run.out.constData());
        if (sizes) {
            // 100 bytes behind 8 of UDP; ICMP's answers bring them back behind both headers and 8 bytes of their own.
            const auto counts = distribution(run.out, address.toUtf8());
            QCOMPARE(counts["64"], 40);
            QCOMPARE(counts["64"] + counts["128"], facts["OutRequests"].toLongLong());
            return;
        }
        // Bytes a second, of headers' 20 bytes each that the kernel counts and the payload has not.
        for (const auto* way : {"send", "receive"}) {
            const auto told = lines(run.out, '^' + QRegularExpression::escape(address) + " +" + way + " +(\\d+)$").value(0).toLongLong();
            const bool out = QByteArray(way) == "send";
            const auto bytes
                = facts[out ? "OutOctets" : "InOctets"].toLongLong() - 20 * facts[out ? "OutRequests" : "InReceives"].toLongLong();
            QVERIFY2(told == bytes / 2 || told == bytes || told == bytes / 3, run.out.constData()); // by how punctual the tick was
        }
    }

    void aVirtualMachinesDisk()
    {
        // Both at once: each takes five seconds. A stack as a key is a record until it was walked, so there are fewer of those.
        constexpr int kStacks = 2'000;
        const int count = isSlowMachine() ? 20'000 : 100'000;
        QProcess stacks;
        stacks.start(DSCOPE_BIN "/dscope",
            {"-o", file("stacks"), "-s", kSeeds + "qemu_stacks.d", "-c",
                kScripts + "disk_image.sh " + file("qemu-dm") + ' ' + QString::number(kStacks)});
        const auto rates = seed("count_syscalls.d", kScripts + "disk_image.sh " + file("soffice.bin") + ' ' + QString::number(count));
        QVERIFY(stacks.waitForFinished(120'000));
        QVERIFY2(rates.status == 0, rates.err.constData());
        const auto told = lines(rates.out, "^ *" + factsOf(rates.out)["image"] + " soffice\\.bin +(\\d+) write$").value(0).toLongLong();
        bool plausible = false; // so many in five seconds, or in a few more
        for (int seconds = 4; seconds < 20; ++seconds)
            plausible = plausible || told == count / seconds;
        QVERIFY2(plausible, rates.out.constData());
        QVERIFY(lines(rates.out, "^ *\\d+ \\S.* +(\\d+) \\w+$").size() >= 3);

        const auto text = contents(file("stacks"));
        const QRegularExpression written(
            "\n  write +\n( +libc\\.so\\.6`\\w*syscall_cancel\\+\\w+\n)* +libc\\.so\\.6`\\w*write\\w*(\\+0x[0-9a-f]+)?\n( +\\S+`\\S+\n)* +qemu-dm`\\S+\n +(\\d+)\n");
        QVERIFY2(written.match(text).hasMatch(), text);
        QCOMPARE(written.match(text).captured(4).toInt(), kStacks);
    }

    void filesThatAreOpened_data()
    {
        QTest::addColumn<QStringList>("words");
        QTest::newRow("script") << QStringList{"-qs", kSeeds + "open_files.d"};
        QTest::newRow("one-liner") << QStringList{"-n", oneLiner("syscall::open*")};
    }
    void filesThatAreOpened()
    {
        QFETCH(QStringList, words);
        QByteArray wanted;
        QString command = "/bin/cat";
        for (const auto* name : {"one", "two", "three"}) {
            QFile(file(name)).open(QIODevice::WriteOnly);
            command += ' ' + file(name);
            wanted += "cat " + file(name).toUtf8() + ' ';
        }
        const auto run = runDscope(words + QStringList{"-c", command});
        QVERIFY2(run.status == 0, run.err.constData());
        QByteArray opened;
        for (const auto& path : lines(run.out, "\\bcat +(" + QRegularExpression::escape(m_dir->path()) + "\\S+)\\s*$"))
            opened += "cat " + path + ' ';
        QCOMPARE(opened, wanted);
    }
    void programsWithArguments()
    {
        const auto run = runDscope({"-n", oneLiner("proc:::exec-success"), "-c", file("find") + " replace 3"});
        QCOMPARE(lines(run.out, ":exec-success +(" + QRegularExpression::escape(file("find")) + " replace 3)\\s*$").size(), 1);
    }
    void whatFindReads()
    {
        const auto run = runApart({"-n", oneLiner("readch"), "-c", file("find") + " transfer 300"});
        QCOMPARE(distribution(run.out, "\n  find ")["8192"], 300);
        QVERIFY2(run.err.contains("description 'readch' matched 1 probe"), run.err.constData());
    }
    void whomFindInterrupts()
    {
        cpu_set_t allowed;
        if (::sched_getaffinity(0, sizeof allowed, &allowed) != 0 || CPU_COUNT(&allowed) < 2)
            QSKIP("needs two CPUs: who is alone interrupts nobody");
        const auto all = runApart({"-n", oneLiner("xcalls"), "-c", file("find") + " contend 200"});
        QVERIFY2(lines(all.out, "^  find +(\\d+)$").value(0).toInt() > 0, all.out.constData());
        const auto calls = seed("sysinfo_find.d", file("find") + " contend 200");
        // Only what unmaps memory of threads on both CPUs must tell the other one.
        QVERIFY2(lines(calls.out, "^  munmap +(\\d+)$").value(0).toInt() > 0, calls.out.constData());
    }
    void howLongWritesTake()
    {
        const auto run = seed("write_timing.d", kPrograms + "known_writes 512 4000", {"60sec"});
        qint64 writes = 0;
        for (const auto n : distribution(run.out, "\n  known_writes "))
            writes += n;
        QCOMPARE(writes, 4000);
    }
    void whoCallsTheLibrary()
    {
        const auto run = seed("lib_call_stack.d", "/bin/ls /etc/hostname", {"libc", "str*"});
        QVERIFY2(run.status == 0, run.err.constData());
        const auto text = QString::fromUtf8(run.out);
        const auto calls = text.count(QRegularExpression("(?m)^pid\\d+:libc\\.so\\.6:str\\w*$"));
        QVERIFY2(calls > 10, run.out.constData());
        QCOMPARE(text.count(QRegularExpression("(?m)^pid\\d+:libc\\.so\\.6:str\\w*\n( +\\S.*\n)+ +(ls`|ld-linux)\\S+\n")), calls);
        // Which of them the kernel can probe differs between processors: where a call stands is the function itself.
        QVERIFY(text.contains(QRegularExpression("(?m)^pid\\d+:libc\\.so\\.6:(str\\w+)\n +libc\\.so\\.6`\\w*\\1\\w*\n")));
    }
    void everythingThatDateAsksOfTheLibrary()
    {
        const auto run = seed("libc_trace.d", "/bin/date +year%Y", {"-F"});
        QVERIFY2(run.status == 0, run.err.constData());
        // Who returns was entered last, but for the few functions whose first instruction the kernel cannot probe, as is told.
        QList<QByteArray> open;
        QSet<QByteArray> entered, neverEntered;
        int entries = 0, returns = 0, strays = 0;
        for (const auto& line : linesOf(run.out, "  0") + linesOf(run.out, "  1")) {
            if (line.size() != 2) continue;
            if (line[0] == "->") ++entries, open << line[1], entered << line[1];
            if (line[0] != "<-") continue;
            ++returns;
            if (const auto at = open.lastIndexOf(line[1]); at >= 0)
                open.resize(at);
            else if (!entered.contains(line[1]))
                neverEntered << line[1];
            else
                ++strays;
        }
        QVERIFY2(entries > 100 && returns > 100, run.out.constData());
        QVERIFY2(strays * 20 < returns, run.out.constData());
        static const QRegularExpression kNotProbed("cannot probe the instructions of (\\d+) of");
        QVERIFY2(neverEntered.size() <= kNotProbed.match(QString::fromUtf8(run.err)).captured(1).toInt(), run.err.constData());
        QVERIFY(run.out.startsWith("year20"));
    }
};
QTEST_GUILESS_MAIN(TestSeeds)
#include "tst_seeds.moc"
