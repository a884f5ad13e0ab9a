// needs-programs: dscope
// Every view in every format that it has, from recordings and imports: they open again, leave out what they shall, and are the
// same bytes wherever they are made.
#include "tests/support/run_dscope.h"
#include <QDeadlineTimer>
#include <QDir>
#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QObject>
#include <QProcess>
#include <QStandardPaths>
#include <QTemporaryDir>
#include <QTest>
#include <sys/stat.h>
using namespace dscope::tests;
namespace {
const QString kRecordings = QStringLiteral(DSCOPE_SOURCE "/examples/recordings/");
const char* const kStrace
    = "100 10:00:00.000000 execve(\"/usr/bin/make\", [\"make\", \"TOKEN=hush\"], 0x7ffd /* 20 vars */) = 0 <0.000100>\n"
      "100 10:00:00.100000 clone(child_stack=NULL, flags=SIGCHLD) = 101 <0.000100>\n"
      "101 10:00:00.200000 execve(\"/home/ada/bin/tool\", [\"tool\", \"--password=hush\"], 0x7ffd /* 20 vars */) = 0 <0.000100>\n"
      "101 10:00:00.500000 exit_group(1) = ?\n101 10:00:00.500000 +++ exited with 1 +++\n"
      "100 10:00:00.600000 exit_group(0) = ?\n100 10:00:00.600000 +++ exited with 0 +++\n";
QByteArray contents(const QString& path)
{
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}
QStringList viewsOf(const QStringList& source)
{
    QStringList names;
    for (const auto& line : runDscope(source + QStringList{"--views"}).out.split('\n'))
        if (!line.isEmpty()) names << QString::fromUtf8(line.split('\t').first());
    return names;
}
/// Source: README.md, the table of views.
QStringList formatsOf(const QString& view)
{
    static const QMap<QString, QStringList> more{{"process-tree", {"dot"}}, {"flame", {"folded", "json", "pb.gz", "otlp"}},
        {"icicle", {"folded", "json", "pb.gz", "otlp"}}, {"table", {"txt"}}, {"disassembly", {"txt"}},
        {"call-graph", {"dot", "graphml", "gexf"}}, {"graph", {"dot", "graphml", "gexf"}}, {"bars", {"prom"}}, {"histogram", {"prom"}},
        {"flame-chart", {"json", "pftrace"}}};
    return QStringList{"svg", "csv", "rows.json", "png", "pdf", "html"} + more.value(view);
}
} // namespace

