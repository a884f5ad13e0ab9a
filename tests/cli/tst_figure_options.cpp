// needs-programs: dscope
// The options that say what figures show and how they look, on recordings of real programs.
#include "tests/support/run_dscope.h"
#include <QDir>
#include <QFile>
#include <QObject>
#include <QRegularExpression>
#include <QTemporaryDir>
#include <QTest>
#include <QtEndian>
using namespace dscope::tests;
namespace {
const QString kRecordings = QStringLiteral(DSCOPE_SOURCE "/examples/recordings/");
QByteArray contents(const QString& path)
{
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}
/// Red, green, blue and alpha of the pixel at the top left, which no filter changes. Source: PNG specification, 9.2 and 11.2.
QByteArray firstPixel(const QByteArray& png)
{
    QByteArray packed;
    for (qsizetype at = 8; at + 12 <= png.size();) {
        const auto size = qFromBigEndian<quint32>(png.constData() + at);
        if (png.mid(at + 4, 4) == "IDAT") packed += png.mid(at + 8, size);
        at += 12 + qsizetype(size);
    }
    const auto room = qToBigEndian<quint32>(64U << 20U); // qUncompress() wants to be told how much it may be
    return qUncompress(QByteArray(reinterpret_cast<const char*>(&room), 4) + packed).mid(1, 4);
}
/// What stands between <text> and </text>, without titles.
QStringList textsOf(const QByteArray& svg)
{
    static const QRegularExpression text(QStringLiteral("<text[^>]*>(?:<title>[^<]*</title>)?([^<]*)</text>"));
    QStringList out;
    for (auto all = text.globalMatch(QString::fromUtf8(svg)); all.hasNext();)
        out << all.next().captured(1);
    return out;
}
} // namespace

