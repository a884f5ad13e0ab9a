// needs: engine/importers
// Files that the tools themselves write: read twice they say the same, and cut anywhere they are read or refused, never more.
#include "tests/support/imported.h"
#include <QDir>
#include <QFile>
#include <QObject>
#include <QProcess>
#include <QStandardPaths>
#include <QTemporaryDir>
#include <QTest>
using namespace dscope;
using namespace dscope::tests;

class TestRealFiles : public QObject {
    Q_OBJECT
    QTemporaryDir m_folder;
    QString m_recorded, m_script, m_calls; ///< empty where the tool is missing or may not record

    static bool run(const QString& program, const QStringList& arguments, const QString& output = {})
    {
        QProcess process;
        if (!output.isEmpty()) process.setStandardOutputFile(output);
        process.start(program, arguments);
        return process.waitForFinished(60'000) && process.exitStatus() == QProcess::NormalExit && process.exitCode() == 0;
    }
    static Result<text::Imported> imported(const QString& path) { return text::import(importers::all(), path.toStdString(), ""); }

private Q_SLOTS:
    void initTestCase()
    {
        const QString work = "work() { i=0; while [ $i -lt 20000 ]; do i=$((i+1)); done; }; work & work; wait; ls -d / /nowhere; true";
        const auto data = m_folder.filePath("perf.data"), script = m_folder.filePath("perf.txt"), calls = m_folder.filePath("strace.txt");
        if (run("perf", {"record", "-q", "-e", "cpu-clock", "-F", "499", "-g", "-o", data, "--", "sh", "-c", work})) m_recorded = data;
        if (!m_recorded.isEmpty() && run("perf", {"script", "-f", "-i", data}, script)) m_script = script;
        if (run("strace", {"-f", "-ttt", "-T", "-o", calls, "sh", "-c", work})) m_calls = calls;
    }
    void readTwiceItSaysTheSame_data() { files(); }
    void readTwiceItSaysTheSame()
    {
        QFETCH(QString, file);
        if (file.isEmpty()) QSKIP("perf or strace is not installed, or may not record here");
        const auto first = imported(file), second = imported(file);
        QVERIFY2(first && second, first ? "" : first.error().message.c_str());
        QCOMPARE(said(*second), said(*first));
        QCOMPARE(second->records.size(), first->records.size());
        QCOMPARE(second->notUnderstood, first->notUnderstood);
        QVERIFY(!first->records.empty());
    }
    void cutAnywhereItIsReadOrRefused_data() { files(); }
    void cutAnywhereItIsReadOrRefused()
    {
        QFETCH(QString, file);
        if (file.isEmpty()) QSKIP("perf or strace is not installed, or may not record here");
        QFile whole(file);
        QVERIFY(whole.open(QIODevice::ReadOnly));
        const auto bytes = whole.readAll();
        const auto path = m_folder.filePath("cut");
        constexpr int kCuts = 40;
        for (int i = 0; i < kCuts; ++i) {
            // Many cuts near the beginning, where headers are.
            const auto length = i < kCuts / 2 ? std::min<qsizetype>(bytes.size(), 13 * i) : bytes.size() * (2 * i - kCuts) / kCuts;
            QFile cut(path);
            QVERIFY(cut.open(QIODevice::WriteOnly | QIODevice::Truncate));
            QCOMPARE(cut.write(bytes.left(length)), length);
            cut.close();
            const auto read = imported(path);
            if (!read) QVERIFY2(!read.error().message.empty(), QByteArray::number(length));
        }
    }

private:
    void files() const
    {
        QTest::addColumn<QString>("file");
        QTest::newRow("perf.data") << m_recorded;
        QTest::newRow("perf script") << m_script;
        QTest::newRow("strace") << m_calls;
        for (const auto* folder : {"/tests/data/imports", "/tests/engine/importers/seeds"}) {
            const QDir kept(QString(DSCOPE_SOURCE) + folder);
            for (const auto& name : kept.entryList({"*.json", "*.gz", "*.txt"}, QDir::Files, QDir::Name))
                QTest::newRow(qPrintable(name)) << kept.filePath(name);
        }
    }
};
QTEST_GUILESS_MAIN(TestRealFiles)
#include "tst_real_files.moc"
