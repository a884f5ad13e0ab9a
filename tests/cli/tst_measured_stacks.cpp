// needs-programs: dscope
// ustackdepth and ucaller are of the stack that ustack() shows at the same firing, also in programs without frame pointers; where that
// stack can't be walked they are an error that is told, never another number.
#include "tests/support/cut_stacks.h"
#include "tests/support/run_dscope.h"
#include <QObject>
#include <QStandardPaths>
#include <QTemporaryDir>
#include <QRegularExpression>
#include <QTest>
using namespace dscope::tests;
namespace {
const QString kPrograms = QStringLiteral(DSCOPE_PROGRAMS "/");
constexpr auto kTruncated = "[truncated]", kBadStack = "bad stack";

/// One firing: what its variables were, and the frames that ustack() printed, the innermost first.
struct Firing {
    int depth = 0;
    QByteArray caller;
    QByteArrayList frames;
};
/// Of lines "=<ustackdepth> <ucaller>", with a stack behind each.
QList<Firing> firingsIn(const QByteArray& text)
{
    QList<Firing> all;
    for (const auto& line : text.split('\n')) {
        const auto word = line.trimmed();
        if (word.isEmpty()) continue;
        if (word.startsWith('='))
            all.push_back({word.mid(1, word.indexOf(' ') - 1).toInt(), word.mid(word.indexOf(' ') + 1), {}});
        else
            all.last().frames.push_back(word);
    }
    return all;
}
/// A file with a line of program.
struct Script {
    explicit Script(const QString& line)
    {
        QFile file(path());
        if (file.open(QIODevice::WriteOnly)) file.write(line.toLocal8Bit() + '\n');
    }
    QString path() const { return folder.filePath("program"); }
    QTemporaryDir folder;
};
/// The number behind a word at the beginning of a line.
qint64 numberOf(const QByteArray& text, const QByteArray& word)
{
    const auto at = text.indexOf(word + ' ');
    return at < 0 ? -1 : text.mid(at + word.size(), text.indexOf('\n', at) - at - word.size()).trimmed().toLongLong();
}
/// Errors of that kind, of which the first is told, and how many more there were.
qint64 errorsTold(const QByteArray& err)
{
    static const QRegularExpression kMore(QStringLiteral(": ([0-9]+) more like the first"));
    qint64 all = 0;
    for (const auto& line : err.split('\n')) {
        if (!line.contains(kBadStack)) continue;
        const auto more = kMore.match(QString::fromUtf8(line));
        all += more.hasMatch() ? more.captured(1).toLongLong() : 1;
    }
    return all;
}
} // namespace

