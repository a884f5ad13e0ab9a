// needs-programs: dscope
// needs: engine/record
// What hosts publish through NATS and others collect is, to the byte, what the merge of their recordings is.
#include "tests/support/host_runs.h"
#include "tests/support/nats_account.h"
#include "tests/support/run_dscope.h"
#include <QCoreApplication>
#include <QDir>
#include <QFile>
#include <QObject>
#include <QStandardPaths>
#include <QTemporaryDir>
#include <QTest>
#include <arpa/inet.h>
#include <csignal>
#include <fcntl.h>
#include <algorithm>
#include <memory>
#include <netinet/in.h>
#include <sys/socket.h>
using namespace dscope;
using namespace dscope::tests;
namespace {
constexpr int kPatience = 200'000; // ms: a machine with much else to do
QByteArray contents(const QString& path)
{
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}
class Socket {
public:
    Socket() : m_fd(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)) { }
    ~Socket() { ::close(m_fd); }
    Socket(const Socket&) = delete;
    Socket& operator=(const Socket&) = delete;
    static sockaddr_in at(int port)
    {
        sockaddr_in address{};
        address.sin_family = AF_INET;
        address.sin_port = htons(static_cast<std::uint16_t>(port));
        address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
        return address;
    }
    /// A port that nobody has.
    int bindAny()
    {
        auto address = at(0);
        socklen_t size = sizeof address;
        ::bind(m_fd, reinterpret_cast<sockaddr*>(&address), size);
        ::getsockname(m_fd, reinterpret_cast<sockaddr*>(&address), &size);
        return ntohs(address.sin_port);
    }
    bool connects(int port)
    {
        auto address = at(port);
        return ::connect(m_fd, reinterpret_cast<sockaddr*>(&address), sizeof address) == 0;
    }

private:
    int m_fd;
};
/// One nats-server with JetStream on loopback, or one of several.
class Server {
public:
    Server(QString folder, int port, QString more) : m_folder(std::move(folder)), m_port(port), m_more(std::move(more)) { }
    ~Server() { kill(); }
    void start()
    {
        QDir().mkpath(m_folder);
        QFile file(m_folder + "/conf");
        if (!file.open(QIODevice::WriteOnly)) qFatal("no configuration");
        file.write(QStringLiteral("listen: 127.0.0.1:%1\njetstream { store_dir: \"%2\", max_memory_store: 16MB, max_file_store: 256MB }\n%3\n")
                       .arg(m_port)
                       .arg(m_folder, m_more)
                       .toUtf8());
        file.close();
        m_process.setStandardErrorFile(m_folder + "/log", QIODevice::Append);
        m_process.start("nats-server", {"-c", m_folder + "/conf"});
        m_process.waitForStarted();
    }
    void kill()
    {
        m_process.kill(); // SIGKILL
        m_process.waitForFinished();
    }
    bool isThere() const { return Socket().connects(m_port); }
    int port() const { return m_port; }
    QByteArray log() const { return contents(m_folder + "/log"); }

private:
    QString m_folder;
    int m_port;
    QString m_more;
    QProcess m_process;
};
/// A dscope that goes on meanwhile.
class Running {
public:
    explicit Running(const QStringList& arguments)
    {
        m_process.start(QStringLiteral(DSCOPE_BIN "/dscope"), arguments);
        m_process.waitForStarted();
    }
    ~Running() { kill(); }
    bool goesOn() const { return m_process.state() != QProcess::NotRunning; }
    void kill()
    {
        m_process.kill();
        m_process.waitForFinished();
    }
    void interrupt() { ::kill(static_cast<pid_t>(m_process.processId()), SIGINT); }
    Outcome outcome()
    {
        Outcome out;
        if (m_process.state() != QProcess::NotRunning && !m_process.waitForFinished(kPatience)) kill();
        if (m_process.exitStatus() == QProcess::NormalExit) out.status = m_process.exitCode();
        out.out = m_process.readAllStandardOutput();
        out.err = m_process.readAllStandardError();
        takeWritten(out);
        return out;
    }

private:
    QProcess m_process;
};
} // namespace

