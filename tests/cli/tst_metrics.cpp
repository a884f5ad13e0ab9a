// needs-programs: dscope
// --metrics: what scrapers of Debian read of a run that goes on. Prometheus and PCP are the truth.
#include "tests/support/heavy_readers.h"
#include "tests/support/run_dscope.h"
#include <QDir>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QObject>
#include <QRegularExpression>
#include <QStandardPaths>
#include <QTest>
#include <algorithm>
#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <vector>
using namespace dscope::tests;
namespace {
constexpr int kPatience = 100'000; // ms: a machine with much else to do
const QString kPmda = QStringLiteral("/var/lib/pcp/pmdas/openmetrics/pmdaopenmetrics.python"), kPmcd = QStringLiteral("/usr/lib/pcp/bin/pmcd");
sockaddr_in loopback(int port)
{
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(static_cast<std::uint16_t>(port));
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    return address;
}
/// A port of loopback that nobody has.
int freePort()
{
    const int fd = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    auto address = loopback(0);
    socklen_t size = sizeof address;
    ::bind(fd, reinterpret_cast<sockaddr*>(&address), size);
    ::getsockname(fd, reinterpret_cast<sockaddr*>(&address), &size);
    ::close(fd);
    return ntohs(address.sin_port);
}
/// What comes back, up to the end of the connection. Nothing: nobody listens.
QByteArray answerTo(int port, const QByteArray& request)
{
    const int fd = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    const auto address = loopback(port);
    QByteArray all;
    if (::connect(fd, reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0) {
        (void)!::send(fd, request.constData(), static_cast<std::size_t>(request.size()), MSG_NOSIGNAL);
        char bytes[4096];
        for (ssize_t count; (count = ::read(fd, bytes, sizeof bytes)) > 0;)
            all.append(bytes, count);
    }
    ::close(fd);
    return all;
}
void put(const QString& path, const QByteArray& text)
{
    QFile file(path);
    QVERIFY(file.open(QIODevice::WriteOnly | QIODevice::Truncate));
    file.write(text);
}
/// A program that goes on until this does.
class Beside {
public:
    Beside(const QString& program, const QStringList& arguments, const QString& folder)
    {
        m_process.setProcessChannelMode(QProcess::MergedChannels);
        m_process.setStandardOutputFile(folder + "/log-of-" + QFileInfo(program).fileName());
        m_process.setWorkingDirectory(folder);
        auto environment = QProcessEnvironment::systemEnvironment();
        for (const auto* name : {"PCP_LOG_DIR", "PCP_RUN_DIR"}) // PCP's files stay there, too
            environment.insert(name, folder);
        m_process.setProcessEnvironment(environment);
        m_process.start(program, arguments);
        m_process.waitForStarted();
    }
    ~Beside()
    {
        m_process.terminate();
        if (m_process.waitForFinished(5000)) return;
        m_process.kill();
        m_process.waitForFinished();
    }

private:
    QProcess m_process;
};
} // namespace

class TestMetrics : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void initTestCase()
    {
        if (const auto why = whyNoTracing(); !why.isEmpty()) QSKIP(why.constData());
        // BEGIN alone counts, so that the numbers are known while it goes on.
        m_port = freePort();
        m_run.start(QStringLiteral(DSCOPE_BIN "/dscope"),
            {"--metrics", QString::number(m_port), "-qn",
                "BEGIN { @calls[\"read \\\"it\\\"\"] = count(); @bytes[\"a\"] = sum(700); @bytes[\"b\"] = sum(42); @size = quantize(700); @size = quantize(5); printf(\"begun\\n\"); }"});
        QVERIFY(m_run.waitForStarted());
        QTRY_VERIFY_WITH_TIMEOUT(get().contains("dscope_bytes{key=\"a\"} 700"), kPatience);
    }

    void cleanupTestCase()
    {
        m_run.kill();
        m_run.waitForFinished();
    }

