// needs-programs: dscope
// docs/formats.md, held against what dscope writes: tests/support/read_recording.py reads recordings by that text alone.
#include "tests/support/csv.h"
#include "tests/support/run_dscope.h"
#include <QDir>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QObject>
#include <QStandardPaths>
#include <QTest>
using namespace dscope::tests;
namespace {
QString recording(const char* name) { return QStringLiteral(DSCOPE_SOURCE "/examples/recordings/") + QString::fromLatin1(name); }

/// What the reader made of a file; empty, with the reason in `why`, when it is not as documented.
QJsonObject readByTheDocument(const QString& file, QByteArray* why)
{
    const auto run = runDscope({QStringLiteral(DSCOPE_SOURCE "/tests/support/read_recording.py"), file}, {}, QStringLiteral("python3"));
    *why = run.err;
    if (run.status != 0) return {};
    return QJsonDocument::fromJson(run.out).object();
}

/// A figure of a recording, as dscope exports it.
QByteArray exported(const QString& file, const QString& view, const QString& suffix)
{
    const QTemporaryDir dir;
    const auto path = dir.filePath(QStringLiteral("x.") + suffix);
    runDscope({QStringLiteral("--replay"), file, QStringLiteral("--export"), view + QLatin1Char('=') + path});
    QFile out(path);
    if (!out.open(QIODevice::ReadOnly)) return {};
    return out.readAll();
}
} // namespace

