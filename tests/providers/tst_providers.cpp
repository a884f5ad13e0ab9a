#include "engine/probe/registry.h"
#include "tests/support/fake_host.h"
#include <QObject>
#include <QSet>
#include <QTest>
#include <algorithm>
#include <asm/unistd.h>
#include <linux/perf_event.h>
using namespace dscope;
class TestProviders : public QObject {
    Q_OBJECT
    tests::FakeHost m_host;
    probe::Registry m_registry{m_host, providers::all()};

    void addEvents()
    {
        m_host.files["/sys/kernel/tracing/available_events"] = "sched:sched_switch\nsyscalls:sys_enter_read\ntask:task_rename\n";
        m_host.files["/sys/kernel/tracing/events/sched/sched_switch/format"]
            = "name: sched_switch\nformat:\n\tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;\n\n"
              "\tfield:char prev_comm[16];\toffset:8;\tsize:16;\tsigned:0;\n\tfield:pid_t prev_pid;\toffset:24;\tsize:4;\tsigned:1;\n"
              "\tfield:long prev_state;\toffset:32;\tsize:8;\tsigned:1;\n";
        m_host.files["/sys/kernel/tracing/events/task/task_rename/format"]
            = "name: task_rename\nformat:\n\tfield:__data_loc char[] name;\toffset:8;\tsize:4;\tsigned:0;\n"
              "\tfield:const char * why;\toffset:16;\tsize:8;\tsigned:0;\n\tfield:enum no_such_thing how;\toffset:24;\tsize:4;\tsigned:0;\n";
    }

