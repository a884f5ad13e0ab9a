// What dtrace writes for a stream of records. Layouts: the Dynamic Tracing Guide, and the public tests of DTrace for
// Linux where they show columns that the guide does not.
#include "engine/format/text_printer.h"
#include "engine/record/buckets.h"
#include "tests/support/counted.h"
#include <QObject>
#include <QRegularExpression>
#include <QTest>
#include <cstring>
using namespace dscope;
using namespace dscope::format;
using namespace dscope::record;

namespace {
/// Effects that only remember, in order with what is printed.
class Remembered final : public Effects {
public:
    explicit Remembered(std::string& log) : m_log(log) { }
    Result<Write> redirect(const std::string& path) override
    {
        if (path == "/denied") return Error{13, "Permission denied"};
        m_log += "{to " + path + "}";
        return Write([this](std::string_view s) { m_log += "<" + std::string(s) + ">"; });
    }
    void restore() override { m_log += "{back}"; }
    void truncate() override { m_log += "{truncate}"; }
    void run(const std::string& command) override { m_log += "{run " + command + "}"; }

private:
    std::string& m_log;
};

/// A program put together action by action, the stream it yields, and what was printed of it.
using Options = std::map<std::string, std::string>;
class Run {
public:
    explicit Run(Options options = {}) { m_program.options = std::move(options); }
    Program& program() { return m_program; }
    /// Starts a clause; the calls below add actions to it.
    Run& clause()
    {
        m_program.clauses.emplace_back();
        return *this;
    }
    Run& action(ActionKind kind, std::string format = {}, std::vector<Field> fields = {}, std::vector<std::uint32_t> aggregations = {})
    {
        Action a;
        a.kind = kind;
        a.format = std::move(format);
        for (auto f : fields) {
            auto& size = m_program.clauses.back().payloadSize;
            f.offset = size;
            size += f.size;
            a.fields.push_back(f);
        }
        for (const auto n : aggregations)
            a.aggregations.push_back(AggregationId{n});
        m_program.clauses.back().actions.push_back(std::move(a));
        return *this;
    }
    Run& aggregation(Aggregator f, std::vector<Field> keys = {}, std::array<std::int64_t, 4> parameters = {})
    {
        Aggregation a;
        a.function = f;
        a.parameters = parameters;
        for (auto k : keys) {
            k.offset = a.keySize;
            a.keySize += k.size;
            a.keys.push_back(k);
        }
        m_program.aggregations.push_back(a);
        return *this;
    }
    Run& start(Effects* effects = nullptr)
    {
        m_printer = std::make_unique<TextPrinter>(
            [this](std::string_view s) { out += s; }, [this](std::string_view s) { messages += s; }, effects);
        m_printer->take(m_program);
        m_printer->take(ProbeDef{ProbeId{1}, "dtrace", "", "", "BEGIN"});
        m_printer->take(ProbeDef{ProbeId{2}, "dtrace", "", "", "END"});
        m_printer->take(ProbeDef{ProbeId{40}, "syscall", "vmlinux", "read", "entry"});
        m_printer->take(ProbeDef{ProbeId{41}, "syscall", "vmlinux", "read", "return"});
        m_printer->take(ProbeDef{ProbeId{50}, "pid7", "a.out", "f", "entry"});
        m_printer->take(ProbeDef{ProbeId{51}, "pid7", "a.out", "f", "return"});
        m_printer->take(ProbeDef{ProbeId{52}, "pid7", "a.out", "carpentry", "carpentry"});
        return *this;
    }
    Run& fire(std::uint32_t probe, std::uint32_t clause = 0, Bytes payload = {}, std::uint32_t cpu = 0)
    {
        Fired f;
        f.clause = ClauseId{clause};
        f.probe = ProbeId{probe};
        f.cpu = cpu;
        f.payload = std::move(payload);
        m_printer->take(f);
        return *this;
    }
    Run& take(const Record& r)
    {
        m_printer->take(r);
        return *this;
    }
    Run& rows(std::uint32_t aggregation, std::vector<AggregationRow> all)
    {
        AggregationRows r;
        r.aggregation = AggregationId{aggregation};
        r.rows = std::move(all);
        m_printer->take(r);
        return *this;
    }
    Run& end(bool interrupted = false) { return take(Exit{0, interrupted, {}}); }

    Run& toTerminal()
    {
        m_printer->toTerminal(true);
        return *this;
    }

