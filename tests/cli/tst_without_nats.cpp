// needs-programs: dscope
// Where NATS's library is missing, what needs it says so, and nothing else does.
#include "tests/support/run_dscope.h"
#include <QFile>
#include <QObject>
#include <QTest>
using namespace dscope::tests;
class TestWithoutNats : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void whatIsMissingIsSaid_data()
    {
        QTest::addColumn<QStringList>("arguments");
        QTest::newRow("publish") << QStringList{"--replay", DSCOPE_SOURCE "/examples/recordings/write-sizes.dscope", "--publish", "nats://127.0.0.1:9/r"};
        QTest::newRow("collect") << QStringList{"--collect", "nats://127.0.0.1:9/r"};
    }
    /// A program that was moved away from its modules.
    void whatIsMissingIsSaid()
    {
        QFETCH(QStringList, arguments);
        const QTemporaryDir dir;
        const auto program = dir.filePath("dscope");
        QVERIFY(QFile::copy(DSCOPE_BIN "/dscope", program));
        const auto run = runDscope(arguments, {}, program);
        QCOMPARE(run.status, 1);
        QCOMPARE(run.out, QByteArray());
        QCOMPARE(run.err,
            QByteArray("dtrace: --publish and --collect need NATS's client library, as the package libnats3.4 has it (dscope-nats.so is not there: it is "
                       "built where libnats-dev is installed)\n"));
    }
};
QTEST_GUILESS_MAIN(TestWithoutNats)
#include "tst_without_nats.moc"
