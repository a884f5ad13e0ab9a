#include "gui/rights.h"
#include <QProcess>
#include <QTest>
using namespace dscope::gui;

class TestRights : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void theHelperIsStartedByWhatThereIs_data()
    {
        QTest::addColumn<bool>("isRoot");
        QTest::addColumn<bool>("hasBus");
        QTest::addColumn<QString>("askpass");
        QTest::addColumn<QStringList>("prefix");
        QTest::addColumn<bool>("isPossible");
        const QStringList pkexec{"/usr/bin/pkexec"}, sudo{"/usr/bin/sudo", "-A"};
        QTest::newRow("root") << true << false << "" << QStringList() << true;
        QTest::newRow("pkexec") << false << true << "/usr/bin/ssh-askpass" << pkexec << true;
        QTest::newRow("pkexec without a bus") << false << false << "/usr/bin/ssh-askpass" << sudo << true;
        QTest::newRow("nobody can be asked") << false << false << "" << QStringList() << false;
    }
    void theHelperIsStartedByWhatThereIs()
    {
        QFETCH(bool, isRoot);
        QFETCH(bool, hasBus);
        QFETCH(QString, askpass);
        QFETCH(QStringList, prefix);
        QFETCH(bool, isPossible);
        const auto rights = rightsBy({isRoot, "/usr/bin/pkexec", hasBus, "/usr/bin/sudo", askpass});
        QCOMPARE(rights.prefix, prefix);
        QCOMPARE(rights.isPossible, isPossible);
        QCOMPARE(rights.environment.value(0), prefix.contains("-A") ? "SUDO_ASKPASS=" + askpass : QString());
    }
    // A shell must read the words as they were: here one with a dscope and a sudo that tell them.
    void theCommandByHandIsReadAsItWasMeant()
    {
        const QString program = "BEGIN\n{\n\tprintf(\"it's $HOME `date` \\\\n\");\n}\n", command = "sh -c 'echo \"$PATH\"'";
        QProcess shell;
        shell.start("/bin/sh", {"-c", "sudo() { shift; printf '%s\\0' \"$@\"; }\n" + commandByHand(program, command, "my run.dscope")});
        QVERIFY(shell.waitForFinished());
        auto words = QString::fromUtf8(shell.readAllStandardOutput()).split(QChar('\0'));
        words.removeLast();
        QCOMPARE(words, QStringList({"--record", "my run.dscope", "-c", command, "-n", program}));
    }
};
QTEST_GUILESS_MAIN(TestRights)
#include "tst_rights.moc"
