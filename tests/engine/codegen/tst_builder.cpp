#include "engine/bpf/encode.h"
#include "engine/bpf/interpreter.h"
#include "engine/codegen/builder.h"
#include <QObject>
#include <QTest>
#include <algorithm>
#include <csignal>
#include <linux/bpf.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>
using namespace dscope;
using namespace dscope::codegen;

namespace {
/// What the code leaves in r0 when r1 = `a` and r2 = `c`.
quint64 result(Builder& b, qint64 a, qint64 c = 0)
{
    auto code = b.code();
    code.push_back({bpf::Exit{}, {}});
    bpf::Interpreter machine;
    const auto value = machine.run(bpf::encode(code).slots, static_cast<quint64>(a), static_cast<quint64>(c));
    return value ? *value : ~quint64{0};
}
/// Whether the kernel's verifier takes the code, which computes with r1 = `a`; it refuses what nothing leads to.
bool kernelTakes(Builder& b, int a)
{
    auto code = b.code();
    code.insert(code.begin(), {bpf::Alu{AluOp::Mov, R1, bpf::Imm{a}, true}, {}});
    code.insert(code.begin(), {bpf::CallHelper{static_cast<int>(Helper::GetPrandom)}, {}}); // whose r0 it does not know
    code.insert(code.begin() + 2, {bpf::Alu{AluOp::Add, R1, R0, true}, {}});
    code.push_back({bpf::Alu{AluOp::Mov, R0, bpf::Imm{0}, true}, {}});
    code.push_back({bpf::Exit{}, {}});
    const auto encoded = bpf::encode(code);
    union bpf_attr attr {
    };
    attr.prog_type = BPF_PROG_TYPE_SOCKET_FILTER;
    attr.insns = reinterpret_cast<std::uint64_t>(encoded.slots.data());
    attr.insn_cnt = static_cast<std::uint32_t>(encoded.slots.size());
    attr.license = reinterpret_cast<std::uint64_t>("GPL");
    const auto fd = static_cast<int>(::syscall(SYS_bpf, BPF_PROG_LOAD, &attr, sizeof attr));
    if (fd >= 0) ::close(fd);
    return fd >= 0;
}
std::size_t jumps(Builder& b)
{
    return static_cast<std::size_t>(
        std::count_if(b.code().begin(), b.code().end(), [](const bpf::Insn& insn) { return std::holds_alternative<bpf::Jump>(insn.op); }));
}
bool aborts(void (*run)())
{
    const auto child = ::fork();
    if (child == 0) {
        const rlimit none{0, 0};
        ::setrlimit(RLIMIT_CORE, &none);
        std::signal(SIGABRT, SIG_DFL); // not Qt Test's handler
        ::close(STDERR_FILENO);
        run();
        ::_exit(0);
    }
    int status = 0;
    ::waitpid(child, &status, 0);
    return WIFSIGNALED(status) && WTERMSIG(status) == SIGABRT;
}
} // namespace

