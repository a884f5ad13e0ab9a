#include "gui/rights.h"
#include <QFile>
#include <QProcess>
#include <QTemporaryDir>
#include <QTest>
#include <sys/wait.h>
#include <unistd.h>
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
    void sudoThatAsksNobodyIsTaken_data()
    {
        QTest::addColumn<QByteArray>("sudo");
        QTest::addColumn<bool>("isTaken");
        QTest::newRow("no password is needed") << QByteArray("[ \"$1\" = -n ] && [ \"$2\" = true ]") << true;
        QTest::newRow("a password is needed") << QByteArray("echo 'sudo: a password is required' >&2; exit 1") << false;
    }
    /// For a user who is not root, whoever runs this: a sudo of our own stands in PATH.
    void sudoThatAsksNobodyIsTaken()
    {
        QFETCH(const QByteArray, sudo);
        QFETCH(const bool, isTaken);
        const QTemporaryDir folder;
        QVERIFY(QFile::setPermissions(folder.path(), QFile::Permissions(0x7755)));
        QFile file(folder.filePath("sudo"));
        QVERIFY(file.open(QIODevice::WriteOnly) && file.write("#!/bin/sh\n" + sudo + '\n') > 0);
        file.setPermissions(QFile::Permissions(0x5555));
        file.close();
        // In a process of its own, which gives up root first.
        const auto pid = ::fork();
        if (pid == 0) {
            qputenv("PATH", folder.path().toUtf8() + ":/usr/bin:/bin");
            if (::geteuid() == 0 && ::setresuid(65534, 65534, 65534) != 0) ::_exit(9);
            const auto rights = rightsBy(WaysToRoot::here());
            ::_exit(rights.isPossible && rights.prefix == QStringList({folder.filePath("sudo"), "-n"}) ? 1 : 0);
        }
        int status = 0;
        QVERIFY(pid > 0 && ::waitpid(pid, &status, 0) == pid && WIFEXITED(status));
        QCOMPARE(WEXITSTATUS(status), isTaken ? 1 : 0);
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
