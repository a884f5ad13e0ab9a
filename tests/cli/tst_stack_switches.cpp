// needs-programs: dscope
// Stacks of programs that change to other stacks: each system call has all of its callers, in their order, or says why it has not.
#include "tests/support/cut_stacks.h"
#include "tests/support/programs_at_hand.h"
#include "tests/support/run_dscope.h"
#include <QFile>
#include <QObject>
#include <QRegularExpression>
#include <QTemporaryDir>
#include <QTest>
using namespace dscope::tests;
namespace {
constexpr int kTimes = 50;
/// Go calls C, which asks for the number of its parent; C calls Go, which calls C, which does so, too.
constexpr const char* kGoAndC = R"(package main
/*
#define _GNU_SOURCE
#include <sys/syscall.h>
#include <unistd.h>
static __attribute__((noinline)) long cLeaf(int n) { volatile long sum = 0; for (int i = 0; i < n; ++i) sum += syscall(SYS_getppid); return sum; }
extern long goBack(long);
static __attribute__((noinline)) long cOuter(int n) { return goBack(n) + 1; }
*/
import "C"
//export goBack
func goBack(n C.long) C.long { return leafCaller(int(n)) }
//go:noinline
func leafCaller(n int) C.long { return C.cLeaf(C.int(n)) + 1 }
//go:noinline
func down(depth, n int) C.long { if depth == 0 { return leafCaller(n) }; return down(depth - 1, n) + 1 }
//go:noinline
func backAndForth(n int) C.long { return C.cOuter(C.int(n)) + 1 }
func main() { if down(3, %1) + backAndForth(%1) == 0 { println("none") } }
)";
/// Changes to another stack and back. The table says where the stack before was: its pointer is the first word of the other one.
constexpr const char* kByTable = R"(#define _GNU_SOURCE
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>
__asm__(".text\n.type on_other,@function\non_other:\n.cfi_startproc\npush %rbp\n.cfi_adjust_cfa_offset 8\n.cfi_offset 6,-16\n"
        "mov %rsp,%rax\nmov %rdi,%rdx\nmov %rsi,%rsp\npush %rax\npush %rax\n"
        ".cfi_escape 0x0f,5,0x77,0,0x06,0x23,16\n" /* the CFA is [rsp] + 16 */
        "mov $7,%ebp\ncall *%rdx\nmov (%rsp),%rsp\n.cfi_def_cfa 7,16\npop %rbp\n.cfi_def_cfa_offset 8\n.cfi_restore 6\nret\n.cfi_endproc\n"
        ".size on_other,.-on_other\n");
