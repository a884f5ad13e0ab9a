#include "engine/session/target.h"
#include <QFile>
#include <QObject>
#include <QTemporaryDir>
#include <QTest>
#include <array>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>
using namespace dscope;
using session::Target;
namespace {
/// Waits until the process has ended, at most 10 s.
std::optional<int> awaited(Target& target)
{
    pollfd watch{target.pidFd(), POLLIN, 0};
    ::poll(&watch, 1, 10'000);
    return target.ended();
}
/// Whether a process, which need not be our child, is there and has not ended.
bool isRunning(pid_t pid)
{
    QFile status(QStringLiteral("/proc/%1/status").arg(pid));
    return status.open(QIODevice::ReadOnly) && !status.readAll().contains("\nState:\tZ");
}
} // namespace

class TestTarget : public QObject {
    Q_OBJECT
private Q_SLOTS:
    // A directory that may not be searched would change what is said of a missing command.
    void initTestCase() { qputenv("PATH", "/usr/bin:/bin"); }
    void tellsHowACommandEnded_data()
    {
        QTest::addColumn<QByteArray>("command");
        QTest::addColumn<int>("status");
        QTest::newRow("true") << QByteArray("/bin/true") << 0;
        QTest::newRow("false, found in PATH") << QByteArray("false") << (1 << 8);
        QTest::newRow("blanks around words") << QByteArray("  test   -d  / ") << 0;
        QTest::newRow("lines of words") << QByteArray("test\n-d\n/\n") << 0;
        QTest::newRow("no quoting") << QByteArray("test 'a = 'a") << 0;
    }
    void tellsHowACommandEnded()
    {
        QFETCH(QByteArray, command);
        QFETCH(int, status);
        auto target = Target::launch(command.toStdString());
        QVERIFY(target);
        QVERIFY(target->isChild() && target->pid() > 0);
        QVERIFY(!target->ended()); // held
        target->release();
        QCOMPARE(awaited(*target), std::optional(status));
        QCOMPARE(target->ended(), std::optional(status));
        QVERIFY(!target->failure());
    }
    void aMissingCommandIsToldBeforeAnythingRuns_data()
    {
        QTest::addColumn<QByteArray>("command");
        QTest::addColumn<QByteArray>("message");
        QTest::newRow("by name") << QByteArray("no-such-command-here 1")
                                 << QByteArray("failed to execute no-such-command-here: No such file or directory");
        QTest::newRow("by path") << QByteArray("/no/such") << QByteArray("failed to execute /no/such: No such file or directory");
        QTest::newRow("not executable") << QByteArray("/etc/passwd") << QByteArray("failed to execute /etc/passwd: Permission denied");
        QTest::newRow("empty") << QByteArray("  ") << QByteArray("failed to execute an empty command: No such file or directory");
    }
    void aMissingCommandIsToldBeforeAnythingRuns()
    {
        QFETCH(QByteArray, command);
        QFETCH(QByteArray, message);
        const auto target = Target::launch(command.toStdString());
        QVERIFY(!target);
        QCOMPARE(target.error().message, message.toStdString());
    }
    void tellsWhenTheKernelRefusesToRunAFile()
    {
        auto target = Target::launch("/tmp"); // x means search for a directory
        QVERIFY(target);
        target->release();
        QCOMPARE(awaited(*target), std::optional(127 << 8));
        const auto failure = target->failure();
        QVERIFY(failure);
        QCOMPARE(failure->code, EACCES);
        QCOMPARE(failure->message, std::string("failed to execute /tmp: Permission denied"));
    }
    void givesTheChildNoDescriptorsAndNoSignalSettingsOfOurs()
    {
        std::array<int, 2> pipe{};
        QCOMPARE(::pipe(pipe.data()), 0); // not close-on-exec
        const Fd out(pipe[0]);
        Fd in(pipe[1]);
        sigset_t blocked, before;
        ::sigemptyset(&blocked);
        ::sigaddset(&blocked, SIGUSR1);
        ::pthread_sigmask(SIG_BLOCK, &blocked, &before);
        auto target = Target::launch("grep -q ^SigBlk:.0000000000000000$ /proc/self/status");
        ::pthread_sigmask(SIG_SETMASK, &before, nullptr);
        QVERIFY(target);
        target->release();
        QCOMPARE(awaited(*target), std::optional(0));

        auto holder = Target::launch("sleep 100");
        QVERIFY(holder);
        holder->release();
        // Once sleep runs, nobody but us holds the pipe's other end.
        QTRY_COMPARE(nameOf(holder->pid()), QByteArray("sleep"));
        in.reset();
        char byte = 0;
        QCOMPARE(::read(out.get(), &byte, 1), ssize_t{0});
    }
    void endsACommandThatOutlivesItsTarget()
    {
        pid_t pid = 0;
        {
            auto target = Target::launch("sleep 100");
            QVERIFY(target);
            target->release();
            pid = target->pid();
            const auto moved = std::move(*target); // the moved-from one must not end it
            QCOMPARE(::kill(pid, 0), 0);
        }
        QCOMPARE(::kill(pid, 0), -1);
    }
    void whatACommandLeftInTheBackgroundEndsWithIt_data()
    {
        QTest::addColumn<bool>("isOwn");
        QTest::newRow("in a group of its own") << true;
        QTest::newRow("in ours: as dtrace does") << false;
    }
    void whatACommandLeftInTheBackgroundEndsWithIt()
    {
        QFETCH(const bool, isOwn);
        const QTemporaryDir folder;
        const auto script = folder.filePath(QStringLiteral("script")), told = folder.filePath(QStringLiteral("pid"));
        QFile file(script);
        QVERIFY(file.open(QIODevice::WriteOnly));
        // Whatever becomes of this test, it ends.
        file.write("sleep 60 & echo $! > '" + told.toUtf8() + ".new'; mv '" + told.toUtf8() + ".new' '" + told.toUtf8() + "'; wait\n");
        file.close();
        pid_t left = 0;
        {
            auto target = Target::launch("/bin/sh " + script.toStdString(), {}, isOwn ? Target::Group::Own : Target::Group::Ours);
            QVERIFY(target);
            target->release();
            QTRY_VERIFY(QFile::exists(told));
            QFile pid(told);
            QVERIFY(pid.open(QIODevice::ReadOnly));
            left = pid.readAll().trimmed().toInt();
            QVERIFY(left > 0);
            QVERIFY(isRunning(left));
        }
        if (isOwn) {
            QTRY_VERIFY(!isRunning(left));
        } else {
            QVERIFY(isRunning(left));
            ::kill(left, SIGKILL);
        }
    }
    void grabsARunningProcess()
    {
        auto child = Target::launch("/bin/true");
        QVERIFY(child);
        auto target = Target::grab(child->pid());
        QVERIFY(target);
        QVERIFY(!target->isChild());
        QVERIFY(!target->ended());
        child->release();
        QCOMPARE(awaited(*target), std::optional(0));
        QCOMPARE(awaited(*child), std::optional(0));
    }
    void refusesToGrabWhatIsNotThere()
    {
        const auto target = Target::grab(0x3ffffff);
        QVERIFY(!target);
        QCOMPARE(target.error().message, std::string("failed to grab pid 67108863: No such process"));
    }

private:
    static QByteArray nameOf(pid_t pid)
    {
        QFile file(QString::fromLatin1("/proc/%1/comm").arg(pid));
        return file.open(QIODevice::ReadOnly) ? file.readAll().trimmed() : QByteArray();
    }
};
QTEST_GUILESS_MAIN(TestTarget)
#include "tst_target.moc"
