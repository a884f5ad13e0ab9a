// needs-programs: dscope
// Reports: what is in them, that documents are what their formats say by other programs' judgement, and that they open again.
#include "tests/support/heavy_readers.h"
#include "tests/support/run_dscope.h"
#include <QDir>
#include <QFile>
#include <QJsonDocument>
#include <QObject>
#include <QRegularExpression>
#include <QStandardPaths>
#include <QTemporaryDir>
#include <QTest>
#include <algorithm>
using namespace dscope::tests;
namespace {
const QString kRecordings = QStringLiteral(DSCOPE_SOURCE "/examples/recordings/");
const QStringList kSuffixes{"html", "pdf", "md", "odp", "pptx"};
QByteArray contents(const QString& path)
{
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}
QStringList replays(const QStringList& names)
{
    QStringList words;
    for (const auto& name : names)
        words << "--replay" << kRecordings + name + ".dscope";
    return words;
}
/// What a program prints; empty and a message where it fails.
QByteArray printed(const QString& program, const QStringList& words)
{
    const auto run = runDscope(words, {}, program);
    if (run.status != 0) qWarning() << program << words << run.err;
    return run.status == 0 ? run.out + run.err : QByteArray();
}
/// A file of a zip archive, as Python reads it.
QByteArray unpacked(const QString& archive, const QString& name)
{
    return printed("python3", {"-c", "import sys,zipfile;sys.stdout.buffer.write(zipfile.ZipFile(sys.argv[1]).read(sys.argv[2]))", archive, name});
}
QStringList namesIn(const QString& archive)
{
    return QString::fromUtf8(printed("python3", {"-c",
        "import sys,zipfile\nz=zipfile.ZipFile(sys.argv[1])\nassert z.testzip() is None\nprint('\\n'.join(z.namelist()))", archive})).split('\n', Qt::SkipEmptyParts);
}
QString plain(QString xml)
{
    static const QRegularExpression style("<style.*?</style>|<script.*?</script>", QRegularExpression::DotMatchesEverythingOption), tag("<[^>]*>");
    return xml.remove(style).replace(tag, " ").replace("&lt;", "<").replace("&gt;", ">").replace("&quot;", "\"").replace("&amp;", "&").simplified();
}
/// All that a report says, as text.
QString textOf(const QString& file)
{
    if (file.endsWith(".html")) return plain(QString::fromUtf8(contents(file)));
    if (file.endsWith(".pdf")) return QString::fromUtf8(printed("pdftotext", {"-layout", file, "-"})).simplified();
    if (file.endsWith(".md")) return QString::fromUtf8(contents(file)).remove('\\').simplified();
    if (file.endsWith(".odp")) return plain(QString::fromUtf8(unpacked(file, "content.xml")));
    QString all;
    for (const auto& name : namesIn(file))
        if (name.startsWith("ppt/slides/slide")) all += plain(QString::fromUtf8(unpacked(file, name))) + ' ';
    return all;
}
bool lacks(const QString& suffix)
{
    const auto missing = [](const char* program) { return QStandardPaths::findExecutable(program).isEmpty(); };
    return suffix == "pdf" ? missing("pdftotext") : (suffix == "odp" || suffix == "pptx") && missing("python3");
}
} // namespace

