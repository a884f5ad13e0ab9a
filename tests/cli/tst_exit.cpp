// needs-programs: dscope
// How runs end: what the firing that calls exit() does is there, whole.
#include "tests/support/run_dscope.h"
#include <QFile>
#include <QObject>
#include <QProcess>
#include <QTemporaryDir>
#include <QTest>
#include <csignal>
using namespace dscope::tests;

class TestExit : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void initTestCase()
    {
        if (const auto why = whyNoTracing(); !why.isEmpty()) QSKIP(why.constData());
        if (!QFile::exists("/usr/bin/perl")) QSKIP("perl is not installed");
    }
    /// exit() is seen at once from outside, and its firing goes on: here for some tens of milliseconds, as its text is searched again
    /// and again, while another processor's records make dscope look. What it then says, and the status, are not lost.
    void theFiringThatEndsTheRunIsWhole()
    {
        QTemporaryDir dir;
        QFile file(dir.filePath("asks"));
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write("#!/usr/bin/perl\nstat(q(a) x 3900) while 1;\n");
        file.setPermissions(QFile::ReadOwner | QFile::ExeOwner);
        file.close();
        constexpr int kSearches = 300;
        QByteArray searches;
        for (int i = 0; i < kSearches; ++i)
            searches += "this->n = this->n + index(this->s, \"b" + QByteArray::number(i) + "\");\n";
        const auto program = "syscall::newfstatat:entry /pid == $target && strlen(copyinstr(arg1)) == 3900/ { this->n = 0;"
                             " this->s = copyinstr(arg1); exit(3);\n" + searches + "printf(\"after %d\", this->n); } tick-1ms { printf(\".\"); }";
        for (int i = 0; i < 10; ++i) {
            const auto run = runDscope({"-x", "strsize=4096", "-qn", QString::fromUtf8(program), "-c", file.fileName()});
            QVERIFY2(run.out.contains("after -" + QByteArray::number(kSearches)), run.out);
            QVERIFY2(run.status == 3, run.err);
        }
    }
    /// Before there is a run nothing can be shown, which is told.
    void whoInterruptsTheStartIsTold()
    {
        const QTemporaryDir dir;
        const auto pid = dir.filePath("pid");
        QFile cpp(dir.filePath("cpp"));
        QVERIFY(cpp.open(QIODevice::WriteOnly));
        cpp.write("#!/bin/sh\necho $$ > " + (pid + ".new").toUtf8() + "; mv " + (pid + ".new ").toUtf8() + pid.toUtf8()
            + "\nexec sleep 100000\n");
        cpp.setPermissions(QFile::ReadOwner | QFile::ExeOwner);
        cpp.close();
        for (const int signal : {SIGINT, SIGTERM}) {
            QFile::remove(pid);
            QProcess run;
            run.start(DSCOPE_BIN "/dscope", {"-C", "-x", "cpppath=" + cpp.fileName(), "-n", "BEGIN"});
            QTRY_VERIFY_WITH_TIMEOUT(QFile::exists(pid), 60'000); // the program is read, and that has no end
            ::kill(static_cast<pid_t>(run.processId()), signal);
            QFile known(pid);
            QVERIFY(known.open(QIODevice::ReadOnly));
            ::kill(known.readAll().trimmed().toInt(), SIGKILL);
            QVERIFY(run.waitForFinished(60'000));
            QCOMPARE(run.exitStatus(), QProcess::CrashExit); // by the signal, as shells expect
            QCOMPARE(run.readAllStandardError(), QByteArray("dtrace: interrupted before tracing began: nothing was traced\n"));
        }
    }
    /// exit() says which status it is, as the tests of DTrace for Linux have it (actions/freopen/tst.badfreopen.sh); else it is 1.
    void whatFreopenCouldNotOpenIsInTheStatus()
    {
        const auto run = runDscope({"-wqn", "BEGIN { freopen(\"/nowhere/at/all\"); printf(\"text\"); }", "-c", "true"});
        QVERIFY2(run.err.contains("couldn't freopen() \"/nowhere/at/all\""), run.err);
        QCOMPARE(run.status, 1);
        QCOMPARE(runDscope({"-wqn", "BEGIN { freopen(\"/nowhere/at/all\"); exit(0); }"}).status, 0);
        QCOMPARE(runDscope({"-wqn", "BEGIN { freopen(\"/nowhere/at/all\"); exit(5); }"}).status, 5);
    }
};
QTEST_GUILESS_MAIN(TestExit)
#include "tst_exit.moc"
