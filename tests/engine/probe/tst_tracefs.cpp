#include "engine/probe/tracefs.h"
#include "tests/support/fake_host.h"
#include <QObject>
#include <QTest>
using namespace dscope;
namespace {
/// Source: Documentation/trace/events.rst, "2.4 Event formats" and what a kernel 6.1 has for sched_process_exec.
constexpr const char* kWakeup = R"(name: sched_wakeup
ID: 60
format:
	field:unsigned short common_type;	offset:0;	size:2;	signed:0;
	field:unsigned char common_flags;	offset:2;	size:1;	signed:0;
	field:unsigned char common_preempt_count;	offset:3;	size:1;	signed:0;
	field:int common_pid;	offset:4;	size:4;	signed:1;

	field:char comm[16];	offset:8;	size:16;	signed:0;
	field:pid_t pid;	offset:24;	size:4;	signed:1;
	field:const struct foo * place;	offset:32;	size:8;	signed:0;
	field:unsigned long args[6];	offset:40;	size:48;	signed:0;
	field:__data_loc char[] filename;	offset:88;	size:4;	signed:0;

print fmt: "task %s:%d [%d] success=%d [%03d]", REC->comm, REC->pid
)";
} // namespace

class TestTracefs : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void eventsComeInTheKernelsOrder()
    {
        tests::FakeHost host;
        host.files["/sys/kernel/tracing/available_events"] = "sched:sched_switch\nblock:block_rq_issue\nno colon\nsched:sched_wakeup\n";
        const auto all = probe::events(host);
        QCOMPARE(all.size(), std::size_t(3));
        QVERIFY(all[0].subsystem == "sched" && all[0].name == "sched_switch");
        QVERIFY(all[1].subsystem == "block" && all[1].name == "block_rq_issue");
        QVERIFY(all[2].subsystem == "sched" && all[2].name == "sched_wakeup");
    }
    void withoutTracefsThereAreNone()
    {
        const tests::FakeHost host;
        QVERIFY(probe::events(host).empty());
        const auto fields = probe::eventFields(host, "sched", "sched_wakeup");
        QVERIFY(!fields);
        QCOMPARE(fields.error().code, ENOENT);
    }

    void fieldsHaveTheirTypesAndPlaces_data()
    {
        QTest::addColumn<int>("index");
        QTest::addColumn<QString>("type");
        QTest::addColumn<QString>("name");
        QTest::addColumn<quint32>("offset");
        QTest::addColumn<quint32>("size");
        QTest::addColumn<bool>("isSigned");
        const auto row = [](int index, const char* type, const char* name, quint32 offset, quint32 size, bool isSigned) {
            QTest::newRow(name) << index << QString::fromLatin1(type) << QString::fromLatin1(name) << offset << size << isSigned;
        };
        row(0, "char[16]", "comm", 8, 16, false);
        row(1, "pid_t", "pid", 24, 4, true);
        row(2, "const struct foo *", "place", 32, 8, false);
        row(3, "unsigned long[6]", "args", 40, 48, false);
        row(4, "__data_loc char[]", "filename", 88, 4, false);
    }
    void fieldsHaveTheirTypesAndPlaces()
    {
        QFETCH(int, index);
        QFETCH(QString, type);
        QFETCH(QString, name);
        QFETCH(quint32, offset);
        QFETCH(quint32, size);
        QFETCH(bool, isSigned);
        tests::FakeHost host;
        host.files["/sys/kernel/tracing/events/sched/sched_wakeup/format"] = kWakeup;
        const auto fields = probe::eventFields(host, "sched", "sched_wakeup");
        QVERIFY(fields);
        QCOMPARE(fields->size(), std::size_t(5)); // without those that all events have

        const auto& field = (*fields)[static_cast<std::size_t>(index)];
        QCOMPARE(QString::fromStdString(field.type), type);
        QCOMPARE(QString::fromStdString(field.name), name);
        QCOMPARE(field.offset, offset);
        QCOMPARE(field.size, size);
        QCOMPARE(field.isSigned, isSigned);
    }

    /// Of every event of the running kernel: fields within the record, one behind the other, each with a name and a type.
    void everyEventOfThisKernelIsUnderstood()
    {
        const auto host = host::local();
        const auto all = probe::events(*host);
        if (all.empty()) QSKIP("needs root: tracefs");

        for (const auto& event : all) {
            const auto fields = probe::eventFields(*host, event.subsystem, event.name);
            if (!fields) continue; // a module that was unloaded meanwhile
            std::uint32_t end = 8; // of what all events have in common
            for (const auto& field : *fields) {
                const auto what = event.subsystem + ":" + event.name + " " + field.type + " " + field.name;
                QVERIFY2(!field.name.empty() && !field.type.empty(), what.c_str());
                QVERIFY2(field.name.find_first_of(" *[]") == std::string::npos, what.c_str());
                QVERIFY2(field.offset >= end, what.c_str());
                end = field.offset + field.size;
            }
        }
    }
};
QTEST_GUILESS_MAIN(TestTracefs)
#include "tst_tracefs.moc"
