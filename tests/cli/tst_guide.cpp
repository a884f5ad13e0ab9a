// needs-programs: dscope
// Every program and command of docs/guide: what is shown compiles, and yields the views that it is said to yield.
#include "tests/support/run_dscope.h"
#include <QDir>
#include <QFile>
#include <QObject>
#include <QRegularExpression>
#include <QTemporaryDir>
#include <QTest>
using namespace dscope::tests;
namespace {
struct Block {
    QString language, text;
    int line = 0;
};
QList<Block> blocksOf(const QString& path)
{
    QFile file(path);
    if (!file.open(QIODevice::ReadOnly)) return {};
    QList<Block> all;
    bool isInside = false;
    int number = 0;
    for (const auto& line : QString::fromUtf8(file.readAll()).split(QChar('\n'))) {
        ++number;
        if (line.startsWith(QStringLiteral("```"))) {
            if (!isInside) all.append({line.mid(3), {}, number});
            isInside = !isInside;
        } else if (isInside)
            all.last().text += line + QChar('\n');
    }
    return all;
}
QStringList pages()
{
    const QDir folder(QStringLiteral(DSCOPE_SOURCE "/docs/guide"));
    QStringList all;
    for (const auto& name : folder.entryList({QStringLiteral("*.md")}, QDir::Files)) all << folder.filePath(name);
    return all;
}
} // namespace

class TestGuide : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void programsCompile_data()
    {
        QTest::addColumn<QString>("program");
        for (const auto& page : pages())
            for (const auto& block : blocksOf(page))
                if (block.language == "d") QTest::newRow(qPrintable(QStringLiteral("%1:%2").arg(QFileInfo(page).fileName()).arg(block.line))) << block.text;
    }
    void programsCompile()
    {
        QFETCH(QString, program);
        const QTemporaryDir dir;
        QFile script(dir.filePath("guide.d"));
        QVERIFY(script.open(QIODevice::WriteOnly) && script.write(program.toUtf8()) > 0);
        script.close();
        const auto run = runDscope({"-e", "-Z", "-s", script.fileName()});
        QVERIFY2(run.status == 0 && run.err.isEmpty(), run.err.constData());
    }
    void commandsAreTaken_data()
    {
        QTest::addColumn<QString>("command");
        static const QRegularExpression kCommand(QStringLiteral("^\\$ (?:sudo )?dscope (.*)$"));
        for (const auto& page : pages())
            for (const auto& block : blocksOf(page)) {
                if (block.language != "sh") continue;
                int line = block.line;
                for (const auto& text : block.text.split(QChar('\n'))) {
                    ++line;
                    if (const auto match = kCommand.match(text); match.hasMatch())
                        QTest::newRow(qPrintable(QStringLiteral("%1:%2").arg(QFileInfo(page).fileName()).arg(line))) << match.captured(1);
                }
            }
    }
    /// Programs are compiled, not run; lists and --doctor are as they stand.
    void commandsAreTaken()
    {
        QFETCH(QString, command);
        static const QRegularExpression kExport(QStringLiteral(" --export (?:([a-z-]+)=)?(\\S+)")), kTraced(QStringLiteral(" -c ('[^']*'|\\S+)")),
            kKept(QStringLiteral(" --(?:record|diff) \\S+"));
        auto words = command;
        const auto view = kExport.match(words).captured(1);
        words.remove(kExport).remove(kKept).replace(kTraced, QStringLiteral(" -c /bin/true"));
        const bool compiles = words.contains("n '") || words.contains("-s ");
        const bool lists = words.startsWith("-l");
        if (compiles && !lists) words.prepend(view.isEmpty() ? QStringLiteral("-e -Z ") : QStringLiteral("--views -Z "));
        QProcess shell;
        shell.setWorkingDirectory(QStringLiteral(DSCOPE_SOURCE));
        shell.start(QStringLiteral("sh"), {QStringLiteral("-c"), QStringLiteral(DSCOPE_BIN "/dscope ") + words});
        QVERIFY(shell.waitForFinished(120'000));
        const auto err = shell.readAllStandardError(), out = shell.readAllStandardOutput();
        QVERIFY2(shell.exitCode() == 0 && err.isEmpty(), qPrintable(words + QChar('\n') + QString::fromUtf8(err)));
        if (!view.isEmpty())
            QVERIFY2(QRegularExpression(QStringLiteral("^") + view + QStringLiteral("\t"), QRegularExpression::MultilineOption).match(QString::fromUtf8(out)).hasMatch(), out.constData());
    }
};
QTEST_GUILESS_MAIN(TestGuide)
#include "tst_guide.moc"
