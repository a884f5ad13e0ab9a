// needs-programs: dscope
// What SECURITY.md promises, held against what strace and the kernel see of the real program.
#include "tests/support/run_dscope.h"
#include <QDir>
#include <QDirIterator>
#include <QElapsedTimer>
#include <QObject>
#include <QRegularExpression>
#include <QTest>
#include <cerrno>
#include <linux/bpf.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
using namespace dscope::tests;
namespace {
void put(const QString& name, const QByteArray& text)
{
    QFile file(name);
    QVERIFY2(file.open(QIODevice::WriteOnly) && file.write(text) == text.size(), qPrintable(file.errorString()));
}
QByteArray contents(const QString& name)
{
    QFile file(name);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}
/// Whether the kernel still has the BPF program of this number.
bool isLoaded(std::uint32_t id)
{
    bpf_attr attributes{};
    attributes.prog_id = id;
    const auto fd = static_cast<int>(::syscall(SYS_bpf, BPF_PROG_GET_FD_BY_ID, &attributes, sizeof attributes));
    if (fd < 0) return errno != ENOENT;
    ::close(fd);
    return true;
}
/// Of the programs that a process holds, the numbers. Source: kernel/bpf/syscall.c, bpf_prog_show_fdinfo()
QList<std::uint32_t> programsOf(qint64 pid)
{
    QList<std::uint32_t> all;
    const QDir infos(QStringLiteral("/proc/%1/fdinfo").arg(pid));
    for (const auto& name : infos.entryList(QDir::Files))
        for (const auto& line : contents(infos.filePath(name)).split('\n'))
            if (line.startsWith("prog_id:")) all << line.mid(8).trimmed().toUInt();
    return all;
}
} // namespace