    /// Connections that ask nothing keep nobody out, in whatever number.
    void whoAsksNothingKeepsNobodyOut()
    {
        std::vector<int> idle;
        const auto address = loopback(m_port);
        for (int i = 0; i < 300; ++i) {
            idle.push_back(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
            ::connect(idle.back(), reinterpret_cast<const sockaddr*>(&address), sizeof address);
        }
        for (int i = 0; i < 3; ++i)
            QVERIFY(get().startsWith("HTTP/1.1 200 OK"));
        // They were let go of, and not waited for until they asked nothing for ten seconds.
        char byte = 0;
        QVERIFY(std::ranges::any_of(idle, [&](int fd) { return ::recv(fd, &byte, 1, MSG_DONTWAIT) == 0; }));
        for (const int fd : idle)
            ::close(fd);
    }

    /// Fewer than there may be: all of them stay connected while somebody else is answered.
    void someWhoAskNothingStayConnected()
    {
        std::vector<int> idle;
        const auto address = loopback(m_port);
        for (int i = 0; i < 40; ++i) {
            idle.push_back(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
            QCOMPARE(::connect(idle.back(), reinterpret_cast<const sockaddr*>(&address), sizeof address), 0);
        }
        const auto answer = get();
        char byte = 0;
        const auto isOpen = [&](int fd) { return ::recv(fd, &byte, 1, MSG_DONTWAIT) < 0 && errno == EAGAIN; };
        const auto open = std::ranges::count_if(idle, isOpen);
        for (const int fd : idle)
            ::close(fd);
        QVERIFY2(answer.startsWith("HTTP/1.1 200 OK"), answer);
        QCOMPARE(open, 40);
    }

    void onlyNumbersAreThere()
    {
        const auto all = get();
        QVERIFY2(all.startsWith("HTTP/1.1 200 OK\r\nContent-Type: application/openmetrics-text; version=1.0.0; charset=utf-8\r\n"), all);
        QVERIFY2(all.endsWith("# EOF\n"), all);
        QVERIFY2(all.contains("dscope_drops_total 0\n"), all);
        QVERIFY(answerTo(m_port, "GET / HTTP/1.1\r\n\r\n").startsWith("HTTP/1.1 404 "));
        QVERIFY(answerTo(m_port, "DELETE /metrics HTTP/1.1\r\n\r\n").startsWith("HTTP/1.1 404 "));
        QVERIFY(answerTo(m_port, "GET /" + QByteArray(100'000, 'x')).isEmpty() || m_run.state() == QProcess::Running);
    }

    /// Who asks and says nothing more keeps nobody waiting, and neither does a crowd of them.
    void idleClientsStopNobody()
    {
        std::vector<int> idle;
        for (int i = 0; i < 8; ++i) {
            idle.push_back(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
            const auto address = loopback(m_port);
            QCOMPARE(::connect(idle.back(), reinterpret_cast<const sockaddr*>(&address), sizeof address), 0);
            (void)!::send(idle.back(), "GET /met", 8, MSG_NOSIGNAL);
        }
        QVERIFY(get().endsWith("# EOF\n"));
        for (const int fd : idle)
            ::close(fd);
    }

    void prometheusShowsTheNumbers()
    {
        if (const auto why = whyNoReaders({"prometheus"}); !why.isEmpty()) QSKIP(qPrintable(why));
        const auto program = QStandardPaths::findExecutable("prometheus");
        const int own = freePort();
        QDir(m_dir.path()).mkpath("prometheus");
        put(at("prometheus.yml"), "global: { scrape_interval: 1s }\nscrape_configs:\n- job_name: dscope\n  static_configs: [ { targets: [\"127.0.0.1:" + QByteArray::number(m_port) + "\"] } ]\n");
        const Beside prometheus(program,
            {"--config.file=" + at("prometheus.yml"), "--storage.tsdb.path=" + at("prometheus"), QStringLiteral("--web.listen-address=127.0.0.1:%1").arg(own), "--log.level=error"}, m_dir.path());
        const auto value = [&](const QByteArray& expression) {
            const auto answer = answerTo(own, "GET /api/v1/query?query=" + expression.toPercentEncoding() + " HTTP/1.0\r\n\r\n");
            const auto results = QJsonDocument::fromJson(answer.mid(answer.indexOf("\r\n\r\n") + 4)).object()["data"].toObject()["result"].toArray();
            return results.isEmpty() ? QString() : results.at(0).toObject()["value"].toArray().at(1).toString();
        };
        QTRY_COMPARE_WITH_TIMEOUT(value("dscope_bytes{key=\"a\"}"), QStringLiteral("700"), kPatience);
        QCOMPARE(value("sum(dscope_bytes)"), QStringLiteral("742"));
        QCOMPARE(value("dscope_calls_total{key=\"read \\\"it\\\"\"}"), QStringLiteral("1"));
        QCOMPARE(value("dscope_size_bucket{le=\"+Inf\"}"), QStringLiteral("2"));
        QCOMPARE(value("dscope_size_bucket{le=\"7\"}"), QStringLiteral("1"));
        QCOMPARE(value("dscope_drops_total"), QStringLiteral("0"));
        QCOMPARE(value("up"), QStringLiteral("1"));
    }

    void pcpShowsTheNumbers()
    {
        if (const auto why = whyNoReaders({"pminfo"}); !why.isEmpty()) QSKIP(qPrintable(why));
        if (!QFile::exists(kPmda) || !QFile::exists(kPmcd)) QSKIP("pcp is not installed (./cmake/install-packages readers)");
        if (runDscope({"-c", "import requests, pcp"}, {}, "/usr/bin/python3").status != 0)
            QSKIP("python3-pcp and python3-requests are not installed (./cmake/install-packages readers)");
        const int own = freePort();
        QDir(m_dir.path()).mkpath("urls");
        put(at("urls/traced.url"), "http://127.0.0.1:" + QByteArray::number(m_port) + "/metrics\n");
        put(at("names"), "root {\n openmetrics 144:*:*\n pmcd 2:*:*\n}\n");
        put(at("pmcd.conf"),
            QStringLiteral("openmetrics 144 pipe binary notready /usr/bin/python3 %1 -c %2 -l pmda.log -u root\n").arg(kPmda, at("urls")).toUtf8());
        const Beside pmcd(kPmcd,
            {"-f", "-c", at("pmcd.conf"), "-l", at("pmcd.log"), "-p", QString::number(own), "-i", "127.0.0.1", "-s", at("pmcd.socket"), "-U", "root", "-n", at("names")}, m_dir.path());
        const auto info = [&] { return runDscope({"-h", QStringLiteral("127.0.0.1:%1").arg(own), "-f", "openmetrics.traced"}, {}, "pminfo").out; };
        QByteArray all;
        QTRY_VERIFY_WITH_TIMEOUT((all = info(), all.contains("value 700")), kPatience);
        QVERIFY2(QRegularExpression(R"(dscope_bytes\n +inst \[\d+ or "\d+ key:a"\] value 700\n +inst \[\d+ or "\d+ key:b"\] value 42\n)").match(QString::fromUtf8(all)).hasMatch(), all);
    }

    void badWordsAreTold_data()
    {
        QTest::addColumn<QStringList>("arguments");
        QTest::addColumn<QByteArray>("error");
        QTest::newRow("name") << QStringList{"-n", "BEGIN", "--metrics", "nowhere"} << QByteArray("--metrics takes a port, or ADDRESS:PORT, as 127.0.0.1:9100, not \"nowhere\"");
        QTest::newRow("address") << QStringList{"-n", "BEGIN", "--metrics", "example.com:9100"} << QByteArray("give the address as a number");
        QTest::newRow("taken") << QStringList{"-n", "BEGIN", "--metrics", "TAKEN"} << QByteArray("Address already in use");
        QTest::newRow("replay") << QStringList{"--replay", "x", "--metrics", "9100"} << QByteArray("--metrics is for runs that go on: --export FILE.prom");
    }
    void badWordsAreTold()
    {
        QFETCH(QStringList, arguments);
        QFETCH(QByteArray, error);
        arguments.replaceInStrings("TAKEN", QString::number(m_port));
        const auto run = runDscope(arguments);
        QCOMPARE(run.status, 1);
        QVERIFY2(run.err.contains(error), run.err);
    }

private:
    QString at(const QString& name) const { return m_dir.filePath(name); }
    QByteArray get() const { return answerTo(m_port, "GET /metrics HTTP/1.1\r\nHost: x\r\n\r\n"); }
    QTemporaryDir m_dir;
    QProcess m_run;
    int m_port = 0;
};
QTEST_GUILESS_MAIN(TestMetrics)
#include "tst_metrics.moc"
