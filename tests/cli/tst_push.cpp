// needs: engine/record graph
// needs-programs: dscope
// --push: what a server gets, and what is said when it takes nothing. Requests are taken and read by Python; pprof's bytes are those of
// --export, which tst_profiles reads.
#include "tests/support/run_dscope.h"
#include <QDir>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QObject>
#include <QRegularExpression>
#include <QStandardPaths>
#include <QTest>
#ifndef Q_MOC_RUN // moc stumbles over <concepts>
#include "tests/support/host_runs.h"
#endif
using namespace dscope::tests;
namespace {
const QString kHot = QStringLiteral(DSCOPE_SOURCE "/examples/recordings/hot-stacks.dscope");
QByteArray textOf(const QString& path)
{
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}
/// Takes requests until it ends.
class Receiver {
public:
    explicit Receiver(const QStringList& settings = {})
    {
        m_process.setProcessChannelMode(QProcess::ForwardedErrorChannel);
        m_process.start(QStringLiteral("python3"), QStringList{QStringLiteral(DSCOPE_SOURCE "/tests/support/receiver.py"), m_folder.path()} + settings);
        while (!m_process.canReadLine() && m_process.waitForReadyRead(100'000)) { }
        m_port = m_process.readLine().trimmed();
    }
    ~Receiver()
    {
        m_process.kill();
        m_process.waitForFinished();
    }
    QString at(const QString& scheme) const { return scheme + "://localhost:" + m_port; }
    int count() const { return static_cast<int>(QDir(m_folder.path()).entryList({"*.json"}).size()); }
    QByteArray body(int number = 0) const { return textOf(m_folder.filePath(QString::number(number) + ".body")); }
    QJsonObject head(int number = 0) const { return QJsonDocument::fromJson(textOf(m_folder.filePath(QString::number(number) + ".json"))).object(); }
    QString header(const QString& name) const { return head()["headers"][name].toString(); }

private:
    QTemporaryDir m_folder;
    QProcess m_process;
    QString m_port;
};
QByteArray outputOf(const QString& program, const QStringList& arguments, const QByteArray& input)
{
    QProcess process;
    process.start(program, arguments);
    process.waitForStarted();
    process.write(input);
    process.closeWriteChannel();
    process.waitForFinished();
    return process.exitCode() == 0 ? process.readAllStandardOutput() : "failed: " + process.readAllStandardError();
}
QList<QByteArray> otlp(const QByteArray& request)
{
    return outputOf(QStringLiteral("python3"), {QStringLiteral(DSCOPE_SOURCE "/tests/support/read_otlp.py")}, request).trimmed().split('\n');
}
Outcome push(const QString& url, const QStringList& more = {}) { return runDscope(QStringList{"--replay", kHot, "--push", url} + more); }
QList<QByteArray> sorted(QList<QByteArray> lines)
{
    std::sort(lines.begin(), lines.end());
    return lines;
}
} // namespace

class TestPush : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void initTestCase()
    {
        for (const auto* program : {"python3", "protoc", "openssl"})
            if (QStandardPaths::findExecutable(program).isEmpty()) QSKIP((QByteArray(program) + " is not here").constData());
        if (!QFile::exists(QStringLiteral(DSCOPE_BIN "/dscope-http.so"))) QSKIP("built without libcurl4-openssl-dev");
    }

    void aCollectorGetsTheStacks()
    {
        const Receiver receiver;
        const QTemporaryDir dir;
        const auto folded = dir.filePath("x.folded");
        const auto done = push(receiver.at("otlp+http"), {"--export", folded, "--receiver", "service=checkout", "--receiver", "label=region=north"});
        QCOMPARE(done.err, QByteArray());
        QCOMPARE(done.status, 0);
        QCOMPARE(done.out, QByteArray());
        QCOMPARE(receiver.count(), 1);
        QCOMPARE(receiver.head()["path"].toString(), QStringLiteral("/v1development/profiles"));
        QCOMPARE(receiver.header("content-type"), QStringLiteral("application/x-protobuf"));
        const auto lines = otlp(receiver.body());
        for (const auto* line : {"os.type=linux", "region=north", "service.name=checkout", "type samples count"})
            QVERIFY2(lines.contains(line), lines.join('\n'));
        QVERIFY2(lines[0].startsWith("host.name=") && lines[0] != "host.name=", lines[0]);
        QCOMPARE(sorted(lines.mid(6)), sorted(textOf(folded).trimmed().split('\n')));
        const auto raw = outputOf(QStringLiteral("protoc"), {QStringLiteral("--decode_raw")}, receiver.body());
        QVERIFY2(raw.startsWith("1 {\n  1 {\n    1 {\n      1: \"host.name\"\n"), raw.left(200));
    }

