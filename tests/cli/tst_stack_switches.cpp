// needs-programs: dscope
// Stacks of programs that change to other stacks: each system call has all of its callers, in their order, or says why it has not.
#include "tests/support/cut_stacks.h"
#include "tests/support/programs_at_hand.h"
#include "tests/support/run_dscope.h"
#include <QFile>
#include <QObject>
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
    QString built(const QString& name, const QString& source, Language language = Language::Go)
    {
        const bool isC = language == Language::C;
        QFile file(path(name + (isC ? ".c" : ".go")));
        if (!file.open(QIODevice::WriteOnly)) return {};
        file.write(source.toUtf8());
        file.close();
        QProcess compiler;
        compiler.start(isC ? "cc" : "go", QStringList(isC ? "-O2" : "build") + QStringList{"-o", path(name), file.fileName()});
        compiler.waitForFinished(200'000);
        return QFile::exists(path(name)) ? path(name) : QString();
    }
    /// Lines of folded text: the stacks of a system call of the program, the outermost frame first.
    QList<QByteArray> stacks(const QString& call, const QString& program, QByteArray& err)
    {
        QFile::remove(path("flame.folded"));
        err = runDscope({"-qn", "syscall::" + call + ":entry /pid == $target/ { @[ustack()] = count(); }", "-c", program, "--export", "flame=" + path("flame.folded")}).err;
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
