// needs-programs: dscope
// --budget and --budget-report: two runs whose numbers are known, and what CI reads of them.
#include "tests/support/run_dscope.h"
#include <QFile>
#include <QObject>
#include <QRegularExpression>
#include <QStandardPaths>
#include <QTemporaryDir>
#include <QTest>
#include <QXmlStreamReader>
using namespace dscope::tests;
namespace {
const QString kRecordings = QStringLiteral(DSCOPE_SOURCE "/examples/recordings/");
constexpr int kOver = 4;
QByteArray contents(const QString& path)
{
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}
} // namespace

class TestBudgets : public QObject {
    Q_OBJECT
private Q_SLOTS:
    /// Two recordings made by the real program: 100 values of @lat in each, of which the slowest one is in [1024, 2047] before and in
    /// [4096, 8191] after.
    void initTestCase()
    {
        if (const auto why = whyNoTracing(); !why.isEmpty()) QSKIP(why.constData());
        record("before.dscope", 1'500, 10, 40);
        record("after.dscope", 5'000, 11, 44);
    }
    void theStatusSaysWhetherItIsKept_data()
    {
        QTest::addColumn<bool>("isKept");
        QTest::addColumn<QString>("says");
        const auto row = [](const char* budget, bool isKept, const char* says) { QTest::newRow(budget) << isKept << says; };
        row("p50(@lat) < +5 %", true, "it is about 96 (64 \u2013 127) and was about 96 (64 \u2013 127): \u00b10 %");
        row("p99(@lat) < +5 %", true, "it is about 127 (64 \u2013 127)"); // the 99th of 100 is still a fast one
        row("p100(@lat) < +5 %", false, "it is about 8,191 (4,096 \u2013 8,191) and was about 2,047 (1,024 \u2013 2,047): +300 %, where less than +5 % is allowed");
        row("p99(@lat[\"slow\"]) < +5 %", false, "where less than +5 % is allowed");
        row("p100(@lat) < 10k", true, "it is about 8,191");
        row("p100(@lat) <= 4k", false, ", where at most 4,000 is allowed");
        row("count(@lat) <= +0", true, "it is 100 and was 100: +0");
        row("count(@n) < +5 %", true, "it is 1 and was 1: \u00b10 %");
        row("sum(@s) <= +10 %", true, "it is 11 and was 10: +10 %");
        row("sum(@s) < +10 %", false, "+10 %, where less than +10 % is allowed");
        row("total(@s) < +2", true, "it is 11 and was 10: +1");
        row("total(@s) > -5 %", true, "it is 11 and was 10");
        row("avg(@a) <= 26", true, "it is 24"); // of 4 and 44
        row("avg(@a) < +1 %", false, "it is 24 and was 22: +9.1 %, where less than +1 % is allowed");
        row("min(@least) >= 4", true, "it is 4");
        row("max(@most) < 44", false, "it is 44, where less than 44 is allowed");
        row("share(@k[\"one\"]) < 80 %", true, "it is 75.0 %");
        row("share(@k[\"one\"]) <= -1 points", false, "it is 75.0 % and was 75.0 %: +0.0 points, where at most \u22121.0 points is allowed");
        row("p99(@lat[\"none\"]) < 5", false, "budget not measured: p99(@lat[\"none\"]) < 5: nothing of it was counted in this run");
    }
    void theStatusSaysWhetherItIsKept()
    {
        QFETCH(bool, isKept);
        QFETCH(QString, says);
        const auto run = compared({"--budget", QTest::currentDataTag()});
        const auto err = QString::fromUtf8(run.err);
        QVERIFY2(err.contains(says), run.err);
        QCOMPARE(run.status, isKept ? 0 : kOver);
        QVERIFY2(!isKept || err.startsWith("dtrace: budget kept: "), run.err);
        QCOMPARE(run.out, QByteArray()); // its judgement is what is made
    }
    void ofSeveralOneIsEnough()
    {
        const auto run = compared({"--budget", "count(@lat) <= 100", "--budget", "p100(@lat) < 1k", "--budget", "sum(@s) < 12"});
        QCOMPARE(run.status, kOver);
        QCOMPARE(run.err.count("budget kept"), 2);
        QCOMPARE(run.err.count("budget exceeded"), 1);
    }
    void exitOfTheProgramIsNotTheStatus()
    {
        const auto run = runDscope({"-qn", "BEGIN { @s = sum(7); exit(9) }", "--budget", "sum(@s) < 8"});
        QCOMPARE(run.status, 0);
        const auto over = runDscope({"-qn", "BEGIN { @s = sum(7); exit(0) }", "--budget", "sum(@s) < 7"});
        QCOMPARE(over.status, kOver);
        QVERIFY2(over.err.contains("budget exceeded: sum(@s) < 7: it is 7, where less than 7 is allowed"), over.err);
    }
    /// The samples of hot-stacks.dscope with a frame are counted here by the folded text.
    void framesHaveTheShareThatTheFoldedTextHas()
    {
        const auto folded = runDscope({"--replay", kRecordings + "hot-stacks.dscope", "--export", "flame=" + file("hot.folded")});
        QCOMPARE(folded.status, 0);
        double all = 0, with = 0;
        static const QRegularExpression frame(QStringLiteral("(^|;)([^;`]*`)?mix(;| \\d+$)"));
        for (const auto& line : QString::fromUtf8(contents(file("hot.folded"))).split('\n', Qt::SkipEmptyParts)) {
            const double value = line.section(' ', -1).toDouble();
            all += value;
            if (frame.match(line).hasMatch()) with += value;
        }
        QVERIFY(with > 0 && with < all);
        const double share = 100 * with / all;
        const auto judged = [&](double bound) {
            const auto text = QStringLiteral("share('mix') < %1 %").arg(bound, 0, 'f', 3);
            return runDscope({"--replay", kRecordings + "hot-stacks.dscope", "--budget", text}).status;
        };
        QCOMPARE(judged(share + 0.01), 0);
        QCOMPARE(judged(share - 0.01), kOver);
        const auto total = QStringLiteral("total(/`mix$/) <= %1").arg(with);
        const auto run = runDscope({"--replay", kRecordings + "hot-stacks.dscope", "--budget", total});
        QVERIFY2(run.status == 0, run.err);
    }
    void stacksAreComparedAsTheyWereRecorded()
    {
        const auto run = runDscope({"--replay", kRecordings + "hot-stacks.dscope", "--diff", kRecordings + "hot-stacks-before.dscope", "--budget",
            "share('mix') < +1 points", "--budget", "total('mix') < +5 %"});
        QCOMPARE(run.status, kOver);
        QVERIFY2(run.err.count("dtrace: budget ") == 2, run.err);
    }
    void aStretchIsJudgedAlone()
    {
        const auto all = runDscope({"--replay", kRecordings + "call-times.dscope", "--budget", "total(@) < 1"});
        const auto part = runDscope({"--replay", kRecordings + "call-times.dscope", "--from", "200ms", "--to", "500ms", "--budget", "total(@) < 1"});
        static const QRegularExpression number(QStringLiteral("it is ([0-9,]+)"));
        const auto count = [](const QByteArray& err) { return number.match(QString::fromUtf8(err)).captured(1).remove(',').toInt(); };
        QVERIFY2(count(all.err) > count(part.err) && count(part.err) > 0, all.err + part.err);
    }
    void whatIsWrongIsSaidBeforeAnythingRuns_data()
    {
        QTest::addColumn<QStringList>("words");
        QTest::addColumn<QString>("says");
        const auto row = [](const char* name, const QStringList& words, const char* says) { QTest::newRow(name) << words << says; };
        row("words", {"--budget", "p99(lat) < 1"}, "--budget: \"p99(lat) < 1\", character 5: expected an aggregation as @lat, not \"lat\"");
        row("no such aggregation", {"--budget", "p99(@late) < 1"}, "the program has no aggregation @late; it has @lat = quantize(arg) by");
        row("not kept", {"--budget", "avg(@lat) < 1"}, "@lat is quantize(arg) by \"slow\", which has percentiles, count, total and share, but not avg");
        row("keys", {"--budget", "p9(@lat[1,2]) < 1"}, "@lat has 1 key (quantize(arg) by \"slow\"), and 2 are given; * stands for any");
        row("unit", {"--budget", "p9(@lat) < 1 ms"}, "is a number without a unit; where the program does not say what its values are, --unit does");
        row("no stacks", {"--budget", "share('main') < 1 %"}, "the program counts nothing by stacks, so it has no frames");
        row("no run before", {"--budget", "p9(@lat) < +1 %"}, "is about a change, and there is no run before: give --diff FILE");
        row("report of none", {"--budget-report", "x.xml"}, "--budget-report is what came of budgets, and there is none: give --budget, too");
        row("report nowhere", {"--budget", "p9(@lat) < 1", "--budget-report", "/none/x.xml"}, "cannot write /none/x.xml");
    }
    void whatIsWrongIsSaidBeforeAnythingRuns()
    {
        QFETCH(QStringList, words);
        QFETCH(QString, says);
        const auto run = runDscope(QStringList{"-qwn", "BEGIN { arg = 5; @lat[\"slow\"] = quantize(arg); system(\"echo ran\"); exit(0) }"} + words);
        QVERIFY(run.status == 1 || run.status == 2);
        QVERIFY2(QString::fromUtf8(run.err).contains(says), run.err);
        QVERIFY(!run.out.contains("ran"));
    }
    void theReportIsJUnit()
    {
        const auto run = compared({"--budget", "count(@lat) <= 100", "--budget", "p100(@lat) < +5 %", "--budget", "p100(@lat) < +6 %",
            "--budget", "p99(@lat[\"<none>\"]) < 5", "--budget-report", file("junit.xml")});
        QCOMPARE(run.status, kOver);
        const auto xml = contents(file("junit.xml"));
        QXmlStreamReader reader(xml);
        QStringList elements, names;
        while (!reader.atEnd())
            if (reader.readNext() == QXmlStreamReader::StartElement) {
                elements << reader.name().toString();
                if (reader.name() == QLatin1String("testcase")) names << reader.attributes().value("name").toString();
                if (reader.name() == QLatin1String("testsuite")) {
                    QCOMPARE(reader.attributes().value("tests"), QLatin1String("4"));
                    QCOMPARE(reader.attributes().value("failures"), QLatin1String("2"));
                    QCOMPARE(reader.attributes().value("errors"), QLatin1String("1"));
                    static const QRegularExpression time(QStringLiteral("^20\\d\\d-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d$"));
                    QVERIFY(time.match(reader.attributes().value("timestamp").toString()).hasMatch());
                }
            }
        QVERIFY2(!reader.hasError(), qPrintable(reader.errorString()));
        QCOMPARE(names, (QStringList{"count(@lat) <= 100", "p100(@lat) < +5 %", "p100(@lat) < +6 %", "p99(@lat[\"<none>\"]) < 5"}));
        // The order that JUnit's schema wants.
        QCOMPARE(elements, (QStringList{"testsuites", "testsuite", "properties", "property", "property", "property", "testcase", "testcase",
                               "failure", "testcase", "failure", "testcase", "error", "system-out", "system-err"}));
        if (QStandardPaths::findExecutable("xmllint").isEmpty()) QSKIP("xmllint is not here to read it");
        QProcess xmllint;
        xmllint.start("xmllint", {"--noout", file("junit.xml")});
        QVERIFY(xmllint.waitForFinished());
        QCOMPARE(xmllint.exitCode(), 0);
    }

private:
    void record(const QString& name, int slowest, int sum, int most)
    {
        const auto program = QStringLiteral("BEGIN { @least = min(4); @most = max(%3); @a = avg(4); @a = avg(%3); @s = sum(%2); @n = count();"
                                            " @k[\"one\"] = sum(3 * %2); @k[\"two\"] = sum(%2); @lat[\"slow\"] = quantize(%1); }"
                                            " tick-1ms /i < 99/ { @lat[\"fast\"] = quantize(100); i++ } tick-1ms /i == 99/ { exit(3) }")
                                 .arg(slowest).arg(sum).arg(most);
        const auto run = runDscope({"-qn", program, "--record", file(name)});
        QVERIFY2(run.status == 3, run.err);
    }
    Outcome compared(const QStringList& words)
    {
        const bool compares = !words.contains("--diff");
        return runDscope(QStringList{"--replay", file("after.dscope")} + (compares ? QStringList{"--diff", file("before.dscope")} : QStringList()) + words);
    }
    QString file(const QString& name) const { return m_dir.filePath(name); }
    QTemporaryDir m_dir;
};
QTEST_GUILESS_MAIN(TestBudgets)
#include "tst_budgets.moc"
