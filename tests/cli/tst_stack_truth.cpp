// not-sanitized: many minutes there, of the code that tst_walked_stacks and tst_stacks run, too
// needs-programs: dscope
// uses: PkgConfig::DW
// What the kernel's walk says of real programs' stacks, held against libdw on the same registers and the same memory: the test
// stops a program at its system calls, has libdw walk the stopped thread, and lets it go on into dscope's probe.
#include "tests/support/cut_stacks.h"
#include "tests/support/heavy_readers.h"
#include "tests/support/libdw_walk.h"
#include "tests/support/run_dscope.h"
#include "tests/support/traced_child.h"
#include <QElapsedTimer>
#include <QMap>
#include <QObject>
#include <QStandardPaths>
#include <QTemporaryDir>
#include <QTest>
#include <csignal>
#include <optional>
using namespace dscope::tests;
namespace {
const QString kPrograms = QStringLiteral(DSCOPE_PROGRAMS "/");
const QByteArray kTruncated = "[truncated]";

/// A thread's n-th system call, and where it was then.
struct Call {
    int thread;
    qint64 number;
    quint64 pc, sp;
    auto operator<=>(const Call&) const = default;
};
QByteArray shown(const QByteArrayList& frames, qsizetype around)
{
    QByteArray text;
    for (auto i = std::max<qsizetype>(0, around - 5); i < std::min(frames.size(), around + 6); ++i)
        text += "  " + QByteArray::number(qint64{i}) + ' ' + frames[i] + '\n';
    return text;
}
/// Stacks by call, from dscope's text: a line "@ THREAD NUMBER PC SP" and a line for each frame.
QMap<Call, QByteArrayList> stacksIn(const QByteArray& text)
{
    QMap<Call, QByteArrayList> stacks;
    QByteArrayList* frames = nullptr;
    for (const auto& line : text.split('\n')) {
        const auto word = line.trimmed();
        if (word.startsWith("@ ")) {
            const auto parts = word.split(' ');
            if (parts.size() != 5) return stacks;
            frames = &stacks[{parts[1].toInt(), parts[2].toLongLong(), parts[3].toULongLong(nullptr, 16), parts[4].toULongLong(nullptr, 16)}];
        } else if (!word.isEmpty() && frames != nullptr) {
            frames->push_back(word);
        }
    }
    return stacks;
}

/// How many stacks are in a file that is written.
class Arrivals {
public:
    explicit Arrivals(const QString& path) : m_file(path) { m_file.open(QIODevice::ReadOnly | QIODevice::Unbuffered); }
    /// Until there are so many, or for a moment.
    bool wait(qsizetype count)
    {
        const int kMost = isSlowMachine() ? 2000 : 100; // ms
        QElapsedTimer time;
        for (time.start(); m_count < count && time.elapsed() < kMost; ::usleep(100))
            m_count += m_file.readAll().count('@');
        return m_count >= count;
    }

private:
    QFile m_file;
    qsizetype m_count = 0;
};

/// A line of the table of truth.
struct Found {
    QByteArray program;
    int first = 0;     ///< stacks that were taken for the first time, and ...
    int atOnce = 0;    ///< were whole then: nobody knew before what code they would go through
    int stacks = 0;    ///< the same ones again, at the same place
    int equal = 0;     ///< frame by frame, to the end
    int further = 0;   ///< equal as far as libdw gets, which gives up where ours goes on to an end
    int untabled = 0;  ///< equal up to code that has no tables, where libdw guesses or gives up
    int neither = 0;   ///< equal, marked as truncated, and libdw gives up at the same frame: no table tells of it
    int truncated = 0; ///< equal as far as it goes, and marked
    int other = 0;
    int missing = 0;
    int ends = 0;
    qsizetype deepest = 0;
    QByteArray examples[2]; ///< of `other` and `truncated`
};

/// Functions in which a stack of Go's ends: nothing called them, or they have changed to the stack that they run on for good. Behind the others the
/// caller is on another stack, while the tables take for its address what happens to lie on this one. libdw goes by the tables, and on. Source: go1.19, runtime/asm_amd64.s, TOPFRAME and runtime/traceback.go
const QByteArrayList kGoEnds{"runtime.goexit", "runtime.mstart", "runtime.rt0_go", "runtime.mcall", "runtime.gogo"},
    kGoSwitches{"runtime.systemstack", "runtime.morestack", "runtime.asmcgocall"};
struct GoEnd {
    quint64 start, end;
    bool ofStack; ///< there is no caller, also on no other stack
};
/// The ranges of those, of a listing by nm -S.
QList<GoEnd> goEndsIn(const QString& listing)
{
    QList<GoEnd> ranges;
    for (const auto& line : listing.toUtf8().split('\n')) {
        const auto cells = line.split(' ');
        auto name = cells.value(3);
        if (name.endsWith(".abi0")) name.chop(5);
        if (cells.size() != 4 || (!kGoEnds.contains(name) && !kGoSwitches.contains(name))) continue;
        const auto start = cells[0].toULongLong(nullptr, 16);
        ranges.push_back({start, start + cells[1].toULongLong(nullptr, 16), kGoEnds.contains(name)});
    }
    return ranges;
}
/// What libdw has up to there is the whole stack, or as much of it as libdw can have.
void endInGo(LibdwWalk::Stack& stack, const QList<GoEnd>& ends)
{
    for (qsizetype i = 0; i < stack.frames.size(); ++i) {
        const auto address = stack.frames[i].mid(stack.frames[i].lastIndexOf(":0x") + 3).toULongLong(nullptr, 16) - (i > 0 ? 1 : 0);
        const auto end = std::find_if(ends.begin(), ends.end(), [&](const GoEnd& range) { return address >= range.start && address < range.end; });
        if (end == ends.end()) continue;
        stack.frames.erase(stack.frames.begin() + i + 1, stack.frames.end());
        stack.hasTable.resize(static_cast<std::size_t>(i) + 1);
        stack.ended = end->ofStack;
    }
}

enum class Look { First, Other, Last };
/// Sorts a pair of stacks into `found`.
void compare(Found& found, const Call& call, Look look, const QByteArrayList& ours, const LibdwWalk::Stack& theirs)
{
    const bool isCut = !ours.isEmpty() && ours.last() == kTruncated;
    const auto length = ours.size() - (isCut ? 1 : 0);
    const auto both = std::min(length, theirs.frames.size());
    const auto differs = std::mismatch(ours.begin(), ours.begin() + both, theirs.frames.begin()).first - ours.begin();
    const auto noTable = std::find(theirs.hasTable.begin(), theirs.hasTable.end(), false) - theirs.hasTable.begin();
    const bool isPrefix = differs == both;
    const auto kind = isPrefix && !isCut && length == theirs.frames.size() ? &Found::equal
        : isPrefix && isCut && both == theirs.frames.size() && !theirs.ended ? &Found::neither
        : isPrefix && isCut                                               ? &Found::truncated
        : isPrefix && length > both && !theirs.ended                      ? &Found::further
        : differs > noTable                                               ? &Found::untabled
                                                                          : &Found::other;
    const auto told = [&] {
        return "call " + QByteArray::number(call.number) + " of thread " + QByteArray::number(call.thread) + ", frame " + QByteArray::number(qint64{differs})
            + " of " + QByteArray::number(qint64{length}) + " and " + QByteArray::number(qint64{theirs.frames.size()})
            + (theirs.ended ? "" : " (libdw gave up)") + "\nwalked:\n" + shown(ours, differs) + "libdw:\n" + shown(theirs.frames, differs);
    };
    if (auto& example = found.examples[kind == &Found::other ? 0 : 1]; example.isEmpty() && (kind == &Found::other || (kind == &Found::truncated && look == Look::Last)))
        example = told();
    found.deepest = std::max(found.deepest, length);
    found.other += kind == &Found::other ? 1 : 0; // at once or not
    if (look == Look::First) {
        ++found.first;
        found.atOnce += isCut ? 0 : 1;
    }
    if (look != Look::Last) return;
    ++found.stacks;
    found.ends += isCut ? 0 : 1;
    if (kind != &Found::other) ++(found.*kind);
}
} // namespace

