// needs-programs: dscope
// User stacks that the kernel walks: whole however deep they are, and the same as those that are copied and unwound here, which
// libdw is the measure of (tst_stack_programs).
#include "tests/support/cut_stacks.h"
#include "tests/support/run_dscope.h"
#include <QMap>
#include <QObject>
#include <QRegularExpression>
#include <QStandardPaths>
#include <QTemporaryDir>
#include <QTest>
using namespace dscope::tests;
namespace {
const QString kPrograms = QStringLiteral(DSCOPE_PROGRAMS "/");
constexpr auto kTruncated = "[truncated]";

/// Keys of an aggregation as text, the innermost frame first, and their counts.
using Rows = QMap<QByteArrayList, qint64>;
Rows rowsIn(const QByteArray& text)
{
    Rows rows;
    QByteArrayList key;
    for (const auto& line : text.split('\n')) {
        const auto word = line.trimmed();
        bool isNumber = false;
        const auto count = word.toLongLong(&isNumber);
        if (word.isEmpty()) continue;
        if (isNumber) {
            rows[key] += count;
            key.clear();
        } else {
            key.push_back(word);
        }
    }
    return rows;
}
QByteArray shown(const QByteArrayList& key) { return "  " + key.join("\n  ") + '\n'; }
qint64 sum(const Rows& rows)
{
    qint64 all = 0;
    for (const auto count : rows)
        all += count;
    return all;
}
} // namespace