class TestDocumentedFormats : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void initTestCase()
    {
        if (QStandardPaths::findExecutable(QStringLiteral("python3")).isEmpty()) QSKIP("needs python3");
    }

    void everyRecordingIsAsDocumented_data()
    {
        QTest::addColumn<QString>("file");
        const QDir folder(QStringLiteral(DSCOPE_SOURCE "/examples/recordings"));
        for (const auto& name : folder.entryList({QStringLiteral("*.dscope")}))
            QTest::newRow(qPrintable(name)) << folder.filePath(name);
    }
    void everyRecordingIsAsDocumented()
    {
        QFETCH(QString, file);
        QByteArray why;
        const auto read = readByTheDocument(file, &why);
        QVERIFY2(!read.isEmpty(), why.constData());
        QCOMPARE(read[QStringLiteral("counts")][QStringLiteral("Exit")].toInt(), 1);
    }
    void whatThisBuildRecordsIsAsDocumented()
    {
        const QTemporaryDir dir;
        const auto copy = dir.filePath(QStringLiteral("copy.dscope"));
        QCOMPARE(runDscope({QStringLiteral("--replay"), recording("process-tree.dscope"), QStringLiteral("--record"), copy}).status, 0);
        QByteArray why;
        auto before = readByTheDocument(recording("process-tree.dscope"), &why);
        auto after = readByTheDocument(copy, &why);
        QVERIFY2(!after.isEmpty(), why.constData());
        for (auto* one : {&before, &after})
            for (const auto* later : {"options", "facts", "clauseFacts"}) // than that recording
                one->remove(QLatin1String(later));
        QCOMPARE(after, before);
    }
    /// Nothing of what older versions kept as options and text is left where today's have facts.
    void factsAreRecordedAsDocumented()
    {
        const QTemporaryDir dir;
        const auto copy = dir.filePath(QStringLiteral("copy.dscope"));
        const QString old = QStringLiteral(DSCOPE_SOURCE "/tests/data/written_by_21ebb1a/linux.dscope");
        QCOMPARE(runDscope({QStringLiteral("--replay"), old, QStringLiteral("--record"), copy}).status, 0);
        QByteArray why;
        const auto read = readByTheDocument(copy, &why);
        QVERIFY2(!read.isEmpty(), why.constData());
        QCOMPARE(read[QStringLiteral("options")].toObject(), QJsonObject());
        const auto facts = read[QStringLiteral("facts")].toObject();
        QCOMPARE(facts[QStringLiteral("zone")].toString(), QStringLiteral("<+0530>-5:30"));
        QCOMPARE(facts[QStringLiteral("dialect")].toInt(), 1);
        const auto parts = facts[QStringLiteral("layouts")].toArray().first().toArray();
        QStringList members;
        for (const auto& part : parts)
            if (part[QStringLiteral("depth")].toInt() == 1) members << part[QStringLiteral("name")].toString();
        QCOMPARE(members, QStringList({"number", "name", "inner", "colour", "list", "low", "high", "where"}));
    }
    void whatClausesFillIsRecordedAsDocumented()
    {
        if (const auto why = whyNoTracing(); !why.isEmpty()) QSKIP(why.constData());
        const QTemporaryDir dir;
        const auto file = dir.filePath(QStringLiteral("clauses.dscope"));
        const auto run = runDscope({"-q", "-n",
            "BEGIN { @a = count(); @b = quantize(1); } syscall::getppid:entry /pid == $target/ { @b = quantize(2); } tick-1s /execname == "
            "\"x\"/ { exit(1); } syscall::getpgid:entry { @a = count(); } END { exit(0); }",
            "-c", "true", "--record", file});
        QVERIFY2(run.status == 0, run.err.constData());
        QByteArray why;
        const auto read = readByTheDocument(file, &why);
        QVERIFY2(!read.isEmpty(), why.constData());
        QJsonArray fills, processes;
        for (const auto& clause : read[QStringLiteral("clauseFacts")].toArray()) {
            fills << clause[QStringLiteral("fills")];
            processes << clause[QStringLiteral("processes")];
        }
        QCOMPARE(fills, (QJsonArray{QJsonArray{0, 1}, QJsonArray{1}, QJsonArray{}, QJsonArray{0}, QJsonArray{}}));
        QCOMPARE(processes, (QJsonArray{0, 3, 0, 1, 0})); // NotTold, Target, NotTold, All, NotTold
    }
    void importedStacksAreRecordedAsDocumented()
    {
        const QTemporaryDir dir;
        const auto file = dir.filePath(QStringLiteral("stacks.dscope"));
        const QByteArray perf
            = "app 1/1 [000] 1.5: 4000000 cpu-clock:\n\t401000 main+0x1 (/bin/app)\n\n"
              "app 1/1 [000] 1.6: 4000000 cpu-clock:\n\tffff8103 do_x+0x1 ([kernel.kallsyms])\n\t401000 main+0x1 (/bin/app)\n\n";
        const auto run = runDscope({QStringLiteral("--import"), QStringLiteral("perf:-"), QStringLiteral("--record"), file}, perf);
        QVERIFY2(run.status == 0, run.err.constData());
        QByteArray why;
        const auto read = readByTheDocument(file, &why);
        QVERIFY2(!read.isEmpty(), why.constData());
        QVERIFY(read[QStringLiteral("isImported")].toBool());
        const auto folded = read[QStringLiteral("folded")].toObject();
        QCOMPARE(folded[QStringLiteral("unit")].toInt(), 1); // time
        const QJsonArray lines{QJsonArray{"app;app`main", 4000000}, QJsonArray{"app;app`main;do_x_[k]", 4000000}};
        QCOMPARE(folded[QStringLiteral("lines")].toArray(), lines);
    }
    void aDamagedByteIsFoundByTheChecksumsThatAreDocumented()
    {
        QFile good(recording("write-sizes.dscope"));
        QVERIFY(good.open(QIODevice::ReadOnly));
        auto bytes = good.readAll();
        bytes[bytes.size() / 2] = static_cast<char>(bytes[bytes.size() / 2] ^ 1);
        const QTemporaryDir dir;
        QFile bad(dir.filePath(QStringLiteral("bad.dscope")));
        QVERIFY(bad.open(QIODevice::WriteOnly));
        bad.write(bytes);
        bad.close();

        QByteArray why;
        QVERIFY(readByTheDocument(bad.fileName(), &why).isEmpty());
        QVERIFY(runDscope({QStringLiteral("--replay"), bad.fileName()}).status != 0);
    }

    void rowsAreThoseOfTheTable()
    {
        QByteArray why;
        const auto read = readByTheDocument(recording("who-opens-what.dscope"), &why);
        const auto rows = read[QStringLiteral("rows")][QStringLiteral("opens")].toArray();
        QVERIFY2(!rows.isEmpty(), why.constData());
        QSet<QByteArrayList> expected;
        for (const auto& row : rows) {
            QByteArrayList cells;
            for (const auto& cell : row.toArray())
                cells << cell.toVariant().toByteArray();
            expected << cells;
        }

        const auto csv = readCsv(exported(recording("who-opens-what.dscope"), QStringLiteral("table"), QStringLiteral("csv")));
        QSet<QByteArrayList> found;
        for (qsizetype i = 1; i < csv.size(); ++i)
            found << QByteArrayList(csv[i]);
        QCOMPARE(found, expected);
    }
    void theRunInsideAFigureIsTheRecording()
    {
        // The one that we have is of format 1.2, and what is inside a figure is of today's.
        const QTemporaryDir dir;
        const auto recorded = dir.filePath(QStringLiteral("now.dscope"));
        QCOMPARE(runDscope({"--replay", recording("hot-stacks.dscope"), "--record", recorded}).status, 0);
        const auto svg = exported(recorded, QStringLiteral("flame"), QStringLiteral("svg"));
        const auto begin = svg.indexOf('>', svg.indexOf("<dscope:data")) + 1, end = svg.indexOf("</dscope:data>");
        QVERIFY(begin > 0 && end > begin);
        QFile inside(dir.filePath(QStringLiteral("inside.dscope")));
        QVERIFY(inside.open(QIODevice::WriteOnly));
        inside.write(QByteArray::fromBase64(svg.mid(begin, end - begin)));
        inside.close();

        QByteArray why;
        const auto before = readByTheDocument(recorded, &why);
        const auto after = readByTheDocument(inside.fileName(), &why);
        QVERIFY2(!after.isEmpty(), why.constData());
        QCOMPARE(after, before);
    }
};
QTEST_GUILESS_MAIN(TestDocumentedFormats)
#include "tst_documented_formats.moc"
