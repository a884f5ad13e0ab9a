// needs-programs: dscope
// What docs/ and the other pages say, held against what dscope says of itself and against the files that are there.
#include "tests/support/csv.h"
#include "tests/support/run_dscope.h"
#include <QDir>
#include <QFileInfo>
#include <QObject>
#include <QRegularExpression>
#include <QStandardPaths>
#include <QTemporaryDir>
#include <QTest>
using namespace dscope::tests;
namespace {
QString source(const QString& path) { return QStringLiteral(DSCOPE_SOURCE "/") + path; }
QString contents(const QString& path)
{
    QFile file(source(path));
    return file.open(QIODevice::ReadOnly) ? QString::fromUtf8(file.readAll()) : QString();
}
/// All that `pattern` captures in a text, in order.
QStringList captured(const QString& text, const QString& pattern)
{
    QStringList all;
    auto matches = QRegularExpression(pattern, QRegularExpression::MultilineOption).globalMatch(text);
    while (matches.hasNext())
        all << matches.next().captured(1);
    return all;
}
QStringList pages()
{
    QStringList all;
    for (const auto& folder : {QString(), QStringLiteral("docs/"), QStringLiteral("tests/")})
        for (const auto& name : QDir(source(folder)).entryList({QStringLiteral("*.md")}))
            all << folder + name;
    return all;
}
} // namespace