    std::string out, messages;

private:
    Program m_program;
    std::unique_ptr<TextPrinter> m_printer;
};

Field integer(std::uint32_t size, bool isSigned = true) { return {isSigned ? FieldKind::Int : FieldKind::Uint, 0, size, "n", ""}; }
Field string(std::uint32_t size = 16) { return {FieldKind::String, 0, size, "s", "string"}; }
Field stack(FieldKind kind) { return {kind, 0, 4, "s", ""}; }

template <typename T> Bytes bytes(T value)
{
    const auto view = std::as_bytes(std::span(&value, 1));
    return {view.begin(), view.end()};
}
Bytes text(std::string_view s, std::size_t size = 16)
{
    Bytes b(size);
    std::memcpy(b.data(), s.data(), s.size());
    return b;
}
Bytes operator+(Bytes a, const Bytes& b)
{
    a.insert(a.end(), b.begin(), b.end());
    return a;
}
const std::map<std::string, std::string> kQuiet{{"quiet", ""}};
const std::string kHeading = "CPU     ID                    FUNCTION:NAME\n";
} // namespace

class TestTextPrinter : public QObject {
    Q_OBJECT
    static void same(const std::string& got, const std::string& expected)
    {
        if (got != expected) qWarning("got\n%s\nexpected\n%s", got.c_str(), expected.c_str());
        QCOMPARE(got, expected);
    }
private Q_SLOTS:
    void aClauseWithoutActionsPrintsItsFiring()
    {
        Run r;
        r.clause().start().fire(40).fire(41, 0, {}, 12).end();
        same(r.out, kHeading + "  0     40                       read:entry \n 12     41                      read:return \n\n");
        same(r.messages, "");
    }
    void exitAlonePrintsItsFiring()
    {
        Run r;
        r.clause().action(ActionKind::Exit, "", {integer(4)}).start().fire(1, 0, bytes(3)).end();
        same(r.out, kHeading + "  0      1                           :BEGIN \n\n");
    }
    void underTestColumnsAreLeftOut()
    {
        Run r;
        r.program().dialect = Dialect::DtraceForLinux;
        r.clause().start().fire(1).end(true);
        same(r.out, "                   FUNCTION:NAME\n                          :BEGIN \n\n");
    }
    void quietIsNothingButData()
    {
        Run r(kQuiet);
        r.clause().action(ActionKind::Printf, "%s=%d\n", {string(), integer(4)}).start();
        r.fire(40, 0, text("x") + bytes(-5)).take(TargetExited{7, 0}).end();
        same(r.out, "x=-5\n\n");
        same(r.messages, "");
    }
    void tracedValues_data()
    {
        QTest::addColumn<int>("kind");
        QTest::addColumn<int>("size");
        QTest::addColumn<QByteArray>("loud");
        QTest::addColumn<QByteArray>("quiet");
        const auto row = [](const char* name, FieldKind kind, int size, const char* loud, const char* quiet) {
            QTest::newRow(name) << int(kind) << size << QByteArray(loud) << QByteArray(quiet);
        };
        // All of the value -2 in so many bytes.
        row("int64_t", FieldKind::Int, 8, "                   -2", "-2");
        row("int32_t", FieldKind::Int, 4, "         -2", "-2");
        row("int16_t", FieldKind::Int, 2, "    -2", "-2");
        row("int8_t", FieldKind::Int, 1, "  -2", "-2");
        row("uint64_t", FieldKind::Uint, 8, " 18446744073709551614", "18446744073709551614");
        row("uint32_t", FieldKind::Uint, 4, " 4294967294", "4294967294");
        row("uint16_t", FieldKind::Uint, 2, " 65534", "65534");
        row("uint8_t", FieldKind::Uint, 1, " 254", "254");
    }
    void tracedValues()
    {
        QFETCH(int, kind);
        QFETCH(int, size);
        QFETCH(QByteArray, loud);
        QFETCH(QByteArray, quiet);
        Bytes payload = bytes(std::int64_t(-2));
        payload.resize(std::size_t(size));
        for (const bool isQuiet : {false, true}) {
            Run r(isQuiet ? kQuiet : std::map<std::string, std::string>{});
            if (kind == int(FieldKind::Int) && size == 8 && !isQuiet) loud = "                  -2";
            r.clause().action(ActionKind::Trace, "", {{FieldKind(kind), 0, std::uint32_t(size), "n", ""}}).start().fire(1, 0, payload);
            same(r.out,
                isQuiet ? quiet.toStdString() : kHeading + "  0      1                           :BEGIN " + loud.toStdString() + "\n");
        }
    }
    void tracedStringsAndMemory()
    {
        Run r;
        r.clause()
            .action(ActionKind::Trace, "", {string()})
            .action(ActionKind::Trace, "", {{FieldKind::Bytes, 0, 18, "m", "struct s"}})
            .start();
        r.fire(1, 0,
            text("hello")
                + text("Linux version\n\x7f\xff"
                       "x",
                    18));
        same(r.out,
            kHeading
                + "  0      1                           :BEGIN   hello                            \n"
                  "             0  1  2  3  4  5  6  7  8  9  a  b  c  d  e  f  0123456789abcdef\n"
                  "         0: 4c 69 6e 75 78 20 76 65 72 73 69 6f 6e 0a 7f ff  Linux version...\n"
                  "        10: 78 00                                            x.\n"
                  "\n");
    }
    void tracememTakesItsSizeAtRunTime_data()
    {
        QTest::addColumn<int>("asked");
        QTest::addColumn<int>("shown");
        QTest::newRow("less") << 2 << 2;
        QTest::newRow("more") << 100 << 4;
        QTest::newRow("negative: all") << -1 << 4;
        QTest::newRow("none") << 0 << 0;
    }
    void tracememTakesItsSizeAtRunTime()
    {
        QFETCH(int, asked);
        QFETCH(int, shown);
        Run r(kQuiet);
        r.clause()
            .action(ActionKind::Tracemem, "", {{FieldKind::Bytes, 0, 4, "m", ""}, integer(4)})
            .start()
            .fire(1, 0, text("abcd", 4) + bytes(asked));
        const auto line = QString::fromStdString(r.out).section(u'\n', 2, 2);
        QCOMPARE(line.isEmpty()
                ? 0
                : int(line.section(u':', 1).left(48).split(u' ', Qt::SkipEmptyParts).filter(QRegularExpression("^[0-9a-f]{2}$")).size()),
            shown);
    }
    void rawbytesDumpsEverything()
    {
        Run r(Options{{"quiet", ""}, {"rawbytes", ""}});
        r.clause().action(ActionKind::Trace, "", {integer(2)}).start().fire(1, 0, bytes(std::int16_t(0x4241)));
        QVERIFY2(r.out.find("         0: 41 42 ") != std::string::npos, r.out.c_str());
    }
    void stacksAreIndentedUnderTheirFiring()
    {
        Run r;
        r.clause()
            .action(ActionKind::Stack, "", {stack(FieldKind::Stack)})
            .action(ActionKind::UserStack, "", {stack(FieldKind::UserStack)})
            .start();
        r.take(StackDef{StackId{5},
            {{0xffffffff81000010, "vmlinux", "vfs_read", 0x10, Frame::Kind::Kernel},
                {0xffffffff81002000, "vmlinux", "ksys_read", 0, Frame::Kind::Kernel}}});
        r.take(StackDef{
            StackId{6}, {{0x7f0000001234, "libc.so.6", "", 0x1234, Frame::Kind::Library}, {0x55, "", "", 0, Frame::Kind::Unknown}}});
        r.fire(40, 0, bytes(std::uint32_t(5)) + bytes(std::uint32_t(6)));
        same(r.out,
            kHeading
                + "  0     40                       read:entry \n"
                  "              vmlinux`vfs_read+0x10\n"
                  "              vmlinux`ksys_read\n"
                  "\n"
                  "              libc.so.6`0x7f0000001234\n"
                  "              0x55\n"
                  "\n");
    }
    void linesAndInlinedFunctionsAreMarked()
    {
        Run r(Options{{"quiet", ""}, {"stackindent", "2"}});
        r.clause().action(ActionKind::UserStack, "", {stack(FieldKind::UserStack)}).action(ActionKind::Symbol, "", {stack(FieldKind::Symbol)}).start();
        const auto at = [](const char* function, std::uint64_t offset, std::uint32_t line, bool inlined) {
            Frame f{0x5012, "a.out", function, offset, Frame::Kind::User};
            f.inlined = inlined;
            f.line = line;
            f.file = std::string("/home/ada/src/mix.c");
            return f;
        };
        r.take(StackDef{StackId{5}, {at("rotl", 0, 5, true), at("step", 0, 9, true), at("mix", 0x12, 31, false), at("main", 0, 0, false)}});
        r.fire(40, 0, bytes(std::uint32_t(5)) + bytes(std::uint32_t(5)));
        same(r.out,
            "\n"
            "  a.out`rotl (mix.c:5) (inlined)\n"
            "  a.out`step (mix.c:9) (inlined)\n"
            "  a.out`mix+0x12 (mix.c:31)\n"
            "  a.out`main\n"
            "  a.out`mix                                         ");
    }
    /// A stack that nothing to come names is shown as long as a row has it.
    void forgottenStacksStayWhileRowsHaveThem()
    {
        Run r(Options{{"quiet", ""}, {"stackindent", "2"}});
        r.clause().action(ActionKind::Stack, "", {stack(FieldKind::Stack)}).aggregation(Aggregator::Count, {stack(FieldKind::Stack)}).start();
        r.take(StackDef{StackId{5}, {{1, "m", "kept", 0, {}}}}).take(StackDef{StackId{6}, {{1, "m", "gone", 0, {}}}});
        r.rows(0, {{bytes(std::uint32_t(5)), {1}}});
        r.take(StackDef{StackId{5}, {}}).take(StackDef{StackId{6}, {}});
        r.fire(40, 0, bytes(std::uint32_t(6)));
        QVERIFY2(r.out.find("gone") == std::string::npos, r.out.c_str());
        r.end();
        QVERIFY2(r.out.find("m`kept") != std::string::npos, r.out.c_str());
    }
    void stackindentSaysHowFar()
    {
        Run r(Options{{"quiet", ""}, {"stackindent", "2"}});
        r.clause()
            .action(ActionKind::Stack, "", {stack(FieldKind::Stack)})
            .start()
            .take(StackDef{StackId{5}, {{1, "m", "f", 0, {}}}})
            .fire(40, 0, bytes(std::uint32_t(5)));
        same(r.out, "\n  m`f\n");
    }
    void symbolsAsActions_data()
    {
        QTest::addColumn<QByteArray>("name");
        QTest::addColumn<QByteArray>("shown");
        QTest::newRow("func") << QByteArray("func(arg0)") << QByteArray("vmlinux`vfs_read");
        QTest::newRow("uaddr") << QByteArray("uaddr(arg0)") << QByteArray("vmlinux`vfs_read+0x10");
    }
    void symbolsAsActions()
    {
        QFETCH(QByteArray, name);
        QFETCH(QByteArray, shown);
        Run r;
        r.clause().action(ActionKind::Symbol, "", {{FieldKind::Symbol, 0, 4, name.toStdString(), ""}}).start();
        r.take(StackDef{StackId{5}, {{0x10, "vmlinux", "vfs_read", 0x10, Frame::Kind::Kernel}}}).fire(1, 0, bytes(std::uint32_t(5)));
        same(r.out,
            kHeading + "  0      1                           :BEGIN   " + QByteArray(shown).leftJustified(50, ' ').toStdString() + "\n");
    }
    void aModuleAloneIsItsName()
    {
        Run r(kQuiet);
        r.clause().action(ActionKind::Printf, "[%a]", {{FieldKind::Symbol, 0, 4, "mod(arg0)", ""}}).start();
        r.take(StackDef{StackId{5}, {{0, "vmlinux", "", 0, Frame::Kind::Kernel}}}).fire(1, 0, bytes(std::uint32_t(5)));
        same(r.out, "[vmlinux]");
    }
    void flowIsIndentedPerCpu()
    {
        Run r(Options{{"flowindent", ""}});
        r.clause().clause().start();
        r.fire(40).fire(40, 1).fire(50).fire(50, 0, {}, 1).fire(1).fire(51).fire(41).fire(41).fire(52);
        same(r.out,
            "CPU FUNCTION                                 \n"
            "  0  => read                                  \n"
            "  0   | read:entry                            \n"
            "  0    -> f                                   \n"
            "  1  -> f                                     \n"
            "  0     | :BEGIN                              \n"
            "  0    <- f                                   \n"
            "  0  <= read                                  \n"
            "  0  <= read                                  \n"
            "  0 | carpentry:carpentry                     \n");
    }
    void flowKeepsItsHeadingWhenQuiet()
    {
        Run r(Options{{"flowindent", ""}, {"quiet", ""}});
        r.program().dialect = Dialect::DtraceForLinux;
        r.clause().action(ActionKind::Printf, "%d\n", {integer(4)}).start().fire(40, 0, bytes(1));
        same(r.out, "FUNCTION                                 \n => read                                  1\n");
    }
    void aCommitAloneRecordsNothing()
    {
        Run r;
        r.clause()
            .action(ActionKind::Commit, "", {integer(4)})
            .clause()
            .action(ActionKind::Clear, "", {}, {0})
            .aggregation(Aggregator::Count)
            .start();
        r.fire(1, 0, bytes(1)).fire(1, 1);
        same(r.out, kHeading + "  0      1                           :BEGIN \n");
    }