void on_other(void (*)(void), char*);
static volatile long sum;
static char *low, *high;
__attribute__((noinline)) void leaf(void) { for (int i = 0; i < %1; ++i) sum += syscall(SYS_getppid); }
__attribute__((noinline)) void within(void) { on_other(leaf, high); sum++; }
__attribute__((noinline)) void outer(void) { on_other(within, low); sum++; }
int main(void)
{
    low = (char*)mmap(0, 1 << 20, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0) + (1 << 18);
    high = low + (1 << 19);
    outer();
    return 0;
}
)";
/// Begins a stack by makecontext(), as coroutines do.
constexpr const char* kContext = R"(#define _GNU_SOURCE
#include <stdlib.h>
#include <sys/syscall.h>
#include <ucontext.h>
#include <unistd.h>
static ucontext_t home, other;
static volatile long sum;
__attribute__((noinline)) void leaf(void) { for (int i = 0; i < %1; ++i) sum += syscall(SYS_getppid); }
__attribute__((noinline)) void inner(void) { leaf(); sum++; }
void body(int a) { inner(); sum += a; }
__attribute__((noinline)) void outer(void) { swapcontext(&home, &other); sum++; }
int main(void)
{
    getcontext(&other);
    other.uc_stack.ss_sp = malloc(1 << 18);
    other.uc_stack.ss_size = 1 << 18;
    other.uc_link = &home;
    makecontext(&other, (void (*)(void))body, 1, 1);
    outer();
    return 0;
}
)";
/// Stacks that are made by hand: each begins with the address of a function. Behind `ends` there is no byte between it and `first`, which
/// has no caller by its table; before `lost`, of which no table tells so, there is one. `stops` ends in a call that never returns, and
/// `first` comes right behind.
constexpr const char* kByHand = R"(#define _GNU_SOURCE
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>
#define FUNCTION(NAME) ".type " #NAME ",@function\n" #NAME ":\n.cfi_startproc\n"
#define END(NAME) ".cfi_endproc\n.size " #NAME ",.-" #NAME "\n"
__asm__(".text\n.balign 16\n" FUNCTION(ends) "ret\n" END(ends)
        FUNCTION(first) ".cfi_undefined rip\nmov %r12,%rsp\npop %r12\nret\n" END(first)
        ".balign 16\nnop\n.balign 16\n" FUNCTION(lost) "mov %r12,%rsp\npop %r12\nret\n" END(lost)
        FUNCTION(stops) "sub $8,%rsp\n.cfi_adjust_cfa_offset 8\ncall leave_all\n" END(stops)
        FUNCTION(after) ".cfi_undefined rip\nret\n" END(after)
        /* calls rdi on the stack at rsi, as if rdx had called it; keeps its own stack in r12 */
        FUNCTION(enter) "push %r12\n.cfi_adjust_cfa_offset 8\nmov %rsp,%r12\nmov %rsi,%rsp\npush %rdx\njmp *%rdi\n" END(enter));
void ends(void), first(void), lost(void), after(void), stops(void), enter(void (*)(void), void*, void (*)(void));
static volatile long sum;
__attribute__((noinline)) void leaf(void) { for (int i = 0; i < %1; ++i) sum += syscall(SYS_getppid); }
__attribute__((noinline)) void body(void) { leaf(); sum++; }
__attribute__((noinline)) void other(void) { leaf(); sum += 2; }
__attribute__((noinline, noreturn)) void leave_all(void) { leaf(); exit(0); }
__attribute__((noinline)) void outer(char* top) { enter(body, top, first); enter(other, top, lost); sum++; }
int main(void)
{
    char* stack = (char*)malloc(1 << 16);
    void** top = (void**)(((long)stack + (1 << 15)) & -16);
    for (int i = 0; i < 100; ++i) top[i] = (void*)main; /* what a walk must not take for a caller */
    ends();
    outer((char*)top);
    stops();
    return 0;
}
)";
/// The collector gives memory back, on the system's stack.
constexpr const char* kCollected = R"(package main
import "runtime/debug"
var kept []byte
//go:noinline
func give(n int) { for i := 0; i < n; i++ { kept = make([]byte, 8<<20); for k := range kept { kept[k] = 1 }; kept = nil; debug.FreeOSMemory() } }
func main() { give(20) }
)";
} // namespace

