// needs-programs: dscope
// Files that are named on the command line: the wrong kind is told in one sentence, and none that the user had is lost.
#include "tests/support/own_mounts.h"
#include "tests/support/run_dscope.h"
#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QObject>
#include <QProcess>
#include <QRegularExpression>
#include <QTemporaryDir>
#include <QTest>
#include <csignal>
#include <sys/mount.h>
#include <sys/stat.h>
using namespace dscope::tests;
namespace {
const QString kRecording = QStringLiteral(DSCOPE_SOURCE "/examples/recordings/write-sizes.dscope");
QByteArray contents(const QString& path)
{
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray("(cannot be read)");
}
} // namespace

class TestFiles : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void initTestCase()
    {
        if (::geteuid() == 0) QVERIFY(hasOwnMounts());
    }
    void init()
    {
        m_dir = std::make_unique<QTemporaryDir>();
        QVERIFY(QDir::setCurrent(m_dir->path()));
        QDir().mkpath("folder");
        QDir().mkpath("libraries/x.d");
        put("ok.d", "BEGIN { printf(\"text\\n\"); exit(0); }\n");
        put("stacks.folded", "main;work 3\nmain;idle 1\n");
        put("colours.svg", "bar = #0057B8\n");
        put("notes.svg", "title Where the time goes\n");
        QVERIFY(QFile::copy(kRecording, "run.dscope"));
        QVERIFY(QFile::setPermissions("run.dscope", QFile::ReadOwner | QFile::WriteOwner));
    }
    void theWrongKindOfFileIsToldInOneSentence_data()
    {
        QTest::addColumn<QStringList>("words");
        QTest::addColumn<QByteArray>("says");
        const auto row = [](const QStringList& words, const char* says) {
            QTest::addRow("%s", qPrintable(words.join(' '))) << words << QByteArray("dtrace: ") + says + "\n";
        };
        row({"-e", "-s", "folder"}, "failed to open folder: Is a directory");
        row({"-e", "-C", "-s", "folder"}, "failed to open folder: Is a directory");
        row({"-h", "-s", "folder"}, "failed to open folder: Is a directory");
        row({"-l", "-s", "folder"}, "failed to open folder: Is a directory");
        row({"-e", "-s", "/dev/zero"}, "failed to open /dev/zero: it has more than 64 MiB: is it a D program?");
        row({"-e", "-s", "ok.d/x"}, "failed to open ok.d/x: Not a directory");
        row({"-e", "-L", "libraries", "-s", "ok.d"}, "failed to read D library libraries/x.d: it is no regular file");
        row({"-e", "-L", "ok.d", "-s", "ok.d"}, "failed to read D libraries of ok.d: Not a directory");
        row({"--replay", "folder"}, "folder: cannot read the recording: Is a directory");
        row({"--replay", "/dev/null"}, "/dev/null: the recording is empty: nothing was written to it");
        row({"--import", "folder"}, "folder is a directory");
        row({"--diff", "folder", "--views", "--replay", "run.dscope"}, "--diff: folder is a directory");
        row({"--import", "stacks.folded", "--export", "folder/"},
            "cannot export folder/: the name must end in one of SUFFIXES");
        row({"--import", "stacks.folded", "--export", "flame=libraries/x.d/../x.d/.svg/.svg"},
            "cannot write libraries/x.d/../x.d/.svg/.svg: No such file or directory");
        row({"--replay", "run.dscope", "--record", "folder"}, "cannot write folder: Is a directory");
        row({"--replay", "run.dscope", "-o", "folder"}, "cannot write folder: Is a directory");
        row({"-h", "-s", "ok.d", "-o", "folder"}, "cannot write folder: Is a directory");
        for (const auto* option : {"-s", "-o", "--replay", "--import", "--diff", "--record", "--export"})
            row({option, "", "-e", "-n", "BEGIN"}, (QByteArray(option) + " takes the name of a file, not nothing").constData());
    }
    void theWrongKindOfFileIsToldInOneSentence()
    {
        QFETCH(QStringList, words);
        const auto run = runDscope(words);
        // A new format is in the list by itself.
        static const QRegularExpression kSuffixes("\\.csv(, \\.[a-z.]+)+");
        QFETCH(QByteArray, says);
        QCOMPARE(QString::fromUtf8(run.err).replace(kSuffixes, "SUFFIXES"), QString::fromUtf8(says));
        QCOMPARE(run.out, QByteArray());
        QCOMPARE(run.status, 1);
    }
    void noFileIsDestroyedByBeingNamedTwice_data()
    {
        QTest::addColumn<QStringList>("words");
        QTest::addColumn<QByteArray>("says");
        const auto row = [](const QStringList& words, const char* says) {
            QTest::addRow("%s", qPrintable(words.join(' '))) << words << QByteArray("dtrace: ") + says + ": name another\n";
        };
        row({"--replay", "run.dscope", "--record", "run.dscope"},
            "--replay run.dscope and --record run.dscope are one file, which would be overwritten while it is read");
        row({"--replay", "run.dscope", "--record", "./folder/../run.dscope"},
            "--replay run.dscope and --record ./folder/../run.dscope are one file, which would be overwritten while it is read");
        row({"--replay", "run.dscope", "--record", "soft"},
            "--replay run.dscope and --record soft are one file, which would be overwritten while it is read");
        row({"--replay", "hard", "--record", "run.dscope"},
            "--replay hard and --record run.dscope are one file, which would be overwritten while it is read");
        row({"--import", "folded:stacks.folded", "--export", "flame=stacks.folded"},
            "--import stacks.folded and --export stacks.folded are one file, which would be overwritten while it is read");
        row({"--replay", "run.dscope", "--diff", "stacks.folded", "--export", "stacks.folded"},
            "--diff stacks.folded and --export stacks.folded are one file, which would be overwritten while it is read");
        row({"--replay", "run.dscope", "-o", "run.dscope"},
            "--replay run.dscope and -o run.dscope are one file, which would be overwritten while it is read");
        for (const auto* option : {"--palette", "--notes"}) {
            const QByteArray file = QByteArray(option).mid(2) == "notes" ? "notes.svg" : "colours.svg";
            row({"--import", "folded:stacks.folded", option, file, "--export", "flame=" + file},
                (QByteArray(option) + ' ' + file + " and --export " + file + " are one file, which would be overwritten while it is read").constData());
        }
        row({"-s", "ok.d", "-o", "ok.d"}, "-s ok.d and -o ok.d are one file, which would be overwritten while it is read");
        row({"-s", "ok.d", "--record", "ok.d"}, "-s ok.d and --record ok.d are one file, which would be overwritten while it is read");
        row({"-s", "ok.d", "--record", "new", "-o", "./new"}, "-o ./new and --record new are one file, which would be written twice");
        row({"--import", "stacks.folded", "--export", "a.svg", "--export", "folder/../a.svg"},
            "--export a.svg and --export folder/../a.svg are one file, which would be written twice");
    }
    void noFileIsDestroyedByBeingNamedTwice()
    {
        QFETCH(QStringList, words);
        QVERIFY(QFile::link("run.dscope", "soft"));
        QCOMPARE(::link("run.dscope", "hard"), 0);
        const auto recording = contents(kRecording), stacks = contents("stacks.folded"), program = contents("ok.d");
        const auto run = runDscope(words);
        QTEST(run.err, "says");
        QCOMPARE(run.status, 1);
        QCOMPARE(contents("run.dscope"), recording);
        QCOMPARE(contents("stacks.folded"), stacks);
        QCOMPARE(contents("ok.d"), program);
        QCOMPARE(contents("colours.svg") + contents("notes.svg"), QByteArray("bar = #0057B8\ntitle Where the time goes\n"));
    }
    void whereTextAndARecordingWouldMix()
    {
        const auto run = runDscope({"-c", DSCOPE_BIN "/dscope -s ok.d --record out > out"}, {}, "sh");
        QCOMPARE(
            run.err, QByteArray("dtrace: standard output and --record out are one file, which would be written twice: name another\n"));
        // No text, no clash.
        const auto fine = runDscope(
            {"-c", DSCOPE_BIN "/dscope --replay run.dscope --record /dev/stdout > out && " DSCOPE_BIN "/dscope --replay out"}, {}, "sh");
        QCOMPARE(fine.err, QByteArray());
        QCOMPARE(fine.out, runDscope({"--replay", kRecording}).out);
    }
    void standardInputMayNotBeOverwrittenEither()
    {
        const auto run = runDscope({"-c", DSCOPE_BIN "/dscope --import - --export flame=stacks.folded < stacks.folded"}, {}, "sh");
        QCOMPARE(run.status, 1);
        QVERIFY2(run.err.contains("--import standard input and --export stacks.folded are one file"), run.err.constData());
        QCOMPARE(contents("stacks.folded"), QByteArray("main;work 3\nmain;idle 1\n"));
    }
    void aRunThatDoesNotBeginLeavesTheRecordingThatWas()
    {
        if (const auto why = whyNoTracing(); !why.isEmpty()) QSKIP(why.constData());
        const auto before = contents("run.dscope");
        QVERIFY(!before.isEmpty());
        // Nobody may trace.
        QVERIFY(QFile::setPermissions("run.dscope", QFile::ReadOwner | QFile::WriteOwner | QFile::ReadOther | QFile::WriteOther));
        QVERIFY(QFile::setPermissions(".", QFile::permissions(".") | QFile::ReadOther | QFile::WriteOther | QFile::ExeOther));
        for (const QString name : {"run.dscope", "new.dscope"}) {
            const auto run = runDscope({"--reuid=65534", "--regid=65534", "--clear-groups", "--inh-caps=-all", "--bounding-set=-all",
                                           DSCOPE_BIN "/dscope", "-n", "BEGIN", "--record", name},
                {}, "setpriv");
            QVERIFY2(run.status == 1 && run.err.contains("could not enable tracing"), run.err.constData());
        }
        QCOMPARE(contents("run.dscope"), before);
        QVERIFY(!QFile::exists("new.dscope"));
    }
    void aClosedStandardOutputGetsNoRecording()
    {
        if (const auto why = whyNoTracing(); !why.isEmpty()) QSKIP(why.constData());
        for (const auto* closed : {">&-", "<&- >&-", "<&- >&- 2>&-"}) {
            QFile::remove("r.dscope");
            runDscope({"-c", DSCOPE_BIN "/dscope -qs ok.d --record r.dscope " + QString(closed)}, {}, "sh");
            const auto run = runDscope({"--replay", "r.dscope"});
            QCOMPARE(run.err, QByteArray());
            QCOMPARE(run.out, QByteArray("text\n\n"));
        }
    }
    /// What others do to a recording while it is written: it is where it was asked for, or its loss is told, with status 1.
    void aRecordingThatIsLostIsTold_data()
    {
        QTest::addColumn<QByteArray>("does"); // once the run is on
        QTest::addColumn<QByteArray>("told");
        const QByteArray begin = "dtrace: cannot write rec/r.dscope: ";
        QTest::newRow("removed") << QByteArray("rm rec/r.dscope") << begin + "it was removed during the run, and what was written is lost";
        QTest::newRow("folder removed") << QByteArray("rm -r rec") << begin + "it was removed during the run, and what was written is lost";
        QTest::newRow("emptied") << QByteArray(": > rec/r.dscope") << begin + "another program ";
        QTest::newRow("shortened") << QByteArray("truncate -s 20 rec/r.dscope") << begin + "another program ";
        QTest::newRow("replaced") << QByteArray("echo other > rec/o; mv rec/o rec/r.dscope")
                                  << begin + "another file took its place during the run, and what was written is lost";
        QTest::newRow("overwritten") << QByteArray("cat run.dscope > rec/r.dscope") << begin + "another program ";
        QTest::newRow("written into") << QByteArray("printf xxxx | dd of=rec/r.dscope bs=1 seek=14 conv=notrunc 2>/dev/null")
                                      << begin
                + "another program emptied it or wrote into it during the run, and it can't be read as a whole";
        QTest::newRow("moved") << QByteArray("mv rec/r.dscope rec/older.dscope")
                               << begin + "it was moved during the run, and what was written is in ";
        QTest::newRow("rotated") << QByteArray("mv rec/r.dscope rec/older.dscope; touch rec/r.dscope")
                                 << begin + "it was moved during the run, and what was written is in ";
        QTest::newRow("moved and back") << QByteArray("mv rec/r.dscope rec/o; mv rec/o rec/r.dscope") << QByteArray();
        QTest::newRow("linked") << QByteArray("ln rec/r.dscope rec/o; rm rec/r.dscope; mv rec/o rec/r.dscope; cat rec/r.dscope > /dev/null")
                                << QByteArray();
    }
    void aRecordingThatIsLostIsTold()
    {
        if (const auto why = whyNoTracing(); !why.isEmpty()) QSKIP(why.constData());
        QFETCH(QByteArray, does);
        QFETCH(QByteArray, told);
        QDir("rec").removeRecursively();
        QDir().mkdir("rec");
        // Once something is written, the command does it, and goes on until more is.
        put("does", "#!/bin/sh\nuntil [ $(stat -c %s rec/r.dscope) -gt 100 ]; do sleep 0.05; done\n" + does + "\nexec sleep 1.5\n");
        const auto run
            = runDscope({"-qn", "tick-10ms { printf(\"%d %d\\n\", rand(), rand()); }", "--record", "rec/r.dscope", "-c", "sh does"});
        const auto later = runDscope({"--replay", "rec/r.dscope"});
        if (told.isEmpty()) {
            QCOMPARE(run.err, QByteArray());
            QCOMPARE(run.status, 0);
            QCOMPARE(run.wrote, QStringList{"rec/r.dscope"});
            QCOMPARE(later.status, 0);
        } else {
            QVERIFY2(run.err.contains(told), run.err);
            QCOMPARE(run.err.count("cannot write"), 1);
            QCOMPARE(run.status, 1);
            QCOMPARE(run.wrote, QStringList());
        }
        if (told.contains("is in ")) {
            QVERIFY2(run.err.contains("rec/older.dscope"), run.err);
            QCOMPARE(runDscope({"--replay", "rec/older.dscope"}).status, 0);
        }
    }
    void twoRunsOfOneNameAreRefused()
    {
        if (const auto why = whyNoTracing(); !why.isEmpty()) QSKIP(why.constData());
        QFile::remove("two.dscope");
        QProcess first;
        first.start(DSCOPE_BIN "/dscope", {"-qn", "tick-10ms { printf(\"%d\\n\", rand()); }", "--record", "two.dscope"});
        QTRY_VERIFY_WITH_TIMEOUT(QFile("two.dscope").size() > 100, 60'000);
        const auto second = runDscope({"-qn", "BEGIN { exit(0); }", "--record", "two.dscope"});
        QCOMPARE(second.err,
            "dtrace: cannot write two.dscope: process " + QByteArray::number(first.processId())
                + " (dscope) writes to it: name another file, or end that process first\n");
        QCOMPARE(second.status, 1);
        first.terminate();
        QVERIFY(first.waitForFinished(60'000));
        QCOMPARE(first.exitCode(), 0);
        QCOMPARE(runDscope({"--replay", "two.dscope"}).status, 0);
        QCOMPARE(runDscope({"-qn", "BEGIN { exit(0); }", "--record", "two.dscope"}).status, 0);
    }
    void textThatIsLostIsTold()
    {
        if (const auto why = whyNoTracing(); !why.isEmpty()) QSKIP(why.constData());
        const auto run = runDscope({"-qn", "BEGIN { printf(\"text\\n\"); }", "-o", "text.out", "-c", "rm text.out"});
        QCOMPARE(run.err, QByteArray("dtrace: cannot write text.out: it was removed during the run, and what was printed is lost\n"));
        QCOMPARE(run.status, 1);
    }
    /// Each output that fails is named, and each other one is written.
    void everyOutputThatFailsIsNamed()
    {
        const auto early = runDscope({"--replay", kRecording, "--export", "bars=nowhere/a.svg", "--export", "table=nowhere/b.csv",
            "--export", "bars=c.svg", "--report", "nowhere/d.html"});
        for (const QByteArray name : {"a.svg", "b.csv", "d.html"})
            QVERIFY2(early.err.contains("dtrace: cannot write nowhere/" + name + ": No such file or directory\n"), early.err);
        QCOMPARE(early.status, 1);
        const auto opened = runDscope({"--replay", kRecording, "-o", "nowhere/text", "--record", "nowhere/r.dscope", "--text"});
        for (const QByteArray name : {"text", "r.dscope"})
            QVERIFY2(opened.err.contains("dtrace: cannot write nowhere/" + name + ": No such file or directory\n"), opened.err);
        for (const QString name : {"one", "two"})
            if (!QFile::exists(name + ".csv")) QFile::link("/dev/full", name + ".csv");
        QFile::remove("fine.csv");
        QFile::link("/dev/full", "full.html");
        const auto full = runDscope({"--replay", kRecording, "--export", "table=one.csv", "--export", "table=two.csv", "--export",
            "table=fine.csv", "--report", "full.html"});
        for (const QByteArray name : {"one.csv", "two.csv", "full.html"})
            QVERIFY2(full.err.contains("dtrace: cannot write " + name + ": No space left on device\n"), full.err);
        QCOMPARE(full.status, 1);
        QVERIFY(QFile::exists("fine.csv"));
        const auto text = runDscope({"-c", DSCOPE_BIN "/dscope --text --replay run.dscope --export table=one.csv > /dev/full"}, {}, "sh");
        for (const QByteArray told : {"dtrace: cannot write one.csv: No space left", "dtrace: processing aborted: No space left"})
            QVERIFY2(text.err.contains(told), text.err);
    }
    void aRecordingThatHasNoRoomIsToldAtOnce_data()
    {
        QTest::addColumn<QStringList>("words");
        QTest::addColumn<QByteArray>("says");
        QTest::addColumn<bool>("goesOn");
        QTest::newRow("ends the run") << QStringList{} << QByteArray(": the run ends here\n") << false;
        QTest::newRow("as asked") << QStringList{"--record-failure", "continue"} << QByteArray(": the run goes on without it\n") << true;
    }
    void aRecordingThatHasNoRoomIsToldAtOnce()
    {
        if (const auto why = whyNoTracing(); !why.isEmpty()) QSKIP(why.constData());
        QFETCH(QStringList, words);
        QFETCH(QByteArray, says);
        QFETCH(bool, goesOn);
        QDir().mkdir("disk");
        QCOMPARE(::mount("none", "disk", "tmpfs", 0, "size=64k"), 0);
        // Noise that does not compress. Ends by itself after what would be half a minute.
        QProcess process;
        process.start(DSCOPE_BIN "/dscope",
            QStringList{"-qn",
                "tick-1ms { printf(\"%d %d %d %d %d %d %d %d\\n\", rand(), rand(), rand(), rand(), rand(), rand(), rand(), rand()); } "
                "tick-1ms /++n == 30000/ { exit(7); } tick-1s { @ = count(); } END { printf(\"end\\n\"); }",
                "--record", "disk/r.dscope"}
                + words);
        QByteArray err;
        while (!err.contains('\n') && process.waitForReadyRead(60'000))
            err += process.readAllStandardError();
        const bool isRunning = process.state() == QProcess::Running;
        if (goesOn) ::kill(static_cast<pid_t>(process.processId()), SIGINT);
        const bool isEnded = process.waitForFinished(20'000);
        const auto out = process.readAllStandardOutput();
        QFile::copy("disk/r.dscope", "r.dscope");
        QCOMPARE(::umount("disk"), 0);
        QCOMPARE(err + process.readAllStandardError(), QByteArray("dtrace: cannot write disk/r.dscope: No space left on device" + says));
        QVERIFY(isEnded);
        QVERIFY(isRunning || !goesOn);
        QCOMPARE(process.exitCode(), 1);
        QVERIFY(out.contains("end\n")); // the run ended in order
        const auto again = runDscope({"--replay", "r.dscope"});
        QVERIFY2(again.err.contains("is cut"), again.err.constData());
        QVERIFY(again.out.size() > 10'000);
    }
    void textThatHasNoRoomIsTold_data()
    {
        QTest::addColumn<QStringList>("words");
        QTest::addColumn<QByteArray>("file");
        for (const char* file : {"", "/dev/full"}) {
            const QByteArray where = *file ? ", -o" : ", standard output";
            QTest::addRow("replay%s", where.constData()) << QStringList{"--replay", "run.dscope"} << QByteArray(file);
            QTest::addRow("import%s", where.constData()) << QStringList{"--import", "stacks.folded"} << QByteArray(file);
            QTest::addRow("run%s", where.constData()) << QStringList{"-qs", "ok.d"} << QByteArray(file);
        }
    }
    void textThatHasNoRoomIsTold()
    {
        QFETCH(QStringList, words);
        QFETCH(QByteArray, file);
        if (const auto why = whyNoTracing(); words.contains("-qs") && !why.isEmpty()) QSKIP(why.constData());
        if (!file.isEmpty()) words += {"-o", file};
        const auto run = runDscope({"-c", DSCOPE_BIN "/dscope " + words.join(' ') + (file.isEmpty() ? " > /dev/full" : "")}, {}, "sh");
        const auto where = file.isEmpty() ? QByteArray() : "cannot write " + file + ": ";
        QCOMPARE(run.err, "dtrace: processing aborted: " + where + "No space left on device\n");
        QCOMPARE(run.status, 1);
    }
    void anExportThatHasNoRoomLeavesTheOneThatWas_data()
    {
        QTest::addColumn<QString>("name");
        for (const auto* name :
            {"flame.svg", "flame.html", "flame.png", "flame.pdf", "flame.csv", "flame.folded", "flame.json", "flame.pb.gz", "run.dscope"})
            QTest::newRow(name) << name;
    }
    void anExportThatHasNoRoomLeavesTheOneThatWas()
    {
        if (::geteuid() != 0) QSKIP("needs root: mounts a small disk");
        QFETCH(QString, name);
        QByteArray text;
        quint32 state = 1;
        for (int i = 0; i < 20'000; ++i) {
            state = state * 1664525 + 1013904223;
            text += "main;f" + QByteArray::number(state, 36) + " 1\n";
        }
        put("many.folded", text);
        QDir().mkdir("disk");
        QCOMPARE(::mount("none", "disk", "tmpfs", 0, "size=8k"), 0);
        const auto file = "disk/" + name;
        put(file, "before");
        const bool isRecording = name.endsWith(".dscope");
        const auto run
            = runDscope(isRecording ? QStringList{"--replay", DSCOPE_SOURCE "/examples/recordings/process-tree.dscope", "--record", file}
                                    : QStringList{"--import", "many.folded", "--export", "flame=" + file});
        const auto kept = contents(file);
        const auto left = QDir("disk").entryList(QDir::Files | QDir::Hidden);
        QCOMPARE(::umount("disk"), 0);
        QCOMPARE(run.err, "dtrace: cannot write " + file.toUtf8() + ": No space left on device\n");
        QCOMPARE(run.status, 1);
        QCOMPARE(kept, QByteArray("before"));
        QCOMPARE(left, QStringList{name});
    }
    void underSudoTheUsersFolderGetsTheUsersFiles()
    {
        if (const auto why = whyNoTracing(); !why.isEmpty()) QSKIP(why.constData());
        QDir().mkdir("adas");
        QCOMPARE(::chown("adas", 12'345, 12'346), 0);
        put("victim", "root's");
        QCOMPARE(::symlink("../victim", "adas/link.dscope"), 0);
        QCOMPARE(::lchown("adas/link.dscope", 12'345, 12'346), 0);
        const QStringList sudo{"SUDO_UID=12345", "SUDO_GID=12346", DSCOPE_BIN "/dscope"};
        const auto run = runDscope(sudo
                + QStringList{"-qn", "BEGIN { @[pid] = count(); exit(0); }", "-o", "adas/text", "--record", "adas/r.dscope", "--export",
                    "bars=adas/a.svg"},
            {}, "env");
        QCOMPARE(run.err, QByteArray());
        for (const auto* name : {"adas/text", "adas/r.dscope", "adas/a.svg"}) {
            struct stat info { };
            QCOMPARE(::stat(name, &info), 0);
            QCOMPARE(info.st_uid, uid_t(12'345));
            QCOMPARE(info.st_gid, gid_t(12'346));
        }
        const auto refused = runDscope(sudo + QStringList{"-qn", "BEGIN { exit(0); }", "--record", "adas/link.dscope"}, {}, "env");
        QCOMPARE(refused.status, 1);
        QVERIFY2(refused.err.contains("the symbolic link \"link.dscope\" is user 12345's and leads to what is user 0's"),
            refused.err.constData());
        QCOMPARE(contents("victim"), QByteArray("root's"));
    }
    void aReplayThatMakesFilesPrintsNothing_data()
    {
        QTest::addColumn<QStringList>("words");
        QTest::addColumn<bool>("prints");
        QTest::newRow("alone") << QStringList{} << true;
        QTest::newRow("a figure") << QStringList{"--export", "a.svg"} << false;
        QTest::newRow("a recording") << QStringList{"--record", "r.dscope"} << false;
        QTest::newRow("a figure, and the text") << QStringList{"--export", "a.svg", "--text"} << true;
        QTest::newRow("views") << QStringList{"--views"} << false;
    }
    void aReplayThatMakesFilesPrintsNothing()
    {
        QFETCH(QStringList, words);
        QFETCH(bool, prints);
        const auto text = runDscope({"--replay", "run.dscope"}).out;
        QVERIFY(text.size() > 100);
        const auto run = runDscope(QStringList{"--replay", "run.dscope"} + words);
        QCOMPARE(run.err, QByteArray());
        QCOMPARE(run.status, 0);
        QCOMPARE(run.out == text, prints);
        if (!prints && !words.contains("--views")) QCOMPARE(run.out, QByteArray());
        // What -o names is asked for.
        if (words.contains("--views")) return;
        QCOMPARE(runDscope(QStringList{"--replay", "run.dscope", "-o", "text"} + words).out, QByteArray());
        QCOMPARE(contents("text"), text);
    }

private:
    static void put(const QString& name, const QByteArray& text)
    {
        QFile out(name);
        QVERIFY(out.open(QIODevice::WriteOnly) && out.write(text) == text.size());
    }
    std::unique_ptr<QTemporaryDir> m_dir;
};
QTEST_GUILESS_MAIN(TestFiles)
#include "tst_files.moc"