    void aFileHasWhatACollectorGets()
    {
        const Receiver receiver;
        const QTemporaryDir dir;
        const auto file = dir.filePath("x.otlp");
        QCOMPARE(push(receiver.at("otlp+http"), {"--export", file}).status, 0);
        QCOMPARE(receiver.body(), textOf(file));
    }

    void timeAndPeriodAreThoseOfPprof()
    {
        const Receiver receiver;
        const QTemporaryDir dir;
        QCOMPARE(push(receiver.at("otlp+http"), {"--export", dir.filePath("x.pb.gz")}).status, 0);
        const auto raw = outputOf(QStringLiteral("gzip"), {QStringLiteral("-dc")}, textOf(dir.filePath("x.pb.gz")));
        const auto text = QString::fromUtf8(outputOf(QStringLiteral("protoc"), {QStringLiteral("--decode_raw")}, raw));
        const auto number = [&](int field) {
            const auto found = QRegularExpression(QStringLiteral("^%1: (\\d+)$").arg(field), QRegularExpression::MultilineOption).match(text);
            return found.hasMatch() ? found.captured(1) : QStringLiteral("0");
        };
        QVERIFY(number(9) != QStringLiteral("0"));
        const auto expected = "time " + number(9) + " duration " + number(10) + " period " + number(12);
        QVERIFY2(otlp(receiver.body()).contains(expected.toUtf8()), qPrintable(expected));
    }

    void keysAreAttributesOfSamples()
    {
        const QTemporaryDir dir;
        const auto recording = dir.filePath("a.dscope"), other = dir.filePath("b.dscope");
        dscope::test::writeRecording(recording, dscope::test::runOf("web1", 3, 7));
        dscope::test::writeRecording(other, dscope::test::runOf("web2", 3, 8));
        const Receiver receiver;
        const auto folded = dir.filePath("x.folded");
        const auto done = runDscope({"--replay", recording, "--replay", other, "--by", "host", "--export", folded, "--push", receiver.at("otlp+http")});
        QVERIFY2(done.status == 0, done.err);
        const auto lines = otlp(receiver.body());
        QVERIFY2(lines.contains("type size bytes"), lines.join('\n'));
        QList<QByteArray> stacks;
        for (auto line : lines)
            if (line.startsWith("[host=")) stacks.append(line.replace("[host=", "").replace("][execname=", ";").replace(']', ';'));
        QVERIFY(!stacks.isEmpty());
        QCOMPARE(sorted(stacks), sorted(textOf(folded).trimmed().split('\n')));
    }

    void pyroscopeGetsPprof()
    {
        const Receiver receiver;
        const QTemporaryDir dir;
        const auto file = dir.filePath("x.pb.gz");
        const auto done = push(receiver.at("pyroscope+http"), {"--export", file, "--receiver", "service=checkout"});
        QVERIFY2(done.status == 0, done.err);
        QCOMPARE(receiver.head()["path"].toString(), QStringLiteral("/push.v1.PusherService/Push"));
        QCOMPARE(receiver.header("content-type"), QStringLiteral("application/proto"));
        const auto profile = textOf(file);
        const auto body = receiver.body();
        QVERIFY(!profile.isEmpty() && body.contains(profile));
        // The profile's bytes as protoc would print them are a page of escapes; what is around them is the rest of the message.
        const auto raw = QString::fromUtf8(outputOf(QStringLiteral("protoc"), {QStringLiteral("--decode_raw")}, body)).simplified();
        QVERIFY2(raw.startsWith(QStringLiteral("1 { 1 { 1: \"__name__\" 2: \"process_cpu\" } 1 { 1")), qPrintable(raw.left(300)));
        QVERIFY(body.contains("\x0a\x04host\x12")); // which protoc takes for a message of its own
        QVERIFY2(raw.contains(QStringLiteral("} 1 { 1: \"service_name\" 2: \"checkout\" } 2 { 1: \"\\037\\213")), qPrintable(raw.left(300)));
        QVERIFY2(raw.contains(QRegularExpression(QStringLiteral(R"( 2: "[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}" \} \}$)"))), qPrintable(raw.right(100)));
    }