    // -- aggregations ----------------------------------------------------------------------------------------------
    void whatIsLeftIsPrintedAtTheEnd()
    {
        Run r(kQuiet);
        r.aggregation(Aggregator::Count, {string()}).aggregation(Aggregator::Sum).start();
        r.rows(1, {{{}, {150}}}).rows(0, {{text("bash"), {12}}, {text("awk"), {3}}, {text("zsh"), {3}}}).end();
        const std::string blanks(50 - 4, ' ');
        same(r.out,
            "\n  awk " + blanks + "                3\n  zsh " + blanks + "                3\n  bash" + blanks
                + "               12\n              150\n");
    }
    void keysHaveTheirWidths()
    {
        Run r(kQuiet);
        r.aggregation(Aggregator::Avg, {integer(8), integer(4), integer(2), integer(1)}).start();
        r.rows(0, {{bytes(std::int64_t(-1)) + bytes(-2) + bytes(std::int16_t(-3)) + bytes(std::int8_t(4)), {4, 10}}}).end();
        same(r.out, "\n               -1       -2 65533   4                2\n");
    }
    void printaPrintsAndThenNotAgain()
    {
        Run r(kQuiet);
        r.aggregation(Aggregator::Count, {integer(4)}).clause().action(ActionKind::Printa, "", {}, {0}).start();
        r.fire(1); // nothing there yet
        r.rows(0, {{bytes(2), {7}}, {bytes(1), {9}}}).fire(1).end();
        same(r.out, "\n\n        2                7\n        1                9\n\n");
    }
    void printaWithAFormatIsTheFormat()
    {
        Run r(kQuiet);
        r.aggregation(Aggregator::Sum, {integer(4), string()}).clause().action(ActionKind::Printa, "%@8d %d:%s %@x|", {}, {0}).start();
        r.rows(0, {{bytes(2) + text("b"), {-7}}, {bytes(1) + text("a"), {9}}}).fire(1).end();
        same(r.out, "      -7 2:b fffffffffffffff9|       9 1:a 9|\n");
    }
    void printaOfADistribution()
    {
        Run r(kQuiet);
        r.aggregation(Aggregator::Quantize, {string()})
            .clause()
            .action(ActionKind::Printa, "", {}, {0})
            .action(ActionKind::Printa, "%s%@d.\n", {}, {0})
            .start();
        r.rows(0, {{text("xclock"), {69, 1}}}).fire(1);
        const std::string chart = "\n           value  ------------- Distribution ------------- count    \n"
                                  "              16 |                                         0        \n"
                                  "              32 |@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@ 1        \n"
                                  "              64 |                                         0        \n";
        same(r.out, "\n  xclock                                            " + chart + "\nxclock" + chart + ".\n");
    }
    void severalAggregationsShareTheirRows()
    {
        Run r(kQuiet);
        r.aggregation(Aggregator::Count, {integer(4)}).aggregation(Aggregator::Max, {integer(4)}).clause();
        r.action(ActionKind::Printa, "", {}, {0, 1}).action(ActionKind::Printa, "%d: %@d %@d %@d\n", {}, {0, 1}).start();
        r.rows(0, {{bytes(1), {5}}, {bytes(2), {7}}}).rows(1, {{bytes(2), {-1}}, {bytes(3), {9}}}).fire(1).end();
        same(r.out,
            "\n        3                0                9\n        1                5                0\n        2                7        "
            "       -1\n"
            "3: 0 9 9\n1: 5 0 0\n2: 7 -1 -1\n\n");
    }
    void controlActionsActInOrderWithPrinta()
    {
        Run r(kQuiet);
        r.aggregation(Aggregator::Sum, {integer(4)}).clause();
        r.action(ActionKind::Normalize, "", {integer(8)}, {0}).action(ActionKind::Printa, "%d=%@d ", {}, {0});
        r.action(ActionKind::Denormalize, "", {}, {0}).action(ActionKind::Printa, "%d=%@d ", {}, {0});
        r.action(ActionKind::Trunc, "", {integer(8)}, {0}).action(ActionKind::Printa, "%d=%@d ", {}, {0});
        r.action(ActionKind::Clear, "", {}, {0}).action(ActionKind::Printa, "%d=%@d ", {}, {0}).start();
        r.rows(0, {{bytes(1), {500}}, {bytes(2), {700}}}).fire(1, 0, bytes(std::int64_t(5)) + bytes(std::int64_t(1)));
        same(r.out, "1=100 2=140 1=500 2=700 2=700 2=0 ");
    }
    void agghistDrawsCounts()
    {
        Run r(Options{{"quiet", ""}, {"agghist", ""}});
        r.aggregation(Aggregator::Count, {string()}).clause().action(ActionKind::Printa, "", {}, {0}).start();
        r.rows(0, {{text("vi"), {1}}, {text("ls"), {3}}}).fire(1);
        same(r.out,
            "\n\n              key  ------------- Distribution ------------- count    \n"
            "               vi |@@@@@@@@@@                               1        \n"
            "               ls |@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@           3        \n");
    }
    void aggpackDrawsADistributionOnALine()
    {
        Run r(Options{{"quiet", ""}, {"aggpack", ""}, {"encoding", "ascii"}});
        r.aggregation(Aggregator::Quantize, {string()}).clause().action(ActionKind::Printa, "", {}, {0}).start();
        r.rows(0, {{text("ls"), {66, 1, 68, 7}}}).fire(1);
        same(r.out,
            "\n\n              key  min .-----. max  | count\n"
            "               ls    2 :"
            " _ X"
            " : 32   | 8\n");
    }

