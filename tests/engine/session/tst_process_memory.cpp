#include "engine/session/process_memory.h"
#include "tests/support/fake_host.h"
#include <QObject>
#include <QTest>
using namespace dscope;
using record::ProcessEvent;
using Kind = ProcessEvent::Kind;

/// The stream tells of every process before it speaks of it.
class TestProcessMemory : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void init()
    {
        m_host.files = {{"/proc/10/status", "Name:\tmake\nUmask:\t0022\nPPid:\t9\nUid:\t1000\t1000\t1000\t1000\n"},
            {"/proc/10/comm", "make\n"}, {"/proc/10/cmdline", std::string("make\0-j\0\0all\0", 13)}};
        m_told.clear();
    }
    void readsARunningProcess()
    {
        session::ProcessMemory memory(m_host);
        memory.introduce(10, record::Nanoseconds(5), m_deliver);
        QCOMPARE(m_told.size(), 1U);
        const auto& event = m_told[0];
        QVERIFY(event.kind == Kind::Existing);
        QCOMPARE(event.pid, 10U);
        QCOMPARE(event.parent, 9U);
        QCOMPARE(event.uid, 1000U);
        QCOMPARE(event.when.count(), 5);
        QCOMPARE(event.execname, std::string("make"));
        QVERIFY((event.args == std::vector<std::string>{"make", "-j", "", "all"}));
        memory.introduce(10, {}, m_deliver);
        QCOMPARE(m_told.size(), 1U);
    }
    void saysNothingOfAProcessThatIsGone()
    {
        session::ProcessMemory memory(m_host);
        memory.introduce(77, {}, m_deliver);
        memory.introduce(0, {}, m_deliver);
        QVERIFY(m_told.empty());
    }
    void introducesTheParentOfANewProcess()
    {
        session::ProcessMemory memory(m_host);
        memory.before(event(Kind::Fork, 20, 10), m_deliver);
        QCOMPARE(m_told.size(), 1U);
        QCOMPARE(m_told[0].pid, 10U);
        memory.before(event(Kind::Fork, 21, 20), m_deliver); // 20 was told of by its fork
        memory.before(event(Kind::Exec, 21, 20), m_deliver);
        memory.before(event(Kind::Exit, 21, 20), m_deliver);
        QCOMPARE(m_told.size(), 1U);
    }
    void doesNotGiveANewImageToAnOldProcess()
    {
        session::ProcessMemory memory(m_host);
        memory.before(event(Kind::Exec, 10, 9), m_deliver);
        QCOMPARE(m_told.size(), 1U);
        QVERIFY(m_told[0].kind == Kind::Existing);
        QCOMPARE(m_told[0].parent, 9U);
        QVERIFY(m_told[0].args.empty() && m_told[0].execname.empty());
        memory.before(event(Kind::Exit, 11, 9), m_deliver);
        QCOMPARE(m_told.size(), 2U);
        QCOMPARE(m_told[1].execname, std::string("name"));
    }
    void takesAPidThatComesAgainForAnother()
    {
        session::ProcessMemory memory(m_host);
        memory.introduce(10, {}, m_deliver);
        memory.before(event(Kind::Exit, 10, 9), m_deliver);
        memory.introduce(10, {}, m_deliver);
        QCOMPARE(m_told.size(), 2U);
    }

    /// 30 is the front end: it starts 31, which starts 32, and a process with the number of 32 comes later from elsewhere.
    void leavesOutWhatAFrontEndStarts()
    {
        session::ProcessMemory memory(m_host);
        QVERIFY(!memory.leavesOut(event(Kind::Fork, 31, 30)));
        memory.leaveOutThoseOf(30);
        QVERIFY(memory.leavesOut(event(Kind::Fork, 31, 30)) && memory.leavesOut(event(Kind::Fork, 32, 31)));
        QVERIFY(memory.leavesOut(event(Kind::Exec, 32, 31)));
        QVERIFY(memory.leavesOut(event(Kind::Exit, 31, 30)) && memory.leavesOut(event(Kind::Exit, 32, 1)));
        QVERIFY(!memory.leavesOut(event(Kind::Fork, 32, 9)) && !memory.leavesOut(event(Kind::Exit, 32, 9)));
        // One that had begun before, and the front end itself.
        QVERIFY(memory.leavesOut(event(Kind::Exec, 29, 30)) && memory.leavesOut(event(Kind::Exit, 30, 1)));
        QVERIFY(!memory.leavesOut(event(Kind::Fork, 40, 10)));
    }
    /// 10, a child of the front end 9, had begun before; nothing was seen of it.
    void leavesOutWhatItsOlderChildrenStart()
    {
        m_host.files["/proc/8/status"] = "Name:\tsh\nPPid:\t1\n";
        session::ProcessMemory memory(m_host);
        memory.leaveOutThoseOf(9);
        QVERIFY(memory.leavesOut(event(Kind::Fork, 20, 10)));
        QVERIFY(memory.leavesOut(event(Kind::Exec, 20, 10)) && memory.leavesOut(event(Kind::Exit, 10, 9)));
        m_host.files["/proc/10/status"] = "Name:\tmake\nPPid:\t9\n"; // the number comes again, for a child that forks unseen
        QVERIFY(memory.leavesOut(event(Kind::Exec, 21, 10)));
        QVERIFY(!memory.leavesOut(event(Kind::Exec, 22, 8)) && !memory.leavesOut(event(Kind::Fork, 23, 8)));
        // What was told of is another's, whoever took it in when its parent ended.
        memory.before(event(Kind::Fork, 24, 8), m_deliver);
        QVERIFY(!memory.leavesOut(event(Kind::Exec, 24, 9)));
    }

private:
    static ProcessEvent event(Kind kind, std::uint32_t pid, std::uint32_t parent)
    {
        ProcessEvent e;
        e.kind = kind;
        e.pid = e.tid = pid;
        e.parent = parent;
        e.execname = "name";
        e.args = {"args"};
        return e;
    }
    tests::FakeHost m_host;
    std::vector<ProcessEvent> m_told;
    record::Source::Deliver m_deliver = [this](const record::Record& r) { m_told.push_back(std::get<ProcessEvent>(r)); };
};
QTEST_GUILESS_MAIN(TestProcessMemory)
#include "tst_process_memory.moc"
