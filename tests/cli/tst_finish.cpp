// needs-programs: dscope
// What figures say beside their marks, where others read it: footnotes, titles of documents, kinds and directions in DOT, warnings.
#include "tests/support/run_dscope.h"
#include <QFile>
#include <QObject>
#include <QStandardPaths>
#include <QTemporaryDir>
#include <QTest>
using namespace dscope::tests;
namespace {
const QString kHot = QStringLiteral(DSCOPE_SOURCE "/examples/recordings/hot-stacks.dscope");
QByteArray contents(const QString& path)
{
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}
} // namespace

class TestFinish : public QObject {
    Q_OBJECT
private Q_SLOTS:
    /// A line of the preprocessor does not go on with the program, which would be no D; where one line has room it is the clauses'.
    void theFootnoteIsD()
    {
        for (const auto* size : {"1600x900", "1600x1600"}) {
            const auto run = runDscope({"--replay", kHot, "--export", "flame=" + at("f.svg"), "--size", size});
            QVERIFY2(run.status == 0, run.err);
            const auto svg = contents(at("f.svg"));
            QVERIFY(svg.contains(">profile-997 /pid == $target"));
            QVERIFY(!svg.contains("quiet profile-997"));
        }
        QVERIFY(contents(at("f.svg")).contains(">#pragma D option quiet<"));
    }
    void aPdfHasATitleASubjectAndKeywords()
    {
        if (QStandardPaths::findExecutable("pdfinfo").isEmpty()) QSKIP("pdfinfo (poppler-utils) is not installed");
        const auto run = runDscope({"--replay", kHot, "--export", "flame=" + at("f.pdf"), "--title", "Where it hurts"});
        QVERIFY2(run.status == 0, run.err);
        const auto info = runDscope({at("f.pdf")}, {}, "pdfinfo").out;
        QVERIFY2(info.contains("Where it hurts") && info.contains("dscope"), info);
        QVERIFY2(info.contains("Keywords:") && info.contains("DTrace, flame"), info);
        QVERIFY2(info.contains("Subject:") && info.contains("hot`mix 64.6 %"), info); // what the figure says in words
    }
    /// dot lays the graph out as dscope does: what is called is below its caller; nodes say what kind of code they are.
    void aCallGraphGoesDownInDotToo()
    {
        const auto run = runDscope({"--replay", kHot, "--export", "call-graph=" + at("c.dot")});
        QVERIFY2(run.status == 0, run.err);
        QVERIFY(contents(at("c.dot")).contains("kind=\"library\""));
        if (QStandardPaths::findExecutable("dot").isEmpty()) QSKIP("dot (graphviz) is not installed");
        const auto plain = runDscope({"-Tplain", at("c.dot")}, {}, "dot").out;
        double report = 0, mix = 0;
        for (const auto& line : plain.split('\n')) {
            const auto words = line.split(' ');
            if (words.size() < 4 || words[0] != "node") continue;
            if (line.contains("hot`report")) report = words[3].toDouble();
            if (line.contains("hot`mix")) mix = words[3].toDouble();
        }
        QVERIFY2(report > mix && mix > 0, plain.left(2000));
    }
    void whatIsOfNothingIsToldSo()
    {
        const auto run = runDscope({"--replay", kHot, "--export", "flame=" + at("n.svg"), "--keep", "no_such_function"});
        QCOMPARE(run.status, 0);
        QVERIFY2(run.err.contains("warning: " + at("n.svg").toUtf8() + " is of nothing: there is no data for the view flame"), run.err);
    }

private:
    QString at(const QString& name) const { return m_dir.filePath(name); }
    QTemporaryDir m_dir;
};
QTEST_GUILESS_MAIN(TestFinish)
#include "tst_finish.moc"
