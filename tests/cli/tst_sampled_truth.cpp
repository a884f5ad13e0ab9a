// needs-programs: dscope
// uses: PkgConfig::DW
// tst_stack_truth has stacks of system calls. These are of any instruction: in prologues and epilogues, PLT entries, the vDSO, coroutines,
// assembly. dscope's own samples tell the registers and the bytes of the stack, from which libdw then walks.
#include "tests/support/cut_stacks.h"
#include "tests/support/libdw_walk.h"
#include "tests/support/run_dscope.h"
#include <QObject>
#include <QTest>
#include <csignal>
using namespace dscope::tests;
namespace {
/// touch(): what lies below the stack, and above it, is there; and it is said that main has begun.
const QByteArray kHead = "#include <unistd.h>\n#define N __attribute__((noinline, noipa))\nvolatile int sink;\n"
    "N static void touch(void) { volatile char room[8192]; for (unsigned i = 0; i < sizeof room; i += 64) room[i] = 1; volatile char* above = (volatile char*)__builtin_frame_address(0); for (unsigned i = 0; i < 4096; i += 64) sink += above[i]; sink += write(1, \"x\", 1); }\n";
const QByteArray kLibrary = "int ext(int n) { return n + 1; }\n";
const QByteArray kThroughPlt = kHead + "int ext(int);\nN int spin(int n) { for (int i = 0; i < 1000; i++) n = ext(n); return n; }\n"
    "N int down(int d) { int n = d ? down(d - 1) : spin(d); return sink += n; }\nint main(void) { touch(); for (;;) down(6); }\n";
const QByteArray kVdso = kHead + "#include <time.h>\nN int spin(void) { struct timespec t; for (int i = 0; i < 1000; i++) { clock_gettime(CLOCK_MONOTONIC, &t); sink += t.tv_nsec; } return 1; }\n"
    "N int down(int d) { int n = d ? down(d - 1) : spin(); return sink += n; }\nint main(void) { touch(); for (;;) down(6); }\n";
const QByteArray kCoroutines = kHead + "#include <coroutine>\n"
    "struct Numbers {\n"
    "  struct promise_type { int value; Numbers get_return_object() { return {std::coroutine_handle<promise_type>::from_promise(*this)}; }\n"
    "    std::suspend_always initial_suspend() noexcept { return {}; } std::suspend_always final_suspend() noexcept { return {}; }\n"
    "    std::suspend_always yield_value(int v) { value = v; return {}; } void return_void() {} void unhandled_exception() {} };\n"
    "  std::coroutine_handle<promise_type> handle; };\n"
    "Numbers numbers(int depth) {\n"
    "  if (depth == 0) { for (int i = 0; i < 100; i++) { for (int k = 0; k < 30; k++) sink = sink + k; co_yield i; } co_return; }\n"
    "  Numbers below = numbers(depth - 1);\n"
    "  while (below.handle.resume(), !below.handle.done()) co_yield below.handle.promise().value + 1;\n"
    "  below.handle.destroy(); }\n"
    "int main() { touch(); for (;;) { Numbers all = numbers(9); while (all.handle.resume(), !all.handle.done()) sink = all.handle.promise().value; all.handle.destroy(); } }\n";
/// A frame whose address rbp keeps while the stack pointer is aligned (of one in rbx libdw 0.188 loses sight), and another that changes the stack pointer as it goes.
const QByteArray kAssembly = kHead + "N int spin(void) { int n = 0; for (int i = 0; i < 200; i++) n += sink; return n; }\nint by_hand(void), stepwise(void);\n"
    "__asm__(\".text\\n.globl by_hand\\n.type by_hand,@function\\nby_hand:\\n.cfi_startproc\\npush %rbp\\n.cfi_def_cfa_offset 16\\n.cfi_offset rbp,-16\\n\"\n"
    "  \"mov %rsp,%rbp\\n.cfi_def_cfa_register rbp\\nsub $200,%rsp\\nand $-64,%rsp\\ncall spin\\nmov $300,%ecx\\n1: dec %ecx\\njnz 1b\\n\"\n"
    "  \"mov %rbp,%rsp\\n.cfi_def_cfa_register rsp\\npop %rbp\\n.cfi_def_cfa_offset 8\\n.cfi_restore rbp\\nret\\n.cfi_endproc\\n.size by_hand,.-by_hand\\n\"\n"
    "  \".globl stepwise\\n.type stepwise,@function\\nstepwise:\\n.cfi_startproc\\npush $1\\n.cfi_def_cfa_offset 16\\npush $2\\n.cfi_def_cfa_offset 24\\npush $3\\n.cfi_def_cfa_offset 32\\n\"\n"
    "  \"mov $300,%ecx\\n1: push $4\\n.cfi_remember_state\\n.cfi_def_cfa_offset 40\\nadd $8,%rsp\\n.cfi_restore_state\\ndec %ecx\\njnz 1b\\ncall by_hand\\n\"\n"
    "  \"add $24,%rsp\\n.cfi_def_cfa_offset 8\\nret\\n.cfi_endproc\\n.size stepwise,.-stepwise\\n\");\n"
    "N int down(int d) { int n = d ? down(d - 1) : stepwise(); return sink += n; }\nint main(void) { touch(); for (;;) down(4); }\n";
/// Little else than calls: half of its instructions are prologues and epilogues.
const QByteArray kCalls = kHead + "N long fib(long n, long a, long b, long c, long d) { return n < 2 ? n + a + b + c + d : fib(n - 1, b, c, d, n) + fib(n - 2, d, c, b, a); }\n"
    "N long odd(long n); N long even(long n) { long room[4] = {n, n, n, n}; return n ? odd(n - 1) + room[n & 3] : fib(4, 1, 2, 3, 4); }\n"
    "N long odd(long n) { volatile char room[40 + (n & 7) * 16]; room[n] = 1; return n ? even(n - 1) + room[n] : 1; }\n"
    "int main(void) { touch(); for (;;) sink += even(8); }\n";

/// Registers as samples print them, and their numbers in DWARF. Source: System V ABI, AMD64 supplement, 3.6.2
struct Register {
    const char* name;
    int number;
};
constexpr Register kRegisters[]{{"RAX", 0}, {"RDX", 1}, {"RCX", 2}, {"RBX", 3}, {"RSI", 4}, {"RDI", 5}, {"RBP", 6}, {"RSP", 7}, {"R8", 8}, {"R9", 9},
    {"R10", 10}, {"R11", 11}, {"R12", 12}, {"R13", 13}, {"R14", 14}, {"R15", 15}};
/// Bytes below the stack pointer are taken, too: behind a pop the tables of gcc still tell of what was saved there.
constexpr int kStackPointer = 7, kFrames = 64;
constexpr qsizetype kBytes = 2048, kBelow = 256, kSamples = 400;

struct Pair {
    LibdwWalk::Sample sample;
    QByteArrayList frames; ///< of ustack()
};
/// What was printed: "@ PC REGISTERS", the stack's frames, and behind "=" its bytes as tracemem() shows them.
QList<Pair> samplesIn(const QByteArray& text)
{
    QList<Pair> samples;
    bool areBytes = false;
    for (const auto& line : text.split('\n')) {
        const auto word = line.trimmed();
        if (word.startsWith("@ ")) {
            const auto numbers = word.mid(2).split(' ');
            Pair pair;
            pair.sample.pc = numbers[0].toULongLong(nullptr, 16);
            pair.sample.registers.resize(std::size(kRegisters));
            for (std::size_t i = 0; i < std::size(kRegisters) && qsizetype(i) + 1 < numbers.size(); ++i)
                pair.sample.registers[std::size_t(kRegisters[i].number)] = numbers[qsizetype(i) + 1].toULongLong(nullptr, 16);
            pair.sample.registers.push_back(pair.sample.pc); // PLT entries' rules go by it
            pair.sample.start = pair.sample.registers[kStackPointer] - quint64(kBelow);
            samples.push_back(std::move(pair));
            areBytes = false;
        } else if (samples.isEmpty()) {
            continue;
        } else if (word == "=") {
            areBytes = true;
        } else if (areBytes) {
            const auto cells = word.simplified().split(' ');
            for (qsizetype i = 1; i <= 16 && cells[0].endsWith(':') && i < cells.size(); ++i)
                samples.last().sample.bytes += QByteArray::fromHex(cells[i]);
        } else if (!word.isEmpty()) {
            samples.last().frames += word;
        }
    }
    if (!samples.isEmpty() && samples.last().sample.bytes.size() != kBytes) samples.pop_back(); // it ended there
    return samples;
}
} // namespace

