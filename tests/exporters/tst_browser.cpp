// needs-programs: dscope
// The script in SVG and HTML, in Chromium, with a mouse and a keyboard.
#include "tests/support/run_dscope.h"
#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QObject>
#include <QProcess>
#include <QStandardPaths>
#include <QTemporaryDir>
#include <QTest>
using namespace dscope::tests;
namespace {
const QString kWords = QStringLiteral("[...document.querySelectorAll('svg text')].slice(-2).map(e=>e.textContent)"); // found, details
const QString kShown = QStringLiteral("[...document.querySelectorAll('.f')].filter(e=>!e.hasAttribute('display')).length");
} // namespace

class TestBrowser : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void initTestCase()
    {
        if (QStandardPaths::findExecutable("chromium").isEmpty() || QStandardPaths::findExecutable("python3").isEmpty())
            QSKIP("chromium or python3 is not installed");
        // a calls b for 60, c for 40, of which d is 10: every frame is wide enough for its name.
        put("stacks", "a;b 60\na;c 30\na;c;d 10\na;<img src=x onerror=alert(1)> 20\n");
        for (const auto* suffix : {"svg", "html"})
            QCOMPARE(
                runDscope({"--import", "folded:" + file("stacks"), "--interactive", "--export", file(QString("f.") + suffix)}).status, 0);
    }
    void aClickZoomsAndEscapeResets()
    {
        const auto [given, errors] = drive("f.svg",
            {"js:" + kShown, "click:rect[data-total=\"40\"]", "js:" + kShown, "js:" + kWords,
                "js:+document.querySelector('rect[data-total=\"40\"]').getAttribute('width')>1400", "key:Escape", "js:" + kShown});
        QCOMPARE(errors, QStringList());
        QCOMPARE(given[0].toInt(), 6); // all, a, b, c, d and the one that looks like markup
        QCOMPARE(given[1].toInt(), 4); // c, what calls it and what it calls
        QVERIFY(given[2].toArray()[1].toString().startsWith(QStringLiteral("c \u00b7 self 30, total 40")));
        QCOMPARE(given[3].toBool(), true);
        QCOMPARE(given[4].toInt(), 6);
    }
    void searchCountsNestedMatchesOnce()
    {
        const auto [given, errors] = drive("f.svg", {"keys:/^[cd]$", "key:Enter", "js:" + kWords, "keys:n", "js:" + kWords});
        QCOMPARE(errors, QStringList());
        QCOMPARE(given[0].toArray()[0].toString(), QStringLiteral("2 matches, 33.3 %")); // c's 40 of 120; d is a part of it
        QVERIFY(given[0].toArray()[1].toString().startsWith('c'));
        QVERIFY(given[1].toArray()[1].toString().startsWith('d'));
    }
    void theShareIsWhatAwkCounts_data() { suffixes(); }
    void theShareIsWhatAwkCounts()
    {
        QFETCH(QString, suffix);
        // A profile of a real program, on a page on which most of its frames are too narrow to be drawn.
        const auto profile = QStringLiteral(DSCOPE_SOURCE "/examples/recordings/hot-stacks.dscope"), page = "hot." + suffix;
        QCOMPARE(runDscope({"--replay", profile, "--interactive", "--size", "400x300", "--export", "flame=" + file(page), "--export",
                               "flame=" + file("hot.folded")})
                     .status,
            0);
        const QStringList patterns{"strcmp|memcpy", "^ld-linux", "msort", "vfprintf", "hash"};
        QStringList counted, steps;
        for (const auto& pattern : patterns) {
            QProcess awk;
            awk.start("awk",
                {"-v", "p=" + pattern,
                    R"({ v = $NF; sub(/ [0-9]+$/, ""); n = split($0, f, ";"); hit = 0
                        for (i = 1; i <= n; i++) if (tolower(f[i]) ~ p) hit = 1
                        all += v; if (hit) some += v } END { p = 100 * some / all; print (p < 0.1 ? "<0.1" : sprintf("%.1f", p)) " %" })",
                    file("hot.folded")});
            QVERIFY(awk.waitForFinished());
            counted << QString::fromUtf8(awk.readAllStandardOutput().trimmed());
            steps << "keys:/" + pattern << "key:Enter" << told(suffix, 0) << "key:Escape";
        }
        const auto [given, errors] = drive(page, steps);
        QCOMPARE(errors, QStringList());
        for (int i = 0; i < patterns.size(); ++i) {
            const auto words = given[i].toString();
            QVERIFY2(words.section(", ", 1, 1) == counted[i], qPrintable(patterns[i] + ": " + words + ", not " + counted[i]));
        }
    }
    void theShareOfCallsIsThatOfTheirTime()
    {
        QCOMPARE(runDscope({"--replay", DSCOPE_SOURCE "/examples/recordings/call-chart.dscope", "--interactive", "--export",
                               "flame-chart=" + file("chart.svg"), "--export", "flame-chart=" + file("chart.csv")})
                     .status,
            0);
        QProcess awk; // most of these calls are too short to be drawn by themselves
        awk.start("awk",
            {"-F,", R"(NR > 1 { for (i = 1; i <= 2; i++) if ($i != "") { if (!from || $i < from) from = $i; if ($i > to) to = $i }
                if ($7 ~ /list_add/) { sum += $3; n++ } } END { printf "%d matches, %.1f %%", n, 100 * sum / (to - from) })",
                file("chart.csv")});
        QVERIFY(awk.waitForFinished());
        const auto counted = QString::fromUtf8(awk.readAllStandardOutput());
        QVERIFY(counted.contains(" matches, "));
        const auto [given, errors] = drive("chart.svg", {"keys:/list_add", "key:Enter", "js:" + kWords});
        QCOMPARE(errors, QStringList());
        const auto words = given[0].toArray()[0].toString();
        QVERIFY2(words.startsWith(counted), qPrintable(words + ", not " + counted));
    }
    void aHalfTypedExpressionIsNoError()
    {
        const auto [given, errors] = drive("f.svg", {"keys:/(", "js:" + kWords});
        QCOMPARE(errors, QStringList());
        QVERIFY(given[0].toArray()[0].toString().contains("not a regular expression yet"));
    }
    void arrowsWalk()
    {
        const auto [given, errors] = drive("f.svg",
            {"key:ArrowUp", "key:ArrowUp", "key:ArrowUp", "js:" + kWords, "key:ArrowRight", "js:" + kWords, "key:Enter", "js:" + kShown,
                "key:Backspace", "js:" + kShown});
        QCOMPARE(errors, QStringList());
        QVERIFY2(given[0].toArray()[1].toString().startsWith('b'), qPrintable(given[0].toArray()[1].toString())); // the widest above a
        QVERIFY(given[1].toArray()[1].toString().startsWith('c'));
        QCOMPARE(given[2].toInt(), 4);
        QCOMPARE(given[3].toInt(), 6); // a has everything above it
    }
    void namesAreNeverMarkup()
    {
        for (const auto* name : {"f.svg", "f.html"}) {
            const auto [given, errors] = drive(name,
                {"keys:/onerror", "key:Enter", "js:document.querySelectorAll('img').length",
                    "js:document.documentElement.textContent.includes('<img src=x')"});
            QCOMPARE(errors, QStringList());
            QCOMPARE(given[0].toInt(), 0);
            QCOMPARE(given[1].toBool(), true);
        }
    }
    void thePageSearchesInItsField()
    {
        const auto [given, errors] = drive("f.html",
            {"click:#search", "keys:d", "js:document.getElementById('found').textContent", "click:#reset",
                "js:document.getElementById('found').textContent+document.getElementById('search').value", "click:rect[data-total=\"40\"]",
                "js:document.getElementById('details').textContent"});
        QCOMPARE(errors, QStringList());
        QCOMPARE(given[0].toString(), QStringLiteral("1 match, 8.3 %"));
        QCOMPARE(given[1].toString(), QString());
        QVERIFY(given[2].toString().startsWith(QStringLiteral("c \u00b7 self 30")));
    }
    /// In a report each figure has a field of its own, and keys are for the one that was touched last.
    void eachFigureOfAReportIsSearchedByItself()
    {
        put("other", "a;b 10\na;d 90\n");
        QCOMPARE(runDscope({"--import", "folded:" + file("stacks"), "--import", "folded:" + file("other"), "--report", file("two.html")}).status, 0);
        const QString found = "js:[...document.querySelectorAll('#flame,#flame-2')].map(e=>e.querySelector('[data-part=found]').textContent)";
        const auto [given, errors] = drive("two.html",
            {"keys:/d", found, "key:Escape", "js:document.querySelector('#flame-2').scrollIntoView()", "click:#flame-2 [data-part=search]", "keys:d",
                found, "key:Enter", "js:document.querySelector('#flame-2 [data-part=details]').textContent",
                "js:(a=>a.length-new Set(a).size)([...document.querySelectorAll('[id]')].map(e=>e.id))"});
        QCOMPARE(errors, QStringList());
        QCOMPARE(given[0].toArray(), QJsonArray({"1 match, 8.3 %", ""}));
        QCOMPARE(given[2].toArray(), QJsonArray({"", "1 match, 90.0 %"}));
        QVERIFY(given[3].toString().startsWith("d \u00b7 self 90"));
        QCOMPARE(given[4].toInt(), 0); // no id twice
    }
    void aTreeTooLargeForSvgStandsOnACanvas()
    {
        QByteArray text;
        for (int i = 0; i < 12'000; ++i)
            text += "main;half" + QByteArray::number(i % 2) + ";f" + QByteArray::number(i) + " 1\n";
        put("many", text);
        QCOMPARE(runDscope({"--import", file("many"), "--export", file("many.html")}).status, 0);
        const auto [given, errors] = drive("many.html",
            {"js:document.querySelectorAll('svg').length", "keys:/half1", "js:document.getElementById('found').textContent", "key:Enter",
                "js:document.getElementById('details').textContent",
                "js:(c=>[c.width,c.clientWidth*devicePixelRatio])(document.getElementById('canvas'))"});
        QCOMPARE(errors, QStringList());
        QCOMPARE(given[0].toInt(), 0);
        QCOMPARE(given[1].toString(), QStringLiteral("1 match, 50.0 %"));
        QVERIFY(given[2].toString().startsWith("half1"));
        QCOMPARE(given[3].toArray()[0].toDouble(), given[3].toArray()[1].toDouble()); // nothing is cut at its right
    }
    // What a user of a large page waits for: its bytes, its first picture, and each key of a search. The bounds of time are wide, for
    // machines that do other work.
    void aPageOfManyStacksIsSmallAndQuick()
    {
        constexpr int kStacks = 30'000;
        QByteArray text;
        quint32 state = 7;
        for (int i = 0; i < kStacks; ++i) {
            text += "main;run";
            for (int d = 0; d < 12; ++d) {
                state = state * 1664525 + 1013904223;
                text += ";function_" + QByteArray::number((state >> 8) % (40U << d));
            }
            text += ";leaf_" + QByteArray::number(i) + ' ' + QByteArray::number(1 + i % 50) + '\n';
        }
        put("large", text);
        QCOMPARE(runDscope({"--import", "folded:" + file("large"), "--export", file("large.html"), "--export", file("a.folded")}).status, 0);
        QVERIFY2(QFile(file("large.html")).size() < text.size() / 4, qPrintable(QString::number(QFile(file("large.html")).size())));
        QCOMPARE(runDscope({"--import", file("large.html"), "--export", file("b.folded")}).status, 0);
        QCOMPARE(contents(file("a.folded")), contents(file("b.folded")));
        const auto [given, errors] = drive("large.html",
            {"js:new Promise(told=>{const ask=()=>{const drawn=performance.getEntriesByName('dscope: drawn')[0];"
                "drawn?told(drawn.startTime):setTimeout(ask,20)};ask()})",
                "js:(f=>['l','le','leaf_1','leaf_12','leaf_123'].map(w=>{f.value=w;const t=performance.now();"
                "f.dispatchEvent(new Event('input'));return performance.now()-t}))(document.getElementById('search'))",
                "js:document.getElementById('found').textContent", "key:Escape", "keys:n"});
        QCOMPARE(errors, QStringList());
        QVERIFY2(given[0].toDouble() > 0 && given[0].toDouble() < 5'000, qPrintable(QString::number(given[0].toDouble())));
        for (const auto key : given[1].toArray())
            QVERIFY2(key.toDouble() < 1'000, qPrintable(QString::number(key.toDouble())));
        int matches = 0;
        for (int i = 0; i < kStacks; ++i)
            matches += QByteArray::number(i).startsWith("123");
        QVERIFY2(given[2].toString().startsWith(QString::number(matches) + " matches, "), qPrintable(given[2].toString()));
    }
    /// Words that are narrower or wider than they were measured are stretched: spaces that a browser leaves out, say.
    void textsAreAsWideAsTheyWereMeasured_data()
    {
        QTest::addColumn<QString>("view");
        QTest::addColumn<QString>("recording");
        QTest::newRow("bars") << "bars" << "write-rates";
        QTest::newRow("flame") << "flame" << "hot-stacks";
        QTest::newRow("process tree") << "process-tree" << "process-tree";
        QTest::newRow("table") << "table" << "write-sizes";
    }
    void textsAreAsWideAsTheyWereMeasured()
    {
        QFETCH(QString, view);
        QFETCH(QString, recording);
        QCOMPARE(runDscope({"--replay", DSCOPE_SOURCE "/examples/recordings/" + recording + ".dscope", "--export", view + '=' + file("wide.svg")}).status, 0);
        const auto [given, errors] = drive("wide.svg",
            {"js:[...document.querySelectorAll('text[textLength]')].filter(e=>e.textContent.length>5).map(e=>{const t=+e.getAttribute('textLength');"
                "e.removeAttribute('textLength');return [e.textContent,e.getComputedTextLength()/t]})"});
        QCOMPARE(errors, QStringList());
        QVERIFY(given[0].toArray().size() > 5);
        for (const auto text : given[0].toArray()) {
            const auto ratio = text.toArray()[1].toDouble();
            QVERIFY2(ratio > 0.93 && ratio < 1.07, qPrintable(text.toArray()[0].toString() + ": " + QString::number(ratio)));
        }
    }
    void aFoldOpens()
    {
        QCOMPARE(runDscope(
                     {"--replay", DSCOPE_SOURCE "/examples/recordings/process-tree.dscope", "--export", "process-tree=" + file("tree.html")})
                     .status,
            0);
        const QString inside = QStringLiteral("js:[...document.querySelectorAll('#inside li')].map(e=>e.textContent)");
        const auto [given, errors] = drive("tree.html", {inside, "click:rect[data-inside]", inside, "key:Escape", inside});
        QCOMPARE(errors, QStringList());
        QCOMPARE(given[0].toArray().size(), 0);
        QVERIFY2(given[1].toArray().size() >= 3, qPrintable(QString::number(given[1].toArray().size())));
        QVERIFY2(given[1].toArray()[0].toString().contains(QStringLiteral(" \u00b7 pid ")), qPrintable(given[1].toArray()[0].toString()));
        QCOMPARE(given[2].toArray().size(), 0);
    }
    void aCallsTimeIsZoomedWithItsAxis()
    {
        QCOMPARE(runDscope({"--replay", DSCOPE_SOURCE "/examples/recordings/call-chart.dscope", "--interactive", "--export",
                               "flame-chart=" + file("calls.svg")})
                     .status,
            0);
        const QString bars = QStringLiteral("[...document.querySelectorAll('.f')].filter(e=>!e.hasAttribute('display'))");
        const auto widthOf = [&](const char* name) {
            return "js:" + bars + ".filter(e=>e.textContent.startsWith('words`" + name + "'))"
                + ".reduce((w,e)=>w+parseFloat(e.getAttribute('width')),0)";
        };
        const QString axis = QStringLiteral("js:[...document.querySelectorAll('text[data-at-ns]')].map(e=>e.textContent)");
        const auto [given, errors] = drive("calls.svg",
            {axis, widthOf("words_read"), "keys:/words_read", "key:Enter", "key:Enter", axis, widthOf("words_read"), widthOf("main"),
                "js:" + bars + ".length", "key:Escape", axis, widthOf("words_read")});
        QCOMPARE(errors, QStringList());
        QCOMPARE(given[0].toArray()[0].toString(), QStringLiteral("0"));
        QCOMPARE(given[2].toArray()[0].toString(), QStringLiteral("581.7 \u00b5s")); // where it begins, by the recording's table
        QVERIFY(given[1].toDouble() < 700);
        QVERIFY(given[3].toDouble() > 1490);
        QVERIFY(std::abs(given[3].toDouble() - given[4].toDouble()) < 1); // its caller is cut
        QVERIFY(given[5].toInt() > 50);
        QCOMPARE(given[6], given[0]);
        QCOMPARE(given[7], given[1]);
    }
    void anIcicleHangsFromItsRootAndZoomsDownwards_data() { suffixes(); }
    void anIcicleHangsFromItsRootAndZoomsDownwards()
    {
        QFETCH(QString, suffix);
        drawn("icicle", {}, suffix);
        const auto topOf = [](const char* total) {
            return QStringLiteral("js:document.querySelector('rect[data-total=\"%1\"]').getAttribute('y')*1").arg(total);
        };
        const auto [given, errors] = drive("icicle." + suffix,
            {topOf("120"), topOf("40"), "click:rect[data-total=\"40\"]", "js:" + kShown,
                "js:document.querySelector('rect[data-total=\"40\"]').getAttribute('width')>1400", "key:Escape", "js:" + kShown,
                "keys:/^[cd]$", "key:Enter", told(suffix, 0), told(suffix, 1), "key:ArrowDown", told(suffix, 1), "keys:i", topOf("120")});
        QCOMPARE(errors, QStringList());
        QVERIFY(given[1].toDouble() > given[0].toDouble() + 70); // two rows
        QCOMPARE(given[2].toInt(), 4);                           // all, a, c, d
        QVERIFY(given[3].toBool());
        QCOMPARE(given[4].toInt(), 6);
        QCOMPARE(given[5].toString(), QStringLiteral("2 matches, 33.3 %"));
        QVERIFY(given[6].toString().startsWith(QStringLiteral("c \u00b7 self 30, total 40")));
        QVERIFY(given[7].toString().startsWith(QStringLiteral("d \u00b7")));
        QVERIFY(given[8].toDouble() > given[1].toDouble()); // turned over, with the root below
    }
    void aSandwichZoomsEachSideByItself_data() { suffixes(); }
    void aSandwichZoomsEachSideByItself()
    {
        QFETCH(QString, suffix);
        put("sides", "main;run;f;x;deep 30\nmain;other;f;x 20\nidle;f;y 15\nmain;other;f 25\nmain;z 50\ncron;job;f;x;deeper 10\n");
        drawn("sandwich", {"--focus", "f"}, suffix, "sides");
        const auto widthOf = [](const QString& total) {
            return QStringLiteral("js:document.querySelector('rect[data-total=\"%1\"]').getAttribute('width')*1").arg(total);
        };
        const auto [given, errors] = drive("sandwich." + suffix,
            {"js:" + kShown, widthOf("60"), widthOf("45"), "click:rect[data-total=\"60\"]", told(suffix, 1), widthOf("60"), widthOf("45"),
                "js:" + kShown, "key:Escape", widthOf("60"), "keys:/^(x|other)$", told(suffix, 0), "key:Escape", "keys:/^(f|x)$",
                told(suffix, 0), "key:Escape", "keys:/^(run|other|main)$", told(suffix, 0)});
        QCOMPARE(errors, QStringList());
        QCOMPARE(given[0].toInt(), 12);
        QVERIFY(given[3].toString().startsWith(QStringLiteral("x \u00b7 60, 60.0 % of f, 40.0 % of all")));
        QVERIFY(given[4].toDouble() > 1.6 * given[1].toDouble());
        QCOMPARE(given[5], given[2]);   // what calls it is not zoomed
        QCOMPARE(given[6].toInt(), 11); // y is gone
        QCOMPARE(given[7], given[1]);
        QCOMPARE(given[8].toString(), QStringLiteral("2 matches, 45.0 % above, 60.0 % below"));
        QCOMPARE(given[9].toString(), QStringLiteral("2 matches, 100 %"));
        QCOMPARE(given[10].toString(), QStringLiteral("4 matches, 75.0 %")); // main, other and run of the 45 and the 30
    }
    void marksOfOtherFiguresTellAndZoom()
    {
        QCOMPARE(runDscope({"--replay", DSCOPE_SOURCE "/examples/recordings/process-tree.dscope", "--interactive", "--export",
                               "process-tree=" + file("tree.svg")})
                     .status,
            0);
        const auto [given, errors] = drive("tree.svg", {"keys:/cc1", "key:Enter", "js:" + kWords, "key:Escape", "js:" + kWords});
        QCOMPARE(errors, QStringList());
        QVERIFY(given[0].toArray()[1].toString().startsWith("cc1"));
        QCOMPARE(given[1].toArray()[1].toString(), QString());
    }

private:
    static void suffixes()
    {
        QTest::addColumn<QString>("suffix");
        QTest::newRow("svg") << "svg";
        QTest::newRow("html") << "html";
    }
    /// What is said of matches (0) and of the mark that is chosen (1).
    static QString told(const QString& suffix, int which)
    {
        if (suffix == "html")
            return which == 0 ? "js:document.getElementById('found').textContent" : "js:document.getElementById('details').textContent";
        return "js:" + kWords + QStringLiteral("[%1].replace(/^search: .*\u258f /,'')").arg(which);
    }
    void drawn(const QString& view, const QStringList& words, const QString& suffix, const QString& text = "stacks")
    {
        QCOMPARE(
            runDscope(QStringList{"--import", "folded:" + file(text), "--interactive", "--export", view + '=' + file(view + '.' + suffix)}
                + words)
                .status,
            0);
    }
    struct Seen {
        QJsonArray given;
        QStringList errors;
    };
    Seen drive(const QString& name, const QStringList& steps)
    {
        const auto run = runDscope(QStringList{DSCOPE_SOURCE "/tests/support/browser.py", file(name)} + steps, {}, "python3");
        const auto answer = QJsonDocument::fromJson(run.out).object();
        Seen seen{answer["given"].toArray(), {}};
        if (run.status != 0) seen.errors << QString::fromUtf8(run.err.right(600));
        for (const auto error : answer["errors"].toArray())
            seen.errors << error.toString();
        return seen;
    }
    QByteArray contents(const QString& path) const
    {
        QFile read(path);
        return read.open(QIODevice::ReadOnly) ? read.readAll() : QByteArray();
    }
    QString file(const QString& name) const { return m_dir.filePath(name); }
    void put(const QString& name, const QByteArray& text)
    {
        QFile out(file(name));
        QVERIFY(out.open(QIODevice::WriteOnly));
        out.write(text);
    }
    QTemporaryDir m_dir;
};
QTEST_GUILESS_MAIN(TestBrowser)
#include "tst_browser.moc"
