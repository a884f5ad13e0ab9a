// needs: providers tests/support
#include "compiled.h"
#include "engine/sema/analyse.h"
#include <QDirIterator>
#include <QObject>
#include <QRegularExpression>
#include <QTest>
#include <fstream>
#include <sstream>
using namespace dscope;

/// Programs of DTrace for Linux's own test suite that must be refused: with the same tag and the same words.
/// DSCOPE_PEER_SUITE is the path of its test/unittest; the suite is not part of this repository.
class PeerErrors : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void refusesAsDtraceDoes_data();
    void refusesAsDtraceDoes();
};

void PeerErrors::refusesAsDtraceDoes_data()
{
    QTest::addColumn<QString>("path");
    const auto suite = qEnvironmentVariable("DSCOPE_PEER_SUITE");
    if (suite.isEmpty()) QSKIP("DSCOPE_PEER_SUITE is not set");
    QDirIterator files(suite, {QStringLiteral("err.D_*.d")}, QDir::Files, QDirIterator::Subdirectories);
    QStringList paths;
    while (files.hasNext())
        paths << files.next();
    paths.sort();
    for (const auto& path : paths)
        QTest::newRow(qPrintable(QDir(suite).relativeFilePath(path))) << path;
}

void PeerErrors::refusesAsDtraceDoes()
{
    QFETCH(QString, path);
    std::ifstream in(path.toStdString());
    std::ostringstream text;
    text << in.rdbuf();
    const auto name = QFileInfo(path).fileName();
    const auto expected = name.section(QLatin1Char('.'), 1, 1);
    const auto host = host::local();
    const probe::Registry registry(*host, providers::all());
    syntax::Sources sources;
    Diagnostics diagnostics;
    const auto file = sources.add({"test.d", text.str()});
    syntax::Macros macros{{"dtrace"},
        {{"pid", 1}, {"target", 0}, {"ppid", 1}, {"uid", 0}, {"gid", 0}, {"euid", 0}, {"egid", 0}, {"pgid", 0}, {"sid", 0}, {"projid", 0},
            {"taskid", 0}},
        false, {}};
    options::Options options;
    static const QRegularExpression kOptions(QStringLiteral("@@runtest-opts:(.*)"));
    const auto line = kOptions.match(QString::fromStdString(text.str())).captured(1);
    if (line.contains(QStringLiteral("-C"))) QSKIP("needs the preprocessor");
    static const QRegularExpression kOption(QStringLiteral("-x *(\\w+)(?:=(\\w+))?"));
    for (auto it = kOption.globalMatch(line); it.hasNext();) {
        const auto m = it.next();
        (void)options.set(m.captured(1).toStdString(), m.captured(2).toStdString());
    }
    std::vector<sema::Input> inputs;
    inputs.push_back({file, syntax::parse(sources, file, macros, diagnostics)});
    const sema::Environment environment{
        *host, registry, providers::libraries(), options, macros, line.contains(QStringLiteral("-Z"))};
    (void)sema::analyse(inputs, sources, environment, diagnostics);
    QVERIFY2(!diagnostics.ok(), "was accepted");
    const auto& first = diagnostics.all().front();
    const auto tag = QString::fromUtf8(first.tag.data(), static_cast<qsizetype>(first.tag.size()));
    const auto told
        = QStringLiteral("[%1] line %2: %3").arg(tag).arg(sources.position(first.at).line).arg(QString::fromStdString(first.message));
    QVERIFY2(tag == expected, qPrintable(told));
    std::ifstream result((path.left(path.size() - 2) + QStringLiteral(".r")).toStdString());
    if (!result) return;
    std::ostringstream wanted;
    wanted << result.rdbuf();
    const auto all = QString::fromStdString(wanted.str());
    const auto begin = all.indexOf(QLatin1Char('[') + expected + QLatin1Char(']'));
    if (begin < 0) return;
    const auto words = all.mid(begin).trimmed();
    QCOMPARE(told, words);
}

QTEST_GUILESS_MAIN(PeerErrors)
#include "tst_peer_errors.moc"