class TestFigures : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void initTestCase()
    {
        put("stacks", "main;parse;memcpy 10\nmain;parse 5\nmain;<script>alert(1)</script>;]]> 3\nmain;a\"b'c&d 7\n");
        put("strace", kStrace);
        put("flow",
            "CPU FUNCTION\n  0  -> main                                  \n  0    -> parse                               \n  0      -> "
            "a\"<b>\\\n"
            "  0      <- a\"<b>\\\n  0    <- parse                               \n  0    -> sort                                \n"
            "  0    <- sort                                \n");
        put("two",
            "\n  cat                                                 /etc/passwd                                                       3\n"
            "  cat                                                 /etc/hosts                                                        2\n"
            "  sh                                                  /etc/passwd                                                       1\n");
        put("sizes",
            "\n  cat\n           value  ------------- Distribution ------------- count    \n             512 |                             "
            "            0        \n"
            "            1024 |@@@@@@@@@@@@@@@@@@@@                     200      \n            2048 |@@@@@@@@@@@@@@@@@@@@                  "
            "   200      \n"
            "            4096 |                                         0        \n\n");
    }
    void everyViewHasItsFormats_data() { sources(); }
    void everyViewHasItsFormats()
    {
        QFETCH(QStringList, source);
        const QStringList views = viewsOf(source);
        QVERIFY(!views.isEmpty());
        for (const auto& view : views) {
            const auto wanted = formatsOf(view);
            QStringList words = source + QStringList{"--theme", "dark", "--size", "4:3", "--title", "A title", "--subtitle", "below it"};
            for (const auto& suffix : wanted) {
                words << "--export" << view + '=' + file(view + '.' + suffix);
                QFile::remove(words.last().section('=', 1));
            }
            const auto run = runDscope(words);
            QVERIFY2(run.status == 0, (view.toUtf8() + ": " + run.err).constData());
            for (const auto& suffix : wanted)
                QVERIFY2(QFileInfo(file(view + '.' + suffix)).size() > 0, qPrintable(view + '.' + suffix));
            const auto svg = contents(file(view + ".svg")), html = contents(file(view + ".html"));
            QVERIFY2(svg.contains(">A title<") && svg.contains(">below it<") && svg.contains("#14171C")
                    && svg.contains("viewBox=\"0 0 1200 900\""),
                qPrintable(view));
            QVERIFY2(html.contains(">A title<") && html.contains("#14171C"), qPrintable(view));
            if (m_refused.contains(view)) continue;
            m_refused << view;
            for (const QString suffix : {"dot", "folded", "json", "pb.gz", "otlp", "txt"}) {
                if (wanted.contains(suffix)) continue;
                const auto path = file(view + '.' + suffix);
                const auto refused = runDscope(source + QStringList{"--export", view + '=' + path});
                QVERIFY2(refused.status == 1 && !QFile::exists(path), qPrintable(path));
                QVERIFY2(
                    refused.err.contains((view + " cannot be written as ." + suffix + ", but as .csv").toUtf8()), refused.err.constData());
            }
        }
    }
    void figuresOpenAgainWithTheSameTable_data() { sources(); }
    void figuresOpenAgainWithTheSameTable()
    {
        QFETCH(QStringList, source);
        for (const auto& view : viewsOf(source)) {
            QStringList words = source;
            for (const auto* suffix : {"svg", "html", "csv"})
                words << "--export" << view + '=' + file(QString("a.") + suffix);
            QCOMPARE(runDscope(words).status, 0);
            for (const auto* suffix : {"svg", "html"}) {
                const auto again = runDscope({"--import", file(QString("a.") + suffix), "--export", view + '=' + file("b.csv"), "--export",
                    view + '=' + file("b.svg")});
                QVERIFY2(again.status == 0, again.err.constData());
                QVERIFY2(contents(file("a.csv")) == contents(file("b.csv")), qPrintable(view + suffix));
                QVERIFY2(contents(file("a.svg")).size() <= 1'500'000, qPrintable(view));
            }
        }
    }
    void aComparisonOpensAgainAsOne()
    {
        put("before", "main;parse 100\nmain;gone 50\n");
        QCOMPARE(runDscope({"--import", file("stacks"), "--diff", file("before"), "--export", file("a.svg"), "--export", file("a.html"),
                               "--export", file("a.csv")})
                     .status,
            0);
        for (const auto* suffix : {"svg", "html"}) {
            const auto again = runDscope({"--import", file(QString("a.") + suffix), "--export", file("b.csv")});
            QVERIFY2(again.status == 0, again.err.constData());
            QCOMPARE(contents(file("a.csv")), contents(file("b.csv")));
        }
    }
    void aLargeFigureKeepsWhatHasRoom()
    {
        QByteArray text;
        quint32 state = 1;
        for (int i = 0; i < 60'000; ++i) {
            text += "main";
            for (int d = 0; d < 6; ++d) {
                state = state * 1664525 + 1013904223;
                text += ";f" + QByteArray::number(state >> 12, 36);
            }
            text += ' ' + QByteArray::number(1 + i % 50) + '\n';
        }
        put("large", text);
        QCOMPARE(runDscope({"--import", file("large"), "--export", file("a.svg"), "--export", file("a.html"), "--export", file("a.folded")})
                     .status,
            0);
        const auto svg = contents(file("a.svg")), html = contents(file("a.html"));
        QVERIFY(svg.size() < 1'500'000);
        QVERIFY(svg.contains("left-out=\""));
        QVERIFY(html.contains("<canvas") && !html.contains("<svg"));
        QCOMPARE(runDscope({"--import", file("a.html"), "--export", file("b.folded")}).status, 0);
        QCOMPARE(contents(file("a.folded")), contents(file("b.folded")));
        const auto part = runDscope({"--import", file("a.svg"), "--export", file("b.folded")});
        QVERIFY2(part.status == 0, part.err.constData());
    }
    // As flamegraph.pl draws main;a 3 and main;b<x> 7, upright and hanging.
    void flameGraphsOfOthersAreRead_data()
    {
        QTest::addColumn<QByteArray>("rows");
        QTest::newRow("upright") << QByteArray("69 53 37");
        QTest::newRow("hanging") << QByteArray("36 52 68");
    }
    void flameGraphsOfOthersAreRead()
    {
        QFETCH(QByteArray, rows);
        const auto y = rows.split(' ');
        const auto frame = [](const char* title, const char* x, const char* width, const QByteArray& at) {
            return QByteArray("<g >\n<title>") + title + "</title><rect x=\"" + x + "\" y=\"" + at + "\" width=\"" + width
                + "\" height=\"15.0\" fill=\"rgb(1,2,3)\" />\n</g>\n";
        };
        const QByteArray svg = "<?xml version=\"1.0\" standalone=\"no\"?>\n<svg version=\"1.1\" width=\"1200\">\n"
            + frame("b&lt;x&gt; (7 samples, 70.00%)", "364.0", "826.0", y[2]) + frame("all (10 samples, 100%)", "10.0", "1180.0", y[0])
            + frame("a (3 samples, 30.00%)", "10.0", "354.0", y[2]) + frame("main (10 samples, 100.00%)", "10.0", "1180.0", y[1])
            + "</svg>\n";
        const auto run = runDscope({"--import", "-", "--export", file("a.folded")}, svg);
        QCOMPARE(run.err, QByteArray());
        QCOMPARE(contents(file("a.folded")), QByteArray("main;a 3\nmain;b<x> 7\n"));
    }
    void foreignAndDamagedFiguresSayWhy_data()
    {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<QByteArray>("says");
        QTest::newRow("another's") << QByteArray("<?xml version=\"1.0\"?>\n<svg xmlns=\"http://www.w3.org/2000/svg\"/>\n")
                                   << QByteArray("dscope did not write it");
        QTest::newRow("no data") << QByteArray("<svg xmlns=\"http://www.w3.org/2000/svg\"><metadata>dscope 0.1.0</metadata></svg>\n")
                                 << QByteArray("it holds no data");
        QTest::newRow("not base64") << QByteArray("<svg><dscope:data role=\"after\" format=\"recording\">?!</dscope:data></svg>\n")
                                    << QByteArray("not in base64");
        QTest::newRow("not a recording") << QByteArray("<svg><dscope:data role=\"after\" format=\"recording\">AAAA</dscope:data></svg>\n")
                                         << QByteArray("cannot import");
        QTest::newRow("not deflated") << QByteArray("<svg><dscope:data role=\"after\" format=\"folded\">AAAA</dscope:data></svg>\n")
                                      << QByteArray("are damaged");
        QTest::newRow("newer") << QByteArray("<svg><dscope:data role=\"after\" format=\"novel\">AAAA</dscope:data></svg>\n")
                               << QByteArray("of a newer dscope");
        // "a 1" deflated
        const QByteArray stacks = "<dscope:data role=\"after\" format=\"folded\">eJxLVDDkAgACVAC9</dscope:data>";
        QTest::newRow("two figures in one") << "<svg>" + stacks + stacks + "</svg>\n" << QByteArray("more than one figure");
        QTest::newRow("cut") << QByteArray("<svg><dscope:data role=\"after\" format=\"folded\">AAAA") << QByteArray("it is cut");
        QTest::newRow("a page that is cut") << QByteArray(
            "<!DOCTYPE html>\n<script type=\"application/json\" id=\"dscope-data\">{\"data\":[")
                                            << QByteArray("it is cut");
    }
    void foreignAndDamagedFiguresSayWhy()
    {
        QFETCH(QByteArray, text);
        QFETCH(QByteArray, says);
        const auto run = runDscope({"--import", "-"}, text);
        QCOMPARE(run.status, 1);
        QVERIFY2(run.err.contains(says), run.err.constData());
    }
    void redactionLeavesNothing_data()
    {
        QTest::addColumn<QStringList>("source");
        QTest::newRow("strace") << QStringList{"--import", "strace:" + file("strace")};
        QTest::newRow("a recording") << QStringList{"--replay", kRecordings + "process-tree.dscope"};
    }
    void redactionLeavesNothing()
    {
        QFETCH(QStringList, source);
        const auto plain = runDscope(
            source + QStringList{"--export", "process-tree=" + file("plain.csv"), "--export", "process-tree=" + file("plain.svg")});
        QCOMPARE(plain.status, 0);
        QList<QByteArray> secrets{"hush", "/home/ada"};
        for (const auto& line : contents(file("plain.svg")).split('\n'))
            if (line.startsWith("host ")) secrets << line << line.mid(5) + " \u00b7";
        // Arguments as the table has them: the last column of each row.
        for (const auto& line : contents(file("plain.csv")).split('\n').mid(1))
            if (const auto words = line.trimmed().split(' '); words.size() > 2 && words.last().size() > 6) secrets << words.last().left(40);
        // What the D program itself says stays.
        const auto program = contents(DSCOPE_SOURCE "/examples/process-tree.d");
        secrets.removeIf([&](const QByteArray& secret) { return program.contains(secret); });
        for (const auto& view : viewsOf(source))
            for (const auto* suffix : {"svg", "csv", "html", "dot", "txt", "dscope"}) {
                const auto path = file(QString("r.") + suffix);
                QFile::remove(path);
                if (QByteArray(suffix) == "dscope")
                    runDscope(source + QStringList{"--redact", "--record", path});
                else
                    runDscope(source + QStringList{"--redact", "--export", view + '=' + path});
                if (!QFile::exists(path)) continue;
                QByteArray bytes = contents(path);
                // What stands inside, too.
                if (QByteArray(suffix) == "svg" || QByteArray(suffix) == "html")
                    bytes += runDscope({"--import", path, "--export", file("inside.csv")}).out + contents(file("inside.csv"));
                for (const auto& secret : secrets)
                    QVERIFY2(secret.isEmpty() || !bytes.contains(secret), (view.toUtf8() + ' ' + suffix + ": " + secret).constData());
            }
    }
    /// A recording holds all processes, a figure shows the few that there is room for.
    void whatIsNotShownIsNotInside_data()
    {
        QTest::addColumn<QStringList>("source");
        QTest::addColumn<QStringList>("words");
        QTest::addColumn<bool>("opensAgain");
        const QStringList tree{"--replay", kRecordings + "process-tree.dscope"}, stacks{"--import", file("stacks")};
        QTest::newRow("a tree") << tree << QStringList{} << true;
        QTest::newRow("a tree, --no-data") << tree << QStringList{"--no-data"} << false;
        QTest::newRow("a tree, --redact") << tree << QStringList{"--redact"} << false;
        QTest::newRow("stacks") << stacks << QStringList{} << true;
        QTest::newRow("stacks, --no-data") << stacks << QStringList{"--no-data"} << false;
        QTest::newRow("stacks, --redact") << stacks << QStringList{"--redact"} << true;
        QTest::newRow("stacks, both") << stacks << QStringList{"--redact", "--no-data"} << false;
    }
    void whatIsNotShownIsNotInside()
    {
        QFETCH(QStringList, source);
        QFETCH(QStringList, words);
        QFETCH(bool, opensAgain);
        for (const auto* suffix : {"svg", "html"}) {
            const auto figure = file(QString("bare.") + suffix);
            const auto drawn = runDscope(source + words + QStringList{"--export", figure});
            QVERIFY2(drawn.status == 0 && contents(figure).size() > 1'000, drawn.err.constData());
            QCOMPARE(contents(figure).contains("<dscope:data") || contents(figure).contains("\"base64\""), opensAgain);
            const auto again = runDscope({"--import", figure, "--views"});
            QCOMPARE(again.status, opensAgain ? 0 : 1);
            QVERIFY2(opensAgain || again.err.contains("it holds no data"), again.err.constData());
        }
    }
    /// Frames that are too narrow to be drawn are not inside, but count.
    void aRedactedFlameGraphOpensWithWhatItShows()
    {
        put("narrow",
            "main 300000\nmain;wide_[k] 600000\nmain;wide_[k];secret1 1\nmain;wide_[k];secret2;secret3 1\n"
            "run;a 50000\nrun;b 40000\nrun;c 9996\nsecret4 1\nsecret5 1\n");
        for (const auto* view : {"flame=", "icicle="}) {
            const auto svg = file("redacted.svg");
            const auto drawn = runDscope({"--import", file("narrow"), "--redact", "--export", view + svg});
            QVERIFY2(drawn.status == 0, drawn.err.constData());
            QVERIFY(contents(svg).contains("main\nself") && !contents(svg).contains("secret"));
            QCOMPARE(runDscope({"--import", svg}).out,
                QByteArray("[not shown] 2\nmain 300000\nmain;wide_[k] 600002\nrun;a 50000\nrun;b 40000\nrun;c 9996\n"));
        }
    }
    void theSameBytesEverywhere_data()
    {
        QTest::addColumn<QStringList>("source");
        QTest::newRow("stacks") << QStringList{"--import", file("stacks")};
        QTest::newRow("flow") << QStringList{"--import", "dtrace:" + file("flow")};
        QTest::newRow("two keys") << QStringList{"--import", "dtrace:" + file("two")};
        QTest::newRow("distribution") << QStringList{"--import", "dtrace:" + file("sizes")};
        QTest::newRow("process tree") << QStringList{"--replay", kRecordings + "process-tree.dscope"};
    }
    void theSameBytesEverywhere()
    {
        QFETCH(QStringList, source);
        const auto bytesIn = [&](const char* zone, const char* locale) {
            qputenv("TZ", zone);
            qputenv("LC_ALL", locale);
            QByteArray all;
            for (const auto& view : viewsOf(source)) {
                QStringList words = source + QStringList{"--interactive"};
                for (const auto& suffix : formatsOf(view))
                    words << "--export" << view + '=' + file("d." + suffix);
                if (runDscope(words).status != 0) return QByteArray();
                for (const auto& suffix : formatsOf(view))
                    all += contents(file("d." + suffix));
            }
            qunsetenv("TZ");
            qunsetenv("LC_ALL");
            return all;
        };
        const auto here = bytesIn("UTC", "C"), there = bytesIn("Asia/Kathmandu", "de_DE.UTF-8");
        QVERIFY(here.size() > 1000);
        QVERIFY(here == there);
    }
    // A name that is markup stays a name, in the marks, in the canvas's data and in what stands inside.
    void hostileNamesStayText()
    {
        QCOMPARE(runDscope({"--import", file("stacks"), "--interactive", "--export", file("a.svg"), "--export", file("a.html")}).status, 0);
        const auto svg = contents(file("a.svg")), html = contents(file("a.html"));
        QCOMPARE(svg.count("<script"), 2);  // the figure's tree and the script
        QCOMPARE(svg.count("]]>"), 1);
        QCOMPARE(html.count("<script"), 3); // and the data
        QVERIFY(html.contains("default-src 'none'"));
        QVERIFY(!html.contains("http-equiv=\"refresh\"") && !html.contains(" src=") && !html.contains("href"));
        QByteArray script;
        const QDir parts(QStringLiteral(DSCOPE_SOURCE "/exporters/web/interactive"));
        for (const auto& part : parts.entryList(QDir::Files)) {
            const auto text = contents(parts.filePath(part));
            QVERIFY2(svg.contains(text), qPrintable(part)); // each of them is in the figure
            script += text;
        }
        QVERIFY(script.size() > 10'000);
        for (const auto* way :
            {"innerHTML", "outerHTML", "insertAdjacentHTML", "document.write", "eval(", "new Function", "DOMParser", "setTimeout("})
            QVERIFY2(!script.contains(way), way);
        const auto at = html.indexOf("id=\"dscope-data\">") + 17;
        const auto json = QJsonDocument::fromJson(html.mid(at, html.indexOf("</script>", at) - at)).object();
        QVERIFY(json["data"].toArray().size() == 1);
    }
    void theFontsOfAPdfAreInIt()
    {
        if (QStandardPaths::findExecutable("pdffonts").isEmpty()) QSKIP("pdffonts (poppler-utils) is not installed");
        QCOMPARE(runDscope({"--import", file("stacks"), "--export", file("a.pdf")}).status, 0);
        const auto run = runDscope({file("a.pdf")}, {}, "pdffonts");
        const auto lines = run.out.trimmed().split('\n').mid(2);
        QVERIFY(!lines.isEmpty());
        for (const auto& line : lines)
            QVERIFY2(line.simplified().split(' ').size() > 6 && line.contains(" yes yes "), line.constData()); // embedded, a subset
    }
    // Source: "Trace Event Format": what a viewer asks of events; on one thread they nest.
    void chromeTracesNest()
    {
        QCOMPARE(runDscope({"--import", "dtrace:" + file("flow"), "--export", "flame-chart=" + file("a.json"), "--export",
                               "flame-chart=" + file("a.csv")})
                     .status,
            0);
        QJsonParseError wrong;
        const auto document = QJsonDocument::fromJson(contents(file("a.json")), &wrong);
        QVERIFY2(!document.isNull(), qPrintable(wrong.errorString()));
        QMap<QString, QList<QPair<double, double>>> open;
        QStringList names;
        for (const auto value : document.object()["traceEvents"].toArray()) {
            const auto event = value.toObject();
            const auto phase = event["ph"].toString();
            QVERIFY(event["pid"].isDouble() && event["tid"].isDouble() && event["name"].isString());
            if (phase == "M") continue;
            QVERIFY(event["ts"].isDouble() && event["ts"].toDouble() >= 0);
            names << event["name"].toString();
            if (phase == "i") continue;
            QCOMPARE(phase, QStringLiteral("X"));
            const double begin = event["ts"].toDouble(), end = begin + event["dur"].toDouble();
            QVERIFY(end > begin);
            auto& stack = open[QString::number(event["pid"].toInt()) + '/' + QString::number(event["tid"].toInt())];
            while (!stack.isEmpty() && stack.last().second <= begin)
                stack.removeLast();
            QVERIFY(stack.isEmpty() || end <= stack.last().second + 1e-6);
            stack << qMakePair(begin, end);
        }
        QCOMPARE(names.size(), 4);
        QVERIFY2(names.join(' ').contains("a\"<b>\\"), qPrintable(names.join(' ')));
        QCOMPARE(contents(file("a.csv")).count("\r\n"), 5); // and the head
    }
    void aPngIsScaled()
    {
        QCOMPARE(runDscope({"--import", file("stacks"), "--size", "400x300", "--scale", "2.5", "--export", file("a.png")}).status, 0);
        const auto bytes = contents(file("a.png"));
        QCOMPARE(bytes.mid(16, 8), QByteArray::fromHex("000003e8000002ee")); // 1000 x 750; PNG specification, IHDR
        QVERIFY(runDscope({"--import", file("stacks"), "--scale", "0", "--export", file("a.png")}).err.contains("--scale is how many"));
    }
    void aTerminalIsToldHowFarAnImportIs()
    {
        if (QStandardPaths::findExecutable("script").isEmpty()) QSKIP("script is not installed");
        const auto pipe = file("pipe"), figure = file("slow.svg");
        QCOMPARE(::mkfifo(pipe.toUtf8().constData(), 0600), 0);
        QProcess terminal; // script's own input and output are pipes, dscope's are a terminal
        terminal.start(
            "script", {"-qec", QStringLiteral(DSCOPE_BIN "/dscope --import folded:") + pipe + " --export flame=" + figure, "/dev/null"});
        QVERIFY(terminal.waitForStarted());
        QFile out(pipe);
        QVERIFY(out.open(QIODevice::WriteOnly | QIODevice::Unbuffered));
        // As long as it takes until something is said.
        const QDeadlineTimer deadline(60'000);
        QByteArray said;
        while (!said.contains("reading pipe: ") && !deadline.hasExpired()) {
            QVERIFY(out.write("main;work 1\n") > 0);
            if (terminal.waitForReadyRead(1)) said += terminal.readAll();
        }
        out.close();
        QVERIFY(terminal.waitForFinished(60'000));
        said += terminal.readAll();
        QCOMPARE(terminal.exitCode(), 0);
        const auto wrote = "\rwrote " + figure.toUtf8() + "\r\n"; // where the progress was wiped
        QVERIFY2(said.contains("reading pipe: ") && said.endsWith(wrote), said.constData());
        QVERIFY(contents(figure).contains("Flame graph"));
        QCOMPARE(runDscope({"--import", file("stacks"), "--export", figure}).err, QByteArray()); // no terminal
    }
    void oneThingIsShownAlone()
    {
        const auto svg = [&](const QString& view, const QString& focus) {
            const auto run = runDscope({"--import", file("stacks"), "--focus", focus, "--export", view + '=' + file("alone.svg")});
            return run.status == 0 ? contents(file("alone.svg")) : run.err;
        };
        QVERIFY(svg("sandwich", "parse").contains("Callers and callees of parse"));
        QVERIFY(svg("sandwich", "nowhere").contains("No stack has nowhere in it"));
        QVERIFY(svg("icicle", "main;parse").contains("of what is in focus"));
        QVERIFY(svg("flame", "parse").contains("No stack begins with parse"));
        QVERIFY(svg("call-graph", "main").contains("--focus is for flame, icicle, sandwich, disassembly, source, flame-chart, not for call-graph"));
    }

private:
    void sources()
    {
        QTest::addColumn<QStringList>("source");
        QTest::newRow("stacks") << QStringList{"--import", file("stacks")};
        QTest::newRow("strace") << QStringList{"--import", "strace:" + file("strace")};
        QTest::newRow("flow") << QStringList{"--import", "dtrace:" + file("flow")};
        QTest::newRow("two keys") << QStringList{"--import", "dtrace:" + file("two")};
        QTest::newRow("distribution") << QStringList{"--import", "dtrace:" + file("sizes")};
        for (const auto* name : {"process-tree.dscope", "write-sizes.dscope", "hot-stacks.dscope"})
            QTest::newRow(name) << QStringList{"--replay", kRecordings + name};
    }
    QString file(const QString& name) const { return m_dir.filePath(name); }
    void put(const QString& name, const QByteArray& text)
    {
        QFile out(file(name));
        QVERIFY(out.open(QIODevice::WriteOnly));
        out.write(text);
    }
    QTemporaryDir m_dir;
    QStringList m_refused; ///< views whose other formats were tried
};
QTEST_GUILESS_MAIN(TestFigures)
#include "tst_figures.moc"