/// Structured flow of the macro assembler, and its stack.
class TestBuilder : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void whenAndEitherAskWhatCAsks_data()
    {
        QTest::addColumn<int>("cond");
        QTest::addColumn<bool (*)(qint64, qint64)>("holds");
        const auto row = [](const char* name, Cond cond, bool (*holds)(qint64, qint64)) { QTest::newRow(name) << int(cond) << holds; };
        using U = quint64;
        row("==", Cond::Eq, [](qint64 a, qint64 c) { return a == c; });
        row("!=", Cond::Ne, [](qint64 a, qint64 c) { return a != c; });
        row(">", Cond::Gt, [](qint64 a, qint64 c) { return U(a) > U(c); });
        row(">=", Cond::Ge, [](qint64 a, qint64 c) { return U(a) >= U(c); });
        row("<", Cond::Lt, [](qint64 a, qint64 c) { return U(a) < U(c); });
        row("<=", Cond::Le, [](qint64 a, qint64 c) { return U(a) <= U(c); });
        row("signed >", Cond::Sgt, [](qint64 a, qint64 c) { return a > c; });
        row("signed >=", Cond::Sge, [](qint64 a, qint64 c) { return a >= c; });
        row("signed <", Cond::Slt, [](qint64 a, qint64 c) { return a < c; });
        row("signed <=", Cond::Sle, [](qint64 a, qint64 c) { return a <= c; });
    }
    void whenAndEitherAskWhatCAsks()
    {
        QFETCH(const int, cond);
        using Holds = bool (*)(qint64, qint64);
        QFETCH(const Holds, holds);
        for (const qint64 a : {-2, -1, 0, 1, 2})
            for (const qint64 c : {-2, -1, 0, 1, 2}) {
                Builder once, both, leaving;
                once.mov(R0, 0);
                once.when({R1, Cond(cond), R2}, [&] { once.mov(R0, 1); });
                QCOMPARE(result(once, a, c), quint64(holds(a, c)));
                both.either(
                    {R1, Cond(cond), static_cast<std::int32_t>(c)}, [&] { both.mov(R0, 5); }, [&] { both.mov(R0, 6); });
                QCOMPARE(result(both, a), quint64(holds(a, c) ? 5 : 6));
                leaving.mov(R0, 7);
                leaving.block([&](Label out) {
                    leaving.branch(Condition(R1, Cond(cond), R2), out);
                    leaving.mov(R0, 8);
                });
                QCOMPARE(result(leaving, a, c), quint64(holds(a, c) ? 7 : 8));
            }
    }
    void conditionsOfSeveralComparisons_data()
    {
        QTest::addColumn<bool>("all");
        QTest::addColumn<bool>("isNegated");
        for (const bool all : {true, false})
            for (const bool isNegated : {true, false})
                QTest::addRow("%s%s", isNegated ? "not " : "", all ? "all" : "any") << all << isNegated;
    }
    void conditionsOfSeveralComparisons()
    {
        QFETCH(const bool, all);
        QFETCH(const bool, isNegated);
        for (const qint64 a : {1, 2, 3, 4, 5, 6}) {
            // 2..4 and not 3
            const bool parts[] = {a >= 2, a <= 4, a != 3};
            const bool holds = all ? parts[0] && parts[1] && parts[2] : parts[0] || parts[1] || parts[2];
            auto condition = all ? Condition::all({{R1, Cond::Ge, 2}, {R1, Cond::Le, 4}, {R1, Cond::Ne, 3}})
                                 : Condition::any({{R1, Cond::Ge, 2}, {R1, Cond::Le, 4}, {R1, Cond::Ne, 3}});
            if (isNegated) condition = !condition;
            Builder b, branch;
            b.either(
                condition, [&] { b.mov(R0, 1); }, [&] { b.mov(R0, 0); });
            QCOMPARE(result(b, a), quint64(holds != isNegated));
            branch.mov(R0, 1);
            branch.block([&](Label out) {
                branch.branch(condition, out);
                branch.mov(R0, 0);
            });
            QCOMPARE(result(branch, a), quint64(holds != isNegated));
        }
    }
    void loopsRunAsLongAsTheyAreTold()
    {
        Builder sum, left;
        sum.mov(R0, 0);
        sum.repeat(R3, 5, [&](Label) { sum.alu(AluOp::Add, R0, R3); });
        QCOMPARE(result(sum, 0), quint64{0 + 1 + 2 + 3 + 4});
        left.mov(R0, 0);
        left.loop(
            [&](Label out) {
                left.branch(Cond::Eq, R0, 3, out);
                left.alu(AluOp::Add, R0, 1);
            },
            {R0, Cond::Lt, R1});
        QCOMPARE(result(left, 2), quint64{2});
        QCOMPARE(result(left, 9), quint64{3});
    }
    void switchesRunOneCase()
    {
        for (const bool hasDefault : {true, false}) {
            Builder b;
            b.mov(R0, 0);
            b.switchOn(R1,
                {{3, [&] { b.alu(AluOp::Add, R0, 30); }}, {-1, [&] { b.alu(AluOp::Add, R0, 10); }},
                    {4, [&] { b.alu(AluOp::Add, R0, 40); }}},
                hasDefault ? Builder::Body([&] { b.alu(AluOp::Add, R0, 99); }) : Builder::Body());
            QCOMPARE(result(b, 3), quint64{30});
            QCOMPARE(result(b, -1), quint64{10});
            QCOMPARE(result(b, 4), quint64{40});
            QCOMPARE(result(b, 5), quint64(hasDefault ? 99 : 0));
            if (::geteuid() == 0) QVERIFY(kernelTakes(b, 3));
        }
    }
    /// The verifier refuses code that nothing leads to.
    void nothingFollowsABodyThatLeaves()
    {
        Builder b;
        b.mov(R0, 1);
        b.block([&](Label out) {
            const auto leave = [&] { b.jump(out); };
            b.either({R1, Cond::Eq, 1}, leave, [&] { b.mov(R0, 2); });
            b.switchOn(R1, {{2, leave}, {3, [&] { b.mov(R0, 3); }}, {4, leave}}, leave);
            b.alu(AluOp::Add, R0, 10);
        });
        QCOMPARE(jumps(b), std::size_t{5}); // four that leave, and 3's over the last case
        QCOMPARE(result(b, 1), quint64{1});
        QCOMPARE(result(b, 2), quint64{2});
        QCOMPARE(result(b, 3), quint64{13});
        if (::geteuid() == 0) QVERIFY(kernelTakes(b, 1));
    }
    void factsOfAPartAreForgotten()
    {
        Builder b;
        b.facts.set(1);
        const auto note = [&] { b.facts.set(2); };
        const auto noteAnother = [&] {
            QVERIFY(!b.facts[2]); // the other way was not taken
            b.facts.set(3);
        };
        b.when({R1, Cond::Eq, 0}, note);
        QVERIFY(b.facts[1] && !b.facts[2]);
        b.either({R1, Cond::Eq, 0}, note, noteAnother);
        b.switchOn(R1, {{1, note}, {2, noteAnother}}, note);
        b.block([&](Label) { note(); });
        b.loop([&](Label) { note(); }, {R1, Cond::Eq, 0});
        QVERIFY(b.facts[1] && !b.facts[2] && !b.facts[3]);
    }
    void stackIsGivenBack()
    {
        Builder b;
        {
            const auto all = b.temp(64);
            QVERIFY_THROWS_EXCEPTION(TooLarge, (void)b.temp());
        }
        auto first = b.saved(R1);
        const auto second = b.saved(R2);
        const auto moved = std::move(first);
        b.load(R0, moved);
        b.load(R3, second);
        b.alu(AluOp::Sub, R0, R3);
        QCOMPARE(result(b, 9, 4), quint64{5});
    }
    void aWrongUseOfTheStackIsABug_data()
    {
        QTest::addColumn<void (*)()>("use");
        const auto row = [](const char* name, void (*use)()) { QTest::newRow(name) << use; };
        row("read before it was written", [] {
            Builder b;
            const auto t = b.temp();
            b.load(R0, t);
        });
        row("of the code around a subprogram", [] {
            Builder b;
            const auto t = b.saved(R1);
            const Builder::Frame frame(b);
            b.load(R0, t);
        });
        row("of a subprogram that is complete", [] {
            Builder b;
            std::optional<Builder::Temp> t;
            {
                const Builder::Frame frame(b);
                t.emplace(b.saved(R1));
            }
            b.load(R0, *t);
        });
        row("moved from", [] {
            Builder b;
            auto t = b.saved(R1);
            const auto other = std::move(t);
            b.load(R0, t); // NOLINT(bugprone-use-after-move)
        });
        row("beyond its words", [] {
            Builder b;
            const auto t = b.temp(2);
            b.store(t, R0, 2);
        });
        row("another builder's", [] {
            Builder a, b;
            const auto t = a.saved(R1);
            b.load(R0, t);
        });
    }
    void aWrongUseOfTheStackIsABug()
    {
        using Use = void (*)();
        QFETCH(const Use, use);
        QVERIFY(aborts(use));
        QVERIFY(!aborts([] {
            Builder b;
            const auto t = b.temp(2);
            b.store(t, R0, 1);
            b.load(R0, t, 1);
        }));
    }
};
QTEST_APPLESS_MAIN(TestBuilder)
#include "tst_builder.moc"