class TestReports : public QObject {
    Q_OBJECT
    QTemporaryDir m_folder;
    QString at(const QString& name) const { return m_folder.filePath(name); }
    /// Writes a report of one run and gives its file.
    QString report(const QStringList& names, const QString& file, const QStringList& more = {})
    {
        const auto run = runDscope(replays(names) + QStringList{"--report", at(file)} + more);
        if (run.status != 0) qWarning() << run.err;
        return run.status == 0 ? at(file) : QString();
    }
private Q_SLOTS:
    void everyFormatSaysTheSame_data()
    {
        QTest::addColumn<QString>("suffix");
        for (const auto& suffix : kSuffixes)
            QTest::newRow(qPrintable(suffix)) << suffix;
    }
    /// The finding, what a table has, the program, where it came from, and that nothing was lost.
    void everyFormatSaysTheSame()
    {
        QFETCH(QString, suffix);
        if (lacks(suffix)) QSKIP("a program that reads this format is not installed");
        const auto file = report({"hot-stacks"}, "hot." + suffix);
        QVERIFY(!file.isEmpty());
        const auto text = textOf(file);
        for (const auto* said : {"65 % of the CPU time", "is in mix()", "CPU time goes during hot 3", "hot`mix", "profile-997",
                 "Linux 6.18", "UTC", "In numbers", "dscope"})
            QVERIFY2(text.contains(said), qPrintable(QString(said) + " is not in " + text.left(3000)));
        QVERIFY2(text.contains(QRegularExpression("[Ll]ost:?[* ]*nothing")), qPrintable(text.left(3000)));
        // Repeats are left out.
        QVERIFY(!text.contains("Callers and callees"));
    }
    /// Slides are slides: a title each, texts that can be edited, both forms of each figure; XML that is well-formed.
    void slidesAreDocuments_data()
    {
        QTest::addColumn<QString>("suffix");
        QTest::addColumn<QString>("pattern");
        QTest::newRow("odp") << "odp" << "<draw:page ";
        QTest::newRow("pptx") << "pptx" << "";
    }
    void slidesAreDocuments()
    {
        QFETCH(QString, suffix);
        QFETCH(QString, pattern);
        for (const auto* program : {"python3", "xmllint"})
            if (QStandardPaths::findExecutable(program).isEmpty()) QSKIP("python3 or xmllint is not installed");
        const auto file = report({"process-tree"}, "slides." + suffix);
        QVERIFY(!file.isEmpty());
        const auto names = namesIn(file);
        int pictures = 0, slides = 0;
        for (const auto& name : names) {
            const auto bytes = unpacked(file, name);
            pictures += name.endsWith(".png") && bytes.startsWith("\x89PNG\r\n");
            slides += name.startsWith("ppt/slides/slide") ? 1 : 0;
            if (!name.endsWith(".xml") && !name.endsWith(".rels") && !name.endsWith(".svg")) continue;
            const auto out = at("part.xml");
            QFile part(out);
            QVERIFY(part.open(QIODevice::WriteOnly));
            part.write(bytes);
            part.close();
            const auto lint = runDscope({"--noout", "--nonet", out}, {}, "xmllint");
            QVERIFY2(lint.status == 0, qPrintable(name + QString::fromUtf8(lint.err)));
        }
        const auto svgs = names.filter(".svg").size();
        QVERIFY2(svgs >= 2 && pictures == svgs, qPrintable(names.join(' ')));
        if (suffix == "odp") {
            QCOMPARE(names.front(), QString("mimetype"));
            // As it stands in the file, without unpacking. Source: ODF 1.2 part 3, 3.3.
            QVERIFY(contents(file).mid(30, 200).startsWith("mimetypeapplication/vnd.oasis.opendocument.presentation"));
            const auto content = unpacked(file, "content.xml");
            slides = static_cast<int>(content.count("<draw:page "));
            QCOMPARE(content.count("presentation:class=\"title\""), slides);
        }
        QVERIFY(slides >= svgs + 3); // cover, numbers, origin
    }
    void officeOpensSlides_data()
    {
        QTest::addColumn<QString>("suffix");
        QTest::newRow("odp") << "odp";
        QTest::newRow("pptx") << "pptx";
    }
    void officeOpensSlides()
    {
        QFETCH(QString, suffix);
        if (const auto why = whyNoReaders({"soffice", "pdftotext"}); !why.isEmpty()) QSKIP(qPrintable(why));
        const auto file = report({"call-times"}, "office." + suffix);
        QVERIFY(!file.isEmpty());
        const QString profile = "-env:UserInstallation=file://" + at("profile-" + suffix);
        const auto run = runDscope({profile, "--headless", "--convert-to", "pdf", "--outdir", at("office-" + suffix), file}, {}, "soffice");
        QVERIFY2(run.status == 0, run.err.constData());
        const auto text = textOf(at("office-" + suffix) + "/office.pdf");
        for (const auto* said : {"How long does it take?", "lost: nothing", "In numbers", "p99"})
            QVERIFY2(text.contains(said), qPrintable(text.left(2000)));
    }
    /// Every view that suits a program is a figure, but for those that repeat one or have too little to show.
    void viewsAreWorthShowing_data()
    {
        QTest::addColumn<QString>("recording");
        QTest::addColumn<QStringList>("views");
        const auto row = [](const char* name, const QStringList& views) { QTest::newRow(name) << QString(name) << views; };
        row("hot-stacks", {"flame", "call-graph"});
        row("call-chart", {"flame-chart"});
        row("call-times", {"histogram", "ecdf", "heatmap", "series"});
        row("who-opens-what", {"bars", "graph"});
        row("process-tree", {"process-tree", "process-timeline", "bars"});
    }
    void viewsAreWorthShowing()
    {
        QFETCH(QString, recording);
        QFETCH(QStringList, views);
        const auto file = report({recording}, recording + ".md");
        QVERIFY(!file.isEmpty());
        auto drawn = QDir(at(recording + "_files")).entryList({"*.svg"}, QDir::Files, QDir::Name);
        drawn.replaceInStrings(".svg", "");
        views.sort();
        QCOMPARE(drawn, views);
        // Each of them is linked to.
        const auto text = contents(file);
        for (const auto& view : views)
            QVERIFY2(text.contains(("](<" + recording + "_files/" + view + ".svg>)").toUtf8()), text.constData());
    }
    void pdfHasPagesOfA4()
    {
        if (QStandardPaths::findExecutable("pdfinfo").isEmpty()) QSKIP("pdfinfo is not installed");
        const auto file = report({"process-tree"}, "pages.pdf");
        const auto info = QString::fromUtf8(printed("pdfinfo", {file}));
        QVERIFY2(info.contains(QRegularExpression("Title: +What was seen of make")), qPrintable(info));
        QVERIFY2(info.contains(QRegularExpression("Keywords: +.*process-timeline, process-tree")), qPrintable(info));
        QVERIFY2(info.contains(QRegularExpression("Page size: +595\\.\\d+ x 842\\.\\d+ pts")), qPrintable(info));
        QVERIFY2(info.contains(QRegularExpression("Pages: +[4-9]\n")), qPrintable(info));
    }
    /// The runs stand inside once, and whatever can be drawn of the recording can be drawn of the report.
    void pagesOpenAgain()
    {
        const auto page = report({"hot-stacks"}, "again.html");
        QVERIFY(!page.isEmpty());
        QCOMPARE(contents(page).count("\"format\":\"recording\""), 1);
        const auto again = runDscope({"--again", page, "--export", "flame=" + at("again.csv"), "--report", at("again.md")});
        QVERIFY2(again.status == 0, again.err.constData());
        const auto first = runDscope(replays({"hot-stacks"}) + QStringList{"--export", "flame=" + at("first.csv")});
        QVERIFY2(first.status == 0, first.err.constData());
        QCOMPARE(contents(at("again.csv")), contents(at("first.csv")));
        QVERIFY(contents(at("again.md")).contains("65 % of the CPU time"));
    }
    void severalRunsOpenAgain()
    {
        const auto page = report({"hot-stacks-before", "hot-stacks"}, "two.html");
        QVERIFY(!page.isEmpty());
        const auto text = textOf(page);
        QVERIFY2(text.contains("2 runs side by side"), qPrintable(text.left(500)));
        const auto again = runDscope({"--again", page, "--report", at("two-again.html")});
        QVERIFY2(again.status == 0, again.err.constData());
        QCOMPARE(textOf(at("two-again.html")), text);
        const auto alone = runDscope({"--import", page, "--export", at("one.svg")});
        QCOMPARE(alone.status, 1);
        QVERIFY2(alone.err.contains("holds several runs (hot-stacks-before.dscope, hot-stacks.dscope)"), alone.err.constData());
    }
    /// Stacks that are very many stand inside as one tree, which the page draws: small, and all of them, by another reader's judgement.
    void manyStacksAreFewBytesAndAllThere_data()
    {
        QTest::addColumn<int>("runs");
        QTest::addColumn<int>("stacks");
        QTest::addColumn<int>("most"); // bytes of the page: its data, and what is drawn for paper
        QTest::newRow("one run") << 1 << 100'000 << 3'000'000;
        QTest::newRow("two runs") << 2 << 10'000 << 6'000'000;
    }
    void manyStacksAreFewBytesAndAllThere()
    {
        QFETCH(int, runs);
        QFETCH(int, stacks);
        QFETCH(int, most);
        if (QStandardPaths::findExecutable("python3").isEmpty()) QSKIP("python3 is not installed");
        // As profiles are: wide at the top, and names that come again and again. The benchmarks' own maker.
        QStringList words;
        for (int run = 0; run < runs; ++run) {
            const auto file = at(QString("many-%1.folded").arg(run));
            const auto made = runDscope({"-c",
                                            "import sys\nsys.path.insert(0,sys.argv[1])\nfrom measured import stacks\nwith open(sys.argv[3],'w') as f:\n"
                                            "    for s,v in stacks(int(sys.argv[4]),seed=int(sys.argv[2])): f.write(';'.join(s)+f' {v}\\n')",
                                            DSCOPE_SOURCE "/tests/benchmarks", QString::number(run + 1), file, QString::number(stacks)},
                {}, "python3");
            QVERIFY2(made.status == 0, made.err.constData());
            words << "--import" << file;
        }
        const auto page = at(QString("many-%1.html").arg(runs));
        const auto run = runDscope(words + QStringList{"--report", page});
        QVERIFY2(run.status == 0, run.err.constData());
        const auto html = contents(page);
        QVERIFY2(html.size() < most, qPrintable(QString::number(html.size())));
        QCOMPARE(html.count("<canvas"), runs);
        QCOMPARE(html.count("\"format\":\"tree\""), runs);
        // docs/formats.md, "Packed stacks", as somebody else would read it.
        const auto read = runDscope({"-c", R"(
import base64, json, re, sys, zlib
page = open(sys.argv[1], encoding='utf-8').read()
data = json.loads(re.search(r'id="dscope-data">(.*?)</script>', page, re.S).group(1))['data']
for n, part in enumerate(p for p in data if p['format'] == 'tree'):
    raw = zlib.decompress(base64.b64decode(part['base64']))
    at = 1
    def number():
        global at
        value = shift = 0
        while True:
            byte = raw[at]; at += 1
            value |= (byte & 127) << shift; shift += 7
            if byte < 128: return value
    def text():
        global at
        size = number(); at += size
        return raw[at - size:at].decode()
    text()
    names = []
    for _ in range(number()): names.append(text()); number()
    size = number()
    name = [number() for _ in range(size)]
    nearer = [0] + [number() for _ in range(size - 1)]
    own = [number() for _ in range(size)]
    path, out = [], {}
    for i in range(1, size):
        path = path[:len(path) - nearer[i]] + [names[name[i]]]
        if own[i]: out[';'.join(path)] = own[i]
    given = {}
    for line in open(sys.argv[2 + n]):
        stack, value = line.rstrip().rsplit(' ', 1)
        given[stack] = given.get(stack, 0) + int(value)
    assert out == given, (len(out), len(given))
    print(len(out))
)",
                                        page, at("many-0.folded"), at("many-1.folded")},
            {}, "python3");
        QVERIFY2(read.status == 0, read.err.constData());
        QCOMPARE(read.out, (QByteArray::number(stacks) + "\n").repeated(runs));
        const auto again = runDscope({"--again", page, "--report", at("many-again.html")});
        QVERIFY2(again.status == 0, again.err.constData());
        QCOMPARE(textOf(at("many-again.html")), textOf(page));
    }
    void nothingStandsInsideWhereThatIsAsked_data()
    {
        QTest::addColumn<QString>("option");
        QTest::newRow("no data") << "--no-data";
        QTest::newRow("redacted") << "--redact";
    }
    void nothingStandsInsideWhereThatIsAsked()
    {
        QFETCH(QString, option);
        const auto page = report({"process-tree"}, "bare" + option + ".html", {option});
        QVERIFY(!page.isEmpty());
        QVERIFY(!contents(page).contains("\"base64\""));
        const bool isRedacted = option == "--redact";
        QCOMPARE(contents(page).contains("workloads/project"), !isRedacted);
        const auto again = runDscope({"--again", page, "--report", at("bare.md")});
        QCOMPARE(again.status, 1);
        QVERIFY2(again.err.contains("holds no data"), again.err.constData());
    }
    void importsAndComparisonsAreReports()
    {
        QFile folded(at("stacks.folded"));
        QVERIFY(folded.open(QIODevice::WriteOnly));
        folded.write("main;work;mix 900\nmain;work;add 90\nmain;idle 10\n");
        folded.close();
        const auto imported = runDscope({"--import", at("stacks.folded"), "--report", at("stacks.md")});
        QVERIFY2(imported.status == 0, imported.err.constData());
        const auto text = contents(at("stacks.md"));
        QVERIFY2(text.contains("are in mix\\(\\)") || text.contains("in mix()"), text.constData());
        QVERIFY2(text.contains("Lost: the text does not say"), text.constData());

        const auto changed = runDscope(replays({"hot-stacks"}) + QStringList{"--diff", kRecordings + "hot-stacks-before.dscope", "--report", at("changed.md")});
        QVERIFY2(changed.status == 0, changed.err.constData());
        QVERIFY2(contents(at("changed.md")).contains("Compared with: hot\\-stacks\\-before") || contents(at("changed.md")).contains("Compared with: hot-stacks-before.dscope"),
            contents(at("changed.md")).constData());
    }
    /// What was traced is text in every format, whatever it looks like.
    void hostileNamesStayText()
    {
        QFile folded(at("hostile.folded"));
        QVERIFY(folded.open(QIODevice::WriteOnly));
        folded.write("main;<script>alert(1)</script> 500\nmain;]]>&amp;\"'|`*_[x](y) 400\nmain;\x1b[31mred 300\n");
        folded.close();
        QStringList words{"--import", "folded:" + at("hostile.folded")};
        for (const auto& suffix : kSuffixes)
            words << "--report" << at("hostile." + suffix);
        const auto run = runDscope(words);
        QVERIFY2(run.status == 0, run.err.constData());
        const auto html = contents(at("hostile.html")), text = contents(at("hostile.md"));
        QVERIFY(!html.contains("<script>alert") && html.contains("&lt;script&gt;alert(1)"));
        QVERIFY2(text.contains("\\<script\\>alert(1)\\</script\\>") && !text.contains(" <script>"), text.constData());
        for (const auto* suffix : {"html", "md"})
            QVERIFY(!contents(at(QString("hostile.") + suffix)).contains('\x1b'));
        if (QStandardPaths::findExecutable("xmllint").isEmpty() || QStandardPaths::findExecutable("python3").isEmpty()) return;
        QFile content(at("content.xml"));
        QVERIFY(content.open(QIODevice::WriteOnly));
        content.write(unpacked(at("hostile.odp"), "content.xml"));
        content.close();
        QCOMPARE(runDscope({"--noout", at("content.xml")}, {}, "xmllint").status, 0);
    }
    /// A bar of 20 beside one of 100 in another run: a fifth as long, where both have one scale.
    void runsHaveOneScaleWhereThatIsAsked()
    {
        const auto write = [&](const char* name, const QByteArray& text) {
            QFile file(at(name));
            return file.open(QIODevice::WriteOnly) && file.write(text) == text.size();
        };
        QVERIFY(write("small.txt", "  cat  20\n  dog  10\n") && write("large.txt", "  cat  100\n  dog  50\n"));
        const QStringList both{"--import", "dtrace:" + at("small.txt"), "--import", "dtrace:" + at("large.txt"), "--export", "bars=" + at("bars.svg")};
        const auto longest = [&](const char* name) {
            static const QRegularExpression bar("<rect [^>]*width=\"([0-9.]+)\"[^>]*data-value=");
            double most = 0;
            for (auto all = bar.globalMatch(QString::fromUtf8(contents(at(name)))); all.hasNext();)
                most = std::max(most, all.next().captured(1).toDouble());
            return most;
        };
        auto run = runDscope(both);
        QVERIFY2(run.status == 0, run.err.constData());
        QVERIFY2(longest("bars.svg") > 0.9 * longest("bars-2.svg") && longest("bars-2.svg") > 0, "each has its own scale");
        run = runDscope(both + QStringList{"--same-scale"});
        QVERIFY2(run.status == 0, run.err.constData());
        const double share = longest("bars.svg") / longest("bars-2.svg");
        QVERIFY2(share > 0.18 && share < 0.22, qPrintable(QString::number(share)));
    }
    /// In the report, too: axes of time and buckets end where the longer run's do.
    void figuresOfSeveralRunsHaveOneScale()
    {
        const auto file = report({"call-times", "write-sizes"}, "scales.md");
        QVERIFY(!file.isEmpty());
        const auto run = runDscope(replays({"process-tree", "process-tree"}) + QStringList{"--report", at("same.md"), "--title", "Twice"});
        QVERIFY2(run.status == 0, run.err.constData());
        const auto files = QDir(at("same_files")).entryList({"*.svg"});
        QVERIFY2(files.contains("process-tree.svg") && files.contains("process-tree-2.svg"), qPrintable(files.join(' ')));
        QCOMPARE(contents(at("same_files/process-tree.svg")), contents(at("same_files/process-tree-2.svg")));
        QVERIFY(contents(at("same.md")).startsWith("# Twice\n"));
    }
    void mistakesAreTold_data()
    {
        QTest::addColumn<QStringList>("words");
        QTest::addColumn<QString>("says");
        const auto row = [](const char* name, const QStringList& words, const char* says) { QTest::newRow(name) << words << says; };
        const auto hot = replays({"hot-stacks"});
        row("suffix", hot + QStringList{"--report", "x.doc"}, "the name must end in one of .html, .md, .odp, .pdf, .pptx");
        row("folder", hot + QStringList{"--report", "/nowhere/x.pdf"}, "/nowhere");
        row("size", hot + QStringList{"--report", "x.pdf", "--size", "4:3"}, "--size and --text-size are for --export");
        row("focus", hot + QStringList{"--report", "x.pdf", "--focus", "main"}, "--focus shows one thing of one view");
        row("several without", replays({"hot-stacks", "hot-stacks-before"}), "give --report FILE or --export FILE, too");
        row("one scale of one run", hot + QStringList{"--report", "x.pdf", "--same-scale"}, "--same-scale is for the figures of several runs");
        row("several and diff",
            replays({"hot-stacks", "hot-stacks-before"}) + QStringList{"--diff", kRecordings + "hot-stacks.dscope", "--report", "x.pdf"}, "2 runs are compared with 1 of --diff: numbers are as they were recorded, so give as many before as after");
        row("again into nothing", {"--again", "x.html"}, "--again draws what is in a figure or report again: say into what");
    }
    void mistakesAreTold()
    {
        QFETCH(QStringList, words);
        QFETCH(QString, says);
        const auto run = runDscope(words);
        QCOMPARE(run.status, 1);
        QVERIFY2(run.err.contains(says.toUtf8()), run.err.constData());
    }
    void liveRunsAreReported()
    {
        if (const auto why = whyNoTracing(); !why.isEmpty()) QSKIP(why.constData());
        const auto run = runApart({"-qn", "syscall::write:entry /pid == $target/ { @[execname] = count(); @sizes = quantize(arg2); }", "-c", "/bin/echo hello", "--report", at("live.md")});
        QVERIFY2(run.status == 0, run.err.constData());
        const auto text = contents(at("live.md"));
        QVERIFY2(text.startsWith("# What was seen of echo hello"), text.constData());
        QVERIFY2(text.contains("- Lost: nothing") && text.contains("quantize(arg2)"), text.constData());
    }
};
QTEST_GUILESS_MAIN(TestReports)
#include "tst_reports.moc"