    void parcaGetsPprofInJson()
    {
        const Receiver receiver;
        const QTemporaryDir dir;
        const auto file = dir.filePath("x.pb.gz");
        const auto done = push(receiver.at("parca+http"), {"--export", file, "--receiver", "label=__name__=hot"});
        QVERIFY2(done.status == 0, done.err);
        QCOMPARE(receiver.head()["path"].toString(), QStringLiteral("/api/profiles/writeraw"));
        QCOMPARE(receiver.header("content-type"), QStringLiteral("application/json"));
        const auto series = QJsonDocument::fromJson(receiver.body())["series"].toArray();
        QCOMPARE(series.size(), 1);
        const auto labels = series[0]["labels"]["labels"].toArray();
        QVERIFY(labels.contains(QJsonObject{{"name", "__name__"}, {"value", "hot"}}));
        QVERIFY(labels.contains(QJsonObject{{"name", "service_name"}, {"value", "dscope"}}));
        QCOMPARE(QByteArray::fromBase64(series[0]["samples"][0]["rawProfile"].toString().toLatin1()), textOf(file));
    }

    void aPathReplacesTheUsualOne()
    {
        const Receiver receiver;
        QCOMPARE(push(receiver.at("parca+http") + "/behind/a/proxy").status, 0);
        QCOMPARE(receiver.head()["path"].toString(), QStringLiteral("/behind/a/proxy"));
        QCOMPARE(push(receiver.at("otlp+http") + '/').status, 0);
        QCOMPARE(receiver.head(1)["path"].toString(), QStringLiteral("/v1development/profiles"));
    }

    void headersAndPasswordsAreSentAndNotTold()
    {
        const Receiver receiver({"answers=403", "body=" + QByteArray("go away\nand stay there").toHex()});
        const QTemporaryDir dir;
        QFile secret(dir.filePath("secret"));
        QVERIFY(secret.open(QIODevice::WriteOnly));
        secret.write("X-Token: hunter2\n");
        secret.close();
        const auto url = receiver.at("otlp+http").replace("://", "://me:sesame@");
        const auto done = push(url, {"--receiver", "header=@" + secret.fileName(), "--receiver", "header=X-Scope-OrgID: team"});
        QCOMPARE(done.status, 1);
        QCOMPARE(done.err, "dtrace: cannot push to " + receiver.at("otlp+http").toUtf8() + ": it answers 403: go away\n");
        QCOMPARE(receiver.header("x-token"), QStringLiteral("hunter2"));
        QCOMPARE(receiver.header("x-scope-orgid"), QStringLiteral("team"));
        QCOMPARE(receiver.header("authorization"), "Basic " + QByteArray("me:sesame").toBase64());
        QCOMPARE(receiver.count(), 1); // that does not pass
    }

    /// Who has no time is asked again; Retry-After is a second's.
    void whoHasNoTimeIsAskedAgain()
    {
        const Receiver receiver({"answers=503,429,200"});
        const auto done = push(receiver.at("pyroscope+http"));
        QVERIFY2(done.status == 0, done.err);
        QCOMPARE(receiver.count(), 3);
        QCOMPARE(receiver.body(2), receiver.body(0)); // of the same id
        QCOMPARE(done.err, "dtrace: waiting for " + receiver.at("pyroscope+http").toUtf8() + ": it answers 503\n");
    }

