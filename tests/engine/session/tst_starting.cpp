#include "engine/session/starting.h"
#include "engine/host/host.h"
#include <QFile>
#include <QObject>
#include <QTest>
#include <array>
#include <csignal>
#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>
using namespace dscope;
using namespace std::chrono_literals;
namespace {
/// A child that calls exec, as a shell's does, when it is told to.
struct Child {
    explicit Child()
    {
        std::array<int, 2> pipe{};
        if (::pipe2(pipe.data(), O_CLOEXEC) != 0) qFatal("no pipe");
        pid = ::fork();
        if (pid == 0) {
            char go = 0;
            if (::close(pipe[1]) == 0 && ::read(pipe[0], &go, 1) == 1) ::execlp("sleep", "sleep", "100", nullptr);
            ::_exit(1);
        }
        ::close(pipe[0]);
        gate = Fd(pipe[1]);
    }
    ~Child()
    {
        ::kill(pid, SIGKILL);
        ::waitpid(pid, nullptr, 0);
    }
    Child(const Child&) = delete;
    Child& operator=(const Child&) = delete;
    QByteArray of(const char* what) const
    {
        QFile file(QStringLiteral("/proc/%1/%2").arg(pid).arg(QLatin1String(what)));
        return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
    }
    pid_t pid = 0;
    Fd gate;
};
/// This machine; the child is let go once its state has been looked at some times.
class Watched final : public host::Host {
public:
    explicit Watched(const Child& child) : m_child(child) { }
    Result<std::string> read(const std::string& path) const override
    {
        if (path.ends_with("/stat") && ++looks == 5 && ::write(m_child.gate.get(), "g", 1) != 1) qFatal("the child is gone");
        return m_real->read(path);
    }
    Result<std::vector<std::string>> entries(const std::string& directory) const override { return m_real->entries(directory); }
    Fd open(const std::string& path, int flags) const override { return m_real->open(path, flags); }
    std::optional<struct stat> status(const std::string& path) const override { return m_real->status(path); }
    std::uint32_t kernelVersion() const override { return m_real->kernelVersion(); }
    std::string kernelRelease() const override { return m_real->kernelRelease(); }
    std::string hostName() const override { return m_real->hostName(); }
    int cpuCount() const override { return m_real->cpuCount(); }
    std::vector<int> onlineCpus() const override { return m_real->onlineCpus(); }
    mutable int looks = 0;

private:
    const Child& m_child;
    std::unique_ptr<host::Host> m_real = host::local();
};
} // namespace

class TestStarting : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void aProcessIsAwaitedUntilItIsItsProgram()
    {
        const Child child;
        const Watched host(child);
        session::awaitStart(host, child.pid, 1h);
        QVERIFY(host.looks >= 5);
        QCOMPARE(child.of("comm"), QByteArray("sleep\n"));
        QVERIFY2(child.of("maps").contains("/libc"), child.of("maps").constData());
    }
    void aShellThatBecomesItsLastCommandIsAnotherProgramThen()
    {
        const Child child;
        const Watched host(child);
        const auto first = session::awaitStart(host, child.pid, 0ms);
        QVERIFY(first);
        QVERIFY(!session::awaitNextImage(host, child.pid, *first, 0ms));
        QVERIFY(session::awaitNextImage(host, child.pid, *first, 1h));
        const auto second = session::awaitStart(host, child.pid, 1h);
        QVERIFY(second && *second != *first);
        QCOMPARE(child.of("comm"), QByteArray("sleep\n"));
    }
    void aWorkerThatNeverCallsExecIsNotAwaitedForLong()
    {
        const Child child;
        const auto host = host::local();
        session::awaitStart(*host, child.pid, 30ms);
        QVERIFY(child.of("comm") != "sleep\n");
    }
    void aProcessThatHasEndedIsNotAwaited()
    {
        Child child;
        child.gate.reset(); // it ends
        const auto host = host::local();
        session::awaitStart(*host, child.pid, 1h);
        session::awaitStart(*host, 0, 1h);
    }
};
QTEST_GUILESS_MAIN(TestStarting)
#include "tst_starting.moc"