    std::vector<probe::Registry::Probe> matches(const char* text)
    {
        const auto pattern = probe::parsePattern(text);
        auto found = m_registry.match(*pattern);
        return found ? *found : std::vector<probe::Registry::Probe>{};
    }
    /// What a kernel with kprobes has, of which one function's name is that of two.
    static void giveFunctions(tests::FakeHost& host)
    {
        host.files["/sys/bus/event_source/devices/kprobe/type"] = "8\n";
        host.files["/sys/kernel/tracing/available_filter_functions"]
            = "vfs_read\nvfs_open\nvfs_open\nnot_in_btf.isra.0\nschedule\next4_sync_fs [ext4]\n";
    }

public:
    TestProviders() { giveFunctions(m_host); }

private Q_SLOTS:
    void initTestCase() { addEvents(); }
    void everyProviderIsDocumented_data()
    {
        QTest::addColumn<int>("index");
        int i = 0;
        for (const auto& p : m_registry.providers())
            QTest::newRow(std::string(p->name()).c_str()) << i++;
    }
    void everyProviderIsDocumented()
    {
        QFETCH(int, index);
        const auto& p = m_registry.providers()[static_cast<std::size_t>(index)];
        QVERIFY(!p->summary().empty() && !p->summary().ends_with('.'));
        const auto example = QString::fromUtf8(p->example().data(), qsizetype(p->example().size()));
        QCOMPARE(example.count(QChar(':')), 3);
        const auto provider = example.section(QChar(':'), 0, 0).replace(QStringLiteral("$target"), QStringLiteral("1"));
        QVERIFY2(p->serves(provider.toStdString()), qPrintable(example));
        int n = 0;
        QVERIFY(p->list(m_host, {}, [&](const probe::Name& name) {
            ++n;
            QVERIFY(p->serves(name.provider));
            const auto d = p->describe(m_host, name);
            QVERIFY2(d, name.spelled().c_str());
            QVERIFY(!d->hooks.empty());
        }));
        QVERIFY(n > 0 || p->onDemand());
        p->unavailable(m_host, {}, [&](const probe::Unavailable& u) {
            QVERIFY(p->serves(u.name.provider));
            QVERIFY2(u.why.size() > 20 && !u.why.ends_with('.'), u.name.spelled().c_str());
            QVERIFY2(matches(u.name.spelled().c_str()).empty(), u.name.spelled().c_str());
        });
    }
    void anEventsFieldsAreItsArguments_data()
    {
        QTest::addColumn<QString>("probe");
        QTest::addColumn<QStringList>("types");
        QTest::newRow("an array of char, numbers") << "sdt:sched::sched_switch" << QStringList{"string", "pid_t", "long"};
        QTest::newRow("text elsewhere, a pointer to const, a type nobody knows")
            << "sdt:task::task_rename" << QStringList{"string", "char *", "uint32_t"};
        QTest::newRow("a tracepoint's own") << "rawtp:sched::sched_switch"
                                            << QStringList{"bool", "struct task_struct *", "struct task_struct *", "unsigned int"};
    }
    void anEventsFieldsAreItsArguments()
    {
        QFETCH(QString, probe);
        QFETCH(QStringList, types);
        const auto found = matches(qPrintable(probe));
        QCOMPARE(found.size(), 1U);
        QStringList natives;
        const auto description = m_registry.describe(found[0]);
        QVERIFY(description);
        for (const auto& arg : description->args) natives << QString::fromStdString(arg.native);
        QCOMPARE(natives, types);
    }
    void sdtSaysWhoTookTracefsAway_data()
    {
        QTest::addColumn<QByteArray>("lockdown");
        QTest::addColumn<bool>("isNamed");
        QTest::newRow("confidentiality") << QByteArray("none integrity [confidentiality]\n") << true;
        QTest::newRow("integrity") << QByteArray("none [integrity] confidentiality\n") << false;
        QTest::newRow("a kernel without lockdown") << QByteArray() << false;
    }
    void sdtSaysWhoTookTracefsAway()
    {
        QFETCH(QByteArray, lockdown);
        QFETCH(bool, isNamed);
        tests::FakeHost host;
        if (!lockdown.isEmpty()) host.files["/sys/kernel/security/lockdown"] = lockdown.toStdString();
        const probe::Registry registry(host, providers::all());
        const auto missing = registry.unavailable(*probe::parsePattern("sdt:::"));
        QCOMPARE(missing.size(), std::size_t(1));
        QCOMPARE(missing.front().why.find("kernel_lockdown(7)") != std::string::npos, isNamed);
        QCOMPARE(missing.front().why.find("mount -t tracefs") == std::string::npos, isNamed);
    }
    void systemCallsAreNoStaticEvents() { QVERIFY(matches("sdt:syscalls::sys_enter_read").empty()); }
    void largeProvidersAreNumberedLast()
    {
        const auto small = matches("syscall:::"), large = matches("rawtp:::");
        QVERIFY(!small.empty() && !large.empty());
        QVERIFY(small.back().id.value < large.front().id.value);
    }
    void whatCannotBeHadSaysWhy()
    {
        const auto missing = m_registry.unavailable(*probe::parsePattern("sysinfo:::intrblk"));
        QCOMPARE(missing.size(), 1U);
        QVERIFY(matches("sysinfo:::intrblk").empty());
    }
    void resultsAreGivenToKprobesAlone()
    {
        for (const char* text : {"rawfbt:vmlinux:vfs_read:entry", "fbt:vmlinux:vfs_read:entry", "sdt:sched::sched_switch", "dtrace:::BEGIN"}) {
            const auto found = matches(text);
            QCOMPARE(found.size(), 1U);
            const auto description = m_registry.describe(found[0]);
            QVERIFY(description);
            QCOMPARE(description->takesResult, std::string_view(text).starts_with("rawfbt:"));
        }
    }
    void functionsHaveTheirTypes_data()
    {
        QTest::addColumn<QString>("probe");
        QTest::addColumn<bool>("programs");
        QTest::addColumn<QStringList>("types");
        QTest::addColumn<bool>("direct");
        const QStringList read{"struct file *", "char *", "size_t", "loff_t *"};
        QTest::newRow("a program at its entry") << "vmlinux:vfs_read:entry" << true << read << true;
        QTest::newRow("no programs there: a kprobe") << "vmlinux:vfs_read:entry" << false << read << false;
        QTest::newRow("return: the offset, which nobody knows, and the value")
            << "vmlinux:vfs_read:return" << true << QStringList{"int64_t", "ssize_t"} << true;
        QTest::newRow("a function without a value") << "vmlinux:schedule:return" << true << QStringList{"int64_t"} << true;
        QTest::newRow("two of one name") << "vmlinux:vfs_open:entry" << true << QStringList{"const struct path *", "struct file *"}
                                         << false;
        QTest::newRow("what the compiler made of one") << "vmlinux:not_in_btf.isra.0:entry" << true << QStringList(6, "uint64_t") << false;
        QTest::newRow("of a module without types") << "ext4:ext4_sync_fs:return" << true << QStringList{"int64_t", "uint64_t"} << false;
    }
    void functionsHaveTheirTypes()
    {
        QFETCH(QString, probe);
        QFETCH(bool, programs);
        QFETCH(QStringList, types);
        QFETCH(bool, direct);
        tests::FakeHost host;
        giveFunctions(host);
        host.functionPrograms = programs;
        if (!host.read("/sys/kernel/btf/vmlinux")) QSKIP("needs the kernel's BTF");
        const probe::Registry registry(host, providers::all());
        const auto found = registry.match(*probe::parsePattern("fbt:" + probe.toStdString()));
        QVERIFY(found && found->size() == 1);
        const auto described = registry.describe(found->front());
        QVERIFY(described);
        QStringList told;
        for (const auto& arg : described->args)
            told << QString::fromStdString(arg.native);
        types.replaceInStrings("const ", ""); // D has no use for it
        QCOMPARE(told, types);
        const auto& place = std::get<probe::KernelFunction>(described->hooks.front().at);
        QCOMPARE(place.btf != 0, direct);
        QCOMPARE(place.atReturn, probe.endsWith("return"));
    }
    void functionsThatCannotBeProbedAreToldWithWhy()
    {
        tests::FakeHost host;
        const probe::Registry registry(host, providers::all());
        const auto pattern = *probe::parsePattern("fbt::vfs_read:entry");
        QVERIFY(registry.match(pattern)->empty());
        const auto missing = registry.unavailable(pattern);
        QCOMPARE(missing.size(), 1U);
        QCOMPARE(missing.front().name.spelled(), std::string("fbt:vmlinux:vfs_read:entry"));
        QVERIFY(missing.front().why.find("without kprobes") != std::string::npos);
    }
    void dtraceHasTheFirstThreeNumbers()
    {
        QCOMPARE(matches("BEGIN").at(0).id.value, 1U);
        QCOMPARE(matches("END").at(0).id.value, 2U);
        QCOMPARE(matches("ERROR").at(0).id.value, 3U);
    }
    void numbersAreUniqueAndFound()
    {
        QSet<quint32> seen;
        for (const auto& p : matches(":::")) {
            QVERIFY2(!seen.contains(p.id.value), p.name.spelled().c_str());
            seen.insert(p.id.value);
            const auto back = m_registry.byId(p.id);
            QVERIFY(back && back->name == p.name);
        }
        QVERIFY(seen.size() > 600);
    }
    void aProbeMadeOnDemandKeepsItsNumber()
    {
        const auto first = matches("profile-123"), again = matches("profile:::profile-123");
        QCOMPARE(first.size(), 1U);
        QCOMPARE(again.size(), 1U);
        QCOMPARE(first[0].id.value, again[0].id.value);
        QVERIFY(!matches("profile-124").empty() && matches("profile-124")[0].id.value != first[0].id.value);
    }
    void ratesBecomeIntervals_data()
    {
        QTest::addColumn<QString>("probe");
        QTest::addColumn<qulonglong>("ns"); // 0: no such probe
        QTest::addColumn<bool>("every");
        QTest::newRow("hertz by default") << "profile-1000" << 1'000'000ULL << true;
        QTest::newRow("hertz") << "tick-4hz" << 250'000'000ULL << false;
        QTest::newRow("milliseconds") << "tick-10ms" << 10'000'000ULL << false;
        QTest::newRow("msec") << "tick-10msec" << 10'000'000ULL << false;
        QTest::newRow("microseconds") << "profile-100us" << 100'000ULL << true;
        QTest::newRow("seconds") << "tick-5s" << 5'000'000'000ULL << false;
        QTest::newRow("sec") << "tick-5sec" << 5'000'000'000ULL << false;
        QTest::newRow("minute") << "tick-1m" << 60'000'000'000ULL << false;
        QTest::newRow("hour") << "tick-1h" << 3'600'000'000'000ULL << false;
        QTest::newRow("day") << "tick-1day" << 86'400'000'000'000ULL << false;
        QTest::newRow("too fast") << "profile-20001" << 0ULL << false;
        QTest::newRow("too short") << "tick-10us" << 0ULL << false;
        QTest::newRow("overflow") << "tick-99999999999999d" << 0ULL << false;
        QTest::newRow("zero") << "tick-0" << 0ULL << false;
        QTest::newRow("no unit of ours") << "tick-5parsec" << 0ULL << false;
        QTest::newRow("no number") << "tick-" << 0ULL << false;
    }
    void ratesBecomeIntervals()
    {
        QFETCH(QString, probe);
        QFETCH(qulonglong, ns);
        QFETCH(bool, every);
        const auto found = matches(qPrintable(probe));
        QCOMPARE(found.size(), ns ? 1U : 0U);
        if (!ns) return;
        const auto d = m_registry.describe(found[0]);
        QVERIFY(d);
        const auto& event = std::get<probe::PerfEvent>(d->hooks.at(0).at);
        QCOMPARE(event.period, ns);
        QCOMPARE(event.everyCpu, every);
        QCOMPARE(event.config, quint64(PERF_COUNT_SW_CPU_CLOCK));
    }
    void syscallsHaveTheKernelsNumbers_data()
    {
        QTest::addColumn<QString>("name");
        QTest::addColumn<int>("number");
        QTest::newRow("read") << "read" << __NR_read;
        QTest::newRow("stat") << "stat" << __NR_stat;
        QTest::newRow("newstat, the kernel's word") << "newstat" << __NR_stat;
        QTest::newRow("execveat") << "execveat" << __NR_execveat;
        QTest::newRow("clone3") << "clone3" << __NR_clone3;
        QTest::newRow("futex_waitv") << "futex_waitv" << __NR_futex_waitv;
        QTest::newRow("exit_group") << "exit_group" << __NR_exit_group;
    }
    void syscallsHaveTheKernelsNumbers()
    {
        QFETCH(QString, name);
        QFETCH(int, number);
        for (const auto* probe : {"entry", "return"}) {
            const auto found = matches(qPrintable("syscall::" + name + ":" + probe));
            QCOMPARE(found.size(), 1U);
            const auto d = m_registry.describe(found[0]);
            QCOMPARE(d->hooks.at(0).selector, quint64(number));
        }
    }
    void aGlobFindsTheFamily()
    {
        QStringList names;
        for (const auto& p : matches("syscall::open*:entry"))
            names << QString::fromStdString(p.name.function);
        names.sort();
        QCOMPARE(names, QStringList({"open", "open_by_handle_at", "open_tree", "open_tree_attr", "openat", "openat2"}));
    }
    void procTellsOfProcesses()
    {
        for (const auto& p : matches("proc:::exec-success"))
            QVERIFY(p.provider->tellsOfProcesses());
        QCOMPARE(matches("proc:::create").size(), 1U);
    }
};
QTEST_GUILESS_MAIN(TestProviders)
#include "tst_providers.moc"
