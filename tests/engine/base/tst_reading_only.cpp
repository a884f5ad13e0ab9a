#include "engine/base/reading_only.h"
#include <QFile>
#include <QObject>
#include <QTemporaryDir>
#include <QTest>
#include <array>
#include <cerrno>
#include <csignal>
#include <fcntl.h>
#include <string>
#include <sys/ptrace.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>
using namespace dscope;
namespace {
using Act = int (*)(const char* file);
/// The errno of an act, 0 where it was done.
int codeOf(long result) { return result < 0 ? errno : 0; }
/// What an act yields in a process of its own that may only read.
int confined(Act act, const QByteArray& file)
{
    const pid_t child = ::fork();
    if (child == 0) ::_exit(allowReadingOnly() ? act(file.constData()) : 255);
    int status = 0;
    ::waitpid(child, &status, 0);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}
/// The same without it.
int unbound(Act act, const QByteArray& file)
{
    const pid_t child = ::fork();
    if (child == 0) ::_exit(act(file.constData()));
    int status = 0;
    ::waitpid(child, &status, 0);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}
} // namespace

class TestReadingOnly : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void init()
    {
        QFile file(m_dir.filePath("file"));
        QVERIFY(file.open(QIODevice::WriteOnly) && file.write("text") == 4);
    }
    void whatChangesSomethingIsRefused_data()
    {
        QTest::addColumn<Act>("act");
        const auto row = [](const char* name, Act act) { QTest::newRow(name) << act; };
        row("open to write", [](const char* file) { return codeOf(::open(file, O_WRONLY)); });
        row("open to read and write", [](const char* file) { return codeOf(::open(file, O_RDWR)); });
        row("open to append", [](const char* file) { return codeOf(::open(file, O_WRONLY | O_APPEND)); });
        row("open and cut", [](const char* file) { return codeOf(::open(file, O_RDONLY | O_TRUNC)); });
        row("open and make", [](const char* file) { return codeOf(::open((std::string(file) + ".made").c_str(), O_RDONLY | O_CREAT, 0600)); });
        row("cut", [](const char* file) { return codeOf(::truncate(file, 0)); });
        row("rename", [](const char* file) { return codeOf(::rename(file, (std::string(file) + ".other").c_str())); });
        row("remove", [](const char* file) { return codeOf(::unlink(file)); });
        row("link", [](const char* file) { return codeOf(::link(file, (std::string(file) + ".link").c_str())); });
        row("a symbolic link", [](const char* file) { return codeOf(::symlink(file, (std::string(file) + ".symbolic").c_str())); });
        row("a folder", [](const char* file) { return codeOf(::mkdir((std::string(file) + ".folder").c_str(), 0700)); });
        row("rights of a file", [](const char* file) { return codeOf(::chmod(file, 0777)); });
        row("owner of a file", [](const char* file) { return codeOf(::chown(file, ::getuid(), ::getgid())); });
        row("a program", [](const char*) { ::execl("/bin/true", "true", nullptr); return errno; });
        row("a socket", [](const char*) { return codeOf(::socket(AF_UNIX, SOCK_STREAM, 0)); });
        row("memory of a process", [](const char*) {
            char here = 'a', there = 'b';
            const iovec from{&here, 1}, to{&there, 1};
            return codeOf(::process_vm_writev(::getpid(), &from, 1, &to, 1, 0));
        });
        row("a word of a process", [](const char*) {
            static long word = 5;
            const pid_t child = ::fork();
            if (child == 0) {
                ::ptrace(PTRACE_TRACEME, 0, nullptr, nullptr);
                ::raise(SIGSTOP);
                ::_exit(0);
            }
            int status = 0;
            ::waitpid(child, &status, 0);
            const int code = codeOf(::ptrace(PTRACE_POKEDATA, child, &word, reinterpret_cast<void*>(6)));
            ::kill(child, SIGKILL);
            ::waitpid(child, &status, 0);
            return code;
        });
    }
    void whatChangesSomethingIsRefused()
    {
        QFETCH(Act, act);
        const auto file = m_dir.filePath("file").toUtf8();
        QCOMPARE(confined(act, file), EPERM);
        QFile kept(m_dir.filePath("file"));
        QVERIFY(kept.open(QIODevice::ReadOnly));
        QCOMPARE(kept.readAll(), QByteArray("text"));
        // It is the filter that refuses.
        QVERIFY(unbound(act, file) != EPERM);
    }
    void readingGoesOn_data()
    {
        QTest::addColumn<Act>("act");
        const auto row = [](const char* name, Act act) { QTest::newRow(name) << act; };
        row("a file", [](const char* file) {
            const int fd = ::open(file, O_RDONLY | O_CLOEXEC);
            std::array<char, 4> text{};
            return ::pread(fd, text.data(), text.size(), 0) == 4 ? 0 : EIO;
        });
        row("a folder", [](const char*) { return codeOf(::open("/proc/self/fd", O_RDONLY | O_DIRECTORY | O_CLOEXEC)); });
        row("a process", [](const char*) { return codeOf(::open("/proc/self/mem", O_RDONLY)); });
        row("a pipe that was open", [](const char*) {
            std::array<int, 2> ends{};
            char byte = 'x';
            return ::pipe(ends.data()) == 0 && ::write(ends[1], &byte, 1) == 1 && ::read(ends[0], &byte, 1) == 1 ? 0 : EIO;
        });
        row("a thread", [](const char*) {
            int done = 0;
            std::thread([&done] { done = 1; }).join();
            return done == 1 ? 0 : EIO;
        });
        row("a signal", [](const char*) { return codeOf(::kill(::getpid(), 0)); });
    }
    void readingGoesOn()
    {
        QFETCH(Act, act);
        QCOMPARE(confined(act, m_dir.filePath("file").toUtf8()), 0);
    }
    /// Readers run in threads that may be there already.
    void threadsThatAreThereAreBoundToo()
    {
        const auto act = [](const char* file) {
            std::array<int, 2> ends{};
            if (::pipe(ends.data()) != 0) return EIO;
            int code = -1;
            std::thread reader([&] {
                char byte = 0;
                if (::read(ends[0], &byte, 1) == 1) code = codeOf(::open(file, O_WRONLY));
            });
            const bool bound = allowReadingOnly().has_value();
            const char byte = 'x';
            if (::write(ends[1], &byte, 1) != 1) return EIO;
            reader.join();
            return bound ? code : 255;
        };
        QCOMPARE(unbound(act, m_dir.filePath("file").toUtf8()), EPERM);
    }

private:
    const QTemporaryDir m_dir;
};
QTEST_GUILESS_MAIN(TestReadingOnly)
#include "tst_reading_only.moc"
