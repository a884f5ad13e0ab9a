// needs-programs: dscope
// needs: engine/record
// --on: the same program on many hosts by ssh; their runs are one, as the merge of their recordings is.
#include "engine/record/frame.h"
#include "tests/support/host_runs.h"
#include "tests/support/run_dscope.h"
#include <QDeadlineTimer>
#include <QDir>
#include <QObject>
#include <QRegularExpression>
#include <QStandardPaths>
#include <QTemporaryDir>
#include <QTest>
#include <algorithm>
#include <arpa/inet.h>
#include <csignal>
#include <netinet/in.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>
using namespace dscope;
using namespace dscope::tests;
namespace {
constexpr int kPatience = 60'000; // ms: a machine with much else to do
constexpr int kEcho = 500;        // ms: a second signal that comes sooner is taken for the first one's echo (cli/interruption.h)
QByteArray contents(const QString& path)
{
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}
void put(const QString& path, const QByteArray& text, bool isProgram = false)
{
    QFile file(path);
    QVERIFY(file.open(QIODevice::WriteOnly | QIODevice::Truncate));
    file.write(text);
    file.close();
    if (isProgram) file.setPermissions(QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner);
}
/// A port of loopback that nobody has.
int freePort()
{
    const int fd = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t size = sizeof address;
    ::bind(fd, reinterpret_cast<sockaddr*>(&address), size);
    ::getsockname(fd, reinterpret_cast<sockaddr*>(&address), &size);
    ::close(fd);
    return ntohs(address.sin_port);
}
Outcome outcomeOf(QProcess& process)
{
    Outcome out;
    if (process.state() != QProcess::NotRunning && !process.waitForFinished(kPatience)) {
        process.kill();
        process.waitForFinished();
    } else if (process.exitStatus() == QProcess::NormalExit) {
        out.status = process.exitCode();
    }
    out.out = process.readAllStandardOutput();
    out.err = process.readAllStandardError();
    takeWritten(out);
    return out;
}
} // namespace