class TestStackSwitches : public QObject {
    Q_OBJECT
    QTemporaryDir m_dir;
    QString path(const QString& name) { return m_dir.filePath(name); }
    enum class Language { Go, C };
    QString built(const QString& name, const QString& source, Language language = Language::Go, const QStringList& flags = {"-O2"})
    {
        const bool isC = language == Language::C;
        QFile file(path(name + (isC ? ".c" : ".go")));
        if (!file.open(QIODevice::WriteOnly)) return {};
        file.write(source.toUtf8());
        file.close();
        QProcess compiler;
        compiler.start(isC ? "cc" : "go", (isC ? flags : QStringList("build")) + QStringList{"-o", path(name), file.fileName()});
        compiler.waitForFinished(200'000);
        return QFile::exists(path(name)) ? path(name) : QString();
    }
    /// Lines of folded text: the stacks of a system call of the program, the outermost frame first.
    QList<QByteArray> stacks(const QString& call, const QString& program, QByteArray& err, const QStringList& more = {})
    {
        return stacksAt("syscall::" + call + ":entry /pid == $target/", program, err, more);
    }
    QList<QByteArray> stacksAt(const QString& probe, const QString& program, QByteArray& err, const QStringList& more = {})
    {
        QFile::remove(path("flame.folded"));
        err = runDscope(
            QStringList{"-qn", probe + " { @[ustack()] = count(); }", "-c", program, "--export", "flame=" + path("flame.folded")} + more)
                  .err;
        QFile file(path("flame.folded"));
        if (!file.open(QIODevice::ReadOnly)) return {};
        return file.readAll().trimmed().split('\n');
    }

private Q_SLOTS:
    void initTestCase()
    {
        if (const auto why = whyNoTracing(); !why.isEmpty()) QSKIP(why.constData());
#if !defined(__x86_64__)
        QSKIP("other stacks are followed on x86-64");
#endif
    }
    void tablesThatReadMemoryAreFollowed()
    {
        if (!has("cc")) QSKIP("cc is not installed (package gcc)");
        const auto program = built("table", QString(kByTable).replace("%1", QString::number(kTimes)), Language::C);
        QVERIFY(!program.isEmpty());
        QByteArray err;
        const auto lines = stacks("getppid", program, err);
        QCOMPARE(lines.size(), qsizetype{1});
        const QByteArray chain = "table`main;table`outer;table`on_other;table`within;table`on_other;table`leaf;";
        QVERIFY2(lines[0].contains(chain) && lines[0].endsWith(' ' + QByteArray::number(kTimes)) && lines[0].startsWith("table`_start;"), lines[0] + err);
    }
    void stacksOfContextsEndWhereTheyBegin_data()
    {
        QTest::addColumn<QStringList>("flags");
        QTest::addColumn<QStringList>("options");
        const QStringList copies{"-x", "ustackwalk=copy"};
        QTest::newRow("walked") << QStringList{"-O2"} << QStringList();
        QTest::newRow("copied") << QStringList{"-O2"} << copies;
        QTest::newRow("frame pointers, walked") << QStringList{"-O1", "-fno-omit-frame-pointer"} << QStringList();
        QTest::newRow("frame pointers, copied") << QStringList{"-O1", "-fno-omit-frame-pointer"} << copies;
        QTest::newRow("static, walked") << QStringList{"-O2", "-static"} << QStringList();
        QTest::newRow("static, copied") << QStringList{"-O2", "-static"} << copies;
    }
    void stacksOfContextsEndWhereTheyBegin()
    {
        QFETCH(QStringList, flags);
        QFETCH(QStringList, options);
        if (!has("cc")) QSKIP("cc is not installed (package gcc)");
        const auto program = built("context", QString(kContext).replace("%1", QString::number(kTimes)), Language::C, flags);
        if (program.isEmpty() && flags.contains("-static")) QSKIP("cc links no static program (package libc6-dev)");
        QVERIFY(!program.isEmpty());
        QByteArray err;
        const auto lines = stacks("getppid", program, err, options);
        QCOMPARE(lines.size(), qsizetype{1});
        // The first frame, without a name where libc has no symbols, is of the function that makecontext() has begin the stack. Not each
        // libc tells that it has no caller.
        const QRegularExpression whole("^(\\[truncated\\];)?(context`__start_context|libc\\.so\\.6(`__start_context|\\+0x[0-9a-f]*0));"
                                       "context`body;context`inner;context`leaf;"
                                       "(context|libc\\.so\\.6)`syscall "
            + QString::number(kTimes) + '$');
        QVERIFY2(whole.match(QString::fromUtf8(lines[0])).hasMatch(), lines[0] + err);
        QVERIFY2(err.isEmpty() || (lines[0].startsWith("[truncated]") && err.contains("changed to another stack")), err);
        const auto called = stacksAt("pid$target:a.out:inner:entry", program, err, options);
        QVERIFY2(called.size() == 1 && called[0].endsWith(";context`body;context`inner 1") && !called[0].contains("main"),
            called.join('\n') + err);
    }
    void stacksThatWereMadeByHandEndOrAreMarked_data()
    {
        QTest::addColumn<QStringList>("options");
        QTest::newRow("walked") << QStringList();
        QTest::newRow("copied") << QStringList{"-x", "ustackwalk=copy"};
    }
    void stacksThatWereMadeByHandEndOrAreMarked()
    {
        QFETCH(QStringList, options);
        if (!has("cc")) QSKIP("cc is not installed (package gcc)");
        const auto program = built("hand", QString(kByHand).replace("%1", QString::number(kTimes)), Language::C);
        QVERIFY(!program.isEmpty());
        QByteArray err;
        auto lines = stacks("getppid", program, err, options);
        const auto told = lines.join('\n') + '\n' + err;
        const auto times = ' ' + QByteArray::number(kTimes);
        QCOMPARE(lines.size(), qsizetype{3});
        QVERIFY2(lines.contains("hand`first;hand`body;hand`leaf;libc.so.6`syscall" + times), told);
        QVERIFY2(lines.contains("[truncated];hand`lost;hand`other;hand`leaf;libc.so.6`syscall" + times), told);
        lines.removeIf([](const QByteArray& line) { return !line.contains("leave_all"); });
        QVERIFY2(lines.size() == 1 && lines[0].endsWith(";hand`main;hand`stops;hand`leave_all;hand`leaf;libc.so.6`syscall" + times), told);
        QVERIFY2(err.contains("changed to another stack"), err);
        // Where a thread is at the byte before the function, it has its callers.
        lines = stacksAt("pid$target:a.out:ends:0", program, err, options);
        QVERIFY2(
            lines.size() == 1 && lines[0].endsWith(";hand`main;hand`ends 1") && !lines[0].contains("truncated"), lines.join('\n') + err);
    }
    void goAndCCallEachOther()
    {
        if (!has("go")) QSKIP("go is not installed (package golang-go)");
        const auto program = built("both", QString(kGoAndC).replace("%1", QString::number(kTimes)));
        if (program.isEmpty()) QSKIP("Go made no program with C");
        QByteArray err;
        int direct = 0, back = 0, cut = 0;
        const auto lines = stacks("getppid", program, err);
        for (const auto& line : lines) {
            const auto times = line.mid(line.lastIndexOf(' ') + 1).toInt();
            const auto inOrder = [&](const QByteArrayList& frames) {
                qsizetype at = 0;
                for (const auto& frame : frames)
                    if ((at = line.indexOf(frame, at)) >= 0) at += frame.size();
                    else return false;
                return true;
            };
            cut += line.contains("[truncated]") ? times : 0;
            const QByteArrayList toC{"main.leafCaller", "runtime.cgocall", "runtime.asmcgocall", "cLeaf"};
            if (inOrder(QByteArrayList{"main.main", "main.down", "main.down", "main.down", "main.down"} + toC)) direct += times;
            if (inOrder(QByteArrayList{"main.main", "main.backAndForth", "runtime.asmcgocall", "cOuter", "runtime.cgocallback", "goBack"} + toC)) back += times;
        }
        const auto told = err + lines.join('\n');
        QCOMPARE(cut, 0);
        QVERIFY2(direct == kTimes, told);
        QVERIFY2(back == kTimes, told);
    }
    /// The state of a goroutine tells where its stack was left.
    void whatTheCollectorDoesHasItsCallers()
    {
        if (!has("go")) QSKIP("go is not installed (package golang-go)");
        const auto program = built("collected", kCollected);
        if (program.isEmpty()) QSKIP("Go made no program");
        QByteArray err;
        int ofOurs = 0;
        for (const auto& line : stacks("madvise", program, err)) {
            if (!line.contains("runtime.systemstack")) continue;
            QVERIFY2(!line.startsWith("collected`runtime.systemstack"), line);
            if (line.contains("main.main") && line.contains("main.give") && line.indexOf("main.give") < line.indexOf("runtime.systemstack"))
                ofOurs += line.mid(line.lastIndexOf(' ') + 1).toInt();
        }
        QVERIFY2(ofOurs >= 20, QByteArray::number(ofOurs) + err);
    }
};
QTEST_GUILESS_MAIN(TestStackSwitches)
#include "tst_stack_switches.moc"