class TestMeasuredStacks : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void initTestCase()
    {
        if (const auto why = whyNoTracing(); !why.isEmpty()) QSKIP(why.constData());
    }
    void variablesAgreeWithTheStack_data()
    {
        QTest::addColumn<QString>("walk");
        QTest::addColumn<QString>("command");
        for (const auto* walk : {"kernel", "copy"}) {
            const auto row = [&](const char* name, const QString& command) { QTest::addRow("%s, %s", name, walk) << walk << command; };
            row("40 calls", kPrograms + "deep plain 40 60");
            row("frames of 64 KiB", kPrograms + "deep wide 8 60");
            row("a handler on another stack", kPrograms + "deep signal 30 60");
            row("perl", "perl PROGRAM");
            row("sed", "sed -n /unwritten/p " DSCOPE_SOURCE "/HACKING.md " DSCOPE_SOURCE "/README.md /etc/passwd");
        }
    }
    void variablesAgreeWithTheStack()
    {
        QFETCH(QString, walk);
        QFETCH(QString, command);
        if (QStandardPaths::findExecutable(command.section(' ', 0, 0)).isEmpty()) QSKIP("the program is not installed");
        const Script perl("getppid() for 1..60; my @a = sort { getppid(); $a <=> $b } 3, 1, 2;");
        const auto run = runDscope({"-x", "ustackwalk=" + walk, "-x", "ustackframes=4096", "-x", "evaltime=main", "-qn",
            "syscall::getppid:entry, syscall::read:entry /pid == $target/ { @all = count(); }"
            "syscall::getppid:entry, syscall::read:entry /pid == $target/ { printf(\"=%d %A\\n\", ustackdepth, ucaller); ustack(4096); @told = count(); }"
            "END { printa(\"=0 \\nall %@d\\n\", @all); printa(\"told %@d\\n\", @told); }", "-c", command.replace("PROGRAM", perl.path())});
        QCOMPARE(run.status, 0);
        auto firings = firingsIn(run.out);
        firings.pop_back(); // the counts
        const auto all = numberOf(run.out, "all"), told = numberOf(run.out, "told"), refused = errorsTold(run.err);
        QVERIFY(all > 1);
        QCOMPARE(qint64(firings.size()), told);
        QCOMPARE(told + refused, all);
        QVERIFY2(told * 10 >= all * 5, QByteArray::number(told) + " of " + QByteArray::number(all) + " were measured: " + run.err.left(300));
        for (const auto& one : firings) {
            const bool isCut = one.frames.last() == kTruncated; // of the copy, which has 16 KiB
            const auto frames = qint64(one.frames.size()) - (isCut ? 1 : 0);
            QVERIFY2(isCut ? one.depth > frames : one.depth == frames, QByteArray::number(one.depth) + " are not " + one.frames.join(' '));
            QVERIFY(frames > 1 && (!isCut || walk == "copy"));
            QCOMPARE(one.caller, one.frames[1]);
        }
    }
    void whatCannotBeWalkedIsAnErrorThatIsCounted()
    {
        // Not the command itself, whose tables are there before it runs, but a child of it, which begins without.
        constexpr int kTimes = 20'000, kDepth = 40;
        const Script script(kPrograms + "deep plain " + QString::number(kDepth) + ' ' + QString::number(kTimes) + "; true");
        const auto run = runDscope({"-qn", QString("syscall::getppid:entry /execname == \"deep\" && progenyof($target)/ { @all = count(); }"
                                                   "syscall::getppid:entry /execname == \"deep\" && progenyof($target)/ { @told = count(); @[ustackdepth] = count(); }"
                                                   "dtrace:::ERROR { @refused = count(); }"
                                                   "END { printa(\"all %@d\\n\", @all); printa(\"refused %@d\\n\", @refused); printa(\"depth %d %@d\\n\", @); }"),
            "-c", "sh " + script.path()});
        QCOMPARE(run.status, 0);
        const auto all = numberOf(run.out, "all"), refused = std::max(qint64{0}, numberOf(run.out, "refused"));
        QVERIFY2(all == kTimes || all == kTimes + 1, QByteArray::number(all)); // one more when sh asks too
        QCOMPARE(errorsTold(run.err), refused);
        qint64 measured = 0;
        QByteArrayList depths;
        for (const auto& line : run.out.split('\n')) {
            const auto words = line.simplified().split(' ');
            if (words.value(0) != "depth") continue;
            depths.push_back(words.value(1));
            measured += words.value(2).toLongLong();
        }
        QCOMPARE(depths.size(), 1);
        QVERIFY2(depths.first().toInt() > kDepth, depths.first());
        QCOMPARE(measured + refused, all);
        QVERIFY2(measured * 2 > all, QByteArray::number(refused) + " were refused");
    }
    /// Programs that are over in a moment, each a process that nobody looked at: what is known of their file is enough.
    void aFileThatWasMetIsMeasuredFromTheFirstFiringOn()
    {
        constexpr int kRuns = 20, kTimes = 5, kDepth = 40;
        const QTemporaryDir folder;
        const auto first = folder.filePath("first"), met = folder.filePath("met");
        QVERIFY(QFile::copy(kPrograms + "deep", first));
        QCOMPARE(::link(first.toLocal8Bit(), met.toLocal8Bit()), 0); // one file, so that they can be told apart
        auto line = first + QString(" plain %1 100000").arg(kDepth);
        for (int i = 0; i < kRuns; ++i)
            line += QString("; %1 plain %2 %3").arg(met).arg(kDepth).arg(kTimes);
        const Script script(line + "; true");
        const auto run = runDscope({"-qn", "syscall::getppid:entry /execname == \"first\" && progenyof($target)/ { @first = sum(ustackdepth > 0); }"
                                           "syscall::getppid:entry /execname == \"met\" && progenyof($target)/ { @all = count(); }"
                                           "syscall::getppid:entry /execname == \"met\" && progenyof($target)/ { printf(\"=%d %A\\n\", ustackdepth, ucaller); ustack(4096); @told = count(); }"
                                           "END { printa(\"=0 \\nfirst %@d\\n\", @first); printa(\"all %@d\\n\", @all); printa(\"told %@d\\n\", @told); }",
            "-c", "sh " + script.path()});
        QCOMPARE(run.status, 0);
        QVERIFY2(numberOf(run.out, "first") > 0, "the first program had ended before its tables were there");
        QCOMPARE(numberOf(run.out, "all"), qint64{kRuns} * kTimes);
        QCOMPARE(numberOf(run.out, "told"), qint64{kRuns} * kTimes);
        auto firings = firingsIn(run.out);
        firings.pop_back(); // the counts
        QCOMPARE(firings.size(), kRuns * kTimes);
        for (const auto& one : firings) {
            QCOMPARE(qint64(one.depth), qint64(one.frames.size()));
            QVERIFY(one.depth > kDepth);
            QCOMPARE(one.caller, one.frames.value(1));
        }
    }
    /// Of those who listen to a tracepoint each is called through a frame that is no frame of the one that fired.
    void theKernelsStackIsTheSameWhereOthersListen()
    {
        const auto firings = [](const QByteArray& who) {
            const auto run = runDscope({"-qn", "syscall::getppid:entry /pid == $target && ++n == 1/ { this->v = stack(4); printf(\"=%d %a\\n\", stackdepth, caller); stack(); "
                                               "printf(\"=%d -\\n\", this->v.depth); printf(\"%k=0 -\\n\", this->v); stack(2); printf(\"=%d %A\\n\", ustackdepth, ucaller); ustack(4096); }",
                "-c", kPrograms + "deep plain 10 1"});
            if (run.status != 0 || !saidBeyondCuts(run.err).isEmpty()) qWarning("%s: %s", who.constData(), run.err.constData());
            return firingsIn(run.out);
        };
        const auto alone = firings("alone");
        QProcess other;
        other.start(DSCOPE_BIN "/dscope", {"-qn", "BEGIN { printf(\"ready\\n\"); } syscall::getpgid:entry /pid == $target/ { }", "-p", QString::number(::getpid())});
        QVERIFY(other.waitForStarted());
        QTRY_VERIFY_WITH_TIMEOUT(other.waitForReadyRead(100) || other.bytesAvailable() > 0, 20'000);
        const auto beside = firings("beside another");
        other.terminate();
        QVERIFY(other.waitForFinished(20'000));
        for (const auto& found : {alone, beside}) {
            QCOMPARE(found.size(), 4);
            const auto& frames = found[0].frames;
            QCOMPARE(qint64(found[0].depth), qint64(frames.size()));
            QCOMPARE(found[0].caller, frames.value(1));
            QVERIFY2(!frames.value(0).contains("__traceiter_"), frames.join(' '));
            QCOMPARE(qint64(found[1].depth), std::min<qint64>(4, frames.size()));
            QCOMPARE(found[1].frames, frames.first(std::min<qsizetype>(4, frames.size())));
            QCOMPARE(found[2].frames, frames.first(2));
            QCOMPARE(qint64(found[3].depth), qint64(found[3].frames.size()));
            QCOMPARE(found[3].caller, found[3].frames.value(1));
        }
        const auto isSame = [](const Firing& a, const Firing& b) { return a.depth == b.depth && a.caller == b.caller && a.frames == b.frames; };
        QVERIFY2(std::equal(alone.begin(), alone.end(), beside.begin(), beside.end(), isSame), (alone[0].frames.join(' ') + "; " + beside[0].frames.join(' ')).constData());
    }
    void itIsOurOwnStackAtBegin()
    {
        const auto run = runDscope({"-qn", "BEGIN { printf(\"=%d %A\\n\", ustackdepth, ucaller); ustack(); exit(0); }", "-c", "true"});
        QVERIFY2(run.status == 0 && saidBeyondCuts(run.err).isEmpty(), run.err.constData());
        const auto firings = firingsIn(run.out);
        QCOMPARE(firings.size(), 1);
        QCOMPARE(qint64(firings.first().depth), qint64(firings.first().frames.size()));
        QCOMPARE(firings.first().caller, firings.first().frames.value(1));
    }
    void codeThatReturnsBehindItsCallNeedsNoTable_data()
    {
        QTest::addColumn<QString>("kind");
        for (const auto* kind : {"add", "pop", "return"})
            QTest::newRow(kind) << kind;
    }
    void codeThatReturnsBehindItsCallNeedsNoTable()
    {
        QFETCH(QString, kind);
        constexpr int kDepth = 100, kTimes = 2000; // deep enough for walks that go by the last one
        const auto run = runDscope({"-x", "ustackframes=4096", "-x", "evaltime=main", "-x", "ustackwalk=checked", "-qn",
            "syscall::getppid:entry /pid == $target/ { @[ustack()] = count(); }", "-c", kPrograms + QString("generated %1 %2 %3").arg(kind).arg(kDepth).arg(kTimes)});
        QVERIFY2(run.status == 0 && saidBeyondCuts(run.err).isEmpty(), run.err.constData());
        qint64 whole = 0;
        QByteArrayList frames;
        for (const auto& line : run.out.split('\n')) {
            const auto word = line.trimmed();
            bool isCount = false;
            const auto count = word.toLongLong(&isCount);
            if (!isCount) {
                if (!word.isEmpty()) frames.push_back(word);
                continue;
            }
            const auto has = [&](const char* name) { return std::count_if(frames.begin(), frames.end(), [&](const auto& frame) { return frame.startsWith(name); }); };
            if (!frames.isEmpty() && frames.last() != kTruncated) {
                QCOMPARE(qint64(has("generated`step")), qint64{kDepth} + 1);
                QCOMPARE(qint64(has("0x")), qint64{kDepth});
                QCOMPARE(qint64(has("generated`main")), qint64{1});
                QVERIFY(frames.last().startsWith("generated`_start"));
                whole += count;
            }
            frames.clear();
        }
        QVERIFY2(whole * 10 >= qint64{kTimes} * 9, QByteArray::number(whole) + " were whole: " + run.out.right(600));
    }
    void aWorkerOfTheKernelWithinAProcessHasNoStack_data()
    {
        QTest::addColumn<QString>("walk");
        QTest::newRow("walked") << "kernel";
        QTest::newRow("copied") << "copy";
    }
    void aWorkerOfTheKernelWithinAProcessHasNoStack()
    {
        QFETCH(QString, walk);
        QProcess plain;
        plain.start(kPrograms + "workers", {"16777216", "1"});
        QVERIFY(plain.waitForFinished());
        if (plain.exitCode() == 77) QSKIP("io_uring is not to be had");
        const auto run = runDscope({"-x", "ustackwalk=" + walk, "-qn",
            "profile-997 /pid == $target && execname != \"workers\"/ { printf(\"=0 \\n\"); ustack(); @[ustack()] = count(); @all = count(); @depths = sum(ustackdepth); }"
            "END { printf(\"=0 \\n\"); printa(\"keys %k %@d\\n\", @); printa(\"all %@d\\n\", @all); printa(\"depths %@d\\n\", @depths); }",
            "-c", kPrograms + "workers 16777216 400"});
        QVERIFY2(run.status == 0 && run.err.isEmpty(), run.err.constData());
        const auto all = numberOf(run.out, "all");
        QVERIFY2(all > 20, run.out.constData());
        QCOMPARE(numberOf(run.out, "depths"), 0);
        auto firings = firingsIn(run.out);
        firings.pop_back();
        QCOMPARE(qint64(firings.size()), all);
        for (const auto& one : firings)
            QVERIFY2(one.frames.isEmpty(), one.frames.join(' '));
        QVERIFY2(!run.out.contains("0x0") && run.out.contains(" " + QByteArray::number(all) + '\n'), run.out.right(300));
    }
    void aThreadOfTheKernelHasNoStack()
    {
        const auto run = runDscope({"-qn", "sched:::on-cpu /execname == \"rcu_preempt\" || execname == \"rcu_sched\" || execname == \"kthreadd\"/"
                                           " { @[ustackdepth, ucaller] = count(); } profile-2 /i++ > 2/ { exit(0); }"});
        QVERIFY2(run.status == 0 && saidBeyondCuts(run.err).isEmpty(), run.err.constData());
        for (const auto& line : run.out.split('\n'))
            if (const auto words = line.simplified().split(' '); words.size() == 3) QVERIFY2(words[0] == "0" && words[1] == "0", line);
    }
};
QTEST_GUILESS_MAIN(TestMeasuredStacks)
#include "tst_measured_stacks.moc"