    void waitingHasABound()
    {
        const Receiver receiver({"answers=503", "body=" + QByteArray("busy").toHex()});
        const auto done = push(receiver.at("otlp+http"), {"--receiver", "wait=1s"});
        QCOMPARE(done.status, 1);
        QVERIFY2(done.err.endsWith(": it answers 503: busy (it was tried for as long as --receiver wait says)\n"), done.err);
        QVERIFY(receiver.count() > 1);
    }

    void whoIsAwayIsTold()
    {
        QString where;
        {
            const Receiver gone;
            where = gone.at("otlp+http");
        }
        const QTemporaryDir dir;
        const auto done = push(where, {"--receiver", "wait=0s", "--export", dir.filePath("x.folded")});
        QCOMPARE(done.status, 1);
        QVERIFY2(done.err.startsWith("dtrace: cannot push to " + where.toUtf8() + ": Failed to connect to localhost port"), done.err);
        QVERIFY(!textOf(dir.filePath("x.folded")).isEmpty());
    }

    void redirectionsAreNotFollowed()
    {
        const Receiver receiver({"answers=307"});
        QVERIFY(push(receiver.at("otlp+http")).err.contains(": it answers 307"));
        QCOMPARE(receiver.count(), 1);
    }

    /// Source: google.rpc.Status and ExportProfilesServiceResponse, by hand.
    void aCollectorsReasonIsTold_data()
    {
        QTest::addColumn<int>("status");
        QTest::addColumn<QByteArray>("body");
        QTest::addColumn<QByteArray>("told");
        QTest::newRow("status") << 400 << QByteArray("\x08\x03\x12\x08" "no \x1b[2J!", 12) << QByteArray(": it answers 400: no ");
        QTest::newRow("refused") << 200 << QByteArray("\x0a\x0a\x08\x01\x12\x06" "no way", 12) << QByteArray(": it refused the profile: no way\n");
        QTest::newRow("taken with a word") << 200 << QByteArray("\x0a\x06\x12\x04" "well", 8) << QByteArray();
        QTest::newRow("nothing to read") << 200 << QByteArray("\xff\xff\xff", 3) << QByteArray();
    }
    void aCollectorsReasonIsTold()
    {
        QFETCH(const int, status);
        QFETCH(const QByteArray, body);
        QFETCH(const QByteArray, told);
        const Receiver receiver({"answers=" + QString::number(status), "type=application/x-protobuf", "body=" + body.toHex()});
        const auto done = push(receiver.at("otlp+http"));
        QCOMPARE(done.status, told.isEmpty() ? 0 : 1);
        QVERIFY2(done.err.contains(told) && !done.err.contains('\x1b'), done.err);
    }

    void serversAndClientsAreCheckedByTheirCertificates()
    {
        const QTemporaryDir dir;
        const auto at = [&](const char* name) { return dir.filePath(name); };
        for (const auto* name : {"server", "client"})
            outputOf("openssl", {"req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", "/CN=localhost", "-addext",
                                    "subjectAltName=DNS:localhost", "-keyout", dir.filePath(QString(name) + ".key"), "-out", dir.filePath(QString(name) + ".pem")}, {});
        const Receiver receiver({"cert=" + at("server.pem"), "key=" + at("server.key"), "ca=" + at("client.pem")});
        const auto url = receiver.at("otlp+https");
        const auto unknown = push(url);
        QCOMPARE(unknown.status, 1);
        QVERIFY2(unknown.err.contains("SSL certificate problem"), unknown.err);
        const auto nobody = push(url, {"--receiver", "ca=" + at("server.pem"), "--receiver", "wait=0s"});
        QCOMPARE(nobody.status, 1);
        QCOMPARE(receiver.count(), 0);
        const auto known = push(url,
            {"--receiver", "ca=" + at("server.pem"), "--receiver", "cert=" + at("client.pem"), "--receiver", "key=" + at("client.key")});
        QVERIFY2(known.status == 0, known.err);
        QCOMPARE(receiver.count(), 1);
    }

    void redactedStacksHaveNoHost()
    {
        const Receiver receiver;
        QCOMPARE(push(receiver.at("otlp+http"), {"--redact", "--push", receiver.at("pyroscope+http"), "--push", receiver.at("parca+http")}).status, 0);
        QCOMPARE(receiver.count(), 3);
        QVERIFY(!receiver.body(0).contains("host.name"));
        QVERIFY(!receiver.body(1).contains("\x0a\x04host"));
        QVERIFY(!receiver.body(2).contains("\"host\""));
    }