class TestSampledTruth : public QObject {
    Q_OBJECT
    QTemporaryDir m_folder;
    QByteArrayList m_table;

    QString built(const QString& compiler, const QString& name, const QByteArray& text, const QStringList& flags)
    {
        auto program = m_folder.filePath(name);
        QFile file(program + (compiler.endsWith("++") ? ".cpp" : ".c"));
        if (!file.open(QIODevice::WriteOnly)) return {};
        file.write(text);
        file.close();
        QProcess process;
        process.start(compiler, QStringList{"-o", program, file.fileName()} + flags);
        if (!process.waitForStarted() || !process.waitForFinished(60'000) || process.exitCode() != 0) return {};
        return program;
    }
    QString program(const QString& kind)
    {
        if (kind == "PLT entries") {
            if (built("cc", "libext.so", kLibrary, {"-O2", "-shared", "-fPIC"}).isEmpty()) return {};
            return built("cc", "plt", kThroughPlt, {"-O2", "-L" + m_folder.path(), "-lext", "-Wl,-rpath," + m_folder.path()});
        }
        if (kind == "PLT entries, lazy") {
            if (built("cc", "libext.so", kLibrary, {"-O2", "-shared", "-fPIC"}).isEmpty()) return {};
            return built("cc", "lazy", kThroughPlt, {"-O2", "-fcf-protection=none", "-Wl,-z,lazy", "-L" + m_folder.path(), "-lext", "-Wl,-rpath," + m_folder.path()});
        }
        if (kind == "vDSO") return built("cc", "vdso", kVdso, {"-O2"});
        if (kind == "coroutines") return built("c++", "coroutines", kCoroutines, {"-O2", "-std=c++20"});
        if (kind == "coroutines, clang") return built("clang++", "coroutines", kCoroutines, {"-O2", "-std=c++20"});
        if (kind == "assembly with CFI") return built("cc", "assembly", kAssembly, {"-O2"});
        return built("cc", "calls", kCalls, kind == "prologues, -O3" ? QStringList{"-O3"} : kind == "prologues, LTO" ? QStringList{"-O3", "-flto"} : QStringList{"-Os"});
    }

private Q_SLOTS:
    void initTestCase()
    {
        if (const auto why = whyNoTracing(); !why.isEmpty()) QSKIP(why.constData());
    }
    void everySampleIsLibdws_data()
    {
        QTest::addColumn<QByteArray>("within"); // a frame that some of the samples are in
        QTest::newRow("PLT entries") << QByteArray("`ext@plt");
        QTest::newRow("PLT entries, lazy") << QByteArray("`ext@plt");
        QTest::newRow("vDSO") << QByteArray("[vdso]`");
        QTest::newRow("coroutines") << QByteArray("`numbers");
        QTest::newRow("coroutines, clang") << QByteArray("`numbers");
        QTest::newRow("assembly with CFI") << QByteArray("`by_hand");
        QTest::newRow("prologues, -O3") << QByteArray("`fib");
        QTest::newRow("prologues, LTO") << QByteArray("`fib");
        QTest::newRow("prologues, -Os") << QByteArray("`odd");
    }
    void everySampleIsLibdws()
    {
#if !defined(__x86_64__)
        QSKIP("the registers are those of x86-64");
#endif
        QFETCH(QByteArray, within);
        const QString kind = QTest::currentDataTag();
        const auto path = program(kind);
        if (path.isEmpty()) QSKIP("its compiler is not installed, or cannot make it");
        struct Ended : QProcess {
            ~Ended() override
            {
                kill();
                waitForFinished();
            }
        } child;
        child.start(path, {QString(2 * kBytes, 'x')}); // there is so much above its stack
        QVERIFY(child.waitForStarted() && child.waitForReadyRead());
        const auto pid = pid_t(child.processId());
        QByteArray format = "@ %x", values = "uregs[R_RIP]";
        for (const auto& one : kRegisters) {
            format += " %x";
            values += ", uregs[R_" + QByteArray(one.name) + "]";
        }
        const auto sample = "profile-997 /pid == $target && n < " + QByteArray::number(qint64{kSamples}) + "/ { n++; printf(\"" + format + "\\n\", " + values + "); ustack("
            + QByteArray::number(kFrames) + "); printf(\"=\\n\"); tracemem(copyin(uregs[R_RSP] - " + QByteArray::number(qint64{kBelow}) + ", " + QByteArray::number(qint64{kBytes}) + "), " + QByteArray::number(qint64{kBytes}) + "); }";
        const auto end = " profile-997 /n == " + QByteArray::number(qint64{kSamples}) + "/ { exit(0); }";
        const auto target = QStringList{"-p", QString::number(pid)};
        const auto run = runDscope(QStringList{"-x", "noresolve", "-x", "bufsize=8m", "-x", "scratchsize=4k", "-qn", sample + end} + target);
        QVERIFY2(run.status == 0 && saidBeyondCuts(run.err).isEmpty(), run.err.constData());
        const auto named = runDscope(QStringList{"-qn", "profile-997 /pid == $target/ { n++; @[ustack(1)] = count(); }" + end} + target);
        QVERIFY2(named.status == 0, named.err.constData());

        LibdwWalk libdw(pid, LibdwWalk::From::Sample);
        const auto samples = samplesIn(run.out);
        int equal = 0, cut = 0, furtherThanLibdw = 0, deepest = 0;
        for (const auto& each : samples) {
            const auto theirs = libdw.of(each.sample, kFrames);
            auto ours = each.frames;
            const bool isCut = !ours.isEmpty() && ours.last() == "[truncated]";
            if (isCut) ours.removeLast();
            deepest = std::max(deepest, int(ours.size()));
            const auto both = std::min(ours.size(), theirs.frames.size());
            const bool isPrefix = std::equal(ours.begin(), ours.begin() + both, theirs.frames.begin());
            const bool isFurther = isPrefix && !theirs.ended && ours.size() > both;
            QVERIFY2(isPrefix && (isCut || isFurther || (theirs.ended && ours.size() == theirs.frames.size())),
                (kind.toUtf8() + ": walked\n  " + each.frames.join("\n  ") + "\nlibdw:\n  " + theirs.frames.join("\n  ") + (theirs.ended ? "" : "\n  (gave up)")).constData());
            cut += isCut ? 1 : 0;
            furtherThanLibdw += !isCut && isFurther ? 1 : 0;
            equal += !isCut && !isFurther ? 1 : 0;
        }
        m_table += QByteArray(kind.toUtf8()).leftJustified(24) + "  " + QByteArray::number(qint64{samples.size()}) + " samples, " + QByteArray::number(equal) + " equal, "
            + QByteArray::number(furtherThanLibdw) + " further, " + QByteArray::number(cut) + " truncated, " + QByteArray::number(deepest) + " frames";
        QVERIFY2(samples.size() >= kSamples * 9 / 10, QByteArray::number(qint64{samples.size()}).constData());
        QVERIFY2(cut <= samples.size() / 50, (QByteArray::number(cut) + " are truncated").constData());
        QVERIFY2(named.out.contains(within), named.out.constData());
    }
    void cleanupTestCase()
    {
        for (const auto& row : m_table)
            qInfo("%s", row.constData());
    }
};
QTEST_GUILESS_MAIN(TestSampledTruth)
#include "tst_sampled_truth.moc"