class TestRemote : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void initTestCase()
    {
        if (!QFile::exists(DSCOPE_BIN "/dscope-nats.so")) QSKIP("this build has no NATS: libnats-dev was not there");
        if (QStandardPaths::findExecutable("nats-server").isEmpty()) QSKIP("nats-server is not installed");
        constexpr int kHosts = 10, kStates = 120;
        for (int i = 0; i < kHosts; ++i) {
            const auto host = QStringLiteral("web%1.example.com").arg(i);
            m_files << at(host + ".dscope");
            test::writeRecording(m_files.last(), test::runOf(host.toStdString(), kStates, static_cast<std::uint64_t>(i) * 7 + 1));
        }
        QStringList arguments;
        for (const auto& file : m_files)
            arguments << "--replay" << file;
        for (const QString by : {"none", "host"}) {
            const auto run = runDscope(arguments + QStringList{"--by", by} + exports("merged-" + by));
            QVERIFY2(run.status == 0, run.err);
        }
        m_server = std::make_unique<Server>(at("one"), Socket().bindAny(), QString());
        m_server->start();
        QTRY_VERIFY_WITH_TIMEOUT(m_server->isThere(), kPatience);
    }

    void whatIsCollectedIsTheMerge_data()
    {
        QTest::addColumn<QString>("by");
        QTest::newRow("one") << "none";
        QTest::newRow("by host") << "host";
    }
    void whatIsCollectedIsTheMerge()
    {
        QFETCH(QString, by);
        // The first is there before the hosts; they wait for one another.
        Running early(QStringList{"--collect", url("all" + by), "--broker", "hosts=10", "--by", by} + exports("early-" + by));
        for (const auto& file : m_files) {
            const auto sent = runDscope({"--replay", file, "--publish", url("all" + by)});
            QCOMPARE(sent.err, QByteArray());
            QCOMPARE(sent.status, 0);
            QCOMPARE(sent.out, QByteArray());
        }
        const auto late = runDscope(QStringList{"--collect", url("all" + by), "--by", by, "--record", at("kept.dscope")} + exports("late-" + by));
        QVERIFY2(late.status == 0, late.err);
        QCOMPARE(late.err, test::unknownClocks(10) + "dtrace: 10 hosts\n");
        const auto first = early.outcome();
        QVERIFY2(first.status == 0, first.err);
        QVERIFY2(first.err.endsWith("dtrace: 10 hosts\n"), first.err);
        sameFiles("early-" + by, "merged-" + by);
        sameFiles("late-" + by, "merged-" + by);
        // What was collected can be kept.
        QCOMPARE(runDscope(QStringList{"--replay", at("kept.dscope")} + exports("kept")).status, 0);
        sameFiles("kept", "merged-" + by);
    }

    /// Two hosts that print: what they printed is in what is collected, in the order of time.
    void whatHostsPrintIsCollected()
    {
        for (const QByteArray host : {"a1", "b2"}) {
            auto p = test::program("tick-1s { printf(\"%s\\n\", execname); @n = count(); }", {"profile:::tick-1s"});
            p.host = host.toStdString();
            p.options["quiet"] = "";
            p.aggregations = {test::aggregation("n", record::Aggregator::Count, "", {})};
            p.clauses[0].actions = {{record::ActionKind::Printf, "%s\n", {{record::FieldKind::String, 0, 8, "execname", "string"}}, {}}};
            p.clauses[0].payloadSize = 8;
            p.clauses[0].silent = false;
            test::Stream s;
            test::begin(s, p);
            for (int i = 0; i < 3; ++i) {
                Bytes payload(8);
                payload[0] = std::byte('x');
                payload[1] = static_cast<std::byte>('0' + i);
                s.emplace_back(record::Fired{ClauseId{0}, ProbeId{101}, 0, 7, 7, record::Nanoseconds(test::kStart + i * 1000 + (host == "b2" ? 500 : 0)), payload});
            }
            s.emplace_back(record::AggregationRows{AggregationId{0}, record::Nanoseconds(test::kStart + 5000), {{{}, {3}}}});
            s.emplace_back(test::end(test::kSecond));
            test::writeRecording(at(host + ".dscope"), s);
            QCOMPARE(runDscope({"--replay", at(host + ".dscope"), "--publish", url("printed")}).status, 0);
        }
        const auto run = runDscope({"--collect", url("printed"), "--by", "host", "--record", at("printed.dscope")});
        QCOMPARE(run.err, test::unknownClocks(2) + "dtrace: 2 hosts\n");
        const auto text = runDscope({"--replay", at("printed.dscope")}).out;
        QVERIFY2(text.startsWith("a1: x0\nb2: x0\na1: x1\nb2: x1\na1: x2\nb2: x2\n"), text);
        QCOMPARE(runDscope({"--replay", at("a1.dscope"), "--replay", at("b2.dscope"), "--by", "host", "--text"}).out, text);
    }

    void figuresSayWhatTheyLack()
    {
        auto stream = test::runOf("db1", 3, 5);
        stream.insert(stream.end() - 1, record::Drop{record::Drop::Kind::Principal, 0, 12});
        test::writeRecording(at("db1.dscope"), stream);
        QCOMPARE(runDscope({"--replay", at("db1.dscope"), "--publish", url("few")}).status, 0);
        QCOMPARE(runDscope({"--replay", m_files[0], "--publish", url("few")}).status, 0);
        Running collector({"--collect", url("few"), "--broker", "hosts=3", "--broker", "every=50ms", "--export", "bars=" + at("few.svg")});
        QTRY_VERIFY_WITH_TIMEOUT(contents(at("few.svg")).contains("2 of 3 hosts, 1 with drops"), kPatience); // drawn meanwhile
        collector.interrupt();
        const auto run = collector.outcome();
        QVERIFY2(run.status == 0, run.err);
        QCOMPARE(run.err, test::unknownClocks(2) + "dtrace: 2 of 3 hosts, 1 with drops\n");
        QVERIFY(contents(at("few.svg")).contains("2 of 3 hosts, 1 with drops"));
    }

    /// What is shown lacks something of what was sent, and the exit status says so.
    void damagedMessagesAreAFailure()
    {
        QCOMPARE(runDscope({"--replay", m_files[0], "--publish", url("damaged")}).status, 0);
        // Source: NATS client protocol. The answer to PING says that the message before it was taken.
        const auto put = runDscope({"-c", QStringLiteral("exec 3<>/dev/tcp/127.0.0.1/%1; printf 'CONNECT {\"verbose\":false}\\r\\nPUB dscope.damaged.web9.0000000000000001.rows.0 5\\r\\nhello\\r\\nPING\\r\\n' >&3; "
                                                         "while read -r line <&3; do case $line in PONG*) exit 0;; esac; done; exit 1").arg(m_server->port())}, {}, "bash");
        QVERIFY2(put.status == 0, put.err);
        QCOMPARE(runDscope({"--replay", m_files[1], "--publish", url("damaged")}).status, 0);
        Running collector({"--collect", url("damaged"), "--broker", "hosts=3", "--broker", "every=50ms", "--export", "bars=" + at("damaged.svg")});
        QTRY_VERIFY_WITH_TIMEOUT(contents(at("damaged.svg")).contains("2 of 3 hosts, 1 damaged message"), kPatience);
        collector.interrupt();
        const auto run = collector.outcome();
        QVERIFY2(run.err.endsWith("dtrace: 2 of 3 hosts, 1 damaged message\n"), run.err);
        QCOMPARE(run.status, 1);
    }

    void anotherProgramIsRefused()
    {
        QCOMPARE(runDscope({"--replay", m_files[0], "--publish", url("mine")}).status, 0);
        const auto other = runDscope({"--replay", DSCOPE_SOURCE "/examples/recordings/hot-stacks.dscope", "--publish", url("mine")});
        QCOMPARE(other.status, 1);
        QVERIFY2(other.err.contains("is a run of another program: they ran different programs, first in line 1\n    web0.example.com: syscall::read"), other.err);
    }

    void aBrokerThatIsAwayIsTold()
    {
        const auto nobody = QStringLiteral("nats://me:secret@127.0.0.1:%1/run").arg(Socket().bindAny());
        const auto run = runDscope({"--replay", m_files[0], "--publish", nobody, "--broker", "wait=10ms"});
        QCOMPARE(run.status, 1);
        QVERIFY2(run.err.contains("messages of this run could not be sent to nats://127.0.0.1:"), run.err);
        QVERIFY2(run.err.contains("--record keeps a run, and --replay with --publish sends it later"), run.err);
        QVERIFY2(!run.err.contains("secret"), run.err);
    }

    /// Users and passwords, and what a host may send to, are NATS's.
    void whoMayNotIsTold()
    {
        Server server(at("users"), Socket().bindAny(), R"(authorization { users: [
            { user: web0, password: right, permissions: {
              publish: ["dscope.*.web0%2eexample%2ecom.>", "$JS.API.STREAM.INFO.*", "$JS.API.STREAM.CREATE.*", "$JS.API.STREAM.MSG.GET.*"],
              subscribe: "_INBOX.>" } },
            { user: all, password: "p@ss" } ] })");
        server.start();
        QTRY_VERIFY_WITH_TIMEOUT(server.isThere(), kPatience);
        const auto as = [&](const char* user) { return QStringLiteral("nats://%1@127.0.0.1:%2/x").arg(user).arg(server.port()); };
        const auto own = runDscope({"--replay", m_files[0], "--publish", as("web0:right")});
        QCOMPARE(own.err, QByteArray());
        QCOMPARE(own.status, 0);
        const auto other = runDscope({"--replay", m_files[1], "--publish", as("web0:right"), "--broker", "wait=10min"});
        QCOMPARE(other.status, 1);
        QVERIFY2(other.err.contains("does not take what this host sends: Permissions Violation"), other.err);
        const auto wrong = runDscope({"--replay", m_files[0], "--publish", as("web0:wrong")});
        QCOMPARE(wrong.status, 1);
        QVERIFY2(wrong.err.contains("cannot connect to nats://127.0.0.1:"), wrong.err);
        const auto read = runDscope({"--collect", as("all:p%40ss"), "--export", "table=" + at("users.csv")});
        QCOMPARE(read.err, QByteArray("dtrace: 1 host\n"));
        QCOMPARE(read.status, 0);
    }

    /// An operator's accounts, and the file that NATS gives their users.
    void credentialsAreNatss()
    {
        if (QStandardPaths::findExecutable("openssl").isEmpty()) QSKIP("openssl, which makes keys, is not installed");
        QDir().mkpath(at("keys"));
        const NatsAccount account(at("keys"));
        Server server(at("accounts"), Socket().bindAny(), account.configuration());
        server.start();
        QTRY_VERIFY_WITH_TIMEOUT(server.isThere(), kPatience);
        const auto to = QStringLiteral("nats://127.0.0.1:%1/x").arg(server.port());
        const QStringList as{"--broker", "creds=" + account.credentials()};
        const auto sent = runDscope(QStringList{"--replay", m_files[0], "--publish", to} + as);
        QVERIFY2(sent.err.isEmpty(), sent.err + server.log());
        QCOMPARE(sent.status, 0);
        const auto read = runDscope(QStringList{"--collect", to, "--export", "table=" + at("accounts.csv")} + as);
        QCOMPARE(read.err, QByteArray("dtrace: 1 host\n"));
        const auto nobody = runDscope({"--replay", m_files[0], "--publish", to, "--broker", "wait=10ms"});
        QCOMPARE(nobody.status, 1);
        QVERIFY2(nobody.err.contains("Authorization Violation"), nobody.err);
    }

    void tlsIsNatss()
    {
        if (QStandardPaths::findExecutable("openssl").isEmpty()) QSKIP("openssl, which makes certificates, is not installed");
        const auto made = runDscope({"req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost",
                                        "-keyout", at("key.pem"), "-out", at("cert.pem")},
            {}, "openssl");
        QVERIFY2(made.status == 0, made.err);
        Server server(at("tls"), Socket().bindAny(), QStringLiteral("tls { cert_file: \"%1\", key_file: \"%2\" }").arg(at("cert.pem"), at("key.pem")));
        server.start();
        QTRY_VERIFY_WITH_TIMEOUT(server.isThere(), kPatience);
        const auto to = [&](const char* host) { return QStringLiteral("tls://%1:%2/x").arg(host).arg(server.port()); };
        const auto sent = runDscope({"--replay", m_files[0], "--publish", to("localhost"), "--broker", "ca=" + at("cert.pem")});
        QCOMPARE(sent.err, QByteArray());
        QCOMPARE(sent.status, 0);
        for (const auto& arguments : {QStringList{to("localhost")}, QStringList{to("127.0.0.1"), "--broker", "ca=" + at("cert.pem")}}) {
            const auto unknown = runDscope(QStringList{"--replay", m_files[0], "--broker", "wait=10ms", "--publish"} + arguments);
            QCOMPARE(unknown.status, 1); // no authority that we know; another name
        }
    }

    /// A live run, whose broker comes when the run is over: what it publishes then is what it recorded.
    void aRunIsWhatItRecorded()
    {
        if (const auto why = whyNoTracing(); !why.isEmpty()) QSKIP(why.constData());
        Server server(at("away"), Socket().bindAny(), QString());
        const auto to = QStringLiteral("nats://127.0.0.1:%1/live").arg(server.port());
        const auto program = QStringLiteral(
            "syscall::write:entry /pid == $target/ { @bytes[execname, arg0] = sum(arg2); @size = quantize(arg2); @st[ustack()] = count(); }"
            " tick-20ms { clear(@bytes); }");
        Running tracer({"-qn", program, "-c", "dd if=/dev/zero of=/dev/null bs=700 count=300", "-o", at("live.txt"), "--record", at("live.dscope"), "--publish", to,
            "--broker", "wait=10min"});
        QTRY_VERIFY_WITH_TIMEOUT(contents(at("live.txt")).contains("dd"), kPatience); // it prints at its end
        server.start();
        const auto traced = tracer.outcome();
        QVERIFY2(traced.status == 0, traced.err);
        QCOMPARE(runDscope(QStringList{"--replay", at("live.dscope"), "--by", "none"} + exports("live-merged")).status, 0);
        const auto collected = runDscope(QStringList{"--collect", to} + exports("live"));
        QVERIFY2(collected.status == 0, collected.err);
        QCOMPARE(collected.err, QByteArray("dtrace: 1 host\n"));
        QVERIFY2(contents(at("live.csv")).contains("dd,1,,210000,"), contents(at("live.csv"))); // 300 × 700, whatever was cleared
        sameFiles("live", "live-merged");
    }

    /// Three servers that keep all of it, of which two are killed in the middle, as are five of the publishers and a collector.
    void killedServersPublishersAndCollectorsChangeNothing()
    {
        std::vector<std::unique_ptr<Server>> servers;
        std::vector<int> ports, routes;
        {
            std::array<Socket, 6> sockets;
            for (std::size_t i = 0; i < sockets.size(); ++i)
                (i % 2 == 0 ? ports : routes).push_back(sockets[i].bindAny());
        }
        QStringList addresses;
        for (std::size_t i = 0; i < ports.size(); ++i) {
            QStringList others;
            for (const int route : routes)
                others << QStringLiteral("\"nats://127.0.0.1:%1\"").arg(route);
            servers.push_back(std::make_unique<Server>(at(QStringLiteral("n%1").arg(i)), ports[i],
                QStringLiteral("server_name: n%1\ncluster { name: c, listen: \"127.0.0.1:%2\", routes: [%3] }").arg(i).arg(routes[i]).arg(others.join(", "))));
            servers.back()->start();
            addresses << QStringLiteral("127.0.0.1:%1").arg(ports[i]);
        }
        const auto run = "nats://" + addresses.join(',') + "/ten";
        const QStringList broker{"--broker", "replicas=3", "--broker", "wait=10min", "--broker", "hosts=10"};
        const auto publisher = [&](int i) { return std::make_unique<Running>(QStringList{"--replay", m_files[i], "--publish", run, "--broker", "every=0s"} + broker); };
        const auto collector = [&](const QString& name) { return std::make_unique<Running>(QStringList{"--collect", run, "--broker", "every=50ms"} + broker + exports(name)); };
        auto one = collector("one"), two = collector("two");
        std::vector<std::unique_ptr<Running>> publishers;
        for (int i = 0; i < m_files.size(); ++i)
            publishers.push_back(publisher(i));

        // As soon as something is to be seen.
        QTRY_VERIFY_WITH_TIMEOUT(QFile::exists(at("one.csv")), kPatience);
        servers[0]->kill();
        servers[1]->kill();
        QCoreApplication::processEvents();
        const auto onTheirWay = std::count_if(publishers.begin(), publishers.end(), [](const auto& each) { return each->goesOn(); });
        qInfo("%d of 10 publishers are on their way", static_cast<int>(onTheirWay));
        for (std::size_t i = 0; i < publishers.size(); i += 2)
            publishers[i]->kill();
        two->kill();
        for (std::size_t i = 0; i < publishers.size(); i += 2)
            publishers[i] = publisher(static_cast<int>(i));
        servers[0]->start();
        servers[2]->kill(); // the one that knew all
        two = collector("two");
        servers[1]->start();
        servers[2]->start();

        for (const auto& each : publishers) {
            const auto sent = each->outcome();
            QVERIFY2(sent.status == 0, sent.err);
        }
        for (auto* each : {one.get(), two.get()}) {
            const auto got = each->outcome();
            QVERIFY2(got.status == 0, got.err);
            QVERIFY2(got.err.endsWith("dtrace: 10 hosts\n"), got.err);
        }
        sameFiles("one", "merged-none");
        sameFiles("two", "merged-none");
    }

    void badWordsAreTold_data()
    {
        QTest::addColumn<QStringList>("arguments");
        QTest::addColumn<QByteArray>("error");
        QTest::newRow("address") << QStringList{"-n", "BEGIN", "--publish", "broker/run"}
                                 << QByteArray("--publish: broker/run is no address of a broker: it looks like nats://SERVER:4222/RUN");
        QTest::newRow("option") << QStringList{"--collect", "nats://b/r", "--broker", "speed=1"}
                                << QByteArray("--broker takes NAME=VALUE with one of the names creds, ca, cert, key, replicas, every, wait, hosts, printed, not \"speed=1\"");
        QTest::newRow("alone") << QStringList{"-n", "BEGIN", "--broker", "hosts=3"} << QByteArray("--broker says how --publish or --collect gets to its broker");
        QTest::newRow("file") << QStringList{"--collect", "nats://b/r", "--by", "file"} << QByteArray("--by file is for files");
        QTest::newRow("program") << QStringList{"--collect", "nats://b/r", "-n", "BEGIN"} << QByteArray("--collect takes the runs of the broker, and runs no program");
        QTest::newRow("diffs") << QStringList{"--collect", "nats://b/r", "--diff", "x", "--diff", "y", "--export", "bars=x.svg"}
                               << QByteArray("--collect is one data set of all hosts, and is compared with one recording");
        QTest::newRow("credentials") << QStringList{"--collect", "nats://127.0.0.1:9/r", "--broker", "creds=/nowhere"} << QByteArray("/nowhere");
    }
    void badWordsAreTold()
    {
        QFETCH(QStringList, arguments);
        QFETCH(QByteArray, error);
        const auto run = runDscope(arguments);
        QCOMPARE(run.status, 1);
        QVERIFY2(run.err.contains(error), run.err);
    }

private:
    QString at(const QString& name) const { return m_dir.filePath(name); }
    QString url(const QString& run) const { return QStringLiteral("nats://127.0.0.1:%1/%2").arg(m_server->port()).arg(run); }
    QStringList exports(const QString& name) const
    {
        return {"--export", "table=" + at(name + ".csv"), "--export", "flame=" + at(name + ".folded"), "--export", "flame=" + at(name + ".json")};
    }
    void sameFiles(const QString& name, const QString& other) const
    {
        for (const auto* suffix : {".csv", ".folded", ".json"}) {
            const auto expected = contents(at(other + suffix));
            QVERIFY(!expected.isEmpty());
            QVERIFY2(contents(at(name + suffix)) == expected, suffix);
        }
    }
    QTemporaryDir m_dir;
    QStringList m_files;
    std::unique_ptr<Server> m_server;
};
QTEST_GUILESS_MAIN(TestRemote)
#include "tst_remote.moc"