namespace {
QByteArray content(const QString& path)
{
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}
/// What libdw says of a program's stacks.
struct Witness {
    QMap<Call, LibdwWalk::Stack> theirs;
    QMap<int, qint64> calls; ///< of each thread
    qint64 lasted = 0;       ///< ms
    int late = 0;
};
constexpr int kFrames = 4096;
const QStringList kEnvironment{"QT_QPA_PLATFORM=offscreen", "LC_ALL=C.UTF-8"};
constexpr int kLooks = 3; // at each stack
/// A line with where the thread is, and its stack.
QString traces(const QString& which, int every)
{
    return QString("BEGIN { printf(\"ready\\n\"); } "
                   "syscall:::entry /%4 && self->n++ % %1 < %3/ { printf(\"@ %d %d %x %x\\n\", tid, self->n - 1, uregs[R_RIP], uregs[R_RSP]); ustack(%2); }")
        .replace("%1", QString::number(every)).replace("%2", QString::number(kFrames)).replace("%3", QString::number(kLooks)).replace("%4", which);
}
/// Runs the child, whose stacks come to `arrivals`, where `before` are already, until there are `most`, or so many milliseconds are over.
Witness watch(TracedChild& child, Arrivals& arrivals, qsizetype before, int every, int most, int mostTime, const QList<GoEnd>& goEnds = {})
{
    Witness witness;
    LibdwWalk libdw(child.pid());
    QElapsedTimer time;
    time.start();
    pid_t under = 0; // way from its stop to the probe
    using Next = TracedChild::Next;
    child.run([&](pid_t thread, quint64 pc, quint64 sp) {
        if (thread == under) {
            witness.late += arrivals.wait(before + witness.theirs.size()) ? 0 : 1;
            under = 0;
        }
        const auto number = witness.calls[thread]++;
        // The last one is not let go: its probe does not fire.
        if (witness.theirs.size() >= most || time.elapsed() > mostTime) return Next::Stop;
        if (number % every >= kLooks) return Next::GoOn;
        auto stack = libdw.of(thread, kFrames);
        endInGo(stack, goEnds);
        witness.theirs.insert({thread, number, pc, sp}, std::move(stack));
        under = thread;
        return number % every < kLooks - 1 ? Next::Twice : Next::GoOn;
    });
    child.end();
    witness.lasted = time.elapsed();
    return witness;
}
} // namespace

