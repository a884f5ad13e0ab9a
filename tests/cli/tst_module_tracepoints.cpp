// needs: engine/language
// needs-programs: dscope
// Tracepoints of modules are those of the kernel's own as soon as the module is loaded. What loads modules runs in the guest of tests/vm.
#include "engine/language/elsewhere.h"
#include "tests/support/run_dscope.h"
#include <QFile>
#include <QObject>
#include <QRegularExpression>
#include <QSet>
#include <QTest>
using namespace dscope::tests;
namespace {
bool load(const char* module) { return runDscope({"modprobe", module}, {}, "busybox").status == 0; }
/// The names of the probes that `words` list.
QSet<QByteArray> listed(const QStringList& words)
{
    QSet<QByteArray> names;
    for (const auto& line : runDscope(QStringList{"-l"} + words).out.split('\n'))
        if (const auto parts = line.simplified().split(' '); parts.size() >= 4 && parts[0] != "ID") names << parts.last();
    return names;
}
} // namespace

class TestModuleTracepoints : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void initTestCase()
    {
        if (const auto why = whyNoTracing(); !why.isEmpty()) QSKIP(why.constData());
        if (isGuest())
            for (const auto* module : {"nfsd", "nfs", "nfsv4", "target_core_mod"})
                QVERIFY2(load(module), module);
    }
    /// Against the kernel's list of its symbols: each tracepoint is a variable of its module.
    void everyTracepointOfAModuleIsAProbe()
    {
        QFile symbols("/proc/kallsyms");
        QVERIFY(symbols.open(QIODevice::ReadOnly));
        QSet<QByteArray> names;
        for (const auto& line : symbols.readAll().split('\n')) {
            const auto words = line.simplified().split(' ');
            if (words.size() == 4 && words[2].startsWith("__tracepoint_") && QFile::exists("/sys/kernel/btf/" + words[3].mid(1).chopped(1)))
                names << words[2].mid(13);
        }
        if (names.isEmpty()) QSKIP("no module with tracepoints is loaded");
        const auto probes = listed({"-P", "rawtp"});
        for (const auto& name : names)
            QVERIFY2(probes.contains(name), name.constData());
    }
    /// What words of other DTraces are answered with is there once the modules are that the answers name.
    void hintsNameProbes()
    {
        if (!isGuest()) QSKIP("loads modules: in the guest of tests/vm only");
        static const QRegularExpression kProbe(QStringLiteral("sdt:(nfs|nfs4|nfsd|sunrpc|target)::(\\w+)(?: and (\\w+))?"));
        int count = 0;
        for (const auto& row : dscope::language::kForeignWords) {
            auto found = kProbe.globalMatch(QString::fromUtf8(row.hint.data(), qsizetype(row.hint.size())));
            while (found.hasNext()) {
                const auto probe = found.next();
                for (int i = 2; i <= 3; ++i) {
                    if (probe.captured(i).isEmpty()) continue;
                    const auto name = probe.captured(i).toUtf8();
                    QCOMPARE(listed({"-n", "sdt:" + probe.captured(1) + "::" + QString::fromUtf8(name)}), QSet<QByteArray>{name});
                    ++count;
                }
            }
        }
        QVERIFY(count >= 6);
    }
    /// Against what the caller knows that it called, and what it was answered.
    void callsOfAnNfsServer()
    {
        if (!isGuest()) QSKIP("starts an NFS server: in the guest of tests/vm only");
        QVERIFY(runDscope({"-t", "nfsd", "nfsd", "/proc/fs/nfsd"}, {}, "mount").status == 0);
        const auto run = runApart({"-qn",
            "sdt:sunrpc::svc_process /args.service == \"nfsd\"/ { @calls[args.vers, args.procedure] = sum(1); }"
            " rawtp:::svc_process /stringof(args[1]) == \"nfsd\"/ { @raw[args.name == NULL] = sum(1); }"
            " sdt:nfsd::nfsd_compound_status { @operations[args.name, args.args_opcnt, args.status] = sum(1); }"
            " END { printa(\"call %d %s %@d\\n\", @calls); printa(\"raw %d %@d\\n\", @raw); printa(\"operation %s %d %d %@d\\n\", "
            "@operations); }",
            "-c", QStringLiteral(DSCOPE_SOURCE "/tests/programs/nfs_calls.py 7 4")});
        QVERIFY2(run.status == 0, run.err.constData());
        QCOMPARE(run.out.count("status 0\n"), 7);
        QVERIFY2(run.out.count("status 10022\n") == 4, run.out.constData()); // NFS4ERR_STALE_CLIENTID: RFC 7530, section 13.1
        for (const auto* line : {"call 4 NULL 7\n", "call 4 COMPOUND 4\n", "raw 0 11\n", "operation OP_RENEW 1 10022 4\n"})
            QVERIFY2(run.out.contains(line), run.out + run.err);
    }
};
QTEST_GUILESS_MAIN(TestModuleTracepoints)
#include "tst_module_tracepoints.moc"