class TestFigureOptions : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void badValuesSayWhatIsWrong_data()
    {
        QTest::addColumn<QStringList>("words");
        QTest::addColumn<QString>("says");
        const auto row = [](const char* name, const QStringList& words, const char* says) { QTest::newRow(name) << words << says; };
        row("top", {"--top", "0"}, "--top is how many rows, lines or panels are drawn, 1 or more, not \"0\"");
        row("top of words", {"--top", "5x"}, "not \"5x\"");
        row("sort", {"--sort", "size"}, "--sort is value or name, not \"size\"");
        row("unit", {"--unit", "parsec"}, "--unit is ns, us, ms, s, bytes, KiB, MiB, GiB, percent or none, not \"parsec\"");
        row("text size", {"--text-size", "huge"}, "--text-size is the smallest text in pixels or points");
        row("text size of a mote", {"--text-size", "2px"}, "not \"2px\"");
        row("highlight", {"--highlight", "a("}, "--highlight: \"a(\" is not a regular expression: ");
        row("keep", {"--keep", "["}, "--keep: \"[\" is not a regular expression: ");
        row("drop of nothing", {"--drop", ""}, "--drop takes a regular expression, and an empty one matches everything");
        row("mine", {"--mine=("}, "--mine: \"(\" is not");
        row("fold", {"--fold", "*"}, "--fold: \"*\" is not");
        row("mark without text", {"--mark", "mix"}, "--mark is NAME=TEXT, what is called NAME and what is said of it, not \"mix\"");
        row("mark of nobody", {"--mark", "=text"}, "not \"=text\"");
        row("from", {"--from", "soon"}, "--from: \"soon\" is no moment of a run: give seconds or a unit");
        row("to", {"--to", "1fortnight"}, "--to: \"1fortnight\" is no moment");
        row("footer", {"--footer", "small"}, "--footer is full, short or none, not \"small\"");
        row("theme", {"--theme", "blue"}, "--theme is light, dark or print, not \"blue\"");
    }
    void badValuesSayWhatIsWrong()
    {
        QFETCH(QStringList, words);
        QFETCH(QString, says);
        const auto run
            = runDscope(QStringList{"--replay", kRecordings + "hot-stacks.dscope", "--export", "flame=" + file("no.svg")} + words);
        QCOMPARE(run.status, 1);
        QVERIFY2(QString::fromUtf8(run.err).contains(says), run.err);
        QVERIFY(!QFile::exists(file("no.svg")));
    }
    void anOptionThatAViewHasNoUseForIsRefused_data()
    {
        QTest::addColumn<QString>("view");
        QTest::addColumn<QStringList>("words");
        QTest::addColumn<QString>("says");
        const auto row = [](const char* view, const QStringList& words, const char* says) { QTest::addRow("%s %s", view, qPrintable(words[0])) << view << words << says; };
        // tst_documents holds the lists of views.
        row("flame", {"--top", "3"}, "--top is for [a-z, -]*bars[a-z, -]*, not for flame");
        row("flame", {"--log"}, "--log is for [a-z, -]*bars[a-z, -]*, not for flame");
        row("flame", {"--sort", "name"}, "--sort is for [a-z, -]*bars[a-z, -]*, not for flame");
        row("table", {"--keep", "mix"}, "--keep, --drop, --mine and --fold are for [a-z, -]*flame[a-z, -]*, not for table");
    }
    void anOptionThatAViewHasNoUseForIsRefused()
    {
        QFETCH(QString, view);
        QFETCH(QStringList, words);
        QFETCH(QString, says);
        const auto run
            = runDscope(QStringList{"--replay", kRecordings + "hot-stacks.dscope", "--export", view + "=" + file("no.svg")} + words);
        QCOMPARE(run.status, 1);
        QVERIFY2(QString::fromUtf8(run.err).contains(QRegularExpression(says)), run.err);
    }
    void topDrawsSoManyAndCountsTheOthers()
    {
        putCounts({{"a", 50}, {"b", 40}, {"c", 30}, {"d", 20}, {"e", 10}});
        const auto svg = drawn({"--import", "dtrace:" + file("counts")}, "bars", {"--top", "2"});
        QCOMPARE(svg.count("data-value="), 2);
        QVERIFY(textsOf(svg).filter(QStringLiteral("\u2026 3 more")).size() == 1);
    }
    void sortByNamePutsNumbersInTheirOrder()
    {
        putCounts({{"10", 50}, {"9", 40}, {"100", 30}});
        const auto svg = drawn({"--import", "dtrace:" + file("counts")}, "bars", {"--sort", "name"});
        QStringList labels;
        for (const auto& text : textsOf(svg))
            if (text == "9" || text == "10" || text == "100") labels << text;
        QCOMPARE(labels, (QStringList{"9", "10", "100"}));
    }
    void aLogarithmicScaleSaysSo()
    {
        putCounts({{"a", 100'000}, {"b", 10}});
        const QStringList source{"--import", "dtrace:" + file("counts")};
        static const QRegularExpression bar(QStringLiteral("width=\"([0-9.]+)\"[^>]*data-value=\"10\""));
        const auto width = [&](const QByteArray& svg) { return bar.match(QString::fromUtf8(svg)).captured(1).toDouble(); };
        const auto linear = drawn(source, "bars", {}), logarithmic = drawn(source, "bars", {"--log"});
        QVERIFY(width(linear) < 2);
        QVERIFY2(textsOf(logarithmic).contains(QStringLiteral("logarithmic scale")), logarithmic.left(3000));
        QVERIFY(textsOf(logarithmic).contains(QStringLiteral("10k")));
    }
    void aUnitIsWhatTheValuesAre()
    {
        // quantize(timestamp - self->ts) says itself that it is time; this says that it is sizes.
        const QStringList source{"--replay", kRecordings + "call-times.dscope"};
        QVERIFY(textsOf(drawn(source, "histogram", {})).filter(QStringLiteral("\u00b5s")).size() > 3);
        const auto texts = textsOf(drawn(source, "histogram", {"--unit", "bytes"}));
        QCOMPARE(texts.filter(QStringLiteral("\u00b5s")).size(), 0);
        QVERIFY(texts.filter(QStringLiteral("KiB")).size() > 3);
    }
    void textIsAsLargeAsAsked()
    {
        static const QRegularExpression size(QStringLiteral("font-size=\"([0-9.]+)\""));
        const auto svg = drawn({"--replay", kRecordings + "hot-stacks.dscope"}, "flame", {"--size", "16:9", "--text-size", "21pt"});
        double least = 1000;
        for (auto all = size.globalMatch(QString::fromUtf8(svg)); all.hasNext();)
            least = std::min(least, all.next().captured(1).toDouble());
        QCOMPARE(least, 28.0); // 21 pt at 96 to the inch
    }
    void nothingIsPaintedBehindATransparentFigure()
    {
        const QStringList source{"--replay", kRecordings + "write-sizes.dscope"};
        drawnTo("png", source, "histogram", {"--transparent"});
        QCOMPARE(firstPixel(contents(file("f.png"))), QByteArray(4, '\0'));
        drawnTo("png", source, "histogram", {});
        QCOMPARE(firstPixel(contents(file("f.png"))).left(3), QByteArray(3, '\xff')); // without transparency there is no alpha
    }
    void aHighlightIsOutlinedAndItsShareSaid()
    {
        const QStringList source{"--replay", kRecordings + "hot-stacks.dscope"};
        const auto svg = drawn(source, "flame", {"--highlight", "vfprintf"});
        const auto said = textsOf(svg).filter(QStringLiteral("outlined: vfprintf, "));
        QCOMPARE(said.size(), 1);
        QVERIFY(svg.count("#B45309") > 0);
        const auto run = runDscope(source + QStringList{"--export", "flame=" + file("no.svg"), "--highlight", "no_such_function"});
        QCOMPARE(run.status, 1);
        QVERIFY2(run.err.contains("--highlight: nothing that flame draws is called \"no_such_function\"; what it draws is called "), run.err);
    }
    void aMarkStandsOnThePage()
    {
        const QStringList source{"--replay", kRecordings + "hot-stacks.dscope"};
        const auto svg = drawn(source, "flame", {"--mark", "main=here it begins", "--size", "slide"});
        QVERIFY(textsOf(svg).join(' ').contains(QStringLiteral("it begins")));
        const auto run = runDscope(source + QStringList{"--export", "flame=" + file("no.svg"), "--mark", "nobody=hm"});
        QCOMPARE(run.status, 1);
        QVERIFY2(run.err.contains("--mark: nothing that flame draws is called \"nobody\""), run.err);
    }
    /// Notes of a file come back each time, in each view that has what they are about.
    void notesOfAFileSurviveEachDrawing()
    {
        put("kept.notes", "# of the profile\r\nmark main=here it begins\nmark nobody=is left out\nhighlight ^hot`\ntitle Kept\n");
        const QStringList source{"--replay", kRecordings + "hot-stacks.dscope", "--notes", file("kept.notes")};
        for (const auto* view : {"flame", "icicle"}) {
            const auto run = runDscope(source + QStringList{"--size", "slide", "--export", QString(view) + '=' + file("n.svg")});
            QVERIFY2(run.status == 0, run.err.constData());
            QVERIFY2(run.err.contains("called \"nobody\", so that its note is left out"), run.err.constData());
            const auto texts = textsOf(contents(file("n.svg"))).join(' ');
            QVERIFY(texts.contains("it begins") && texts.contains("Kept") && texts.contains("outlined: ^hot`"));
        }
        // The command line goes first.
        QVERIFY(textsOf(drawn(source, "flame", {"--title", "Mine"})).join(' ').contains("Mine"));
    }
    void notesThatAreNoneSayWhere_data()
    {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<QByteArray>("says");
        QTest::newRow("another word") << QByteArray("# fine\nmarc x=y\n") << QByteArray(".notes:2: a line is mark NAME=TEXT");
        QTest::newRow("no note") << QByteArray("mark x\n") << QByteArray(".notes:1: a note is mark NAME=TEXT");
        QTest::newRow("no expression") << QByteArray("\n\nhighlight (\n") << QByteArray(".notes:3: ");
    }
    void notesThatAreNoneSayWhere()
    {
        QFETCH(QByteArray, text);
        QFETCH(QByteArray, says);
        put("bad.notes", text);
        const auto run = runDscope({"--replay", kRecordings + "hot-stacks.dscope", "--notes", file("bad.notes"), "--export", file("x.svg")});
        QVERIFY(run.status != 0 && !QFile::exists(file("x.svg")));
        QVERIFY2(run.err.contains(says), run.err.constData());
    }
    // awk counts what a rule leaves of the folded stacks.
    void rulesLeaveWhatAwkCounts_data()
    {
        QTest::addColumn<QStringList>("words");
        QTest::addColumn<QString>("condition");
        QTest::newRow("keep") << QStringList{"--keep", "printf"} << "/printf/";
        QTest::newRow("drop") << QStringList{"--drop", "printf|strcmp"} << "!/printf|strcmp/";
        QTest::newRow("both") << QStringList{"--keep", "main", "--drop", "msort"} << "/main/ && !/msort/";
    }
    void rulesLeaveWhatAwkCounts()
    {
        QFETCH(QStringList, words);
        QFETCH(QString, condition);
        const QStringList source{"--replay", kRecordings + "hot-stacks.dscope"};
        drawnTo("folded", source, "flame", {});
        QProcess awk;
        awk.start("awk", {condition + " { sum += $NF } END { print sum }", file("f.folded")});
        QVERIFY(awk.waitForFinished());
        const auto expected = awk.readAllStandardOutput().trimmed().toLongLong();
        QVERIFY(expected > 0);
        drawnTo("folded", source, "flame", words);
        qint64 sum = 0;
        for (const auto& line : contents(file("f.folded")).split('\n'))
            if (!line.isEmpty()) sum += line.mid(line.lastIndexOf(' ') + 1).toLongLong();
        QCOMPARE(sum, expected);
        const auto svg = drawn(source, "flame", words);
        QVERIFY2(textsOf(svg).join(' ').contains(words[0] == "--keep" ? QStringLiteral("only stacks that have") : QStringLiteral("without stacks that have")), svg.left(2000));
    }
    void aStretchIsWhatHappenedInIt()
    {
        const QStringList source{"--replay", kRecordings + "write-rates.dscope"};
        const auto sum = [&](const QStringList& words) {
            drawnTo("csv", source, "bars", words);
            qint64 all = 0;
            for (const auto& row : contents(file("f.csv")).split('\n').mid(1))
                if (!row.trimmed().isEmpty()) all += row.mid(row.lastIndexOf(',') + 1).trimmed().toLongLong();
            return all;
        };
        // Two stretches that meet have together what the run has, and none of them has nothing.
        const auto all = sum({}), first = sum({"--to", "1.5s"}), rest = sum({"--from", "1.5s"});
        QVERIFY(first > 0 && rest > 0);
        QCOMPARE(first + rest, all);
        const auto svg = drawn(source, "series", {"--from", "500ms", "--to", "1.2s"});
        QVERIFY2(textsOf(svg).join(' ').contains(QStringLiteral("only 500 ms \u2013 1.20 s of ")), qPrintable(textsOf(svg).join('\n')));
    }
    void aStretchOfProcessesHasThoseThatLivedThen()
    {
        const QStringList source{"--replay", kRecordings + "process-tree.dscope"};
        drawnTo("csv", source, "process-tree", {});
        const auto all = contents(file("f.csv")).split('\n').size();
        drawnTo("csv", source, "process-tree", {"--from", "-40ms"});
        const auto some = contents(file("f.csv")).split('\n').size();
        QVERIFY2(some > 1 && some < all, qPrintable(QString::number(some) + " of " + QString::number(all)));
    }
    void aStretchThatIsNotThereIsAnError_data()
    {
        QTest::addColumn<QStringList>("words");
        QTest::addColumn<QString>("says");
        QTest::newRow("after the end") << QStringList{"--from", "1h"} << "is outside of the run, which lasted ";
        QTest::newRow("empty") << QStringList{"--from", "2s", "--to", "1s"} << "nothing is between 2.00 s and 1.00 s of the run";
        QTest::newRow("another day") << QStringList{"--to", "1999-12-31 23:59:59"} << "is outside of the run";
    }
    void aStretchThatIsNotThereIsAnError()
    {
        QFETCH(QStringList, words);
        QFETCH(QString, says);
        const auto run = runDscope(
            QStringList{"--replay", kRecordings + "write-rates.dscope", "--export", "series=" + file("no.svg")} + words);
        QCOMPARE(run.status, 1);
        QVERIFY2(QString::fromUtf8(run.err).contains(says), run.err);
    }
    void importedStacksTellNoTimes()
    {
        put("stacks", "main;a 3\nmain;b 4\n");
        const auto run = runDscope({"--import", "folded:" + file("stacks"), "--export", "flame=" + file("no.svg"), "--from", "1s"});
        QCOMPARE(run.status, 1);
        QVERIFY2(run.err.contains("--from and --to: it is not known when in the run anything was"), run.err);
    }

private:
    QString file(const QString& name) const { return m_dir.filePath(name); }
    void put(const QString& name, const QByteArray& text) const
    {
        QFile out(file(name));
        QVERIFY(out.open(QIODevice::WriteOnly));
        out.write(text);
    }
    /// An aggregation as dtrace prints it.
    void putCounts(const QList<std::pair<const char*, int>>& counts) const
    {
        QByteArray text = "\n";
        for (const auto& [key, value] : counts)
            text += "  " + QByteArray(key).leftJustified(50) + QByteArray::number(value).rightJustified(20) + "\n";
        put("counts", text);
    }
    void drawnTo(const QString& suffix, const QStringList& source, const QString& view, const QStringList& words) const
    {
        const auto run = runDscope(source + QStringList{"--export", view + "=" + file("f." + suffix)} + words);
        QVERIFY2(run.status == 0, run.err);
    }
    QByteArray drawn(const QStringList& source, const QString& view, const QStringList& words) const
    {
        drawnTo("svg", source, view, words);
        return contents(file("f.svg"));
    }
    QTemporaryDir m_dir;
};
QTEST_GUILESS_MAIN(TestFigureOptions)
#include "tst_figure_options.moc"