class TestOnHosts : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void initTestCase()
    {
        // Instead of ssh: sends what a host has recorded.
        put(at("recorded"),
            "#!/bin/sh\nwhile [ \"$1\" != -- ]; do shift; done\n[ -r '" + (m_dir.path() + QLatin1Char('/')).toUtf8() + "'\"$2.dscope\" ] || { echo \"no route to $2\" >&2; exit 255; }\n"
            "exec cat '" + (m_dir.path() + QLatin1Char('/')).toUtf8() + "'\"$2.dscope\"\n",
            true);
        constexpr int kHosts = 5, kStates = 20;
        for (int i = 0; i < kHosts; ++i) {
            m_names << QStringLiteral("web%1").arg(i);
            test::writeRecording(at(m_names.last() + ".dscope"), test::runOf(m_names.last().toStdString(), kStates, static_cast<std::uint64_t>(i) * 7 + 1));
        }
    }

    /// A host whose stream can't be used is given up; the others' results are there, and it is named.
    void oneBadHostDoesNotHoldUpTheOthers_data()
    {
        QTest::addColumn<QByteArray>("ssh"); // what it does for the bad host
        QTest::addColumn<QByteArray>("told");
        QTest::addColumn<int>("status");
        const QByteArray wrong = "what it sends is wrong: ";
        // More than a pipe holds follows, so that what isn't read makes it wait.
        QTest::newRow("echoes a line first") << QByteArray("echo Welcome; exec cat /dev/zero") << wrong << 1;
        QTest::newRow("is damaged in the middle") << QByteArray("head -c 1000 web2.dscope; exec cat /dev/zero") << wrong << 1;
        QTest::newRow("echoes and does not end") << QByteArray("echo Welcome; exec sleep 100000") << wrong << 1;
        QTest::newRow("dies in the middle") << QByteArray("head -c 1000 web2.dscope; kill -9 $$")
                                            << QByteArray("its stream ended before its run did") << 1;
        QTest::newRow("never answers") << QByteArray("exec sleep 100000")
                                       << QByteArray("its run had not ended 3 s after --for was over: --each grace=TIME waits longer") << 1;
        QTest::newRow("falls silent") << QByteArray("head -c 1000 web2.dscope; exec sleep 100000")
                                      << QByteArray("its run had not ended 3 s after --for was over") << 1;
        QTest::newRow("closes its output") << QByteArray("exec >&-; exec sleep 100000")
                                           << QByteArray("its run had not ended 3 s after its stream did") << 1;
        QTest::newRow("has sent all and does not end") << QByteArray("cat web2.dscope; exec sleep 100000") << QByteArray() << 0;
        QTest::newRow("has sent all and closes its output")
            << QByteArray("cat web2.dscope; exec >&- 2>&-; exec sleep 100000") << QByteArray() << 0;
        // As a connection that is shared does, with ssh's ControlPersist.
        QTest::newRow("has ended and something has its standard error")
            << QByteArray("sleep 100000 > /dev/null & echo $! > lasting; exec cat web2.dscope") << QByteArray() << 0;
    }
    void oneBadHostDoesNotHoldUpTheOthers()
    {
        QFETCH(QByteArray, ssh);
        QFETCH(QByteArray, told);
        QFETCH(int, status);
        put(at("odd"),
            "#!/bin/sh\ncd '" + m_dir.path().toUtf8() + "'\nwhile [ \"$1\" != -- ]; do shift; done\n[ $2 = web2 ] || exec cat $2.dscope\n"
                + ssh + '\n',
            true);
        QFile::remove(at("few.csv"));
        const auto run = runDscope({"--on", "web0,web1,web2", "--each", "ssh=" + at("odd"), "--for", "1s", "--each", "grace=3s", "-n",
            "BEGIN", "--by", "host", "--export", "table=" + at("few.csv")});
        if (QFile::exists(at("lasting"))) ::kill(contents(at("lasting")).trimmed().toInt(), SIGKILL);
        QFile::remove(at("lasting"));
        QCOMPARE(run.status, status);
        QVERIFY2(told.isEmpty() || run.err.contains("dtrace: web2: " + told), run.err);
        QVERIFY2(!told.isEmpty() || run.err.contains("dtrace: 3 hosts\n"), run.err);
        for (const QByteArray host : {"\nweb0,", "\nweb1,"})
            QVERIFY2(contents(at("few.csv")).contains(host), contents(at("few.csv")));
    }

    /// All that a host can do wrong, at once and with the grace that nobody changed: those who do it right are there, each other one is
    /// named with what it did.
    void fourteenHostileHosts()
    {
        // Blocks that hold nothing: a reader that waits for a record never gets one.
        const auto head = contents(at("web0.dscope")).left(record::kHeadSize);
        const std::array<std::byte, 1> nothing{std::byte(record::FrameKind::Stored)};
        const std::uint32_t words[]{record::guardedLength(1), record::Crc32c().add(nothing).value()};
        QByteArray blocks;
        for (int i = 0; i < 5000; ++i)
            blocks += QByteArray(reinterpret_cast<const char*>(words), sizeof words) + char(nothing[0]);
        put(at("blocks"), blocks);
        put(at("head"), head);
        put(at("version"), head.left(8) + QByteArray("\x63\0\0\0", 4));
        put(at("whole.dscope"), contents(at("web2.dscope")));
        const auto other = test::program("BEGIN { @other = count(); }", {"dtrace:::BEGIN"});
        test::Stream otherRun;
        test::begin(otherRun, other);
        otherRun.emplace_back(record::Exit{0, false, record::Nanoseconds(1)});
        test::writeRecording(at("other.dscope"), otherRun);

        const QByteArray wrong = "what it sends is wrong: ",
                         late = "its run had not ended 4 s after --for was over: --each grace=TIME waits longer";
        const struct {
            const char *name, *does;
            QByteArray told; ///< empty: its run is whole
        } kHosts[] = {
            {"another-program", "cat other.dscope", "is left out: they ran different programs"},
            {"greets", "echo 'Welcome to Acme'; cat whole.dscope",
                wrong + "it is no recording and begins with \"Welcome to Acme\": a login shell there must print nothing"},
            {"greets-on", "printf '\\033[2JHi'; exec cat /dev/zero", wrong + "it is no recording and begins with \"\\033[2JHi"},
            {"silent", "exec sleep 100000", late},
            {"slow", "for n in 1 2 3 4 5 6 7 8 9 10 11 12; do head -c $n head | tail -c 1; sleep 1; done", late},
            {"endless", "cat head; while cat blocks; do :; done", late},
            {"random", "printf '\\377'; exec cat /dev/urandom", wrong + "it is no recording and begins with \"\\377"},
            {"truncated", "exec head -c 1000 whole.dscope", "its stream ended before its run did"},
            {"cut-off", "head -c 1000 whole.dscope; exit 255",
                "its stream ended before its run did: ssh could not connect, or lost the connection"},
            {"version", "cat version; exec cat /dev/zero", wrong + "a newer dscope made this recording (its format is version 99"},
            {"closes", "exit 0", "it sends nothing"},
            {"status", "exit 42", "dscope ended there with status 42"},
            {"asks", "printf 'password: ' >&2; read answer; exec cat whole.dscope", late},
            {"stopped", "kill -STOP $$", late},
            {"deaf", "trap '' TERM INT HUP PIPE; while :; do sleep 100000; done", late},
            {"floods", "(exec yes flood >&2) & cat whole.dscope; exec sleep 100000", {}},
            {"goes-on", "cat whole.dscope; exec yes", {}},
            {"leaves-a-child", "sleep 100000 & echo $! > lasting; exec cat whole.dscope", {}},
            {"escapes", "printf '\\033]0;changed\\007\\n' >&2; exec cat whole.dscope", {}},
        };
        QByteArray script = "#!/bin/sh\ncd '" + m_dir.path().toUtf8() + "'\nwhile [ \"$1\" != -- ]; do shift; done\ncase $2 in\n";
        QStringList on;
        qsizetype whole = 2;
        for (const auto& host : kHosts) {
            script += QByteArray(host.name) + ") " + host.does + ";;\n";
            on << QLatin1String(host.name);
            whole += host.told.isEmpty() ? 1 : 0;
        }
        put(at("hostile"), script + "*) exec cat $2.dscope;;\nesac\n", true);
        const auto run = runDscope({"--on", on.join(QLatin1Char(',')) + ",web0,web1", "--each", "ssh=" + at("hostile"), "--for", "1s", "-n",
            "BEGIN", "--by", "host", "--export", "table=" + at("few.csv")});
        if (QFile::exists(at("lasting"))) ::kill(contents(at("lasting")).trimmed().toInt(), SIGKILL);
        QCOMPARE(run.status, 1);
        const auto rows = contents(at("few.csv"));
        for (const QByteArray host : {"\nweb0,", "\nweb1,"})
            QVERIFY2(rows.contains(host), rows);
        const auto lines = run.err.split('\n');
        for (const auto& host : kHosts) {
            const auto isSaid = [&](const QByteArray& line) {
                return line.startsWith("dtrace: ") && line.contains(host.name) && line.contains(host.told);
            };
            if (!host.told.isEmpty())
                QVERIFY2(std::ranges::any_of(lines, isSaid), QByteArray(host.name) + '\n' + run.err.right(4000));
            else
                QVERIFY2(rows.contains('\n' + QByteArray(host.name) + ','), host.name);
        }
        QVERIFY2(run.err.contains("dtrace: " + QByteArray::number(whole) + " of " + QByteArray::number(on.size() + 2) + " hosts"),
            run.err.right(4000));
        // Its standard error is read on, and shown in part.
        QVERIFY2(run.err.contains("floods: ") && run.err.contains(" more bytes of its standard error are left out\n"), run.err.right(4000));
        QVERIFY2(run.err.size() < 20'000'000, QByteArray::number(run.err.size()));
    }

    /// What ssh has started ends with it when a host is given up.
    void nothingOfAHostThatIsGivenUpStays()
    {
        put(at("parent"), "#!/bin/sh\ncd '" + m_dir.path().toUtf8() + "'\nsleep 100000 > /dev/null 2>&1 &\necho $! > lasting; wait\n",
            true);
        const auto run
            = runDscope({"--on", "web0", "--each", "ssh=" + at("parent"), "--each", "grace=500ms", "--for", "500ms", "-n", "BEGIN"});
        QCOMPARE(run.status, 1);
        const auto pid = contents(at("lasting")).trimmed().toInt();
        QVERIFY(pid > 1);
        const auto isGone = [pid] { // or a zombie that its new parent has not asked for yet
            const auto stat = contents(QStringLiteral("/proc/%1/stat").arg(pid));
            return stat.isEmpty() || stat.contains(") Z ");
        };
        QTRY_VERIFY_WITH_TIMEOUT(isGone(), kPatience);
    }

    /// What a host writes to standard error is shown on a terminal, not obeyed.
    void aTerminalObeysNoHost()
    {
        put(at("colourful"), "#!/bin/sh\nprintf '\\033]0;changed\\007\\302\\2332J\\n' >&2\nprintf '\\033[2J'\n", true);
        const auto terminal = runDscope({"-c", "import pty, sys\nsys.exit(pty.spawn(sys.argv[1:]) >> 8)", DSCOPE_BIN "/dscope", "--on",
                                            "web0", "--each", "ssh=" + at("colourful"), "-n", "BEGIN"},
            {}, "python3");
        const auto all = terminal.out + terminal.err;
        QVERIFY2(all.contains("web0: \\033]0;changed\\007\\302\\2332J"), all);
        QVERIFY2(!all.contains('\033') && !all.contains("\302\233"), all);
    }

    /// The first signal asks all hosts to end, the second one prints what is there.
    void aSecondSignalEndsTheWait_data()
    {
        QTest::addColumn<int>("signal");
        QTest::newRow("SIGINT") << SIGINT;
        QTest::newRow("SIGTERM") << SIGTERM;
    }
    void aSecondSignalEndsTheWait()
    {
        QFETCH(int, signal);
        put(at("deaf"),
            "#!/bin/sh\ncd '" + m_dir.path().toUtf8()
                + "'\nwhile [ \"$1\" != -- ]; do shift; done\n[ $2 = web2 ] || exec cat $2.dscope\n"
                  "touch begun; cat > /dev/null; touch asked; exec sleep 100000\n",
            true);
        for (const auto* file : {"begun", "asked", "few.csv"})
            QFile::remove(at(file));
        QProcess run;
        run.start(QStringLiteral(DSCOPE_BIN "/dscope"),
            {"--on", "web0,web2,web1", "--each", "ssh=" + at("deaf"), "-n", "BEGIN", "--by", "host", "--export", "table=" + at("few.csv")});
        QTRY_VERIFY_WITH_TIMEOUT(QFile::exists(at("begun")), kPatience);
        ::kill(static_cast<pid_t>(run.processId()), signal);
        QTRY_VERIFY_WITH_TIMEOUT(QFile::exists(at("asked")), kPatience);
        const QDeadlineTimer echo(kEcho); // the first signal came before "asked"
        QTRY_VERIFY_WITH_TIMEOUT(echo.hasExpired(), kPatience);
        ::kill(static_cast<pid_t>(run.processId()), signal);
        const auto ended = outcomeOf(run);
        QCOMPARE(ended.status, 1);
        QVERIFY2(ended.err.contains("dtrace: web2: its run had not ended when dscope was interrupted again\n"), ended.err);
        for (const QByteArray host : {"\nweb0,", "\nweb1,"})
            QVERIFY2(contents(at("few.csv")).contains(host), contents(at("few.csv")));
    }

    /// A signal while hosts wait for their turn: who was not asked is named, too.
    void whoWasNotAskedIsNamed()
    {
        put(at("waiting"), "#!/bin/sh\ntouch '" + at("begun").toUtf8() + "'\nexec cat > /dev/null\n", true);
        QFile::remove(at("begun"));
        QProcess run;
        run.start(QStringLiteral(DSCOPE_BIN "/dscope"),
            {"--on", "web0,web1", "--each", "ssh=" + at("waiting"), "--each", "atonce=1", "-n", "BEGIN"});
        QTRY_VERIFY_WITH_TIMEOUT(QFile::exists(at("begun")), kPatience);
        ::kill(static_cast<pid_t>(run.processId()), SIGTERM);
        const auto ended = outcomeOf(run);
        QCOMPARE(ended.status, 1);
        QVERIFY2(ended.err.contains("dtrace: web1: its run was not started before dscope was interrupted\n"), ended.err);
        QVERIFY2(ended.err.contains("dtrace: web0: it sends nothing\n"), ended.err);
    }

    void cleanup()
    {
        if (QFile::exists(at("plain.pub"))) put(at("user.pub"), contents(at("plain.pub"))); // the key may do all again
    }

    void cleanupTestCase()
    {
        if (m_sshd.state() == QProcess::NotRunning) return;
        m_sshd.terminate();
        m_sshd.waitForFinished();
    }

    void whatHostsSendIsTheMerge_data()
    {
        QTest::addColumn<QString>("by");
        QTest::newRow("one") << "none";
        QTest::newRow("by host") << "host";
    }
    void whatHostsSendIsTheMerge()
    {
        QFETCH(QString, by);
        QStringList files;
        for (const auto& name : m_names)
            files << "--replay" << at(name + ".dscope");
        QCOMPARE(runDscope(files + QStringList{"--by", by} + exports("merged")).status, 0);
        const auto run = recorded(m_names, QStringList{"--by", by, "--record", at("kept.dscope")} + exports("sent"));
        QCOMPARE(run.err, test::unknownClocks(5) + "dtrace: 5 hosts\n");
        QCOMPARE(run.status, 0);
        sameFiles("sent", "merged");
        QCOMPARE(runDscope(QStringList{"--replay", at("kept.dscope")} + exports("kept")).status, 0);
        sameFiles("kept", "merged");
    }

    void whoIsMissingIsTold()
    {
        auto dropping = test::runOf("db1", 3, 5);
        dropping.insert(dropping.end() - 1, record::Drop{record::Drop::Kind::Principal, 0, 12});
        test::writeRecording(at("db1.dscope"), dropping);
        test::writeRecording(at("whole.dscope"), test::runOf("cut", 3, 8), test::Blocks::Each);
        auto broken = contents(at("whole.dscope"));
        put(at("cut.dscope"), broken.left(broken.size() - 40));
        broken[broken.size() / 2] = static_cast<char>(broken[broken.size() / 2] ^ 0x10);
        put(at("broken.dscope"), broken);
        put(at("chatty.dscope"), "Welcome!\n");
        const auto run = recorded({"web0", "db1", "gone", "away", "cut", "chatty"}, {"--export", "bars=" + at("few.svg")});
        QCOMPARE(run.status, 1);
        for (const auto* told : {"gone: no route to gone\n", "dtrace: gone, away: ssh could not connect, or lost the connection\n", "dtrace: with drops: db1 (12)\n",
                 "dtrace: cut: its stream ended before its run did\n", "dtrace: chatty: what it sends is wrong: ", "dtrace: 3 of 6 hosts, 1 with drops, 1 cut short\n"})
            QVERIFY2(run.err.contains(told), run.err + "\nlacks: " + told);
        QVERIFY(contents(at("few.svg")).contains("3 of 6 hosts, 1 with drops, 1 cut short"));
        const auto bad = recorded({"web0", "broken"}, {"--export", "table=" + at("bad.csv")});
        QCOMPARE(bad.status, 1);
        QVERIFY2(bad.err.contains("dtrace: broken: what it sends is wrong: "), bad.err);
        const auto none = recorded({"gone"}, {"--export", "table=" + at("none.csv")});
        QCOMPARE(none.status, 1);
        QVERIFY2(none.err.contains("dtrace: no host has run the program\n"), none.err);
    }

    /// A host that says that it is another one is still the host that was asked.
    void aHostIsWhoWasAsked()
    {
        test::writeRecording(at("liar.dscope"), test::runOf("web0", 3, 9));
        const auto run = recorded({"web0", "liar"}, {"--by", "host", "--export", "table=" + at("who.csv")});
        QCOMPARE(run.err, test::unknownClocks(2) + "dtrace: 2 hosts\n");
        QVERIFY2(contents(at("who.csv")).contains("\nliar,"), contents(at("who.csv")));
    }

    /// A host that is unlike the others is named, in the figure, too.
    void whoDiffersIsTold()
    {
        QStringList names;
        for (int i = 0; i < 7; ++i) {
            names << QStringLiteral("n%1").arg(i);
            auto stream = test::runOf(names.last().toStdString(), 10, 3);
            if (i == 4)
                for (auto& r : stream)
                    if (auto* rows = std::get_if<record::AggregationRows>(&r); rows && rows->aggregation.value == 1)
                        for (auto& row : rows->rows)
                            row.data[0] *= 9;
            test::writeRecording(at(names.last() + ".dscope"), stream);
        }
        const auto run = recorded(names, {"--export", "bars=" + at("odd.svg")});
        QCOMPARE(run.err, test::unknownClocks(7) + "dtrace: 7 hosts\ndtrace: n4: @who a second is 9 times that of the middle host\n");
        QVERIFY(contents(at("odd.svg")).contains("n4: @who a second is 9 times that of the middle host"));
        const auto secret = recorded(names, {"--redact", "--export", "bars=" + at("secret.svg")});
        QVERIFY(!contents(at("secret.svg")).contains("n4"));
    }

    void badWordsAreTold_data()
    {
        QTest::addColumn<QStringList>("arguments");
        QTest::addColumn<QByteArray>("error");
        QTest::newRow("program") << QStringList{"--on", "a"} << QByteArray("--on runs a program on hosts, and there is none");
        QTest::newRow("replay") << QStringList{"--on", "a", "-n", "BEGIN", "--replay", "x"} << QByteArray("--on runs a program: recordings, imports");
        QTest::newRow("option") << QStringList{"--on", "-oProxyCommand=x", "-n", "BEGIN"} << QByteArray("\"-oProxyCommand=x\" is none");
        QTest::newRow("nobody") << QStringList{"--on", ",", "-n", "BEGIN"} << QByteArray("--on names no host");
        QTest::newRow("each") << QStringList{"--each", "cost=5%", "-n", "BEGIN"} << QByteArray("--each says how the program of --on runs");
        QTest::newRow("name") << QStringList{"--on", "a", "-n", "BEGIN", "--each", "speed=1"}
                              << QByteArray("--each takes NAME=VALUE with one of the names ssh, dscope, sudo, cost, read, every, grace, "
                                            "atonce, signature, printed, not \"speed=1\"");
        QTest::newRow("file") << QStringList{"--on", "a", "-n", "BEGIN", "--by", "file"} << QByteArray("--by file is for files");
        QTest::newRow("at") << QStringList{"-n", "BEGIN", "--at", "noon"} << QByteArray("--at takes a time in UTC (2026-11-25 10:00:00) or from now (+5s), not \"noon\"");
        QTest::newRow("for") << QStringList{"-n", "BEGIN", "--for", "-1s"} << QByteArray("--for takes how long to trace, as 10s or 5min, not \"-1s\"");
        QTest::newRow("diffs") << QStringList{"--on", "a", "-n", "BEGIN", "--diff", "x", "--diff", "y", "--export", "bars=x.svg"}
                               << QByteArray("--on is one data set of all hosts, and is compared with one recording");
    }
    void badWordsAreTold()
    {
        QFETCH(QStringList, arguments);
        QFETCH(QByteArray, error);
        const auto run = runDscope(arguments);
        QCOMPARE(run.status, 1);
        QVERIFY2(run.err.contains(error), run.err);
    }

    void groupsAreClusterShells()
    {
        if (QStandardPaths::findExecutable("nodeset").isEmpty()) QSKIP("clustershell is not installed (./cmake/install-packages hosts)");
        const auto run = recorded({"web[0-2],web4", "web1"}, {"--by", "host", "--export", "table=" + at("groups.csv")});
        QCOMPARE(run.err, test::unknownClocks(4) + "dtrace: 4 hosts\n");
        QCOMPARE(recorded({"@nosuchgroup"}, {"--export", "table=" + at("groups.csv")}).status, 1);
        // Source: clush.conf(5), groups.conf(5): groups of a file, in a folder of one's own.
        QDir().mkpath(at("clustershell/groups.d"));
        put(at("clustershell/groups.d/local.cfg"), "front: web[0-2]\nback: web4\n");
        put(at("clustershell/groups.conf"), "[Main]\ndefault: local\nautodir: $CFGDIR/groups.d\n");
        qputenv("CLUSTERSHELL_CFGDIR", at("clustershell").toUtf8());
        const auto grouped = recorded({"@front,@back"}, {"--by", "host", "--export", "table=" + at("of-a-file.csv")});
        const auto few = recorded({"@front!web1"}, {"--export", "table=" + at("few.csv")});
        qunsetenv("CLUSTERSHELL_CFGDIR");
        QCOMPARE(grouped.err, test::unknownClocks(4) + "dtrace: 4 hosts\n");
        QCOMPARE(contents(at("of-a-file.csv")), contents(at("groups.csv")));
        QCOMPARE(few.err, test::unknownClocks(2) + "dtrace: 2 hosts\n");
    }

    /// By sshd itself, with keys and a configuration of its own.
    void hostsTrace()
    {
        if (const auto why = whyNoHosts(); !why.isEmpty()) QSKIP(why.constData());
        startSshd();
        const auto run = overSsh("web1,web2,db1",
            {"--by", "host", "-qn", "syscall::write:entry /pid == $target/ { @bytes[execname] = sum(arg2); @calls = count(); }", "-c", "dd if=/dev/zero of=/dev/null bs=700 count=300"});
        const auto all = outcomeOf(*run);
        QVERIFY2(all.status == 0, all.err);
        for (const auto* host : {"web1", "web2", "db1"}) {
            // What dd copies, and what it says of that, which is a write, too.
            const QRegularExpression row(QStringLiteral("%1 +dd +(\\d+)\n").arg(host));
            const auto found = row.match(QString::fromUtf8(all.out));
            QVERIFY2(found.hasMatch(), all.out);
            QVERIFY2(found.captured(1).toInt() >= 300 * 700 && found.captured(1).toInt() < 300 * 700 + 1000, all.out);
            QVERIFY2(all.err.contains(QByteArray(host) + ": 300+0 records in\n"), all.err);
        }
        QVERIFY2(all.err.endsWith("dtrace: 3 hosts\n"), all.err);
        QVERIFY2(all.err.contains("dtrace: the clocks of 3 hosts agree within "), all.err);
    }

    /// What hosts print is printed once, as it comes, and kept.
    void whatHostsPrintIsKept()
    {
        if (const auto why = whyNoHosts(); !why.isEmpty()) QSKIP(why.constData());
        startSshd();
        const QStringList program{"-qn", "BEGIN { printf(\"begun %d\\n\", 7); @n = count(); exit(0); }"};
        const auto live = outcomeOf(*overSsh("web1,db1", QStringList{"--by", "host", "--text", "--record", at("printed.dscope")} + program));
        QVERIFY2(live.status == 0, live.err);
        for (const auto* line : {"web1: begun 7\n", "db1: begun 7\n"})
            QCOMPARE(live.out.count(line), 1);
        const auto kept = runDscope({"--replay", at("printed.dscope")});
        QVERIFY2(kept.status == 0, kept.err);
        for (const auto* line : {"web1: begun 7\n", "db1: begun 7\n"})
            QVERIFY2(kept.out.count(line) == 1, kept.out);
        QVERIFY2(!live.err.contains("firing"), live.err);
        // Where it is to keep none, that is told.
        const auto none = outcomeOf(*overSsh("web1,db1", QStringList{"--each", "printed=0", "--record", at("none.dscope")} + program));
        QVERIFY2(none.err.contains("dtrace: 2 firings that printed or traced something are not part of merged runs"), none.err);
        QVERIFY(!runDscope({"--replay", at("none.dscope")}).out.contains("begun"));
    }

    /// sudo starts it there, and hears when it is to end.
    void hostsTraceThroughSudo()
    {
        if (const auto why = whyNoHosts(); !why.isEmpty()) QSKIP(why.constData());
        startSshd();
        if (runDscope({"-n", "true"}, {}, "sudo").status != 0) QSKIP("sudo is not installed, or asks for a password (./cmake/install-packages hosts)");
        const auto all = outcomeOf(*overSsh("web1,web2", {"--each", "sudo=yes", "--by", "host", "-qn", "BEGIN { @begun = count(); }", "-c", "printenv SUDO_COMMAND"}));
        QVERIFY2(all.status == 0, all.err);
        for (const QByteArray host : {"web1", "web2"})
            QVERIFY2(all.err.contains(host + ": " DSCOPE_BIN "/dscope --stream 1 "), all.err);
        QVERIFY2(all.err.endsWith("dtrace: 2 hosts\n"), all.err);

        const auto run = overSsh("web1", {"--each", "sudo=yes", "-qn", "BEGIN { printf(\"begun\\n\"); @n = count(); }"});
        QTRY_VERIFY_WITH_TIMEOUT((run->waitForReadyRead(100), run->peek(100).contains("web1: begun")), kPatience);
        ::kill(static_cast<pid_t>(run->processId()), SIGINT);
        const auto ended = outcomeOf(*run);
        QVERIFY2(ended.status == 0, ended.err);
        QVERIFY2(ended.out.contains("\n                1\n"), ended.out);
    }

    /// The shells between here and there change nothing, and each line says whose it is.
    void wordsArriveAsTheyAre()
    {
        if (const auto why = whyNoHosts(); !why.isEmpty()) QSKIP(why.constData());
        startSshd();
        put(at("words.d"), "#!/usr/sbin/dtrace -s\n#pragma D option quiet\nBEGIN { printf(\"it's \\\"$HOME\\\" `id` \\\\ %s|%s\\n\", $$1, $$2); @n = count(); exit(0); }\n");
        const auto run = outcomeOf(*overSsh("web1,db1", {"-s", at("words.d"), "--", "a b' *", "-n ü"}));
        QVERIFY2(run.status == 0, run.err);
        for (const auto* host : {"web1", "db1"})
            QVERIFY2(run.out.contains(QByteArray(host) + ": it's \"$HOME\" `id` \\ a b' *|-n ü\n"), run.out);
        QVERIFY2(run.out.contains("\n                2\n"), run.out);
        QVERIFY2(run.err.endsWith("dtrace: 2 hosts\n"), run.err);
    }

    void mistakesAreToldOnce()
    {
        if (const auto why = whyNoHosts(); !why.isEmpty()) QSKIP(why.constData());
        startSshd();
        const auto run = outcomeOf(*overSsh("web1,web2,db1", {"-n", "BEGIN { @n = cot(); }"}));
        QCOMPARE(run.status, 1);
        QVERIFY2(run.err.contains("dtrace: web1, web2, db1: "), run.err);
        QCOMPARE(run.err.count("undefined function name: cot"), 1);
        const auto costly = outcomeOf(*overSsh("web1", {"-n", "BEGIN", "--each", "cost=many"}));
        QVERIFY2(costly.err.contains("web1: dtrace: failed to set -x costlimit"), costly.err);
        const auto missing = outcomeOf(*overSsh("web1", {"-n", "BEGIN", "--each", "dscope=/nowhere/dscope"}));
        QVERIFY2(missing.err.contains("--each dscope=PATH says where it is"), missing.err);
    }

    /// All begin at one time, and end after as long.
    void runsBeginTogether()
    {
        if (const auto why = whyNoHosts(); !why.isEmpty()) QSKIP(why.constData());
        startSshd();
        const auto before = QDateTime::currentMSecsSinceEpoch();
        const auto run = outcomeOf(*overSsh("web1,web2", {"--at", "+3s", "--for", "500ms", "-qn", "BEGIN { printf(\"%d\\n\", walltimestamp); } tick-100ms { @n = count(); }"}));
        const auto after = QDateTime::currentMSecsSinceEpoch();
        QVERIFY2(run.status == 0, run.err);
        const QRegularExpression line("^(web1|web2): (\\d+)$", QRegularExpression::MultilineOption);
        auto all = line.globalMatch(QString::fromUtf8(run.out));
        int begun = 0;
        for (; all.hasNext(); ++begun) {
            const auto ms = all.next().captured(2).toLongLong() / 1'000'000;
            QVERIFY2(ms >= before + 3000 && ms <= after, run.out);
        }
        QCOMPARE(begun, 2);
    }

    /// Figures are drawn meanwhile; Ctrl-C ends all with their results.
    void interruptionsEndAll()
    {
        if (const auto why = whyNoHosts(); !why.isEmpty()) QSKIP(why.constData());
        startSshd();
        auto run = overSsh("web1,web2", {"--by", "host", "-n", "tick-50ms { @n = count(); }", "--export", "bars=" + at("live.svg"), "--export", "table=" + at("live.csv"), "--each", "every=100ms"});
        QTRY_VERIFY_WITH_TIMEOUT(contents(at("live.svg")).contains("2 hosts, 2 still running") && contents(at("live.csv")).count('\n') >= 3, kPatience);
        ::kill(static_cast<pid_t>(run->processId()), SIGINT);
        const auto ended = outcomeOf(*run);
        QVERIFY2(ended.status == 0, ended.err);
        QVERIFY2(ended.err.endsWith("dtrace: 2 hosts\n"), ended.err);
        QVERIFY(!contents(at("live.svg")).contains("still running"));
    }

    /// A starter that is killed leaves no tracer behind.
    void nothingStaysBehind()
    {
        if (const auto why = whyNoHosts(); !why.isEmpty()) QSKIP(why.constData());
        startSshd();
        put(at("noted"), "#!/bin/sh\necho $$ >> '" + at("pids").toUtf8() + "'\nexec '" DSCOPE_BIN "/dscope' \"$@\"\n", true);
        auto run = overSsh("web1,web2", {"-n", "tick-50ms { printf(\"on\\n\"); }", "--each", "dscope=" + at("noted")});
        QByteArray out;
        QTRY_VERIFY_WITH_TIMEOUT((out += run->readAllStandardOutput(), out.contains("web1: ") && out.contains("web2: ")), kPatience);
        const auto pids = contents(at("pids")).trimmed().split('\n');
        QCOMPARE(pids.size(), 2);
        run->kill();
        for (const auto& pid : pids)
            QTRY_VERIFY_WITH_TIMEOUT(::kill(pid.toInt(), 0) != 0, kPatience);
    }

    /// A key that may do nothing but run what the administrator has allowed.
    void anAgentRunsWhatIsAllowed()
    {
        if (const auto why = whyNoHosts(); !why.isEmpty()) QSKIP(why.constData());
        startSshd();
        const QByteArray allowed = "BEGIN { printf(\"it's allowed\\n\"); @n = count(); exit(0); }";
        QDir().mkpath(at("allowed"));
        put(at("allowed/one.d"), allowed);
        serveOnly(at("allowed"));
        const auto run = outcomeOf(*overSsh("web1,web2", {"-qn", QString::fromUtf8(allowed)}));
        QVERIFY2(run.status == 0, run.err);
        QVERIFY2(run.out.contains("web1: it's allowed\n") && run.out.contains("web2: it's allowed\n"), run.out);
        QCOMPARE(outcomeOf(*overSsh("web1", {"-qs", at("allowed/one.d"), "--for", "10s"})).status, 0);

        const QString script = QString::fromUtf8(allowed);
        const struct {
            QStringList arguments;
            const char* why;
        } kRefused[] = {
            {{"-qn", script + ' '}, "the program is none that is allowed on this host"},
            {{"-qn", script, "-n", "BEGIN { system(\"id\"); }"}, "the program is none that is allowed on this host"},
            {{"-wqn", script}, "-w "},
            {{"-qn", script, "-c", "touch " + at("touched")}, "-c touch"},
            {{"-qn", script, "-x", "cpppath=/bin/sh"}, "-x cpppath=/bin/sh is not allowed here"},
            {{"-qn", script, "-L", "/tmp"}, "-L /tmp is not allowed here"},
            {{"-qn", script, "--", "argument"}, "arguments of programs are not allowed here"},
        };
        for (const auto& [arguments, why] : kRefused) {
            const auto refused = outcomeOf(*overSsh("web1", arguments));
            QCOMPARE(refused.status, 1);
            QVERIFY2(refused.err.contains(why), refused.err + why);
        }
        for (const auto& command : QStringList{"touch " + at("touched"), "'dscope' '--stream' '1'; touch " + at("touched"), "'dscope' '-n' 'BEGIN { exit(0); }'", "'dscope' '--stream' '1' '-n' 'x"})
            QCOMPARE(runDscope({"-F", at("ssh_config"), "web1", command}, {}, "ssh").status, 1);
        QCOMPARE(runDscope({"-F", at("ssh_config"), "web1"}, {}, "ssh").status, 1); // a shell
        QVERIFY(!QFile::exists(at("touched")));

        QFile::setPermissions(at("allowed/one.d"), QFile::ReadOwner | QFile::WriteOwner | QFile::WriteOther);
        const auto open = outcomeOf(*overSsh("web1", {"-qn", script}));
        QVERIFY2(open.err.contains("one.d may be changed by others"), open.err);
        QFile::setPermissions(at("allowed/one.d"), QFile::ReadOwner | QFile::WriteOwner);
    }

    /// Who owns a folder above may put another one in its place.
    void foldersAboveBelongToTheServer()
    {
        if (const auto why = whyNoTracing(); !why.isEmpty()) QSKIP(why.constData());
        QDir().mkpath(at("theirs/allowed"));
        put(at("theirs/allowed/one.d"), "BEGIN { exit(0); }");
        const QStringList serve{"SSH_ORIGINAL_COMMAND='dscope' '--stream' '1' '-n' 'BEGIN { exit(0); }'", DSCOPE_BIN "/dscope", "--serve",
            at("theirs/allowed")};
        QCOMPARE(runDscope(serve, {}, "env").status, 0);
        QCOMPARE(::chown(at("theirs").toUtf8().constData(), 65534, 65534), 0);
        const auto other = runDscope(serve, {}, "env");
        QVERIFY2(other.status == 1 && other.err.contains("theirs belongs to neither root nor the user that serves"), other.err);
        QCOMPARE(::chown(at("theirs").toUtf8().constData(), 0, 0), 0);
        QCOMPARE(::chmod(at("theirs").toUtf8().constData(), 0777), 0);
        const auto open = runDscope(serve, {}, "env");
        QVERIFY2(open.status == 1 && open.err.contains("theirs may be changed by others"), open.err);
    }

    /// What it costs is bounded, whatever was asked for.
    void anAgentsCostIsBounded()
    {
        if (const auto why = whyNoHosts(); !why.isEmpty()) QSKIP(why.constData());
        startSshd();
        QDir().mkpath(at("busy"));
        const QByteArray busy = "syscall::read:entry, syscall::write:entry, tick-10ms { @n = count(); }";
        put(at("busy/busy.d"), busy);
        serveOnly(at("busy"), "-x costlimit=0.001%");
        const auto run = outcomeOf(*overSsh("web1", {"-n", QString::fromUtf8(busy), "--for", "60s", "--each", "cost=none"}));
        QVERIFY2(run.err.contains("costlimit"), run.err);
    }