    void oneThatFailsKeepsNoOtherFromItsStacks()
    {
        const Receiver refuses({"answers=400"}), takes;
        QCOMPARE(push(refuses.at("otlp+http"), {"--push", takes.at("otlp+http")}).status, 1);
        QCOMPARE(takes.count(), 1);
    }

    void aRunIsPushedWhenItEnds()
    {
        if (const auto why = whyNoTracing(); !why.isEmpty()) QSKIP(why.constData());
        const Receiver receiver;
        const auto done = runDscope({"-qn", "syscall::write:entry /pid == $target/ { @[ustack()] = count(); }", "-c", "/bin/echo word", "--push", receiver.at("otlp+http")});
        QVERIFY2(done.status == 0, done.err);
        QVERIFY2(otlp(receiver.body()).contains("type calls count"), otlp(receiver.body()).join('\n'));
    }

    void whatCannotBePushedIsRefused_data()
    {
        QTest::addColumn<QStringList>("words");
        QTest::addColumn<QByteArray>("told");
        const QStringList replay{"--replay", kHot};
        const QByteArray looks = ": it looks like otlp+http://SERVER:4318, pyroscope+http://SERVER:4040 or parca+http://SERVER:7070, or https\n";
        QTest::newRow("plain http") << replay + QStringList{"--push", "http://a"} << "--push: http://a is no address of who takes profiles" + looks;
        QTest::newRow("ftp") << replay + QStringList{"--push", "otlp+ftp://a"} << "--push: otlp+ftp://a is no address of who takes profiles" + looks;
        QTest::newRow("no server") << replay + QStringList{"--push", "otlp+http:///v1"} << "--push: otlp+http:///v1 names no server" + looks;
        QTest::newRow("password alone") << replay + QStringList{"--push", "otlp+http://me:word@"} << "--push: otlp+http:// names no server" + looks;
        QTest::newRow("diff") << replay + QStringList{"--push", "otlp+http://a", "--diff", kHot, "--export", "flame=x.svg"}
                              << QByteArray("--push sends one run, and --diff compares two: leave one of them out\n");
        QTest::newRow("several") << replay + replay + QStringList{"--push", "otlp+http://a"} << QByteArray("--push sends one run: make one data set of several with --by\n");
        QTest::newRow("receiver alone") << replay + QStringList{"--receiver", "wait=1s"}
                                        << QByteArray("--receiver says how --push gets to who takes profiles, and there is none\n");
        QTest::newRow("name") << replay + QStringList{"--push", "otlp+http://a", "--receiver", "colour=red"}
                              << QByteArray("--receiver takes NAME=VALUE with one of the names header, ca, cert, key, service, label, wait, not \"colour=red\"\n");
        QTest::newRow("header") << replay + QStringList{"--push", "otlp+http://a", "--receiver", "header=none"}
                                << QByteArray("--receiver header takes a line as 'X-Scope-OrgID: team', or @FILE that has it, not \"none\"\n");
        QTest::newRow("no such file") << replay + QStringList{"--push", "otlp+http://a", "--receiver", "ca=/nowhere"}
                                      << QByteArray("--receiver ca failed to open /nowhere: No such file or directory\n");
        QTest::newRow("no stacks") << QStringList{"-qn", "BEGIN { @ = count(); exit(0); }", "--push", "otlp+http://a"}
                                   << QByteArray("cannot push to otlp+http://a: this program yields no view that .otlp can show; it yields ");
    }
    void whatCannotBePushedIsRefused()
    {
        QFETCH(const QStringList, words);
        QFETCH(const QByteArray, told);
        if (words.contains("-qn"))
            if (const auto why = whyNoTracing(); !why.isEmpty()) QSKIP(why.constData());
        const auto done = runDscope(words);
        QCOMPARE(done.status, 1);
        QVERIFY2(done.err.startsWith("dtrace: " + told), done.err);
    }
};
QTEST_GUILESS_MAIN(TestPush)
#include "tst_push.moc"
