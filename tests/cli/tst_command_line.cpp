// needs-programs: dscope
// The command line as dtrace's users know it: statuses, messages, where output goes. Expected words: dtrace's own.
#include "tests/support/run_dscope.h"
#include <QFile>
#include <QObject>
#include <QProcessEnvironment>
#include <QRegularExpression>
#include <QStandardPaths>
#include <QTemporaryDir>
#include <QTest>
#include <csignal>
#include <unistd.h>
using namespace dscope::tests;

class TestCommandLine : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void wordsAreAnswered_data()
    {
        QTest::addColumn<QStringList>("words");
        QTest::addColumn<int>("status");
        QTest::addColumn<QString>("out");
        QTest::addColumn<QString>("err");   // regular expressions over the whole
        const auto row = [](const char* name, const QStringList& words, int status, const char* out, const char* err) {
            QTest::newRow(name) << words << status << out << err;
        };
        row("nothing asked", {}, 2, "", "Usage: dscope .*");
        row("unknown option", {"--no-such-option"}, 2, "", "dtrace: illegal option: --no-such-option \\(dscope --help lists the options\\)\n");
        row("unknown letter among others", {"-qY", "-n", "BEGIN"}, 2, "", "dtrace: illegal option or missing argument: -Y \\(dscope --help lists the options\\)\n");
        row("unknown letter behind a word", {"-n", "BEGIN", "12", "-5"}, 2, "", "dtrace: illegal option or missing argument: -5 \\(dscope --help lists the options\\)\n");
        row("an option that lacks its argument", {"--record"}, 2, "", "dtrace: illegal option or missing argument: --record \\(dscope --help lists the options\\)\n");
        row("--version", {"--version"}, 0, "dtrace: dscope \\d+\\.\\d+\\.\\d+, D 2\\.0\n", "");
        row("all views", {"--views"}, 0, "process-tree\t[^\n]+\n(\\S+\t[^\n]+\n)*flame\t(.*\n)*", "");
        row("-e compiles only", {"-e", "-n", "BEGIN { exit(3); }"}, 0, "", "");
        row("no match", {"-n", "nosuch:::entry"}, 1, "", "dtrace: invalid probe specifier nosuch:::entry: probe description nosuch:::entry does not match any probes\n.*");
        row("unknown option name", {"-x", "nosuch", "-n", "BEGIN"}, 1, "", "dtrace: failed to set -x nosuch: Invalid option name\n");
        row("bad option value", {"-x", "bufsize=zz", "-n", "BEGIN"}, 1, "", "dtrace: failed to set -x bufsize: Invalid value for specified option\n");
        row("bad buffer size", {"-b", "zz", "-n", "BEGIN"}, 1, "", "dtrace: failed to set -b zz: Invalid value for specified option\n");
        row("text that cpp changed", {"-C", "-D", "X=nosuchvar", "-e", "-n", "BEGIN { trace(X); }"}, 1, "", "dtrace: invalid probe specifier BEGIN \\{ trace\\(X\\); \\}: in action list: failed to resolve nosuchvar: Unknown variable name\n.*");
        row("missing script", {"-s", "/nonexistent.d"}, 1, "", "dtrace: failed to open /nonexistent.d: No such file or directory\n");
        row("unused argument", {"-e", "-n", "BEGIN", "abc"}, 1, "", "dtrace: invalid probe specifier BEGIN: extraneous argument 'abc' \\(\\$1 is not referenced\\)\n.*-x argref.*");
        row("missing command", {"-c", "/nonexistent", "-n", "BEGIN"}, 1, "", "dtrace: failed to execute /nonexistent: No such file or directory\n");
        row("a process as ps(1) prints it", {"-p", "  4194303", "-n", "BEGIN"}, 1, "", "dtrace: failed to grab pid 4194303: No such process\n");
        row("no process", {"-p", " 12x", "-n", "BEGIN"}, 1, "", "dtrace: invalid pid:  12x\n");
        row("the program as it was understood", {"-d", "-e", "-n", "BEGIN /$1 < 3/{trace(pid)}", "2"}, 0,
            "BEGIN\n/2 < 3/\n\\{\n\ttrace\\(pid\\);\n\\}\n", "");
        row("dead process", {"-p", "4194303", "-n", "BEGIN"}, 1, "", "dtrace: failed to grab pid 4194303: No such process\n");
        row("unknown variable", {"-e", "-n", "BEGIN { trace(nosuchvar); }"}, 1, "", "dtrace: .*failed to resolve nosuchvar: Unknown variable name\n.*\\^\n");
        row("with its tag", {"-x", "errtags", "-e", "-n", "BEGIN { trace(nosuchvar); }"}, 1, "", "dtrace: .*\\[D_IDENT_UNDEF\\] .*");
        row("syntax error", {"-e", "-n", "BEGIN { exit(0) "}, 1, "", "dtrace: .*syntax error.*");
        row("an export of no known format", {"-n", "BEGIN", "--export", "a.xyz"}, 1, "", "dtrace: cannot export a.xyz: the name must end in one of .*\\.svg.*\n");
        row("an export into no folder", {"-n", "BEGIN { @ = count(); }", "--export", "/nonexistent/a.svg"}, 1, "", "dtrace: cannot write /nonexistent/a.svg: No such file or directory\n");
        row("an export of a view that the program has not", {"-qn", "BEGIN { @[pid] = count(); }", "--export", "flame=a.svg"}, 1, "", "dtrace: cannot export a.svg: this program yields no view \"flame\"; it yields bars, .*table\n");
        row("anonymous tracing", {"-A"}, 1, "", "dtrace: -A .*systemd.*\n");
        row("views of a program", {"--views", "-n", "proc:::exit { @[execname] = quantize(1); }"}, 0, "process-tree\t.*\nhistogram\t.*\ntable\t.*\n", "");
        row("list", {"-l", "-n", "proc:::exec*"}, 0, "   ID   PROVIDER            MODULE                          FUNCTION NAME\n( +\\d+ +proc +vmlinux +exec\\S*\n){3}", "");
        row("list by provider", {"-l", "-P", "dtrace"}, 0, ".*\n    1     dtrace +BEGIN\n    2     dtrace +END\n    3     dtrace +ERROR\n", "");
        row("list by number", {"-l", "-i", "2"}, 0, ".*\n    2     dtrace +END\n", "");
        row("list without a match", {"-l", "-n", "nosuch:::"}, 0, "   ID .*NAME\n",
            "dtrace: failed to match nosuch:::: No probe matches description\n    hint: the providers are dtrace, .*\n");
        row("list with types", {"-l", "-v", "-n", "proc:::create"}, 0, ".*args\\[0\\]: psinfo_t \\*\n.*", "");
    }
    void wordsAreAnswered()
    {
        QFETCH(QStringList, words);
        QFETCH(int, status);
        QFETCH(QString, out);
        QFETCH(QString, err);
        check(words, status, out, err);
    }
    void programsRun_data()
    {
        QTest::addColumn<QStringList>("words");
        QTest::addColumn<int>("status");
        QTest::addColumn<QString>("out");
        QTest::addColumn<QString>("err");
        const auto row = [](const char* name, const QStringList& words, int status, const char* out, const char* err) {
            QTest::newRow(name) << words << status << out << err;
        };
        row("the argument of exit", {"-n", "BEGIN { exit(3); }"}, 3, "CPU     ID                    FUNCTION:NAME\n +\\d+      1                           :BEGIN \n\n",
            "dtrace: description 'BEGIN' matched 1 probe\n");
        row("quiet", {"-qn", "BEGIN { printf(\"%s\", $$1); exit(0); }", "abc"}, 0, "abc\n", "");
        row("END fires after exit", {"-qn", "BEGIN { exit(0); } END { printf(\"end\"); }"}, 0, "end\n?", "");
        row("-Z lets nothing match", {"-qZn", "nosuch:::entry, BEGIN { exit(0); }"}, 0, "\n", "");
        row("destructive without -w", {"-qn", "BEGIN { system(\"true\"); }"}, 1, "", "dtrace: could not enable tracing: Destructive actions not allowed\n    hint: -w permits [^\n]*\n");
        row("return() at no kernel function", {"-qwn", "BEGIN { return(0); }"}, 1, "", "dtrace: could not enable tracing: return\\(\\) not allowed for dtrace:::BEGIN\n    hint: return\\(\\) is for probes [^\n]*\n");
        row("more frames than the kernel walks", {"-x", "stackframes=4096", "-qn", "BEGIN { exit(0); }"}, 1, "", "dtrace: failed to set -x stackframes: Invalid value for specified option\n    hint: kernel.perf_event_max_stack [^\n]*\n");
        row("BEGIN has no caller", {"-qn", "BEGIN { printf(\"%d %d\", caller, stackdepth); exit(0); }"}, 0, "0 0\n", "");
        row("destructive with -w", {"-wqn", "BEGIN { system(\"echo by sh\"); exit(0); }"}, 0, "by sh\n\n", "");
        row("the command's end ends it", {"-n", "END { trace(\"bye\"); }", "-c", "/bin/false"}, 0, ".*:END   bye +\n\n", "dtrace: description 'END' matched 1 probe\ndtrace: pid \\d+ has exited\n");
        row("what each program matched", {"-n", "BEGIN", "-n", "END { exit(0); }", "-n", "BEGIN { exit(0); }"}, 0, ".*", "dtrace: description 'BEGIN' matched 1 probe\ndtrace: description 'END' matched 1 probe\ndtrace: description 'BEGIN' matched 1 probe\n");
        row("chill() takes its time, and timestamp tells", {"-wqn", "BEGIN { t = timestamp; chill(2000000); printf(\"%d\", timestamp - t >= 2000000); } BEGIN { printf(\"%d\", timestamp - t >= 2000000); exit(0); }"}, 0, "11\n", "");
        row("half a second is all that chill() may take", {"-wqn", "BEGIN { chill(500000001); } ERROR { exit(arg4); }"}, 3, "\n?", "dtrace: error on enabled probe ID \\d+ \\(ID 1: dtrace:::BEGIN\\): illegal operation in action #1\n");
        row("several programs", {"-qn", "BEGIN { printf(\"1\"); }", "-n", "BEGIN { printf(\"2\"); exit(0); }"}, 0, "12\n", "");
        QString adding;
        for (int i = 0; i < 300; ++i) adding += QString("x%1 = x0 + %2 / zero; @a%3[execname] = sum(%2); ").arg(i % 30).arg(i).arg(i % 80);
        row("a clause of many statements, each of which may fault", {"-qn", "BEGIN { zero = 1; x0 = 0; " + adding + "printf(\"done\"); exit(0); } END { trunc(@a0); }"}, 0, "done\n?.*", "");
        row("a run-time error goes on", {"-qn", "BEGIN { trace(*(int *)0); } BEGIN { printf(\"on\"); exit(0); } ERROR { printf(\"fault %d \", arg4); }"}, 0, "(fault 1 on|onfault 1 )\n?",
            "dtrace: error on enabled probe ID 1 \\(ID 1: dtrace:::BEGIN\\): invalid address \\(0x0\\).*\n");
    }
    void programsRun()
    {
        if (const auto why = whyNoTracing(); !why.isEmpty()) QSKIP(why.constData());
        QFETCH(QStringList, words);
        QFETCH(int, status);
        QFETCH(QString, out);
        QFETCH(QString, err);
        check(words, status, out, err);
    }
    /// Source: what a terminal gets is what script(1) hands on, whose own output is a pipe.
    void aTerminalObeysNothingThatWasTraced()
    {
        if (QStandardPaths::findExecutable("script").isEmpty()) QSKIP("script is not installed");
        const QTemporaryDir dir;
        const auto stacks = dir.filePath("stacks");
        QFile file(stacks);
        QVERIFY(file.open(QIODevice::WriteOnly) && file.write("main;\033]0;x\007 3\n") > 0);
        file.close();
        const auto onTerminal = [](const QString& words) { return runDscope({"-qec", DSCOPE_BIN "/dscope " + words, "/dev/null"}, {}, "script"); };
        QCOMPARE(onTerminal("--import " + stacks).out, QByteArray("main;\\033]0;x\\007 3\r\n"));
        QCOMPARE(runDscope({"--import", stacks}).out, QByteArray("main;\033]0;x\007 3\n"));

        if (const auto why = whyNoTracing(); !why.isEmpty()) QSKIP(why.constData());
        // A command of such a name; the program's own text is obeyed.
        const auto command = dir.filePath("\033[5mname");
        QVERIFY(QFile::copy("/bin/true", command));
        QFile script(dir.filePath("s.d"));
        QVERIFY(script.open(QIODevice::WriteOnly)
            && script.write("proc:::exec-success /pid == $target/ { printf(\"\\033[1m%s\\n\", execname); @[execname] = count(); }") > 0);
        script.close();
        const QStringList words{"-qs", script.fileName(), "-c", command};
        QVERIFY(onTerminal(words.join("' '").prepend("'").append("'")).out.contains("\033[1m\\033[5mname\r\n\r\n  \\033[5mname "));
        QVERIFY(runDscope(words).out.contains("\033[1m\033[5mname\n\n  \033[5mname "));
    }
    void outputIsAppendedToItsFile()
    {
        if (const auto why = whyNoTracing(); !why.isEmpty()) QSKIP(why.constData());
        const QTemporaryDir dir;
        const auto path = dir.filePath("out");
        for (int i = 0; i < 2; ++i) QCOMPARE(runDscope({"-qn", "BEGIN { printf(\"x\"); exit(0); }", "-o", path}).out, QByteArray());
        QFile file(path);
        QVERIFY(file.open(QIODevice::ReadOnly));
        QCOMPARE(file.readAll(), QByteArray("x\nx\n"));
    }
    void theTestModeTellsDtracesLineAlone()
    {
        QVERIFY(runDscope({"-e", "-n", "BEGIN { trace(nosuchvar); }"}).err.count('\n') > 1);
        qputenv("_DTRACE_TESTING", "1");
        const auto run = runDscope({"-e", "-n", "BEGIN { trace(nosuchvar); }"});
        qunsetenv("_DTRACE_TESTING");
        QCOMPARE(run.err.count('\n'), 1);
        QVERIFY2(run.err.endsWith("failed to resolve nosuchvar: Unknown variable name\n"), run.err.constData());
    }
    void optionsComeFromTheEnvironmentToo()
    {
        if (const auto why = whyNoTracing(); !why.isEmpty()) QSKIP(why.constData());
        qputenv("DTRACE_OPT_QUIET", "1");
        const auto run = runDscope({"-n", "BEGIN { printf(\"x\"); exit(0); }"});
        qunsetenv("DTRACE_OPT_QUIET");
        QCOMPARE(run.out, QByteArray("x\n"));
        QCOMPARE(run.err, QByteArray());
    }
    void aScriptNamesItsLine()
    {
        const QTemporaryDir dir;
        QFile file(dir.filePath("wrong.d"));
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write("BEGIN\n{\n\tprintf(\"%d\", \"x\");\n}\n");
        file.close();
        const auto run = runDscope({"-e", "-s", file.fileName()});
        QCOMPARE(run.status, 1);
        QVERIFY2(run.err.startsWith("dtrace: failed to compile script " + file.fileName().toUtf8() + ": line 3: "), run.err.constData());
    }
    void theFirstLineOfAScriptIsNoDirectiveForCpp()
    {
        const QTemporaryDir dir;
        QFile file(dir.filePath("wrong.d"));
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write("#!/usr/sbin/dtrace -Cs\n#define WHAT nosuch\nBEGIN\n{\n\ttrace(WHAT);\n}\n");
        file.close();
        const auto run = runDscope({"-e", "-C", "-s", file.fileName()});
        QCOMPARE(run.status, 1);
        QVERIFY2(run.err.contains("line 5: failed to resolve nosuch: Unknown variable name"), run.err.constData());
        QVERIFY2(!run.err.contains("preprocessing directive"), run.err.constData());
    }
    void anInterruptPrintsWhatThereIs_data()
    {
        QTest::addColumn<QList<int>>("kinds");
        QTest::newRow("one") << QList<int>{SIGINT};
        // timeout(1) sends to the command, then to its group. Two of one kind may become one on the way, so here they are two kinds.
        QTest::newRow("with its echo") << QList<int>{SIGINT, SIGTERM};
    }
    void anInterruptPrintsWhatThereIs()
    {
        QFETCH(QList<int>, kinds);
        if (const auto why = whyNoTracing(); !why.isEmpty()) QSKIP(why.constData());
        QProcess process;
        process.start(DSCOPE_BIN "/dscope", {"-n", "BEGIN { printf(\"ready\"); @ = count(); } END { printf(\"end\"); }"});
        QVERIFY(process.waitForStarted());
        QByteArray out;
        while (!out.contains("ready") && process.waitForReadyRead(30'000)) out += process.readAllStandardOutput();
        QVERIFY(out.contains("ready"));
        for (const int kind : kinds)
            ::kill(static_cast<pid_t>(process.processId()), kind);
        QVERIFY(process.waitForFinished(30'000));
        out += process.readAllStandardOutput();
        QCOMPARE(process.exitStatus(), QProcess::NormalExit);
        QCOMPARE(process.exitCode(), 0);
        QVERIFY2(out.contains("end") && out.trimmed().endsWith("1"), out.constData());
    }

    void whoeverReadsMayStopReading_data()
    {
        QTest::addColumn<QString>("command");
        QTest::addColumn<QByteArray>("out");
        QTest::addColumn<QByteArray>("err");
        QTest::newRow("a pipe") << QStringLiteral("\"$@\" | head -n 1; echo ${PIPESTATUS[0]}") << QByteArray("x\n141\n") << QByteArray();
        QTest::newRow("a pipe, whose signal is ignored") << QStringLiteral("trap '' PIPE; \"$@\" | head -n 1; echo ${PIPESTATUS[0]}") << QByteArray("x\n1\n") << QByteArray("dtrace: processing aborted: Broken pipe\n");
        QTest::newRow("no room") << QStringLiteral("\"$@\" > /dev/full; echo $?") << QByteArray("1\n") << QByteArray("dtrace: processing aborted: No space left on device\n");
    }
    /// As a command that ends of SIGPIPE does, and what END would do is not done.
    void whoeverReadsMayStopReading()
    {
        if (const auto why = whyNoTracing(); !why.isEmpty()) QSKIP(why.constData());
        QFETCH(QString, command);
        const QTemporaryDir dir;
        const auto done = dir.filePath("done");
        const auto run = runDscope({"-c", command, "sh", DSCOPE_BIN "/dscope", "-wqn", "tick-10ms { printf(\"x\\n\"); } END { system(\"touch %s\", $$1); }", done}, {}, "/bin/bash");
        QTEST(run.out, "out");
        QTEST(run.err, "err");
        QVERIFY(!QFile::exists(done));
    }
    void aFrontEndsCommandRunsAsTheUserWhoAsked()
    {
        if (const auto why = whyNoTracing(); !why.isEmpty()) QSKIP(why.constData());
        const QTemporaryDir dir;
        const auto recording = dir.filePath("run.dscope");
        QProcess process;
        auto environment = QProcessEnvironment::systemEnvironment();
        environment.insert("PKEXEC_UID", "65534");
        process.setProcessEnvironment(environment);
        process.setStandardOutputFile(recording);
        process.start(DSCOPE_BIN "/dscope", {"--stream", "1", "-qn", "proc:::exec-success /pid == $target/ { printf(\"%d\", uid); }", "-c", "id -u"});
        QVERIFY(process.waitForStarted());
        QVERIFY(process.waitForFinished(30'000));
        // The frames are whole although the command printed: its output went to standard error.
        QCOMPARE(process.readAllStandardError(), QByteArray("65534\n"));
        const auto run = runDscope({"--replay", recording});
        QCOMPARE(run.out, QByteArray("65534\n"));
    }
    /// A shell stands between, as sudo does.
    void aFrontEndIsTheParentWhoeverStandsBetween()
    {
        if (const auto why = whyNoTracing(); !why.isEmpty()) QSKIP(why.constData());
        const QTemporaryDir dir;
        const auto recording = dir.filePath("run.dscope"), self = QString::number(::getpid());
        const QString program = "BEGIN { printf(\"%d %d\", $ppid, ppid); exit(0); }";
        QProcess shell;
        shell.setStandardOutputFile(recording);
        shell.start("/bin/sh", {"-c", "\"$@\"; exit $?", "sh", DSCOPE_BIN "/dscope", "--stream", "1:" + self, "-qn", program});
        QVERIFY(shell.waitForStarted());
        const auto between = QByteArray::number(shell.processId());
        QVERIFY(shell.waitForFinished(30'000));
        QCOMPARE(runDscope({"--replay", recording}).out, self.toUtf8() + ' ' + between + '\n');
        for (const auto* wrong : {"", "x", "1:", "1:x", "1:0", "1:-3", "1 2", "1:2:3"})
            QVERIFY2(runDscope({"--stream", wrong, "-n", "BEGIN"}).err.contains("--stream takes a file descriptor"), wrong);
    }
    void whatAFrontEndStartsIsNotOfTheMachine_data()
    {
        QTest::addColumn<bool>("isTarget");
        QTest::newRow("the whole machine") << false;
        QTest::newRow("it is what is traced") << true;
    }
    /// Of the whole machine a front end sees what others start, and nothing of what it starts itself, as for its own pictures.
    void whatAFrontEndStartsIsNotOfTheMachine()
    {
        if (const auto why = whyNoTracing(); !why.isEmpty()) QSKIP(why.constData());
        QFETCH(const bool, isTarget);
        const QTemporaryDir dir;
        const auto recording = dir.filePath("run.dscope"), tree = dir.filePath("tree.csv");
        QProcess frontEnd, dscope;
        frontEnd.start("/bin/sh", {"-c", "while [ ! -e " + dir.filePath("end") + " ]; do /bin/true; (/bin/true; /bin/true); done"});
        QVERIFY(frontEnd.waitForStarted());
        const auto its = QString::number(frontEnd.processId()), ours = QString::number(::getpid());
        // It ends at the second process of ours behind one of the front end's. They are seen when they begin: one that had begun before
        // tracing, and then runs a program, has no parent in the picture, and the one at which the run ends may not be in it.
        const auto program = "proc:::create { } proc:::create /pid == " + its + "/ { seen = 1; } proc:::create /seen && pid == " + ours
            + "/ { n++; } proc:::create /n > 1/ { exit(0); }";
        dscope.start(DSCOPE_BIN "/dscope", QStringList{"--stream", "1:" + its, "-qn", program} + (isTarget ? QStringList{"-p", its} : QStringList()));
        QByteArray stream;
        const auto hasEnded = [&] {
            stream += dscope.readAllStandardOutput();
            return dscope.state() == QProcess::NotRunning || QProcess::execute("/bin/true") != 0;
        };
        QTRY_VERIFY_WITH_TIMEOUT(hasEnded(), 60'000);
        stream += dscope.readAllStandardOutput();
        QVERIFY(QFile(dir.filePath("end")).open(QIODevice::WriteOnly));
        QVERIFY(frontEnd.waitForFinished(60'000));
        QFile file(recording);
        QVERIFY(file.open(QIODevice::WriteOnly) && file.write(stream) == stream.size() && file.flush());
        const auto drawn = runDscope({"--replay", recording, "--export", "process-tree=" + tree});
        QVERIFY2(drawn.status == 0, drawn.err.constData());
        QFile table(tree);
        QVERIFY(table.open(QIODevice::ReadOnly));
        QStringList parents, pids;
        for (const auto& line : QString::fromUtf8(table.readAll()).split('\n').mid(1)) {
            pids << line.section(',', 2, 2);
            parents << line.section(',', 3, 3);
        }
        QCOMPARE(parents.contains(its), isTarget);
        QCOMPARE(pids.contains(its), isTarget);
        if (!isTarget) QVERIFY(parents.contains(ours));
    }
    void asUserRunsTheCommandAsWhoCalledSudo_data()
    {
        QTest::addColumn<QStringList>("option");
        QTest::addColumn<QString>("user");
        QTest::addColumn<int>("status");
        QTest::addColumn<QByteArray>("out");
        QTest::addColumn<QByteArray>("err");
        const QByteArray root = "0 0 0 " + qgetenv("HOME") + "\n\n", nobody = "65534 65534 65534 /nonexistent\n\n"; // and the line that ends a run
        const QStringList none, asked{QStringLiteral("--as-user")};
        QTest::newRow("not asked for: root, as dtrace") << none << "65534" << 0 << root << QByteArray();
        QTest::newRow("asked for") << asked << "65534" << 0 << nobody << QByteArray();
        QTest::newRow("sudo called by root") << asked << "0" << 0 << root << QByteArray();
        QTest::newRow("without sudo") << asked << "" << 1 << QByteArray() << QByteArray("dtrace: --as-user: dscope was not started through sudo, so there is no other user to run -c as; leave it out\n");
        QTest::newRow("a user that is not known") << asked << "3999999999" << 1 << QByteArray() << QByteArray("dtrace: cannot run a command as user 3999999999: no such user\n");
    }
    void asUserRunsTheCommandAsWhoCalledSudo()
    {
        if (const auto why = whyNoTracing(); !why.isEmpty()) QSKIP(why.constData());
        QFETCH(QStringList, option);
        QFETCH(QString, user);
        QTemporaryDir dir;
        QVERIFY(QFile::setPermissions(dir.path(), QFile::permissions(dir.path()) | QFile::ReadOther | QFile::ExeOther));
        QFile script(dir.filePath("who"));
        QVERIFY(script.open(QIODevice::WriteOnly));
        script.write("#!/bin/sh\necho $(id -u) $(id -g) $(id -G) $HOME\n");
        script.close();
        QVERIFY(script.setPermissions(QFile::ReadOwner | QFile::ExeOwner | QFile::ReadOther | QFile::ExeOther));
        QStringList words{"-u", "PKEXEC_UID", "-u", "SUDO_UID"};
        if (!user.isEmpty()) words << "SUDO_UID=" + user;
        const auto run = runDscope(words << DSCOPE_BIN "/dscope" << option << "-qn" << "BEGIN" << "-c" << script.fileName(), {}, "/usr/bin/env");
        QTEST(run.err, "err");
        QTEST(run.out, "out");
        QTEST(run.status, "status");
    }
    void asUserWantsACommand() { check({"--as-user", "-n", "BEGIN { exit(0); }"}, 1, "", "dtrace: --as-user says as whom the command of -c runs, and there is no -c\n"); }

private:
    static void check(const QStringList& words, int status, const QString& out, const QString& err)
    {
        const auto run = runDscope(words);
        const auto whole = [](const QString& pattern, const QByteArray& text) {
            return QRegularExpression(QRegularExpression::anchoredPattern(pattern), QRegularExpression::DotMatchesEverythingOption).match(QString::fromUtf8(text)).hasMatch();
        };
        QVERIFY2(whole(err, run.err), run.err.constData());
        QVERIFY2(whole(out, run.out), run.out.constData());
        QCOMPARE(run.status, status);
    }
};
QTEST_GUILESS_MAIN(TestCommandLine)
#include "tst_command_line.moc"