class TestStackTruth : public QObject {
    Q_OBJECT
    QTemporaryDir m_folder;
    QList<Found> m_table;
    QElapsedTimer m_time;

    QString written(const QString& name, const QByteArray& text)
    {
        QFile file(m_folder.filePath(name));
        if (file.open(QIODevice::WriteOnly)) file.write(text);
        return file.fileName();
    }
    /// What a command prints, or nothing when it is not there or fails.
    std::optional<QString> output(const QString& program, const QStringList& arguments)
    {
        QProcess process;
        process.setWorkingDirectory(m_folder.path());
        process.setStandardErrorFile(QProcess::nullDevice());
        process.start(program, arguments);
        if (!process.waitForStarted() || !process.waitForFinished(60'000) || process.exitStatus() != QProcess::NormalExit || process.exitCode() != 0)
            return {};
        return QString::fromLocal8Bit(process.readAllStandardOutput()).trimmed();
    }
    /// The program that `compiler` makes of a text, or nothing.
    QStringList built(const QString& compiler, const QString& name, const QByteArray& text, const QStringList& flags)
    {
        const auto program = m_folder.filePath(name);
        const auto source = written(name + (compiler.endsWith("++") ? ".cpp" : ".c"), text);
        return output(compiler, QStringList{"-o", program, source} + flags) ? QStringList{program} : QStringList{};
    }
    QStringList command(const QString& program);
    void start(QProcess& dscope, const QStringList& traced)
    {
        const auto text = m_folder.filePath("stacks");
        QFile::remove(text);
        dscope.setStandardErrorFile(m_folder.filePath("errors"));
        dscope.setStandardOutputFile(text);
        dscope.start(DSCOPE_BIN "/dscope", QStringList{"-x", "noresolve", "-x", QString("ustackframes=%1").arg(kFrames), "-x", "strsize=64", "-qn"} + traced);
    }
    void end(QProcess& dscope);
    Found judge(const QString& program, const Witness& witness, const QMap<Call, QByteArrayList>& ours, int every);
    void requireTrue(const Found& found, bool isTabled);

private Q_SLOTS:
    void initTestCase()
    {
        if (const auto why = whyNoTracing(); !why.isEmpty()) QSKIP(why.constData());
        m_time.start();
    }
    void everyStackIsLibdws_data();
    void everyStackIsLibdws();
    void severalProgramsInOneRun();
    void cleanupTestCase()
    {
        qInfo("%-28s %9s %6s %6s %8s %9s %8s %10s %6s %6s %7s", "program", "at once %", "stacks", "equal", "further", "untabled", "neither", "truncated", "other", "ends %", "deepest");
        for (const auto& row : m_table)
            qInfo("%-28s %9.1f %6d %6d %8d %9d %8d %10d %6d %6.1f %7d", row.program.constData(), 100.0 * row.atOnce / std::max(row.first, 1), row.stacks, row.equal, row.further, row.untabled, row.neither, row.truncated,
                row.other, 100.0 * row.ends / std::max(row.stacks, 1), int(row.deepest));
    }
};

namespace {
const QByteArray kSource = "#include <map>\n#include <string>\n#include <regex>\n#include <algorithm>\n"
                           "std::map<std::string, std::string> all;\n"
                           "bool known(const std::string& s) { static const std::regex e(\"a(b|c)*d\"); return std::regex_match(s, e) || all.count(s); }\n"
                           "int main(int n, char** v) { std::sort(v, v + n); return known(v[0]); }\n";
const QByteArray kSmallSource = "template <int N> struct F { static int f(int n) { return n ? F<N - 1>::f(n - 1) * N : N; } };\n"
                                "template <> struct F<0> { static int f(int n) { return n; } };\nint main(int n, char**) { return F<60>::f(n); }\n";
/// Calls through functions that inline, recurse, sort and align, each of which asks the kernel for something.
const QByteArray kCalls
    = "#include <signal.h>\n#include <stdlib.h>\n#include <string.h>\n#include <sys/syscall.h>\n#include <unistd.h>\n#define N __attribute__((noinline))\n"
      "static volatile int sink;\n"
      "static int ask(void) { sink++; return (int)syscall(SYS_getppid); }\n"
      "N int aligned(int n) { __attribute__((aligned(128))) volatile char room[512]; room[n & 511] = 1; sink += ask(); return room[0]; }\n"
      "N int sized(int n) { volatile char room[16 + n * 8]; room[n] = 1; sink += aligned(n); return room[0] + ask(); }\n"
      "static int compare(const void* a, const void* b) { sink += sized(*(const int*)a & 15); return *(const int*)a - *(const int*)b; }\n"
      "N int down(int n) { if (n == 0) { int v[6] = {5, 3, 1, 4, 2, 0}; qsort(v, 6, sizeof v[0], compare); return v[1]; } return down(n - 1) + sized(n); }\n"
      "static void handler(int s) { sink += down(s & 7); }\n"
      "int main(void) { static char room[1 << 16]; stack_t other = {.ss_sp = room, .ss_size = sizeof room}; sigaltstack(&other, 0);\n"
      "  struct sigaction a; memset(&a, 0, sizeof a); a.sa_handler = handler; sigaction(SIGUSR2, &a, 0); a.sa_flags = SA_ONSTACK; sigaction(SIGUSR1, &a, 0);\n"
      "  for (int i = 0; i < 8; i++) { down(12); raise(SIGUSR1); raise(SIGUSR2); } return 0; }\n";
const QByteArray kLibrary = "#include <sys/syscall.h>\n#include <unistd.h>\nstatic volatile int sink;\n"
                            "static __attribute__((noinline)) int inner(int n) { volatile char room[SIZE]; room[n] = 1; sink += syscall(SYS_getppid); return room[0]; }\n"
                            "unsigned NAME(int n) { sink += inner(n); return inner(n + 1) + 1; }\n";
const QByteArray kGo = "package main\nimport (\"os\"; \"sync\")\n"
                       "//go:noinline\nfunc down(n int) int { if n == 0 { os.Stat(\"/etc\"); return 1 }; return down(n-1) + 1 }\n"
                       "func main() { var w sync.WaitGroup; for i := 0; i < 4; i++ { w.Add(1); go func(i int) { defer w.Done(); for k := 0; k < 60; k++ { down(i * 20) } }(i) }; w.Wait() }\n";
const QByteArray kJava = "import java.nio.file.*;\npublic class Main {\n"
                         "  static long down(int n) throws Exception { if (n == 0) return Files.exists(Path.of(\"/etc/passwd\")) ? 1 : 0; return down(n - 1) + 1; }\n"
                         "  public static void main(String[] a) throws Exception { long s = 0; for (int i = 0; i < 3000; i++) s += down(i % 20); System.out.println(s); }\n}\n";
const QByteArray kQt = "#include <QGuiApplication>\n#include <QImage>\n#include <QPainter>\n"
                       "int main(int n, char** v) { QGuiApplication app(n, v); QImage image(400, 300, QImage::Format_ARGB32); QPainter p(&image);\n"
                       "  for (int i = 0; i < 20; ++i) { QFont f; f.setPixelSize(8 + i); p.setFont(f); p.drawText(10, 10 * i, QString(\"Text %1\").arg(i)); }\n"
                       "  p.end(); return image.save(QString(v[1])) ? 0 : 1; }\n";
} // namespace

/// What runs a program of the table; empty where something for it is not installed.
QStringList TestStackTruth::command(const QString& program)
{
    const auto found = [](const QString& name) { return QStandardPaths::findExecutable(name); };
    const auto installed = [&](const QStringList& words) { return found(words[0]).isEmpty() ? QStringList{} : QStringList{found(words[0])} + words.mid(1); };
    if (program == "ls") return installed({"ls", "-lR", "/usr/include/linux"});
    if (program == "python3") {
        // Not a launcher's script.
        const auto script = written("run.py", "import json, os, re, decimal\ndef down(n):\n  return os.stat('/etc') if n == 0 else down(n - 1)\nfor i in range(200): down(i % 40)\n");
        return installed({QFile::exists("/usr/bin/python3") ? "/usr/bin/python3" : "python3", script});
    }
    if (program == "perl") return installed({"perl", "-MPOSIX", "-MData::Dumper", "-e", "sub f { my $n = shift; return $n ? f($n - 1) : -e '/etc' } f($_ % 30) for 1..200"});
    if (program == "git") return installed({"git", "-C", DSCOPE_SOURCE, "log", "--stat", "-n", "8"});
    if (program == "g++ (cc1plus)") {
        const auto compiler = output("g++", {"-print-prog-name=cc1plus"});
        const auto text = m_folder.filePath("source.ii");
        if (!compiler || !output("g++", {"-E", "-P", "-o", text, written("source.cpp", isSlowMachine() ? kSmallSource : kSource)})) return {};
        return {*compiler, "-fpreprocessed", "-quiet", "-O2", text, "-o", "/dev/null"};
    }
    if (program == "clang++") return installed({"clang++", "-O2", "-c", written("source.cpp", kSource), "-o", m_folder.filePath("source.o")});
    if (program == "rustc") {
        const auto root = output("rustc", {"--print", "sysroot"});
        const auto source = written("source.rs", "use std::collections::BTreeMap;\nfn main() { let m: BTreeMap<String, usize> = std::env::args().enumerate().map(|(i, s)| (s, i)).collect(); println!(\"{:?}\", m); }\n");
        return root ? QStringList{*root + "/bin/rustc", "-O", "--emit=obj", source, "-o", m_folder.filePath("rust.o")} : QStringList{};
    }
    if (program == "Qt") {
        const auto flags = output("pkg-config", {"--cflags", "--libs", "Qt6Gui"});
        if (!flags) return {};
        const auto made = built("g++", "paint", kQt, QStringList{"-O2", "-fPIC"} + flags->split(' ', Qt::SkipEmptyParts));
        return made.isEmpty() ? made : made + QStringList{m_folder.filePath("painted.png")};
    }
    if (program.startsWith("java")) {
        written("Main.java", kJava);
        if (!output("javac", {"-d", m_folder.path(), m_folder.filePath("Main.java")})) return {};
        return installed({"java", program == "java" ? "-XX:-PreserveFramePointer" : "-XX:+PreserveFramePointer", "-Xshare:auto", "-cp", m_folder.path(), "Main"});
    }
    if (program == "node")
        return installed({"node", written("run.js", "const fs = require('fs'); function f(n) { return n ? f(n - 1) : fs.statSync('/etc'); } for (let i = 0; i < 400; i++) f(i % 30);\n")});
    if (program.startsWith("go")) {
        const auto made = m_folder.filePath(program == "go" ? "gone" : "stripped");
        const auto flags = program == "go" ? QStringList{} : QStringList{"-ldflags", "-s -w"};
        return output("go", QStringList{"build", "-o", made} + flags + QStringList{written("main.go", kGo)}) ? QStringList{made} : QStringList{};
    }
    if (program == "static") return built("cc", "static", kCalls, {"-O2", "-static"});
    if (program == "static-pie") return built("cc", "static-pie", kCalls, {"-O2", "-static-pie"});
    if (program == "LTO -O3") return built("cc", "lto", kCalls, {"-O3", "-flto"});
    if (program == "clang -O3") return built("clang", "clang", kCalls, {"-O3"});
    if (program == "no .eh_frame") return built("cc", "debug_frame", kCalls, {"-O2", "-g", "-fno-asynchronous-unwind-tables", "-fno-exceptions"});
    if (program == "musl") return built("musl-gcc", "musl", kCalls, {"-O2"});
    if (program == "musl, static") return built("musl-gcc", "musl-static", kCalls, {"-O2", "-static"});
    if (program == "alternate signal stack") return {kPrograms + "deep", "signal", "40", "300"};
    if (program == "300 frames") return {kPrograms + "deep", "plain", "300", "600"};
    if (program == "2,000 frames") return {kPrograms + "deep", "plain", "2000", "600"};
    if (program == "4,000 frames") return {kPrograms + "deep", "plain", "4000", "600"};
    if (program == "frames of 64 KiB") return {kPrograms + "deep", "wide", "60", "300"};
    const auto copied = [&] {
        QFile::copy(kPrograms + "deep", m_folder.filePath("copied"));
        return m_folder.filePath("copied");
    };
    if (program == "deleted")
        return QStringList{"/bin/sh", "-c", "exec 3< $0; rm $0; exec /proc/self/fd/3 plain 40 300", copied()};
    if (program == "mount namespace")
        return installed({"unshare", "-m", "sh", "-c", "mount -t tmpfs none /mnt && cp $0 /mnt/hidden && exec /mnt/hidden plain 40 300", kPrograms + "deep"});
    if (program == "memfd")
        return installed({QFile::exists("/usr/bin/python3") ? "/usr/bin/python3" : "python3", "-c",
            "import os, sys; f = os.memfd_create('inmemory', 0); os.write(f, open(sys.argv[1], 'rb').read()); os.execve(f, ['deep', 'plain', '40', '300'], {})",
            kPrograms + "deep"});
    if (program == "dlopen, dlclose") {
        const QStringList shared{"-O2", "-shared", "-fPIC"};
        const auto first = built("cc", "first.so", kLibrary, shared + QStringList{"-DNAME=first", "-DSIZE=100"});
        const auto second = built("cc", "second.so", kLibrary, shared + QStringList{"-DNAME=second", "-DSIZE=300"});
        return first.isEmpty() || second.isEmpty() ? QStringList{} : QStringList{kPrograms + "plugins", first[0], second[0], "60", "1"};
    }
    return {};
}

void TestStackTruth::everyStackIsLibdws_data()
{
    QTest::addColumn<int>("every"); // n-th system call of each thread
    QTest::addColumn<int>("most");  // stacks
    QTest::addColumn<bool>("isTabled"); // all of its code
    const auto row = [](const char* program, int every, int most, bool isTabled = true) { QTest::newRow(program) << every << most << isTabled; };
    row("ls", 6, 900);
    row("python3", 6, 900);
    row("perl", 4, 900);
    row("git", 3, 900);
    row("g++ (cc1plus)", 4, 600);
    row("clang++", 5, 900);
    row("rustc", 7, 900);
    row("Qt", 8, 900);
    row("java", 60, 750, false);
    row("java +PreserveFramePointer", 60, 750, false);
    row("node", 7, 750, false);
    row("go", 4, 750);
    row("go, stripped", 4, 750, false);
    row("static", 4, 750);
    row("static-pie", 4, 750);
    row("LTO -O3", 4, 750);
    row("clang -O3", 4, 750);
    row("no .eh_frame", 4, 750);
    row("musl", 4, 750, false); // Debian's C library has no tables: tst_code_rules is the witness of what is found out instead
    row("musl, static", 4, 750, false);
    row("alternate signal stack", 4, 300);
    row("2,000 frames", 20, 75);
    row("4,000 frames", 20, 75);
    row("frames of 64 KiB", 4, 300);
    row("deleted", 4, 600);
    row("mount namespace", 4, 600);
    row("memfd", 4, 900);
    row("dlopen, dlclose", 4, 900);
}

void TestStackTruth::end(QProcess& dscope)
{
    dscope.waitForFinished(10'000);
    if (dscope.state() != QProcess::NotRunning) {
        dscope.terminate();
        dscope.waitForFinished(60'000);
    }
}

/// What code a stack goes through is learnt from the first look, or the second where that did not see all: the last one counts.
Found TestStackTruth::judge(const QString& program, const Witness& witness, const QMap<Call, QByteArrayList>& ours, int every)
{
    Found found{.program = program.toUtf8()};
    const auto look = [&](const Call& call) { return call.number % every; };
    for (auto call = witness.theirs.begin(); call != witness.theirs.end(); ++call) {
        const auto mine = ours.find(call.key());
        // A thread may have been killed on its way from the stop to the probe.
        const bool isLast = call.key().number == witness.calls[call.key().thread] - 1;
        if (mine == ours.end())
            found.missing += isLast ? 0 : 1;
        else
            compare(found, call.key(), look(call.key()) == 0 ? Look::First : look(call.key()) == kLooks - 1 ? Look::Last : Look::Other, mine.value(), call.value());
    }
    m_table.push_back(found);
    qInfo("%s: %d first, %d whole at once; %d stacks: %d equal, %d further, %d untabled, %d neither, %d truncated, %d other, %d missing, %d end; %lld ms, %d late", found.program.constData(), found.first, found.atOnce, found.stacks,
        found.equal, found.further, found.untabled, found.neither, found.truncated, found.other, found.missing, found.ends, witness.lasted, witness.late);
    return found;
}

/// Of a program all of whose code has tables.
void TestStackTruth::requireTrue(const Found& found, bool isTabled)
{
    QVERIFY2(found.missing == 0, found.program + ": " + QByteArray::number(found.missing) + " are missing");
    QVERIFY2(found.other == 0, (found.program + ": " + QByteArray::number(found.other) + " are others; the first: " + found.examples[0]).constData());
    QVERIFY2(found.stacks >= 20, found.program + ": too few stacks to tell");
    if (!isTabled) return;
    QVERIFY2(found.untabled == 0, found.program);
    QVERIFY2(found.truncated * 50 <= found.stacks, (found.program + ": more than 2 % are truncated; the first: " + found.examples[1]).constData());
    QVERIFY2(found.ends * 50 >= (found.stacks - found.neither) * 49, found.program + ": less than 98 % end");
}

void TestStackTruth::everyStackIsLibdws()
{
    QFETCH(int, every);
    QFETCH(int, most);
    QFETCH(bool, isTabled);
    const QString program = QTest::currentDataTag();
    if (program.startsWith("java"))
        if (const auto why = whyNoReaders({"javac"}); !why.isEmpty()) QSKIP(qPrintable(why));
    const auto words = command(program);
    if (words.isEmpty()) QSKIP(qPrintable(program + " is not installed, or can't be made here"));
    TracedChild child(words, kEnvironment);
    QVERIFY(child.alive());

    // Both programs have the same code at the same addresses.
    const auto goEnds = program.startsWith("go") ? goEndsIn(output("nm", {"-S", command("go")[0]}).value_or(QString())) : QList<GoEnd>();
    const auto text = m_folder.filePath("stacks"), said = m_folder.filePath("errors");
    QProcess dscope;
    start(dscope, {traces("pid == $target", every), "-p", QString::number(child.pid())});
    QTRY_VERIFY2_WITH_TIMEOUT(content(text).startsWith("ready") || dscope.state() == QProcess::NotRunning, content(said).constData(), 60'000);
    constexpr int kMostTime = 8000; // ms
    Arrivals arrivals(text);
    const auto witness = watch(child, arrivals, 0, every, most, kMostTime, goEnds);
    end(dscope);
    QByteArrayList errors, hints;
    for (const auto& line : saidBeyondCuts(content(said)).split('\n'))
        if (!line.isEmpty()) (line.contains("-XX:+PreserveFramePointer") ? hints : errors) += line;
    QVERIFY2(dscope.exitStatus() == QProcess::NormalExit && dscope.exitCode() == 0 && errors.isEmpty(), errors.join('\n').constData());

    const auto found = judge(program, witness, stacksIn(content(text)), every);
    requireTrue(found, isTabled);
    // Told apart, as its compiled code has neither tables nor frame pointers; and told to the user, once.
    if (program == "java" && found.ends < found.stacks * 9 / 10) QVERIFY2(hints.size() == 1, hints.join('\n').constData());
    QVERIFY2(program.startsWith("java") || hints.isEmpty(), hints.join('\n').constData());
    if (program.startsWith("musl")) QVERIFY2(found.ends * 50 >= found.stacks * 49, (program.toUtf8() + ": less than 98 % end").constData());
    // Without symbols Go has no tables: a frame pointer leads on, and functions in assembler have none of their own.
    if (program.startsWith("go")) QVERIFY2(found.ends * 100 >= found.stacks * (isTabled ? 98 : 95), "too few end");
}

/// Programs that begin while dscope traces, one after the other: what the guests of tests/vm have the time for.
void TestStackTruth::severalProgramsInOneRun()
{
    constexpr int kEvery = 10, kMost = 90, kMostTime = 12'000;
    const QStringList programs{"ls", "python3", "g++ (cc1plus)", "alternate signal stack", "300 frames", "frames of 64 KiB"};
    QList<QStringList> commands;
    for (const auto& program : programs)
        commands.push_back(command(program)); // they run programs, too
    const auto text = m_folder.filePath("stacks"), said = m_folder.filePath("errors");
    QProcess dscope;
    start(dscope, {"proc:::exec-success /ppid == " + QString::number(::getpid()) + "/ { self->begun = 1; }" + traces("self->begun", kEvery)});
    QTRY_VERIFY2_WITH_TIMEOUT(content(text).startsWith("ready") || dscope.state() == QProcess::NotRunning, content(said).constData(), 60'000);
    Arrivals arrivals(text);
    qsizetype before = 0;
    QList<Witness> witnesses;
    for (const auto& words : commands) {
        if (words.isEmpty()) QSKIP("one is not installed, or can't be made here");
        TracedChild child(words, kEnvironment);
        QVERIFY(child.alive());
        witnesses.push_back(watch(child, arrivals, before, kEvery, kMost, kMostTime));
        before += witnesses.last().theirs.size();
    }
    dscope.terminate();
    end(dscope);
    const auto errors = saidBeyondCuts(content(said));
    QVERIFY2(dscope.exitStatus() == QProcess::NormalExit && dscope.exitCode() == 0 && errors.isEmpty(), errors.constData());

    const auto ours = stacksIn(content(text));
    for (qsizetype i = 0; i < programs.size(); ++i) {
        requireTrue(judge(programs[i], witnesses[i], ours, kEvery), true);
        if (QTest::currentTestFailed()) return;
    }
}
QTEST_GUILESS_MAIN(TestStackTruth)
#include "tst_stack_truth.moc"
