// Programs that are asked for their output.
#include "engine/remote/child.h"
#include <QObject>
#include <QTest>
using namespace dscope::remote;
class TestChild : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void whatIsPrintedIsTheAnswer()
    {
        const auto answer = outputOf({"printf", "%s\\n", "a", "b"});
        QVERIFY(bool(answer));
        QCOMPARE(*answer, "a\nb");
    }
    /// yes(1) never ends by itself.
    void aProgramThatPrintsWithoutEndIsEnded()
    {
        const auto answer = outputOf({"yes"});
        QVERIFY(!answer);
        QCOMPARE(answer.error().message, "yes is ended: it prints more than 16 MiB");
    }
};
QTEST_GUILESS_MAIN(TestChild)
#include "tst_child.moc"
