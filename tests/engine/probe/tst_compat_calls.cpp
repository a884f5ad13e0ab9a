// The table of 32-bit system calls, held against the numbers that the kernel's headers give.
#include "engine/probe/compat_calls.h"
#include <QFile>
#include <QMap>
#include <QObject>
#include <QRegularExpression>
#include <QTest>
#include <algorithm>
using namespace dscope;
namespace {
/// Names by number, from a header of <asm/>; empty where it is not installed.
QMap<int, QString> callsOf(const QString& header)
{
    QMap<int, QString> calls;
    QFile file(QStringLiteral("/usr/include/x86_64-linux-gnu/asm/") + header);
    if (!file.open(QIODevice::ReadOnly)) file.setFileName(QStringLiteral("/usr/include/asm/") + header);
    if (!file.isOpen() && !file.open(QIODevice::ReadOnly)) return calls;

    static const QRegularExpression kDefinition(QStringLiteral("^#define __NR_(\\w+) (\\d+)$"));
    while (!file.atEnd()) {
        const auto match = kDefinition.match(QString::fromUtf8(file.readLine()).trimmed());
        if (match.hasMatch()) calls[match.captured(2).toInt()] = match.captured(1);
    }
    return calls;
}
/// Names of 32-bit calls which are not those of the 64-bit call that does the same. Source: syscalls(2).
QString sameCall(QString name)
{
    static const QMap<QString, QString> kOther{{QStringLiteral("waitpid"), QStringLiteral("wait4")},
        {QStringLiteral("oldstat"), QStringLiteral("stat")}, {QStringLiteral("oldfstat"), QStringLiteral("fstat")},
        {QStringLiteral("oldolduname"), QStringLiteral("uname")}, {QStringLiteral("sigaction"), QStringLiteral("rt_sigaction")},
        {QStringLiteral("sigsuspend"), QStringLiteral("rt_sigsuspend")}, {QStringLiteral("sigpending"), QStringLiteral("rt_sigpending")},
        {QStringLiteral("oldlstat"), QStringLiteral("lstat")}, {QStringLiteral("olduname"), QStringLiteral("uname")},
        {QStringLiteral("sigreturn"), QStringLiteral("rt_sigreturn")}, {QStringLiteral("sigprocmask"), QStringLiteral("rt_sigprocmask")},
        {QStringLiteral("_llseek"), QStringLiteral("lseek")}, {QStringLiteral("_newselect"), QStringLiteral("select")},
        {QStringLiteral("ugetrlimit"), QStringLiteral("getrlimit")}, {QStringLiteral("mmap2"), QStringLiteral("mmap")},
        {QStringLiteral("fadvise64_64"), QStringLiteral("fadvise64")}, {QStringLiteral("fstatat64"), QStringLiteral("newfstatat")}};
    if (kOther.contains(name)) return kOther[name];
    return name;
}
} // namespace

class TestCompatCalls : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void eachNumberIsThatOfTheCallWhichDoesTheSame()
    {
        const auto narrow = callsOf(QStringLiteral("unistd_32.h")), wide = callsOf(QStringLiteral("unistd_64.h"));
        if (narrow.isEmpty() || wide.isEmpty()) QSKIP("needs the kernel's headers (linux-libc-dev)");

        int compared = 0;
        for (const auto& call : probe::compatCalls()) {
            if (!narrow.contains(call.compat) || !wide.contains(call.number)) continue; // newer than the headers
            ++compared;
            auto name = sameCall(narrow[call.compat]);
            if (name == wide[call.number]) continue;

            // What came later with wider arguments has a suffix: chown32, stat64, futex_time64.
            name.remove(QRegularExpression(QStringLiteral("(_time64|_time32|64|32)$")));
            const auto same
                = name == wide[call.number] || name == QString(wide[call.number]).remove(QRegularExpression(QStringLiteral("64$")));
            QVERIFY2(
                same, qPrintable(QStringLiteral("%1: %2 there, %3 here").arg(call.compat).arg(narrow[call.compat], wide[call.number])));
        }
        QVERIFY(compared > 300);
    }
    void everyCallThatBothHaveIsThere()
    {
        const auto narrow = callsOf(QStringLiteral("unistd_32.h")), wide = callsOf(QStringLiteral("unistd_64.h"));
        if (narrow.isEmpty() || wide.isEmpty()) QSKIP("needs the kernel's headers (linux-libc-dev)");

        // They have numbers in the headers, and no code in any kernel that we run on. Source: syscall_64.tbl, syscalls(2).
        static const QStringList kGone{QStringLiteral("uselib"), QStringLiteral("create_module"), QStringLiteral("get_kernel_syms"),
            QStringLiteral("query_module"), QStringLiteral("afs_syscall"), QStringLiteral("_sysctl"), QStringLiteral("nfsservctl"),
            QStringLiteral("getpmsg"), QStringLiteral("putpmsg"), QStringLiteral("vserver"), QStringLiteral("lookup_dcookie")};
        const auto names = wide.values();
        for (auto it = narrow.begin(); it != narrow.end(); ++it) {
            const auto all = probe::compatCalls();
            const auto found = std::any_of(all.begin(), all.end(), [&](const auto& call) { return call.compat == it.key(); });
            QVERIFY2(found || !names.contains(it.value()) || kGone.contains(it.value()), qPrintable(it.value()));
        }
    }
    /// The table is searched by the last number, and each call has one row.
    void theTableIsAscending()
    {
        const auto all = probe::compatCalls();
        const auto falls = [](const auto& a, const auto& b) { return a.compat >= b.compat; };
        QVERIFY(std::adjacent_find(all.begin(), all.end(), falls) == all.end());
    }
};
QTEST_GUILESS_MAIN(TestCompatCalls)
#include "tst_compat_calls.moc"