    // -- the end, messages -----------------------------------------------------------------------------------------
    void importedStacksArePrintedAtTheEnd()
    {
        const auto stacks = tests::countedStacks({{"main;a\033[2J", 3}, {"main;b", 2}});
        const auto printed = [&](bool isTerminal, bool hasTable) {
            Run r(kQuiet);
            if (hasTable) r.aggregation(Aggregator::Count);
            r.start();
            if (isTerminal) r.toTerminal();
            r.take(stacks);
            if (!r.out.empty()) qFatal("printed before the end");
            return r.end().out;
        };
        same(printed(false, false), "main;a\033[2J 3\nmain;b 2\n");
        same(printed(true, false), "main;a\\033[2J 3\nmain;b 2\n");
        same(printed(false, true), "\nmain;a\033[2J 3\nmain;b 2\n"); // an empty table's line
    }
    void anInterruptPrintsANewlineBeforeEnd()
    {
        for (const bool interrupted : {false, true}) {
            Run r(kQuiet);
            r.clause().action(ActionKind::Printf, "end\n").start().fire(1).fire(2).end(interrupted);
            same(r.out, interrupted ? "end\n\nend\n\n" : "end\nend\n\n");
        }
    }
    void dropsAreTold_data()
    {
        QTest::addColumn<int>("kind");
        QTest::addColumn<int>("count");
        QTest::addColumn<bool>("tags");
        QTest::addColumn<QByteArray>("expected");
        const auto row = [](const char* name, Drop::Kind kind, int count, bool tags, const char* expected) {
            QTest::newRow(name) << int(kind) << count << tags << QByteArray(expected);
        };
        row("principal", Drop::Kind::Principal, 2, false, "dtrace: 2 drops on CPU 3\n");
        row("one", Drop::Kind::Principal, 1, false, "dtrace: 1 drop on CPU 3\n");
        row("aggregation", Drop::Kind::Aggregation, 5, true, "dtrace: [DTRACEDROP_AGGREGATION] 5 aggregation drops on CPU 3\n");
        row("dynamic", Drop::Kind::Dynamic, 9, false, "dtrace: 9 dynamic variable drops\n");
        row("speculation", Drop::Kind::Speculation, 9, false, "dtrace: 9 speculative drops\n");
        row("none available", Drop::Kind::SpeculationUnavailable, 2, false,
            "dtrace: 2 failed speculations (no speculative buffer available)\n");
        row("busy", Drop::Kind::SpeculationBusy, 1, true,
            "dtrace: [DTRACEDROP_SPECBUSY] 1 failed speculation (available buffer(s) still busy)\n");
    }
    void dropsAreTold()
    {
        QFETCH(int, kind);
        QFETCH(int, count);
        QFETCH(bool, tags);
        QFETCH(QByteArray, expected);
        Run r(tags ? std::map<std::string, std::string>{{"droptags", ""}} : std::map<std::string, std::string>{});
        r.start().take(Drop{Drop::Kind(kind), 3, std::uint64_t(count)});
        same(r.messages, expected.toStdString());
    }
    void faultsAreToldEvenWhenQuiet()
    {
        Fault f;
        f.probe = ProbeId{1};
        f.enabled = 2;
        f.action = 3;
        f.kind = FaultKind::BadAddress;
        f.address = 0x10;
        f.offset = 77;
        Run r(kQuiet);
        r.clause().start().take(f);
        same(r.messages, "dtrace: error on enabled probe ID 2 (ID 1: dtrace:::BEGIN): invalid address (0x10) in action #3\n");
        Run linuxRun;
        linuxRun.program().dialect = Dialect::DtraceForLinux;
        linuxRun.clause().start().take(f);
        f.kind = FaultKind::DivideByZero;
        linuxRun.take(f);
        same(linuxRun.messages,
            "dtrace: error in dt_clause_0 for probe ID 1 (dtrace:::BEGIN): invalid address (0x10) at BPF pc 77\n"
            "dtrace: error in dt_clause_0 for probe ID 1 (dtrace:::BEGIN): divide-by-zero at BPF pc 77\n");
    }
    /// As its test builtinvar/tst.probe_dtrace.d has it.
    void linuxCountsAClauseForEachOfItsDescriptions()
    {
        Fault f;
        f.clause = ClauseId{1};
        f.probe = ProbeId{1};
        f.kind = FaultKind::BadAddress;
        f.offset = 77;
        Run r;
        r.program().dialect = Dialect::DtraceForLinux;
        r.clause().clause().clause();
        r.program().clauses[0].probes = "BEGIN,ERROR,END";
        r.program().clauses[1].probes = "BEGIN";
        r.program().clauses[2].probes = "ERROR,dtrace:::BEGIN";
        r.start().take(f);
        f.clause = ClauseId{2};
        r.take(f);
        same(r.messages,
            "dtrace: error in dt_clause_3 for probe ID 1 (dtrace:::BEGIN): invalid address (0x0) at BPF pc 77\n"
            "dtrace: error in dt_clause_5 for probe ID 1 (dtrace:::BEGIN): invalid address (0x0) at BPF pc 77\n");
    }
    void anEndedTargetIsTold()
    {
        Run r;
        r.start().take(TargetExited{16648, 0});
        same(r.messages, "dtrace: pid 16648 has exited\n");
    }