class TestWalkedStacks : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void initTestCase()
    {
        if (const auto why = whyNoTracing(); !why.isEmpty()) QSKIP(why.constData());
    }
    void theVerifierFollowsAWalkInFewWays()
    {
        // It was 69,756 instructions and 0.12 s at each start where the kernel followed both values of each sign (6.18).
        constexpr int kMost = 20'000;
        const auto run = runDscope({"-x", "bpflog", "-qn", "profile-97 { @[execname, ustack()] = count(); } BEGIN { exit(0); }"});
        QCOMPARE(run.status, 0);
        static const QRegularExpression remark(QStringLiteral("BPF: processed (\\d+) insns"));
        int programs = 0;
        for (auto each = remark.globalMatch(QString::fromUtf8(run.err)); each.hasNext(); ++programs) {
            const auto followed = each.next();
            QVERIFY2(followed.captured(1).toInt() < kMost, qPrintable(followed.captured()));
        }
        QVERIFY(programs > 3);
    }
    void aStackIsWholeHoweverDeep_data()
    {
        QTest::addColumn<QString>("kind");
        QTest::addColumn<int>("depth");
        QTest::addColumn<QByteArray>("step");
        QTest::newRow("2,000 calls") << "plain" << 2000 << QByteArray("deep`step+");
        QTest::newRow("4,000 calls") << "plain" << 4000 << QByteArray("deep`step+");
        QTest::newRow("frames of 64 KiB") << "wide" << 60 << QByteArray("deep`wide_step+");
        QTest::newRow("a signal's handler on a stack of its own") << "signal" << 300 << QByteArray("deep`step+");
    }
    void aStackIsWholeHoweverDeep()
    {
        QFETCH(QString, kind);
        QFETCH(int, depth);
        QFETCH(QByteArray, step);
        constexpr int kTimes = 2000;
        const auto run = runDscope({"-x", "ustackframes=4096", "-qn", "syscall::getppid:entry /pid == $target/ { @[ustack()] = count(); }", "-c",
            kPrograms + "deep " + kind + ' ' + QString::number(depth) + ' ' + QString::number(kTimes)});
        QVERIFY2(run.status == 0 && saidBeyondCuts(run.err).isEmpty(), run.err.constData());
        // The first ones were copied, of which no more than 16 KiB are there; they too tell what is missing.
        qint64 whole = 0, all = 0;
        const auto rows = rowsIn(run.out);
        for (auto row = rows.begin(); row != rows.end(); ++row) {
            all += row.value();
            if (row.key().last() == kTruncated) continue;
            QVERIFY2(row.key().last().startsWith("deep`_start"), shown(row.key().mid(row.key().size() - 10)).constData());
            const auto steps = std::count_if(row.key().begin(), row.key().end(), [&](const QByteArray& f) { return f.startsWith(step); });
            QCOMPARE(steps, depth + 1);
            const auto inHandler = std::any_of(row.key().begin(), row.key().end(), [](const QByteArray& f) { return f.contains("__restore_rt"); });
            QCOMPARE(inHandler, kind == "signal");
            whole += row.value();
        }
        QCOMPARE(all, qint64{kTimes});
        QVERIFY2(whole * 10 >= all * 9, QByteArray::number(whole) + " of " + QByteArray::number(all) + " are whole");
    }
    /// Nobody said beforehand which process it would be: what its stacks go through is learnt from the first of them.
    void aProcessThatIsNoTargetIsWalked()
    {
        constexpr int kTimes = 150'000, kDepth = 700;
        const QTemporaryDir folder; // a name of its own: other tests run this program, too
        const auto program = folder.filePath("untold");
        QVERIFY(QFile::copy(kPrograms + "deep", program));
        const auto command = program + QString(" plain %1 %2").arg(kDepth).arg(kTimes);
        const auto run = runDscope({"-w", "-x", "ustackframes=4096", "-x", "bufsize=512k", "-qn",
            "BEGIN { system(\"%s &\", $$1); } syscall::getppid:entry /execname == \"untold\"/ { @[ustack()] = count(); } "
            "proc:::exit /execname == \"untold\"/ { exit(0); }", command});
        QVERIFY2(run.status == 0 && saidBeyondCuts(run.err).isEmpty(), run.err.constData());
        const auto rows = rowsIn(run.out);
        QCOMPARE(sum(rows), qint64{kTimes});
        qint64 whole = 0;
        for (auto row = rows.begin(); row != rows.end(); ++row)
            whole += row.key().size() > kDepth && row.key().last().startsWith("untold`_start") ? row.value() : 0;
        // No copy reaches that far: all of these were walked. How soon they are depends on how soon the first are read.
        QVERIFY2(whole * 10 > kTimes, QByteArray::number(whole) + " are whole");
    }
    void theFirstStacksAreWhole_data()
    {
        QTest::addColumn<QString>("kind");
        QTest::addColumn<int>("depth");
        QTest::addColumn<QByteArray>("step");
        QTest::newRow("of 3,000 calls") << "plain" << 3000 << QByteArray("fresh`step+");
        QTest::newRow("with pages that nothing was written to") << "wide" << 2 << QByteArray("fresh`wide_step+");
    }
    /// Until the kernel has tables of a program that has just begun its stacks are copied. A record has room for no more than 16 KiB.
    void theFirstStacksAreWhole()
    {
        QFETCH(QString, kind);
        QFETCH(int, depth);
        QFETCH(QByteArray, step);
        constexpr int kTimes = 10;
        const QTemporaryDir folder;
        const auto program = folder.filePath("fresh");
        QVERIFY(QFile::copy(kPrograms + "deep", program));
        const auto run = runDscope({"-w", "-x", "ustackframes=4096", "-qn",
            "BEGIN { system(\"%s &\", $$1); } syscall::getppid:entry /execname == \"fresh\"/ { @[ustack()] = count(); } "
            "proc:::exit /execname == \"fresh\"/ { exit(0); }",
            program + QString(" %1 %2 %3").arg(kind).arg(depth).arg(kTimes)});
        QVERIFY2(run.status == 0, run.err.constData());
        QVERIFY2(run.err.isEmpty(), run.err.constData());
        const auto rows = rowsIn(run.out);
        QCOMPARE(sum(rows), qint64{kTimes});
        for (auto row = rows.begin(); row != rows.end(); ++row) {
            QVERIFY2(row.key().last().startsWith("fresh`_start"), shown(row.key().mid(row.key().size() - 10)).constData());
            QCOMPARE(std::count_if(row.key().begin(), row.key().end(), [&](const QByteArray& f) { return f.startsWith(step); }), depth + 1);
        }
    }
    /// Nothing of the parent was ever asked for, and each child is gone within a moment: the first that is met stands for all.
    void siblingsThatAreNoTargetsAreWalked()
    {
        constexpr int kChildren = 400, kTimes = 50;
        const QTemporaryDir folder;
        const auto program = folder.filePath("sibs");
        QVERIFY(QFile::copy(kPrograms + "siblings", program));
        const auto run = runDscope({"-w", "-qn",
            "BEGIN { system(\"%s &\", $$1); } syscall::getppid:entry /execname == \"sibs\"/ { @[ustack()] = count(); } "
            // Not by counting those that are gone: two CPUs that add to a variable at once add one.
            "proc:::exec-success /execname == \"sibs\"/ { first = pid; } proc:::exit /pid == first/ { exit(0); }",
            program + QString(" %1 %2").arg(kChildren).arg(kTimes)});
        QVERIFY2(run.status == 0 && saidBeyondCuts(run.err).isEmpty(), run.err.constData());
        const auto rows = rowsIn(run.out);
        QCOMPARE(sum(rows), qint64{kChildren} * kTimes);
        qint64 whole = 0;
        for (auto row = rows.begin(); row != rows.end(); ++row)
            whole += row.key().last().startsWith("sibs`_start") ? row.value() : 0;
        QVERIFY2(whole * 2 > sum(rows), QByteArray::number(whole) + " are whole");
    }
    void aDefaultDepthThatCutsIsTold_data()
    {
        QTest::addColumn<QByteArray>("call");
        QTest::addColumn<int>("frames");
        QTest::addColumn<bool>("told");
        QTest::newRow("default") << QByteArray("ustack()") << 100 << true;
        QTest::newRow("asked for") << QByteArray("ustack(20)") << 20 << false;
        QTest::newRow("enough") << QByteArray("ustack(250)") << 208 << false;
    }
    void aDefaultDepthThatCutsIsTold()
    {
        QFETCH(QByteArray, call);
        QFETCH(int, frames);
        QFETCH(bool, told);
        const auto run = runDscope(
            {"-qn", QString("syscall::getppid:entry /pid == $target/ { @[%1] = count(); }").arg(QString::fromLatin1(call)), "-c", kPrograms + "deep plain 200 500"});
        QVERIFY2(run.status == 0 && saidBeyondCuts(run.err).isEmpty(), run.err.constData());
        const auto rows = rowsIn(run.out);
        QCOMPARE(sum(rows), qint64{500});
        const QByteArray share("dtrace: 500 of 500 stacks (100.0 %) end early, in [truncated]: more frames than option ustackframes keeps\n");
        QCOMPARE(run.err, told ? share : QByteArray());
        for (auto row = rows.begin(); row != rows.end(); ++row) {
            QCOMPARE(row.key().last() == kTruncated, told);
            QCOMPARE(row.key().size(), frames + (told ? 1 : 0));
        }
    }
    /// With room for few tables all are given up now and then; no stack is another for it, and none is missing.
    void littleRoomForTablesCostsNoStack()
    {
        const QTemporaryDir folder;
        const auto script = folder.filePath("run.py");
        QFile file(script);
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write("import json, os, re, decimal, random\nfor i in range(3000): os.stat('/etc')\n");
        file.close();
        if (QStandardPaths::findExecutable("python3").isEmpty()) QSKIP("python3 is not installed");
        const auto stacks = [&](const QStringList& options) {
            return runDscope(QStringList{"-qn", "syscall::newfstatat:entry,syscall::openat:entry,syscall::read:entry /pid == $target/ { @[probefunc, ustack(512)] = count(); }",
                    "-c", "env PYTHONHASHSEED=0 setarch -R python3 " + script}
                + options);
        };
        const auto narrow = stacks({"-x", "ustacktables=64k"}), copied = stacks({"-x", "ustackwalk=copy"});
        QVERIFY2(narrow.status == 0 && saidBeyondCuts(narrow.err).isEmpty(), narrow.err.constData());
        const auto ours = rowsIn(narrow.out), theirs = rowsIn(copied.out);
        QCOMPARE(sum(ours), sum(theirs));
        // A copy may be cut where a walk is not: the first ones reach further than those of ustackwalk=copy.
        qint64 cut = 0, others = 0;
        for (auto row = theirs.begin(); row != theirs.end(); ++row)
            cut += row.key().last() == kTruncated ? row.value() : 0;
        for (auto row = ours.begin(); row != ours.end(); ++row)
            if (row.key().last() != kTruncated) others += std::max(qint64{0}, row.value() - theirs.value(row.key()));
        QVERIFY2(others <= cut, QByteArray::number(others) + " are others, " + QByteArray::number(cut) + " were cut");
    }
    void walksEqualCopies_data()
    {
        QTest::addColumn<QString>("command");
        QTest::newRow("ls") << "ls -lR /usr/include/linux";
        QTest::newRow("perl") << "perl -e 'for(1..300){ open(my $f,\"<\",\"/etc/passwd\"); my @l=<$f>; print STDERR \"\" if $#l<0 }'";
        QTest::newRow("python3") << "python3 -c 'import json,os;[os.stat(\"/etc\") for i in range(300)];json.dumps([1]*10)'";
        QTest::newRow("git") << "git --version";
        QTest::newRow("sed") << "sed -n p " DSCOPE_SOURCE "/HACKING.md";
        QTest::newRow("a handler on another stack") << kPrograms + "deep signal 40 50";
        QTest::newRow("frames of 64 KiB") << kPrograms + "deep wide 8 50";
    }
    /// A program is run twice, at the same addresses: what its system calls' stacks are must not depend on who walks them.
    void walksEqualCopies()
    {
        QFETCH(QString, command);
        if (QStandardPaths::findExecutable("setarch").isEmpty()) QSKIP("setarch, which switches off address randomization, is not installed");
        if (QStandardPaths::findExecutable(command.section(' ', 0, 0)).isEmpty()) QSKIP("the program is not installed");
        const QTemporaryDir folder;
        const auto script = folder.filePath("run.sh");
        QFile file(script);
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write("PYTHONHASHSEED=0 PERL_HASH_SEED=0 PERL_PERTURB_KEYS=0 exec setarch -R " + command.toLocal8Bit() + " > /dev/null\n");
        file.close();
        const auto stacks = [&](const QString& how) {
            const auto name = command.section(' ', 0, 0).section('/', -1);
            return runDscope({"-x", "ustackwalk=" + how, "-qn", "syscall:::entry /pid == $target && execname == \"" + name.left(15)
                    + "\"/ { @[probefunc, ustack(512)] = count(); }", "-c", "sh " + script});
        };
        const auto walked = stacks("kernel"), copied = stacks("copy");
        QVERIFY2(walked.status == 0 && saidBeyondCuts(walked.err).isEmpty(), walked.err.constData());
        QVERIFY2(copied.status == 0 && saidBeyondCuts(copied.err).isEmpty(), copied.err.constData());
        const auto ours = rowsIn(walked.out), theirs = rowsIn(copied.out);
        QVERIFY(sum(theirs) > 10);
        QCOMPARE(sum(ours), sum(theirs));
        // What one has and the other has not was cut in the other.
        const auto compare = [](const Rows& some, const Rows& others) {
            qint64 missing = 0;
            for (auto row = some.begin(); row != some.end(); ++row)
                if (row.key().last() != kTruncated) missing += std::max(qint64{0}, row.value() - others.value(row.key()));
            return missing;
        };
        const auto cut = [](const Rows& rows) {
            qint64 all = 0;
            for (auto row = rows.begin(); row != rows.end(); ++row)
                if (row.key().last() == kTruncated) all += row.value();
            return all;
        };
        const auto missing = compare(theirs, ours), invented = compare(ours, theirs);
        qInfo("%lld stacks, cut where walked %lld, where copied %lld", sum(ours), cut(ours), cut(theirs));
        QVERIFY2(missing <= cut(ours), QByteArray::number(missing) + " are missing, " + QByteArray::number(cut(ours)) + " are cut");
        QVERIFY2(invented <= cut(theirs), QByteArray::number(invented) + " are new, " + QByteArray::number(cut(theirs)) + " are cut in the copy");
        QVERIFY2(cut(theirs) < sum(theirs), "all that was copied is cut");
    }
};
QTEST_GUILESS_MAIN(TestWalkedStacks)
#include "tst_walked_stacks.moc"