class TestDocuments : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void everyLinkLeadsToAFile_data()
    {
        QTest::addColumn<QString>("page");
        for (const auto& page : pages())
            QTest::newRow(qPrintable(page)) << page;
        QVERIFY(pages().contains(QStringLiteral("README.md")) && pages().contains(QStringLiteral("docs/design.md")));
    }
    void everyLinkLeadsToAFile()
    {
        QFETCH(QString, page);
        const auto folder = QFileInfo(source(page)).absolutePath();
        for (const auto& link : captured(contents(page), QStringLiteral("\\]\\(([^)]+)\\)"))) {
            if (link.contains(QStringLiteral("://")) || link.startsWith(QLatin1Char('#'))) continue;
            const auto file = QDir(folder).filePath(link.section(QLatin1Char('#'), 0, 0));
            QVERIFY2(QFileInfo::exists(file), qPrintable(page + QStringLiteral(" links to ") + link));
        }
    }
    /// Folders and files that the map names are there.
    void everyPathOfTheMapIsThere()
    {
        for (const auto& name : captured(contents(QStringLiteral("HACKING.md")),
                 QStringLiteral("`((?:engine|providers|graph|exporters|gui|cli|tests)/[a-z_/.]+)`"))) {
            if (name.contains(QLatin1Char('*'))) continue;
            QVERIFY2(QFileInfo::exists(source(name)), qPrintable(name));
        }
    }

    void everyOptionOfTheHelpIsDescribed()
    {
        const auto run = runDscope({QStringLiteral("--help")});
        const auto help = QString::fromUtf8(run.out + run.err);
        const auto options = captured(help, QStringLiteral("(--[a-z][a-z-]+)"));
        QVERIFY(options.contains(QStringLiteral("--export")) && options.size() > 10);
        const auto page = contents(QStringLiteral("docs/command-line.md"));
        for (const auto& option : options)
            QVERIFY2(page.contains(QStringLiteral("`") + option), qPrintable(option + QStringLiteral(" is not in docs/command-line.md")));
    }
    void everyOptionThatIsDescribedIsInTheHelp()
    {
        const auto run = runDscope({QStringLiteral("--help")});
        const auto help = QString::fromUtf8(run.out + run.err);
        for (const auto& option : captured(contents(QStringLiteral("docs/command-line.md")), QStringLiteral("`(--[a-z][a-z-]+)"))) {
            if (option == QStringLiteral("--help")) continue;
            QVERIFY2(help.contains(option), qPrintable(option + QStringLiteral(" is not in the help")));
        }
    }
    void everyFormatIsDescribed()
    {
        // dscope names its suffixes where one is unknown.
        const auto run
            = runDscope({QStringLiteral("-n"), QStringLiteral("BEGIN"), QStringLiteral("--export"), QStringLiteral("x.unknown")});
        const auto suffixes = captured(QString::fromUtf8(run.err), QStringLiteral(" (\\.[a-z.]+)"));
        QVERIFY2(suffixes.contains(QStringLiteral(".svg")) && suffixes.size() > 8, run.err.constData());
        const auto readme = contents(QStringLiteral("README.md")), formats = contents(QStringLiteral("docs/formats.md"));
        for (const auto& suffix : suffixes) {
            QVERIFY2(readme.contains(suffix), qPrintable(suffix + QStringLiteral(" is not in README.md")));
            if (suffix == QStringLiteral(".png") || suffix == QStringLiteral(".pdf")) continue; // pictures: nothing to describe
            QVERIFY2(formats.contains(suffix), qPrintable(suffix + QStringLiteral(" is not in docs/formats.md")));
        }
    }
    void everyImporterIsDescribed()
    {
        // dscope names them where a text looks like none.
        const auto run = runDscope({QStringLiteral("--import"), source(QStringLiteral("LICENSE")), QStringLiteral("--views")});
        const auto list = captured(QString::fromUtf8(run.err), QStringLiteral("look like ([a-z., -]+);"));
        QVERIFY2(list.size() == 1, run.err.constData());
        const auto formats = list.front().split(QStringLiteral(", "));
        QVERIFY2(formats.contains(QStringLiteral("perf")) && formats.size() > 4, run.err.constData());
        const auto page = contents(QStringLiteral("docs/command-line.md"));
        const auto help = runDscope({QStringLiteral("--help")});
        for (const auto& format : formats)
            QVERIFY2(QRegularExpression(QStringLiteral("\n\\s+%1  +[A-Za-z]").arg(format)).match(QString::fromUtf8(help.out)).hasMatch(),
                qPrintable(format + QStringLiteral(" is not in --help")));
        for (const auto& format : formats)
            QVERIFY2(page.contains(QChar('`') + format + QChar('`')), qPrintable(format + QStringLiteral(" is not in docs/command-line.md")));
        const auto manual = contents(QStringLiteral("packaging/dscope.8")).section(QStringLiteral("\\-\\-import \""), 1).section(QStringLiteral(".TP"), 0, 0).replace(QStringLiteral("\\-"), QStringLiteral("-"));
        const auto words = manual.split(QRegularExpression(QStringLiteral("[^a-z.-]+")));
        for (const auto& format : formats)
            QVERIFY2(words.contains(format), qPrintable(format + QStringLiteral(" is not in packaging/dscope.8")));
    }
    void everyViewIsDescribed()
    {
        const auto run = runDscope({QStringLiteral("--views")});
        const auto views = captured(QString::fromUtf8(run.out), QStringLiteral("(?:^|\\n)([a-z-]+)\\t"));
        QVERIFY2(views.contains(QStringLiteral("flame")) && views.size() > 8, run.out.constData());
        const auto readme = contents(QStringLiteral("README.md"));
        const auto columns = contents(QStringLiteral("docs/formats.md"))
                                 .section(QStringLiteral("## Tables, `.csv`"), 1)
                                 .section(QStringLiteral("\n## "), 0, 0);
        for (const auto& view : views) {
            QVERIFY2(readme.contains(QChar('`') + view + QChar('`')), qPrintable(view + QStringLiteral(" is not in README.md")));
            QVERIFY2(columns.contains(QRegularExpression(QStringLiteral("\n\\|[^|]*`%1`").arg(view))),
                qPrintable(view + QStringLiteral(" has no columns in docs/formats.md")));
        }
    }

    /// dscope names the views that have a use for an option where it is given for another.
    void viewsOfAnOptionAreListed_data()
    {
        QTest::addColumn<QStringList>("words");
        for (const QStringList& words : {QStringList{"--top", "3"}, QStringList{"--sort", "name"}, QStringList{"--log"}})
            QTest::newRow(qPrintable(words.front())) << words;
    }
    void viewsOfAnOptionAreListed()
    {
        QFETCH(QStringList, words);
        const auto option = words.front();
        const auto run = runDscope(QStringList{"--replay", source("examples/recordings/hot-stacks.dscope"), "--export", "flame=x.svg"} + words);
        const auto heed = captured(QString::fromUtf8(run.err), option + QStringLiteral(" is for ([a-z, -]+), not for flame"));
        QVERIFY2(heed.size() == 1, run.err.constData());
        const auto described = captured(contents(QStringLiteral("docs/command-line.md")), QStringLiteral("^- `%1[ `][^(]*\\(([^;)]+)").arg(option));
        QVERIFY2(described.size() == 1, qPrintable(option));

        const auto sorted = [](const QString& list) {
            auto views = list.simplified().split(QStringLiteral(", "));
            views.sort();
            return views;
        };
        QCOMPARE(sorted(described.front()), sorted(heed.front()));
    }
    /// docs/reference.md, which tst_reference makes, has all of them.
    void everyProviderIsNamedAndTried()
    {
        const auto list = contents(QStringLiteral("docs/reference.md")).section(QStringLiteral("## Providers"), 1);
        const auto providers = captured(list, QStringLiteral("^\\| `([a-z]+)` \\|"));
        QVERIFY(providers.contains(QStringLiteral("syscall")) && providers.size() > 15);
        const auto readme = contents(QStringLiteral("README.md"));
        const auto tried = captured(contents(QStringLiteral("tests/vm/one_liners")), QStringLiteral("^([a-z]+) +\\|"));
        for (const auto& provider : providers) {
            QVERIFY2(readme.contains(QChar('`') + provider + QChar('`')), qPrintable(provider + QStringLiteral(" is not in README.md")));
            QVERIFY2(tried.contains(provider), qPrintable(provider + QStringLiteral(" is not in tests/vm/one_liners")));
        }
    }

    /// Nobody writes docs/platforms.md by hand: the program that makes it finds nothing in it that it would not write, and its parts have
    /// the outcomes that .ci/matrix knows.
    void thePageOfKernelsIsMade()
    {
        if (QStandardPaths::findExecutable(QStringLiteral("python3")).isEmpty()) QSKIP("python3 is not installed");
        const QTemporaryDir nothing;
        const auto made = runDscope({source(QStringLiteral("tests/vm/platforms_table")), nothing.path()}, {}, QStringLiteral("python3"));
        QVERIFY2(made.status == 0, made.err.constData());
        QCOMPARE(QString::fromUtf8(made.out), contents(QStringLiteral("docs/platforms.md")));
    }
    /// The header rows that docs/formats.md promises to programs.
    void columnsAreAsDescribed_data()
    {
        QTest::addColumn<QString>("view");
        QTest::addColumn<QString>("recording");
        const auto row = [](const char* view, const char* recording) {
            QTest::newRow(view) << QString::fromLatin1(view)
                                << source(QStringLiteral("examples/recordings/") + QString::fromLatin1(recording));
        };
        row("process-tree", "process-tree.dscope");
        row("process-timeline", "process-tree.dscope");
        row("flame", "hot-stacks.dscope");
        row("sandwich", "hot-stacks.dscope");
        row("call-graph", "hot-stacks.dscope");
        row("flame-chart", "call-chart.dscope");
        row("graph", "who-opens-what.dscope");
    }
    void columnsAreAsDescribed()
    {
        QFETCH(QString, view);
        QFETCH(QString, recording);
        const auto described = captured(
            contents(QStringLiteral("docs/formats.md")), QStringLiteral("^\\| `") + view + QStringLiteral("`[^|]*\\| `([a-z_]+(?:,[a-z_]+)+)"));
        QCOMPARE(described.size(), 1);

        const QTemporaryDir dir;
        const auto file = dir.filePath(QStringLiteral("x.csv"));
        runDscope({QStringLiteral("--replay"), recording, QStringLiteral("--export"), view + QLatin1Char('=') + file});
        QFile csv(file);
        QVERIFY(csv.open(QIODevice::ReadOnly));
        const auto rows = readCsv(csv.readAll());
        QVERIFY(rows.size() > 1);
        QCOMPARE(QString::fromUtf8(QByteArrayList(rows.first()).join(',')), described.first());
    }
};
QTEST_GUILESS_MAIN(TestDocuments)
#include "tst_documents.moc"