    // -- effects ---------------------------------------------------------------------------------------------------
    void effectsHappenInOrderWithTheText()
    {
        Run r(kQuiet);
        r.clause()
            .action(ActionKind::Printf, "a")
            .action(ActionKind::System, "echo %d", {integer(4)})
            .action(ActionKind::Freopen, "/tmp/x.%d", {integer(4)});
        r.action(ActionKind::Printf, "b").action(ActionKind::Ftruncate).action(ActionKind::Freopen, "").action(ActionKind::Printf, "c");
        r.action(ActionKind::Freopen, "/denied").action(ActionKind::Printf, "d");
        Remembered effects(r.out);
        r.start(&effects).fire(2, 0, bytes(1) + bytes(2));
        r.end();
        same(r.out, "a{run echo 1}{to /tmp/x.2}<b>{truncate}{back}cd\n");
        same(r.messages, "dtrace: error on enabled probe ID 1 (ID 2: dtrace:::END): couldn't freopen() \"/denied\": Permission denied\n");
    }
    void aReplayTellsOfEffectsAndPrintsWhatTheRunPrinted()
    {
        Run r(kQuiet);
        r.clause()
            .action(ActionKind::System, "rm -rf %s", {string()})
            .action(ActionKind::Freopen, "/tmp/x")
            .action(ActionKind::Printf, "elsewhere");
        r.action(ActionKind::Freopen, "").action(ActionKind::Printf, "here").start().fire(1, 0, text("/"));
        same(r.out, "here");
        same(r.messages,
            "dscope: not done in a replay: system(\"rm -rf /\")\ndscope: not done in a replay: freopen(\"/tmp/x\")\n"
            "dscope: not done in a replay: freopen(\"\")\n");
    }
    void aSetoptThatIsRefusedIsTold()
    {
        Program p;
        Clause c;
        c.payloadSize = 16;
        c.actions.push_back({ActionKind::Setopt, "", {{FieldKind::String, 0, 16, "o", "string"}}, {}});
        p.clauses = {c};
        p.dialect = Dialect::DtraceForLinux;
        std::string messages;
        TextPrinter printer([](std::string_view) {}, [&](std::string_view s) { messages += s; });
        printer.checkOptions([](const std::string& name, const std::string&) -> Result<> {
            if (name == "Nixon") return Error{0, "Invalid option name"};
            return {};
        });
        printer.take(p);
        printer.take(ProbeDef{ProbeId{1}, "dtrace", "", "", "BEGIN"});
        Fired f;
        f.probe = ProbeId{1};
        for (const char* option : {"quiet", "Nixon"}) {
            f.payload = text(option);
            printer.take(f);
        }
        same(messages,
            "dtrace: error in dt_clause_0 for probe ID 1 (dtrace:::BEGIN): couldn't set option \"Nixon\" to \"1\": Invalid option "
            "name\n\n");
    }
    void setoptActsFromThenOn()
    {
        Run r;
        r.clause().action(ActionKind::Setopt, "", {string(), string()}).clause().action(ActionKind::Printf, "x").start();
        r.fire(1, 1).fire(1, 0, text("quiet") + text("yes")).fire(1, 1).fire(1, 0, text("quiet") + text("no")).fire(1, 1);
        const std::string line = "  0      1                           :BEGIN ";
        same(r.out, kHeading + line + "x\n" + line + "x\n" + line + "x\n");
    }
    void aTerminalObeysNothingThatWasTraced_data()
    {
        QTest::addColumn<std::string>("traced");
        QTest::addColumn<std::string>("shown");
        const auto row = [](const char* name, const std::string& traced, const std::string& shown) { QTest::newRow(name) << traced << shown; };
        row("what sets a title", "\033]0;x\007", "\\033]0;x\\007");
        row("what overwrites the line", "a\rb\bc", "a\\015b\\010c");
        row("lines and tabs", "a\n\tb", "a\n\tb");
        row("DEL", "\177", "\\177");
        row("C1 as a byte", "\233" "2J", "\\2332J");
        row("C1 in UTF-8", "\302\233" "2J", "\\302\\2332J");
        row("letters of UTF-8, whose bytes are C1's", "\303\233 \342\202\254 \360\237\230\200", "\303\233 \342\202\254 \360\237\230\200");
        row("Latin 1", "caf\351", "caf\351");
        row("UTF-8 that is cut", "\342\202", "\342\\202");
    }
    void aTerminalObeysNothingThatWasTraced()
    {
        QFETCH(std::string, traced);
        QFETCH(std::string, shown);
        const auto run = [&](bool isTerminal) {
            Run r(kQuiet);
            // What the program says itself, a bold letter, is obeyed.
            r.clause().action(ActionKind::Printf, "\033[1m%s|%S", {string(), string()}).action(ActionKind::Trace, {}, {string()});
            r.clause().action(ActionKind::Stack, {}, {stack(FieldKind::Stack)}).action(ActionKind::System, "x %s", {string()});
            r.aggregation(Aggregator::Count, {string()});
            std::string log;
            Remembered effects(log);
            r.start(&effects);
            if (isTerminal) r.toTerminal();
            r.take(StackDef{StackId{3}, {Frame{.module = traced, .function = "f"}}});
            r.fire(40, 0, text(traced) + text("x") + text(traced)).fire(40, 1, bytes(std::uint32_t{3}) + text(traced));
            r.rows(0, {{text(traced), {7}}}).end();
            return std::pair(r.out, log);
        };
        const auto [out, log] = run(true);
        const auto frame = "\n              " + shown + "`f\n", key = "\n  " + shown + std::string(shown.size() < 50 ? 50 - shown.size() : 0, ' ');
        QVERIFY2(out.starts_with("\033[1m" + shown + "|x" + shown), out.c_str());
        QVERIFY2(out.find(frame) != out.npos && out.find(key) != out.npos, out.c_str());
        QCOMPARE(log, "{run x " + traced + "}"); // a command gets what was traced
        QVERIFY(run(false).first.starts_with("\033[1m" + traced + "|x" + traced)); // a pipe, too
    }
    void whatGoesIntoAFileIsNotForATerminal()
    {
        Run r(kQuiet);
        r.clause().action(ActionKind::Freopen, "/tmp/x").action(ActionKind::Trace, {}, {string()});
        r.clause().action(ActionKind::Freopen, "").action(ActionKind::Trace, {}, {string()});
        std::string log;
        Remembered effects(log);
        r.start(&effects).toTerminal();
        r.fire(40, 0, text("\033c")).fire(40, 1, text("\033c"));
        QCOMPARE(log, std::string("{to /tmp/x}<\033c>{back}"));
        QCOMPARE(r.out, std::string("\\033c"));
    }
};
QTEST_GUILESS_MAIN(TestTextPrinter)
#include "tst_text_printer.moc"