class TestSecurity : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void initTestCase()
    {
        if (const auto why = whyNoTracing(); !why.isEmpty()) QSKIP(why.constData());
        QVERIFY(m_dir.isValid() && QDir::setCurrent(m_dir.path()));
    }
    static bool isCode(const QString& path)
    {
        QFile file(path);
        return file.open(QIODevice::ReadOnly) && file.read(4) == "\x7f""ELF";
    }
    /// As the window starts it: of files that are the user's own it reads none but the program, and it has no socket of a network.
    void theHelperReadsNoFileOfTheUser()
    {
        if (runDscope({"-V"}, {}, "strace").status != 0) QSKIP("strace is not here");
        QDir().mkdir("home");
        for (const auto* name : {"dscope.conf", "program.d", "home/.dscoperc", "home/.dtracerc", "libc.so.6", "libbpf.so.1"})
            put(name, "BEGIN { system(\"touch pwned\"); }\n");
        const auto program = static_cast<int>(::memfd_create("program", 0));
        QVERIFY(program >= 0);
        const QByteArray text = "BEGIN { @[ustack()] = count(); printf(\"%s\", execname); exit(0); }";
        QCOMPARE(::write(program, text.constData(), static_cast<std::size_t>(text.size())), static_cast<ssize_t>(text.size()));
        const auto path = QStringLiteral("/proc/%1/fd/%2").arg(::getpid()).arg(program);
        // A sanitizer cannot look for leaks of what somebody else traces.
        const auto run = runDscope({"-u", "SUDO_UID", "HOME=" + m_dir.filePath("home"), "PKEXEC_UID=65534", "ASAN_OPTIONS=detect_leaks=0", "strace", "-f", "-qq", "-o", "log", "-e",
                                       "trace=%file,%network", DSCOPE_BIN "/dscope", "--stream", "1", "-s", path},
            {}, "/usr/bin/env");
        ::close(program);
        QVERIFY2(run.status == 0 && run.out.startsWith("DSCOPE"), run.err.constData());
        // The window's own folder is where the program lies that is tested. Elsewhere there may be code that some process has mapped.
        static const QRegularExpression opened(QStringLiteral("open(?:at)?\\((?:AT_FDCWD, )?\"([^\"]*)\"[^)]*\\) = \\d")),
            allowed(QStringLiteral("^(?:/usr/|/lib|/etc/ld\\.so\\.cache$|/etc/(?:nsswitch\\.conf|passwd|group|localtime|debuginfod)|/proc(?:/|$)|/sys/|/dev/|/var/cache/dscope(?:$|/))"));
        int files = 0;
        const auto log = QString::fromUtf8(contents("log"));
        for (auto found = opened.globalMatch(log); found.hasNext();) {
            const auto file = found.next().captured(1);
            ++files;
            QVERIFY2(!file.startsWith(m_dir.path()), qPrintable(file));
            QVERIFY2(allowed.match(file).hasMatch() || file.startsWith(QStringLiteral(DSCOPE_BIN)) || isCode(file), qPrintable(file));
        }
        QVERIFY2(files > 5 && log.contains(path), qPrintable(log.left(2'000)));
        for (const auto* call : {"listen(", "bind(", "AF_INET"})
            QVERIFY2(!log.contains(QLatin1String(call)), qPrintable(log.mid(log.indexOf(QLatin1String(call)) - 100, 300)));
        // Kept open for older kernels, which are asked for probes in files.
        static const QRegularExpression written(QStringLiteral("open(?:at)?\\((?!AT_FDCWD, \"/sys/kernel/tracing/[ku]probe_events\")[^)]*O_(?:WRONLY|RDWR|CREAT|TRUNC)[^)]*\\) = \\d[^\n]*"));
        const auto changes = written.match(log);
        QVERIFY2(!changes.hasMatch(), qPrintable(changes.captured(0)));
        QVERIFY(!QFile::exists("pwned") && !QFile::exists("home/pwned"));
    }
    /// Files of whatever processes there are are read while it runs, as root: the kernel lets it do no more than that.
    void theHelperMayOnlyReadWhileItRuns_data()
    {
        QTest::addColumn<QByteArray>("program");
        QTest::addColumn<bool>("bound");
        QTest::newRow("stacks") << QByteArray("profile-997 /pid == $target/ { @[ustack()] = count(); } tick-2s { exit(0); }") << true;
        QTest::newRow("actions that change something") << QByteArray("#pragma D option destructive\nBEGIN { exit(0); }") << false;
        QTest::newRow("probes that may come") << QByteArray("#pragma D option zdefs\nBEGIN { exit(0); } nobody*:::nothing { trace(1); }") << false;
    }
    void theHelperMayOnlyReadWhileItRuns()
    {
        QFETCH(QByteArray, program);
        QFETCH(bool, bound);
        if (runDscope({"-V"}, {}, "strace").status != 0) QSKIP("strace is not here");
        put("bound.d", program);
        QProcess traced, helper;
        traced.start(DSCOPE_PROGRAMS "/two_chains", {"600"});
        QVERIFY(traced.waitForStarted());
        auto environment = QProcessEnvironment::systemEnvironment();
        environment.insert("ASAN_OPTIONS", "detect_leaks=0"); // as above
        helper.setProcessEnvironment(environment);
        helper.setStandardOutputFile("bound.dscope");
        helper.start("strace", {"-f", "-qq", "-o", "bound.log", "-e", "trace=seccomp", DSCOPE_BIN "/dscope", "--stream", "1", "-s", "bound.d", "-p",
                                   QString::number(traced.processId())}); // its input stays open, as a window's
        const bool ended = helper.waitForFinished(120'000);
        traced.kill();
        traced.waitForFinished();
        QVERIFY2(ended && helper.exitCode() == 0, helper.readAllStandardError().constData());
        const auto log = contents("bound.log");
        static const QRegularExpression filtered(QStringLiteral("seccomp\\(SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_TSYNC[^\\n]* = 0\\n"));
        QVERIFY2(filtered.match(QString::fromUtf8(log)).hasMatch() == bound, log.constData());
        if (!bound) return;
        const auto text = runDscope({"--replay", "bound.dscope"}); // names were read under it
        QVERIFY2(text.status == 0 && text.out.contains("two_chains`unit_of_work"), text.out + text.err);
    }
    /// Names and arguments that a shell, a browser or a spreadsheet would act upon, through every way out that takes names.
    void tracedNamesNeverRunAnything()
    {
        QDir().mkdir("names");
        QByteArray script = "#!/bin/sh\ncd names\n";
        const QList<QByteArray> names{"$(touch pwned)", "`touch pwned`", ";touch pwned;", "|touch pwned", "=HYPERLINK(1)", "<img src=x onerror=x>"};
        for (const auto& name : names) {
            QVERIFY(QFile::copy("/bin/true", "names/" + QString::fromUtf8(name)));
            script += "'./" + name + "' '" + name + "'\n";
        }
        put("start", script + "exit 0\n");
        QVERIFY(QFile::setPermissions("start", QFile::ReadOwner | QFile::ExeOwner));
        const QStringList files{"t.svg", "t.html", "t.dot", "t.csv", "t.rows.json", "t.png"};
        QStringList words{"-qn", "proc:::exec-success /progenyof($target)/ { printf(\"%s %s\\n\", execname, curpsinfo->pr_psargs); }", "-c", "./start",
            "--record", "run.dscope", "--text"};
        for (const auto& file : files) words << "--export" << "process-tree=" + file;
        const auto run = runDscope(words);
        QVERIFY2(run.status == 0, run.err.constData());
        for (const auto& name : names) QVERIFY2(run.out.contains(name.left(15)), run.out.constData());
        QStringList again{"--replay", "run.dscope"};
        for (const auto& file : files) again << "--export" << "process-tree=again-" + file;
        QCOMPARE(runDscope(again).status, 0);
        for (QDirIterator all(".", QDir::Files, QDirIterator::Subdirectories); all.hasNext();) QVERIFY(!all.next().endsWith("/pwned"));
        for (const auto* page : {"t.svg", "t.html", "again-t.html"}) {
            const auto text = contents(page);
            QVERIFY2(text.contains("onerror") && !text.contains("<img"), page);
        }
        QVERIFY(contents("t.html").contains("Content-Security-Policy"));
        for (const auto& line : contents("t.csv").split('\n'))
            for (const auto& cell : line.split(',')) QVERIFY2(!cell.startsWith('=') && !cell.startsWith("\"="), line.constData());
    }
    void nothingStaysInTheKernelWhenItIsKilled()
    {
        QProcess process;
        process.start(DSCOPE_BIN "/dscope", {"-qn", "BEGIN { printf(\"begun\\n\"); } syscall::exit_group:entry { @[execname] = count(); }"});
        QVERIFY(process.waitForStarted());
        while (!process.readAllStandardOutput().contains("begun"))
            QVERIFY2(process.waitForReadyRead(60'000), process.readAllStandardError().constData());
        const auto programs = programsOf(process.processId());
        QVERIFY(!programs.isEmpty());
        for (const auto id : programs) QVERIFY(isLoaded(id));
        process.kill();
        QVERIFY(process.waitForFinished());
        // What has run is freed when no CPU is in it any more.
        for (const auto id : programs) QTRY_VERIFY_WITH_TIMEOUT(!isLoaded(id), 15'000);
    }
    void nothingHasTheRightsOfAnotherUser()
    {
        for (QDirIterator all(DSCOPE_BIN, QDir::Files); all.hasNext();) {
            struct stat info { };
            const auto file = all.next();
            QCOMPARE(::stat(file.toUtf8(), &info), 0);
            QVERIFY2((info.st_mode & (S_ISUID | S_ISGID)) == 0, qPrintable(file));
        }
    }

private:
    const QTemporaryDir m_dir;
};
QTEST_GUILESS_MAIN(TestSecurity)
#include "tst_security.moc"
