// needs-programs: dscope
#include "tests/support/run_dscope.h"
#include <QTest>
using namespace dscope::tests;
/// What is recorded speculatively and then not committed was never recorded: not in the text, not in a recording, not in a figure.
class TestSpeculations : public QObject {
    Q_OBJECT
    QTemporaryDir m_folder;
    QString path(const char* name) const { return m_folder.filePath(QLatin1String(name)); }
    static QByteArray contents(const QString& path)
    {
        QFile file(path);
        return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
    }
private Q_SLOTS:
    void initTestCase()
    {
        if (const auto why = whyNoTracing(); !why.isEmpty()) QSKIP(why.constData());
    }
    void whatWasNotCommittedReachesNoFigure()
    {
        // 3 writes of 100 bytes are committed; 10 of 4096 are neither committed nor discarded.
        const auto program = QStringLiteral("#pragma D option quiet\n#pragma D option nspec=64\n"
                                            "syscall::write:entry /pid == $target && (arg2 == 100 || arg2 == 4096)/"
                                            " { self->s = speculation(); speculate(self->s); printf(\"size %d\\n\", arg2); ustack(); }\n"
                                            "syscall::write:return /self->s && arg1 == 100/ { commit(self->s); }\n"
                                            "syscall::write:return { self->s = 0; }\n");
        const auto ran = runDscope({QStringLiteral("-n"), program, QStringLiteral("-c"),
            QStringLiteral(DSCOPE_PROGRAMS "/known_writes 100 3 4096 10"), QStringLiteral("--record"), path("run.dscope")});
        QVERIFY2(ran.status == 0, ran.err.constData());

        // Figures of a program that runs are made of the same records.
        const auto replayed = runDscope({QStringLiteral("--replay"), path("run.dscope")});
        QCOMPARE(replayed.out.count("size 100"), 3);
        QCOMPARE(replayed.out.count("size 4096"), 0);

        const auto drawn = runDscope(
            {QStringLiteral("--replay"), path("run.dscope"), QStringLiteral("--export"), QStringLiteral("table=") + path("run.csv")});
        QVERIFY2(drawn.status == 0, drawn.err.constData());
        const auto rows = contents(path("run.csv")).trimmed().split('\n');
        QCOMPARE(rows.size(), 1 + 3);
        for (const auto& row : rows)
            QVERIFY2(!row.contains("4096"), row.constData());
    }
};
QTEST_GUILESS_MAIN(TestSpeculations)
#include "tst_speculations.moc"
