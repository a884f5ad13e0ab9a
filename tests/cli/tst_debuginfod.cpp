// needs-programs: dscope
// needs: engine/symbols
// Debug files from a server: Debian's debuginfod, on this machine.
#include "engine/symbols/debuginfod.h"
#include "engine/symbols/module.h"
#include "tests/support/programs_at_hand.h"
#include "tests/support/run_dscope.h"
#include <QDir>
#include <QFile>
#include <QObject>
#include <QProcess>
#include <QRegularExpression>
#include <QTemporaryDir>
#include <QTest>
#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>
using namespace dscope;
using namespace dscope::symbols;
using namespace dscope::tests;
namespace {
sockaddr_in loopback(int port)
{
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(static_cast<std::uint16_t>(port));
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    return address;
}
/// Listens where nobody else does; never answers.
class Silent {
public:
    Silent() : m_fd(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0))
    {
        auto address = loopback(0);
        socklen_t size = sizeof address;
        if (::bind(m_fd.get(), reinterpret_cast<sockaddr*>(&address), size) == 0 && ::listen(m_fd.get(), 8) == 0
            && ::getsockname(m_fd.get(), reinterpret_cast<sockaddr*>(&address), &size) == 0)
            m_port = ntohs(address.sin_port);
    }
    int port() const { return m_port; }

private:
    Fd m_fd;
    int m_port = 0;
};
/// The first line of the answer to a request.
QByteArray answer(int port, const QByteArray& path)
{
    const Fd fd(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
    const auto address = loopback(port);
    if (::connect(fd.get(), reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0) return {};
    const auto request = "GET " + path + " HTTP/1.0\r\n\r\n";
    if (::write(fd.get(), request.constData(), static_cast<std::size_t>(request.size())) != request.size()) return {};
    char text[64];
    const auto n = ::read(fd.get(), text, sizeof text);
    return n > 0 ? QByteArray(text, n) : QByteArray();
}
ElfFile opened(const QString& path)
{
    auto elf = ElfFile::open(openToRead(path.toStdString()));
    return elf ? std::move(*elf) : ElfFile{};
}
} // namespace

class TestDebuginfod : public QObject {
    Q_OBJECT
    QTemporaryDir m_dir;
    QProcess m_server;
    QString m_stripped;
    QString path(const char* name) { return m_dir.filePath(name); }
    void serve(int port) { qputenv("DEBUGINFOD_URLS", "http://127.0.0.1:" + QByteArray::number(port)); }
    /// Nothing was ever asked for.
    void forgetAll()
    {
        QDir(path("cache")).removeRecursively();
        QDir().mkpath(path("cache"));
        qputenv("DEBUGINFOD_CACHE_PATH", path("cache").toLocal8Bit());
    }
    int m_port = 0;

private Q_SLOTS:
    void initTestCase()
    {
        if (!has("debuginfod") || !has("objcopy")) QSKIP("needs debuginfod and binutils");
        const QString whole = QStringLiteral(DSCOPE_PROGRAMS "/two_chains");
        m_stripped = path("stripped");
        QDir().mkpath(path("files"));
        QCOMPARE(runDscope({"--strip-all", whole, m_stripped}, {}, "objcopy").status, 0);
        QCOMPARE(runDscope({"--only-keep-debug", whole, path("files/any.debug")}, {}, "objcopy").status, 0);
        m_port = Silent().port();
        m_server.setStandardOutputFile(QProcess::nullDevice());
        m_server.setStandardErrorFile(QProcess::nullDevice());
        m_server.start("debuginfod", {"-p", QString::number(m_port), "-d", path("database"), "-F", path("files")});
        QVERIFY(m_server.waitForStarted());
        const auto page = "/buildid/" + QByteArray::fromStdString(opened(m_stripped).buildId()) + "/debuginfo";
        QTRY_VERIFY_WITH_TIMEOUT(answer(m_port, page).contains(" 200 "), 60'000);
    }
    void cleanupTestCase()
    {
        m_server.terminate();
        m_server.waitForFinished();
    }
    void filesAreFetched()
    {
        forgetAll();
        serve(m_port);
        const auto servers = Debuginfod::start();
        QVERIFY2(servers, servers ? "" : servers.error().message.c_str());
        const auto id = opened(m_stripped).buildId();
        const std::string unknown = "0123456789012345678901234567890123456789";
        (*servers)->want(id);
        (*servers)->want(unknown);
        (*servers)->await(std::chrono::seconds(60));
        QVERIFY((*servers)->state(id) == Debuginfod::State::Here);
        QVERIFY((*servers)->state(unknown) == Debuginfod::State::Missing);
        QVERIFY((*servers)->find(id) && (*servers)->find(id)->section(".symtab"));
        QVERIFY(!(*servers)->find(unknown));
        QCOMPARE((*servers)->answers(), std::uint64_t{2});
    }
    void namesComeWhenTheFileHasCome()
    {
        forgetAll();
        serve(m_port);
        const auto nm = runDscope({QStringLiteral(DSCOPE_PROGRAMS "/two_chains")}, {}, "nm").out;
        const auto start = QRegularExpression("([0-9a-f]+) t wide_leaf\n").match(nm).captured(1).toULongLong(nullptr, 16);
        QVERIFY(start > 0);
        const auto servers = Debuginfod::start();
        QVERIFY(servers);
        Module module(opened(m_stripped), "stripped", DebugPlaces{kDebugFolder, {}, {}});
        module.askServers(*servers);
        const auto first = module.named(start + 4); // asks, and does not wait
        QVERIFY(first.function.empty() || first.function == "wide_leaf");
        (*servers)->await(std::chrono::seconds(60));
        QCOMPARE(module.named(start + 4).function, std::string("wide_leaf"));
        QCOMPARE(module.named(start + 4).offset, std::uint64_t{4});
    }
    void aServerThatDoesNotAnswerIsLeft()
    {
        forgetAll();
        const Silent silent;
        serve(silent.port());
        qputenv("DEBUGINFOD_TIMEOUT", "100000");
        const auto servers = Debuginfod::start();
        QVERIFY(servers);
        (*servers)->want(opened(m_stripped).buildId());
        (*servers)->await(std::chrono::milliseconds(1));
        QCOMPARE((*servers)->underWay(), std::size_t{1});
        qunsetenv("DEBUGINFOD_TIMEOUT");
        // Its end does not wait for the answer: this test would not end in time.
    }
    void withoutServersItSaysSo()
    {
        qunsetenv("DEBUGINFOD_URLS");
        const auto servers = Debuginfod::start();
        QVERIFY(!servers && servers.error().message.find("DEBUGINFOD_URLS") != std::string::npos);
    }
    void runsFetchOnlyWhenAskedTo_data()
    {
        QTest::addColumn<bool>("asked");
        QTest::newRow("asked") << true;
        QTest::newRow("not asked") << false;
    }
    void runsFetchOnlyWhenAskedTo()
    {
        if (const auto why = whyNoTracing(); !why.isEmpty()) QSKIP(why.constData());
        QFETCH(bool, asked);
        forgetAll();
        serve(m_port);
        QStringList arguments{"-qn", "profile-997 /pid == $target && arg1 != 0/ { @[ustack()] = count(); }", "-c", m_stripped + " 3",
            "--export", "flame=" + path("f.folded")};
        if (asked) arguments = QStringList{"-x", "debuginfod"} + arguments;
        const auto run = runDscope(arguments);
        QCOMPARE(run.err, QByteArray());
        QFile folded(path("f.folded"));
        QVERIFY(folded.open(QIODevice::ReadOnly));
        const auto text = folded.readAll();
        QCOMPARE(text.contains("stripped`main;stripped`wide_a;stripped`wide_b;stripped`wide_c;stripped`wide_leaf"), asked);
        QCOMPARE(QDir(path("cache")).isEmpty(QDir::Dirs | QDir::NoDotAndDotDot), !asked);
    }
    void aRecordingIsNamedLater()
    {
        if (const auto why = whyNoTracing(); !why.isEmpty()) QSKIP(why.constData());
        forgetAll();
        serve(m_port);
        const auto run = runDscope({"-qn", "profile-997 /pid == $target && arg1 != 0/ { @[ustack()] = count(); }", "-c", m_stripped + " 3",
            "--record", path("r.dscope"), "-o", path("out")});
        QCOMPARE(run.status, 0);
        QVERIFY(QDir(path("cache")).isEmpty(QDir::Dirs | QDir::NoDotAndDotDot));
        const auto unnamed = runDscope({"--replay", path("r.dscope")});
        QVERIFY(unnamed.out.contains("stripped`0x") && !unnamed.out.contains("wide_leaf"));
        const auto named = runDscope({"--replay", path("r.dscope"), "-x", "ustacklines", "-x", "debuginfod"});
        QCOMPARE(named.status, 0);
        QVERIFY2(named.out.contains("stripped`wide_leaf+0x"), named.out.constData());
        QVERIFY(named.out.count('\n') >= unnamed.out.count('\n')); // inlined functions have lines of their own
    }
};
QTEST_GUILESS_MAIN(TestDebuginfod)
#include "tst_debuginfod.moc"