private:
    /// From now on the key is for the agent.
    void serveOnly(const QString& folder, const QByteArray& more = {})
    {
        if (!QFile::exists(at("plain.pub"))) QVERIFY(QFile::copy(at("user.pub"), at("plain.pub")));
        put(at("user.pub"), "command=\"" DSCOPE_BIN "/dscope --serve " + folder.toUtf8() + ' ' + more + "\",restrict " + contents(at("plain.pub")));
    }
    QString at(const QString& name) const { return m_dir.filePath(name); }
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
    /// Of hosts that have recorded a run.
    Outcome recorded(const QStringList& names, const QStringList& arguments) const
    {
        QStringList on;
        for (const auto& name : names)
            on << "--on" << name;
        return runDscope(on + QStringList{"--each", "ssh=" + at("recorded"), "-n", "syscall::read:entry { @size[execname] = quantize(arg2); }"} + arguments);
    }
    std::unique_ptr<QProcess> overSsh(const QString& hosts, const QStringList& arguments) const
    {
        auto process = std::make_unique<QProcess>();
        process->start(QStringLiteral(DSCOPE_BIN "/dscope"),
            QStringList{"--on", hosts, "--each", "ssh=ssh -F " + at("ssh_config"), "--each", "dscope=" DSCOPE_BIN "/dscope"} + arguments);
        process->waitForStarted();
        return process;
    }
    static QString sshd() { return QStandardPaths::findExecutable("sshd", {"/usr/sbin"}); }
    static QByteArray whyNoHosts()
    {
        if (auto why = whyNoTracing(); !why.isEmpty()) return why;
        return sshd().isEmpty() ? "openssh-server is not installed (./cmake/install-packages hosts)" : QByteArray();
    }
    void startSshd()
    {
        if (m_sshd.state() != QProcess::NotRunning) return;
        for (const auto* key : {"host", "user"})
            QCOMPARE(runDscope({"-q", "-t", "ed25519", "-N", "", "-f", at(key)}, {}, "ssh-keygen").status, 0);
        QDir().mkpath("/run/sshd"); // Source: sshd(8), privilege separation
        const int port = freePort();
        const auto folder = (m_dir.path() + QLatin1Char('/')).toUtf8();
        put(at("sshd_config"), "Port " + QByteArray::number(port) + "\nListenAddress 127.0.0.1\nHostKey " + folder + "host\nPidFile none\nAuthorizedKeysFile " + folder
                + "user.pub\nPasswordAuthentication no\nUsePAM no\nStrictModes no\nPermitRootLogin yes\nMaxStartups 100\n");
        put(at("ssh_config"), "Host *\nHostName 127.0.0.1\nPort " + QByteArray::number(port) + "\nIdentityFile " + folder + "user\nIdentitiesOnly yes\nUserKnownHostsFile " + folder
                + "known\nStrictHostKeyChecking no\nLogLevel ERROR\n");
        m_sshd.setStandardErrorFile(at("sshd.log"));
        m_sshd.start(sshd(), {"-D", "-e", "-f", at("sshd_config")});
        QTRY_VERIFY_WITH_TIMEOUT(contents(at("sshd.log")).contains("Server listening"), kPatience);
    }
    QTemporaryDir m_dir;
    QStringList m_names;
    QProcess m_sshd;
};
QTEST_GUILESS_MAIN(TestOnHosts)
#include "tst_on_hosts.moc"
