// plain: tests/vm runs it in other kernels, where nothing is sanitized
#include "engine/codegen/generate.h"
#include "engine/codegen/subroutine.h"
#include "kernel.h"
#include "trees.h"
#include <QObject>
#include <QTest>
#include <algorithm>
using namespace trees;
/// Generated programs on the real kernel: what its verifier says of them, and the bytes they record.
class TestVerifier : public QObject {
    Q_OBJECT
    static std::int64_t word(const Bytes& record, std::size_t n) { return readAt<std::int64_t>(record, sizeof(object::RawHeader) + 8 * n); }
    static object::Object generated(const sema::Program& program)
    {
        Diagnostics diagnostics;
        auto object = codegen::generate(program, diagnostics);
        return object ? std::move(*object) : object::Object{};
    }

private Q_SLOTS:
    void initTestCase()
    {
        if (::geteuid() != 0) QSKIP("loading BPF programs needs root");
    }
    void integersAreDividedWithTheirSigns_data()
    {
        QTest::addColumn<qint64>("left");
        QTest::addColumn<qint64>("right");
        for (const qint64 left : {qint64{7}, qint64{-7}, qint64{INT64_MIN}, qint64{INT64_MAX}, qint64{0}})
            for (const qint64 right : std::initializer_list<qint64>{2, -2, -1, qint64{1} << 40})
                QTest::addRow("%lld by %lld", left, right) << left << right;
    }
    void integersAreDividedWithTheirSigns()
    {
        QFETCH(qint64, left);
        QFETCH(qint64, right);
        Maker m;
        // Through variables, so that nothing is computed while compiling.
        const auto a = m.variable(ast::Scope::Global, "a", m.i64()), c = m.variable(ast::Scope::Global, "c", m.i64());
        m.begin({m.clause(nullptr,
            {m.does(m.assign(m.get(a), m.number(left))), m.does(m.assign(m.get(c), m.number(right))),
                m.action(record::ActionKind::Trace, {m.binary(Op::Div, m.get(a), m.get(c))}),
                m.action(record::ActionKind::Trace, {m.binary(Op::Mod, m.get(a), m.get(c))})})});
        const auto object = generated(m.program);
        kernel::Loaded loaded(object);
        const auto error = loaded.load();
        QVERIFY2(error.empty(), error.c_str());
        loaded.runAllManual();
        const auto records = loaded.records();
        QCOMPARE(records.size(), std::size_t{1});
        const bool wraps = left == INT64_MIN && right == -1;
        QCOMPARE(word(records[0], 0), wraps ? INT64_MIN : left / right);
        QCOMPARE(word(records[0], 1), wraps ? 0 : left % right);
    }
    void aFaultEndsItsClauseAndTheNextGoesOn()
    {
        Maker m;
        const auto zero = m.variable(ast::Scope::Global, "zero", m.i64());
        m.begin({m.clause(nullptr, {m.action(record::ActionKind::Trace, {m.binary(Op::Div, m.number(1), m.get(zero))})}),
            m.clause(nullptr, {m.action(record::ActionKind::Trace, {m.make(ExprKind::Dereference, m.i32(), {m.number(0x1234)})})}),
            m.clause(nullptr, {m.action(record::ActionKind::Trace, {m.number(42)})})});
        const auto object = generated(m.program);
        kernel::Loaded loaded(object);
        const auto error = loaded.load();
        QVERIFY2(error.empty(), error.c_str());
        loaded.runAllManual();
        const auto records = loaded.records();
        QCOMPARE(records.size(), std::size_t{3});
        const auto first = readAt<object::RawFault>(records[0], 0), second = readAt<object::RawFault>(records[1], 0);
        QCOMPARE(first.kind, static_cast<std::uint32_t>(record::FaultKind::DivideByZero));
        QCOMPARE(second.kind, static_cast<std::uint32_t>(record::FaultKind::BadAddress));
        QCOMPARE(second.address, std::uint64_t{0x1234});
        QCOMPARE(second.header.clause, 1u);
        // Where each was found is a branch of the program.
        for (std::size_t i = 0; i < 2; ++i) {
            const auto slot = readAt<object::RawFaultAt>(records[i], 0).slot;
            QVERIFY(slot > 0 && slot < object.programs[0].slots.size());
            QCOMPARE(object.programs[0].slots[slot].opcode & 7, BPF_JMP);
        }
        QCOMPARE(word(records[2], 0), std::int64_t{42});
    }
    void manySystemCallsAreOneProgram()
    {
        Maker m;
        const auto calls = m.aggregation(record::Aggregator::Count, "calls");
        const auto mine = m.binary(Op::Eq, m.builtin(Builtin::Pid), m.number(::getpid(), m.i32()));
        const auto clause = m.clause(mine, {m.aggregate(calls, {m.builtin(Builtin::ProbeFunc)})});
        for (std::uint64_t number = 0; number < 300; ++number)
            m.probe({"syscall", "vmlinux", "call" + std::to_string(number), "entry"},
                {probe::RawTracepoint{"sys_enter"}, 1, -1, number, {}}, {clause});
        const auto object = generated(m.program);
        QCOMPARE(object.programs.size(), std::size_t{1});
        kernel::Loaded loaded(object);
        auto error = loaded.load();
        QVERIFY2(error.empty(), error.c_str());
        error = loaded.attach();
        QVERIFY2(error.empty(), error.c_str());
        loaded.setState(object::State::Active);
        for (int i = 0; i < 1000; ++i)
            ::syscall(SYS_getppid);
        loaded.setState(object::State::Inactive);
        std::int64_t counted = 0;
        for (const auto map : {object.aggregationMaps[0], *object.aggregationReserves[0]})
            for (const auto& [key, value] : loaded.entries(map))
                if (textAt(key, 0, key.size()) == "call110") counted += kernel::Loaded::sum(value, 8, 0);
        const auto& front = object.aggregationFronts[0].value();
        for (const auto& [index, slots] : loaded.entries(front.map))
            for (std::size_t at = 0; at + front.slotSize() <= slots.size(); at += front.slotSize())
                if (textAt(slots, at + 8, front.keySize) == "call110") counted += readAt<std::int64_t>(slots, at + 8 + front.keySize);
        QCOMPARE(counted, std::int64_t{1000});
        QCOMPARE(loaded.drops(), std::int64_t{0});
    }
    void anyNumberOfStringLoopsIsOneProgram()
    {
        // Bounded loops would leave a branch pending for each round: the verifier gives up at 8192.
        Maker m;
        const auto row = language::subroutineIndex;
        const auto* string = m.types().string();
        const auto path = m.variable(ast::Scope::Global, "path", string);
        std::vector<sema::Statement> body{m.does(m.assign(m.get(path), m.string("/usr/share/dict")))};
        for (int i = 0; i < 8; ++i) {
            body.push_back(m.action(record::ActionKind::Trace, {m.call(row("index"), m.i32(), {m.get(path), m.string("share")})}));
            body.push_back(
                m.action(record::ActionKind::Trace, {m.call(row("strlen"), m.u64(), {m.call(row("basename"), string, {m.get(path)})})}));
        }
        m.begin({m.clause(nullptr, body)});
        const auto object = generated(m.program);
        kernel::Loaded loaded(object);
        const auto error = loaded.load();
        QVERIFY2(error.empty(), error.c_str());
        loaded.runAllManual();
        const auto records = loaded.records();
        QCOMPARE(records.size(), std::size_t{1});
        QCOMPARE(word(records[0], 14), std::int64_t{5});
        QCOMPARE(word(records[0], 15), std::int64_t{4});
    }
    void processEventsLoadAndTellOfAChild()
    {
        Maker m;
        m.program.tellsOfProcesses = true;
        const auto object = generated(m.program);
        kernel::Loaded loaded(object);
        auto error = loaded.load();
        QVERIFY2(error.empty(), error.c_str());
        error = loaded.attach();
        QVERIFY2(error.empty(), error.c_str());
        loaded.setState(object::State::Active);
        QCOMPARE(std::system("cd /usr/share && /bin/sh -c 'exit 3'"), 3 << 8);
        loaded.setState(object::State::Inactive);
        std::uint32_t shell = 0;
        bool execs = false, exits = false;
        for (const auto& record : loaded.records()) {
            const auto head = readAt<object::RawProcess>(record, 0);
            const auto at = sizeof head;
            const auto kind = static_cast<record::ProcessEvent::Kind>(head.event);
            if (kind == record::ProcessEvent::Kind::Fork && head.header.pid == static_cast<std::uint32_t>(::getpid())) shell = head.child;
            if (shell == 0 || (head.header.pid != shell && head.parent != shell)) continue;
            if (kind == record::ProcessEvent::Kind::Exec && textAt(record, at + head.argsLength + head.pathLength, 6) == "share")
                execs = true;
            if (kind == record::ProcessEvent::Kind::Exit && head.status == 3 << 8) exits = true;
        }
        QVERIFY(shell != 0);
        QVERIFY(execs);
        QVERIFY(exits);
        QCOMPARE(loaded.drops(), std::int64_t{0});
    }
};
QTEST_GUILESS_MAIN(TestVerifier)
#include "tst_verifier.moc"
