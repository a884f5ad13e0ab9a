// uses: PkgConfig::DW
#include "compiled_program.h"
#include "engine/host/host.h"
#include "stopped_process.h"
#include <QDir>
#include <QObject>
#include <QTest>
#include <algorithm>
#include <random>
using namespace dscope;
using record::Frame;
using symbols::Symbolizer;

/// Programs compiled for the test, stopped where they raise a signal: names up to _start, and libdw's frames.
class TestStackPrograms : public QObject {
    Q_OBJECT
    QTemporaryDir m_folder;
    std::unique_ptr<host::Host> m_host = host::local();
    using Strings = std::vector<std::string>;

    static std::string shown(const record::FrameList& frames)
    {
        std::string s;
        for (const auto& f : frames)
            s += "  " + f.module + "`" + f.function + "+" + std::to_string(f.offset) + "\n";
        return s;
    }
    static Strings functions(const record::FrameList& frames)
    {
        Strings names;
        for (const auto& f : frames)
            names.push_back(f.function);
        return names;
    }
    /// Whether `wanted` occurs in `names` in this order, without anything between.
    static bool holds(const Strings& names, const Strings& wanted)
    {
        return std::search(names.begin(), names.end(), wanted.begin(), wanted.end()) != names.end();
    }

private Q_SLOTS:
    void initTestCase()
    {
        if (QStandardPaths::findExecutable(QStringLiteral("cc")).isEmpty()) QSKIP("needs a C compiler");
    }

    void unwindsToMain_data()
    {
        QTest::addColumn<QByteArray>("source");
        QTest::addColumn<QString>("compiler");
        QTest::addColumn<QStringList>("flags");
        QTest::addColumn<QStringList>("frames"); // adjacent, somewhere in the stack
        const auto row = [](const char* name, const char* source, const char* compiler, const char* flags, const char* frames) {
            QTest::newRow(name) << QByteArray(source) << QString::fromUtf8(compiler)
                                << QString::fromUtf8(flags).split(u' ', Qt::SkipEmptyParts) << QString::fromUtf8(frames).split(u' ');
        };
        const char* chain = "#include <signal.h>\n#define N __attribute__((noipa))\n"
                            "N int c(int x) { char buffer[4000]; buffer[x] = 1; raise(SIGSTOP); return buffer[x] + x; }\n"
                            "N int b(int x) { return c(x + 1) + 1; }\nN int a(int x) { return b(x * 3) * 2; }\n"
                            "int main(int n, char** v) { return a(n) + (v != 0); }\n";
        row("without frame pointers", chain, "cc", "-O2 -fomit-frame-pointer", "raise c b a main __libc_start_call_main");
        row("with frame pointers", chain, "cc", "-O2 -fno-omit-frame-pointer", "raise c b a main");
        row("at a fixed address", chain, "cc", "-O2 -no-pie -fno-pie", "raise c b a main");
        row("static", chain, "cc", "-O2 -static", "raise c b a main");
        row("static and relocated", chain, "cc", "-O2 -static-pie", "raise c b a main");
        row("without .eh_frame but .debug_frame", chain, "cc", "-O2 -g -gz=none -fno-asynchronous-unwind-tables -fno-exceptions",
            "raise c b a main");
        row("with a compressed .debug_frame", chain, "cc", "-O2 -g -gz=zlib -fno-asynchronous-unwind-tables -fno-exceptions",
            "raise c b a main");
        row("with a .debug_frame compressed by zstd", chain, "cc", "-O2 -g -gz=zstd -fno-asynchronous-unwind-tables -fno-exceptions",
            "raise c b a main");
        row("optimized for size", chain, "cc", "-Os", "raise c b a main");
        row("with an aligned stack",
            "#include <signal.h>\n#define N __attribute__((noipa))\n"
            "N int c(char* p, int n) { p[n & 3] = 1; raise(SIGSTOP); return p[0] + n; }\n"
            "N int b(int n) { __attribute__((aligned(256))) char p[512]; int r = c(p, n); return r + p[3]; }\n"
            "N int a(int n) { __attribute__((aligned(64))) char p[n * 64]; p[0] = 1; n = b(n); return n + p[0]; }\nint main(int n, char** "
            "v) { return a(n) + (v != 0); }\n",
            "cc", "-O2 -fomit-frame-pointer -w", "raise c b a main");
        row("recursion",
            "#include <signal.h>\n__attribute__((noipa)) int r(int n) { if (n == 0) return raise(SIGSTOP); int v[8] = { n }; return r(n - "
            "1) + v[n & 7]; }\n"
            "int main() { return r(9); }\n",
            "cc", "-O1 -fomit-frame-pointer", "raise r r r r r r r r r r main");
        row("in a signal handler",
            "#include <signal.h>\nstatic volatile int x;\nvoid handler(int s) { x = s; raise(SIGSTOP); }\n"
            "__attribute__((noipa)) void work(void) { __asm__ volatile(\"ud2\"); }\n"
            "int main(int n, char** v) { signal(SIGILL, handler); work(); return n + (v != 0); }\n",
            "cc", "-O2 -fno-optimize-sibling-calls", "raise handler __restore_rt work main");
        row("in a handler that interrupts a function's first instruction",
            "#include <signal.h>\nvoid handler(int s) { raise(SIGSTOP); }\n"
            "void first(void); __asm__(\".globl first\\n.type first,@function\\nfirst: .cfi_startproc\\n ud2\\n ret\\n.cfi_endproc\\n.size "
            "first,.-first\");\n"
            "int main(int n, char** v) { signal(SIGILL, handler); first(); return n + (v != 0); }\n",
            "cc", "-O2 -w -fno-optimize-sibling-calls", "raise handler __restore_rt first main");
        row("in a destructor while an exception flies",
            "#include <csignal>\nstruct D { [[gnu::noipa]] ~D() { raise(SIGSTOP); __asm__ volatile(\"\"); } };\nnamespace ns { template "
            "<class T> [[gnu::noipa]] void thrower(T t) { throw t; }\n"
            "struct Owner { [[gnu::noipa]] int run(int n) const { D d; thrower(n); return n; } }; }\n"
            "int main(int n, char**) { try { ns::Owner().run(n); } catch (int) { return 1; } }\n",
            "c++", "-O2", "raise D::~D ns::Owner::run main");
        row("from a library's callback",
            "#include <stdlib.h>\n#include <signal.h>\nstatic int compare(const void* a, const void* b) { raise(SIGSTOP); return *(int*)a "
            "- *(int*)b; }\n"
            "int main() { int v[3] = { 3, 1, 2 }; qsort(v, 3, sizeof(int), compare); return v[0]; }\n",
            "cc", "-O2", "raise compare");
        row("in C++ with templates and lambdas",
            "#include <csignal>\n#include <functional>\nnamespace ns { template <class F> [[gnu::noinline]] int call(F f) { return f(3) + "
            "1; } }\n"
            "int main() { return ns::call([](int n) { raise(SIGSTOP); return n; }) + 1; }\n",
            "c++", "-O1 -fno-inline", "raise main::{lambda(int)#1}::operator() ns::call<main::{lambda(int)#1}> main");
        row("after a call through a null pointer",
            "#include <signal.h>\n__attribute__((noipa)) int wrong(int (*f)(void)) { return f() + 1; }\n"
            "int main(int n, char** v) { return wrong((int (*)(void))(long)(n - 1)) + (v != 0); }\n",
            "cc", "-O2", "wrong main");
        row("where .cfi names rbx",
            "#include <signal.h>\n__attribute__((noipa)) int stop(void) { return raise(SIGSTOP) + 1; }\nint odd(void);\n"
            "__asm__(\".globl odd\\n.type odd,@function\\nodd: .cfi_startproc\\n push %rbx\\n.cfi_def_cfa_offset 16\\n.cfi_offset "
            "rbx,-16\\n mov %rsp,%rbx\\n.cfi_def_cfa_register rbx\\n"
            " sub $4096,%rsp\\n and $-64,%rsp\\n call stop\\n mov %rbx,%rsp\\n.cfi_def_cfa_register rsp\\n pop %rbx\\n.cfi_def_cfa_offset "
            "8\\n ret\\n.cfi_endproc\\n.size odd,.-odd\");\n"
            "int main() { return odd() + 1; }\n",
            "cc", "-O2", "stop odd main");
    }
    void unwindsToMain()
    {
        QFETCH(QByteArray, source);
        QFETCH(QString, compiler);
        QFETCH(QStringList, flags);
        QFETCH(QStringList, frames);
        const auto program
            = compiled(m_folder, QStringLiteral("p%1").arg(qHash(source + flags.join(u' ').toUtf8())), source, flags, compiler);
        if (program.isEmpty()) QSKIP("the compiler did not make this program");
        StoppedProcess child({program.toStdString()});
        child.run();
        // Signals that the program handles itself are delivered.
        while (child.alive() && child.signal() == SIGILL)
            child.deliver(SIGILL);
        QVERIFY(child.alive());
        Symbolizer symbolizer(*m_host);
        Bytes stack;
        const auto context = child.context(stack);
        const auto addresses = symbolizer.unwind(child.pid(), context, 128).addresses;
        const auto named = symbolizer.name(child.pid(), addresses);
        const auto names = functions(named);
        Strings wanted;
        for (const auto& f : frames)
            wanted.push_back(f.toStdString());
        // libc may be stripped of its local names: what it calls main by is then unknown.
        if (wanted.back() == "__libc_start_call_main" && !holds(names, {wanted.back()})) wanted.pop_back();
        if (wanted.front() == "raise") {
            // raise() is one frame or several, by version of libc: begin behind it.
            wanted.erase(wanted.begin());
        }
        QVERIFY2(holds(names, wanted), shown(named).c_str());
        QVERIFY2(names.back() == "_start", shown(named).c_str());
        const auto main = std::find_if(named.begin(), named.end(), [](const Frame& f) { return f.function == "main"; });
        QVERIFY(main->kind == Frame::Kind::User);
        QCOMPARE(main->module, program.section(u'/', -1).toStdString());
        // libdw has no rule for the null pointer, and loses rbx on its way through libc.
        if (context.ip < 4096 || holds(names, {"odd"})) return;
        const auto theirs = child.libdwStack(128);
        QVERIFY2(addresses == theirs, (shown(named) + "libdw\n" + shown(symbolizer.name(child.pid(), theirs))).c_str());
    }

    void aSignalTrampolineWithoutUnwindInformationIsKnownByItsCode()
    {
        // As musl has it: no .cfi for the restorer. Without a C library there is none with it either.
        const auto program = compiled(m_folder, QStringLiteral("bare"),
            "#include <asm/signal.h>\n#include <asm/unistd.h>\n#define N __attribute__((noipa))\n"
            "static long call(long n, long a, long b, long c, long d) { long r; register long r10 __asm__(\"r10\") = d;\n"
            " __asm__ volatile(\"syscall\" : \"=a\"(r) : \"a\"(n), \"D\"(a), \"S\"(b), \"d\"(c), \"r\"(r10) : \"rcx\", \"r11\", "
            "\"memory\"); return r; }\n"
            "void restorer(void); __asm__(\".globl restorer\\n.type restorer,@function\\n nop\\nrestorer: mov $15,%rax\\n syscall\\n.size "
            "restorer,.-restorer\");\n"
            "N void stop(void) { call(__NR_kill, call(__NR_getpid, 0, 0, 0, 0), 19, 0, 0); __asm__ volatile(\"\"); }\n"
            "N void handler(int s) { stop(); __asm__ volatile(\"\"); }\nN void work(void) { __asm__ volatile(\"ud2\"); }\n"
            "N int begin(void) { struct { void (*h)(int); unsigned long flags; void (*r)(void); unsigned long mask; } action = { handler, "
            "0x04000000, restorer, 0 };\n"
            " call(__NR_rt_sigaction, 4, (long)&action, 0, 8); work(); return (int)call(__NR_exit, 0, 0, 0, 0); }\n"
            "__asm__(\".globl _start\\n.type _start,@function\\n_start: .cfi_startproc\\n.cfi_undefined rip\\n call begin\\n "
            "hlt\\n.cfi_endproc\\n.size _start,.-_start\");\n",
            {QStringLiteral("-O2"), QStringLiteral("-static"), QStringLiteral("-nostdlib"), QStringLiteral("-fno-stack-protector"),
                QStringLiteral("-fno-optimize-sibling-calls"), QStringLiteral("-w")});
        if (program.isEmpty()) QSKIP("the compiler did not make this program");
        StoppedProcess child({program.toStdString()});
        child.run();
        while (child.alive() && child.signal() == SIGILL)
            child.deliver(SIGILL);
        QVERIFY(child.alive());
        Symbolizer symbolizer(*m_host);
        Bytes stack;
        const auto named = symbolizer.name(child.pid(), symbolizer.unwind(child.pid(), child.context(stack), 64).addresses);
        QVERIFY2(functions(named) == Strings({"stop", "handler", "restorer", "work", "begin", "_start"}), shown(named).c_str());
        QCOMPARE(named[3].offset, std::uint64_t{0}); // where it was interrupted, not a return address
    }

    void unwindsAnotherThread()
    {
        const auto program = compiled(m_folder, QStringLiteral("threads"),
            "#include <pthread.h>\n#include <signal.h>\n#include <unistd.h>\n#include <stdio.h>\n#include <sys/syscall.h>\n#define N "
            "__attribute__((noipa))\n"
            "volatile long tid;\nN int inner(int n) { tid = syscall(SYS_gettid); for (;;) pause(); return n; }\nN int outer(int n) { "
            "return inner(n + 1) + 1; }\n"
            "void* body(void* p) { return (void*)(long)outer(p != 0); }\n"
            "int main() { pthread_t t; pthread_create(&t, 0, body, 0); while (!tid) usleep(100); raise(SIGSTOP); return pthread_join(t, 0) "
            "+ (int)tid; }\n",
            {QStringLiteral("-O2"), QStringLiteral("-pthread")});
        if (program.isEmpty()) QSKIP("the compiler did not make this program");
        StoppedProcess child({program.toStdString()});
        child.run();
        QVERIFY(child.alive());
        QDir tasks(QStringLiteral("/proc/%1/task").arg(child.pid()));
        auto threads = tasks.entryList(QDir::Dirs | QDir::NoDotAndDotDot);
        threads.removeAll(QString::number(child.pid()));
        QCOMPARE(threads.size(), 1);
        StoppedProcess thread(child.pid(), threads[0].toUInt());
        QVERIFY(thread.alive());
        Symbolizer symbolizer(*m_host);
        Bytes stack;
        const auto addresses = symbolizer.unwind(child.pid(), thread.context(stack), 128).addresses;
        const auto named = symbolizer.name(child.pid(), addresses);
        QVERIFY2(holds(functions(named), {"inner", "outer", "body"}), shown(named).c_str());
        QCOMPARE(addresses, thread.libdwStack(128));
    }

    void aDeletedProgramKeepsItsNames()
    {
        const auto program = compiled(m_folder, QStringLiteral("deleted"),
            "#include <signal.h>\n__attribute__((noipa)) int inner(int n) { return raise(SIGSTOP) + n; }\nint main(int n, char** v) { "
            "return inner(n) + (v != 0); }\n",
            {QStringLiteral("-O2")});
        if (program.isEmpty()) QSKIP("the compiler did not make this program");
        StoppedProcess child({program.toStdString()});
        child.run();
        QVERIFY(QFile::remove(program));
        Symbolizer symbolizer(*m_host);
        Bytes stack;
        const auto named = symbolizer.name(child.pid(), symbolizer.unwind(child.pid(), child.context(stack), 64).addresses);
        const auto at = std::find_if(named.begin(), named.end(), [](const Frame& f) { return f.module == "deleted"; });
        QVERIFY2(at != named.end() && at->kind == Frame::Kind::User, shown(named).c_str());
        QVERIFY2(holds(functions(named), {"inner", "main"}), shown(named).c_str());
    }

    void aReplacedProgramIsNotMistakenForTheOldOne()
    {
        const auto source = [](const char* inner) {
            return QByteArray("#include <signal.h>\n__attribute__((noipa)) int ") + inner
                + "(int n) { return raise(SIGSTOP) + n; }\nint main(int n, char** v) { return " + inner + "(n) + (v != 0); }\n";
        };
        const auto program = compiled(m_folder, QStringLiteral("replaced"), source("before"), {QStringLiteral("-O2")});
        if (program.isEmpty()) QSKIP("the compiler did not make this program");
        Symbolizer symbolizer(*m_host);
        const auto run = [&] {
            StoppedProcess child({program.toStdString()});
            child.run();
            Bytes stack;
            const auto context = child.context(stack);
            auto names = functions(symbolizer.name(child.pid(), symbolizer.unwind(child.pid(), context, 64).addresses));
            symbolizer.exited(child.pid());
            return names;
        };
        QVERIFY(holds(run(), {"before", "main"}));
        QVERIFY(QFile::remove(program));
        QCOMPARE(compiled(m_folder, QStringLiteral("replaced"), source("after"), {QStringLiteral("-O2")}), program);
        QVERIFY(holds(run(), {"after", "main"}));
    }

    void namesOfAProcessThatIsGoneAreKept()
    {
        const auto program = compiled(m_folder, QStringLiteral("gone"),
            "#include <signal.h>\n__attribute__((noipa)) int inner(int n) { return raise(SIGSTOP) + n; }\nint main(int n, char** v) { "
            "return inner(n) + (v != 0); }\n",
            {QStringLiteral("-O2")});
        if (program.isEmpty()) QSKIP("the compiler did not make this program");
        Symbolizer symbolizer(*m_host);
        Bytes stack;
        symbols::UserContext context;
        std::uint32_t pid = 0;
        {
            StoppedProcess child({program.toStdString()});
            child.run();
            pid = child.pid();
            context = child.context(stack);
            symbolizer.attend(pid);
        }
        QVERIFY(QFile::remove(program));
        symbolizer.exited(pid);
        const auto names = functions(symbolizer.name(pid, symbolizer.unwind(pid, context, 64).addresses));
        QVERIFY(holds(names, {"inner", "main"}));
    }

    void aForkedProcessIsKnownByItsParent()
    {
        const auto program = compiled(m_folder, QStringLiteral("forks"),
            "#include <signal.h>\n__attribute__((noipa)) int inner(int n) { return raise(SIGSTOP) + n; }\nint main(int n, char** v) { "
            "return inner(n) + (v != 0); }\n",
            {QStringLiteral("-O2")});
        if (program.isEmpty()) QSKIP("the compiler did not make this program");
        StoppedProcess child({program.toStdString()});
        child.run();
        Symbolizer symbolizer(*m_host);
        symbolizer.attend(child.pid());
        Bytes stack;
        const auto context = child.context(stack);
        constexpr std::uint32_t kNobody = 0x7ffffff0; // above any pid_max
        symbolizer.forked(child.pid(), kNobody);
        QVERIFY(holds(functions(symbolizer.name(kNobody, symbolizer.unwind(kNobody, context, 64).addresses)), {"inner", "main"}));
        symbolizer.execed(kNobody);
        QCOMPARE(symbolizer.unwind(kNobody, context, 64).addresses.size(), std::size_t{1});
    }

    void aLibraryLoadedLaterIsFound()
    {
        const auto library
            = compiled(m_folder, QStringLiteral("later.so"), "#include <signal.h>\nint later(int n) { raise(SIGSTOP); return n; }\n",
                {QStringLiteral("-O2"), QStringLiteral("-shared"), QStringLiteral("-fPIC")});
        const auto program = compiled(m_folder, QStringLiteral("loads"),
            "#include <dlfcn.h>\n#include <signal.h>\nint main(int n, char** v) { raise(SIGSTOP); int (*f)(int) = (int "
            "(*)(int))dlsym(dlopen(v[1], RTLD_NOW), \"later\"); return f(n) + 1; }\n",
            {QStringLiteral("-O2")});
        if (program.isEmpty() || library.isEmpty()) QSKIP("the compiler did not make this program");
        StoppedProcess child({program.toStdString(), library.toStdString()});
        child.run();
        Symbolizer symbolizer(*m_host);
        Bytes stack;
        auto context = child.context(stack);
        QVERIFY(holds(functions(symbolizer.name(child.pid(), symbolizer.unwind(child.pid(), context, 64).addresses)), {"main"}));
        child.run();
        context = child.context(stack);
        // At once: nothing was looked for in vain before.
        const auto named = symbolizer.name(child.pid(), symbolizer.unwind(child.pid(), context, 64).addresses);
        QVERIFY2(holds(functions(named), {"later", "main"}), shown(named).c_str());
        const auto later = std::find_if(named.begin(), named.end(), [](const Frame& f) { return f.function == "later"; });
        QVERIFY(later->kind == Frame::Kind::Library);
        QCOMPARE(later->module, std::string("later.so"));
    }

    void generatedCodeIsWalkedByFramePointersAndNamedByItsPerfMap()
    {
        const auto program = compiled(m_folder, QStringLiteral("jit"),
            "#define _GNU_SOURCE\n#include <signal.h>\n#include <stdio.h>\n#include <string.h>\n#include <sys/mman.h>\n#include "
            "<unistd.h>\n"
            "__attribute__((noipa)) int stop(void) { return raise(SIGSTOP) + 1; }\n"
            "int main(int n, char** v) {\n"
            "  unsigned char code[] = { 0x55, 0x48, 0x89, 0xe5, 0xff, 0xd7, 0x5d, 0xc3 }; /* push rbp; mov rbp,rsp; call rdi; pop rbp; ret "
            "*/\n"
            "  unsigned char* p = mmap(0, 4096, PROT_READ | PROT_WRITE | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);\n"
            "  memcpy(p + 64, code, sizeof code);\n"
            "  char path[64]; sprintf(path, \"/tmp/perf-%d.map\", getpid());\n"
            "  FILE* f = fopen(path, \"w\"); fprintf(f, \"%lx %lx jitted::function(int)\\n\", (long)(p + 64), (long)sizeof code); "
            "fclose(f);\n"
            "  return ((int (*)(int (*)(void)))(p + 64))(stop) + n + (v != 0); }\n",
            {QStringLiteral("-O1"), QStringLiteral("-fno-omit-frame-pointer")});
        if (program.isEmpty()) QSKIP("the compiler did not make this program");
        StoppedProcess child({program.toStdString()});
        child.run();
        QVERIFY(child.alive());
        Symbolizer symbolizer(*m_host);
        Bytes stack;
        const auto named = symbolizer.name(child.pid(), symbolizer.unwind(child.pid(), child.context(stack), 64).addresses);
        QFile::remove(QStringLiteral("/tmp/perf-%1.map").arg(child.pid()));
        QVERIFY2(holds(functions(named), {"stop", "jitted::function(int)", "main"}), shown(named).c_str());
        const auto jitted = std::find_if(named.begin(), named.end(), [](const Frame& f) { return f.function == "jitted::function(int)"; });
        QVERIFY(jitted->kind == Frame::Kind::Jit);
        QCOMPARE(jitted->offset, std::uint64_t{6});
        QVERIFY(jitted->module.empty());
    }

    void generatedCodeThatReturnsBehindItsCallNeedsNoFramePointer_data()
    {
        QTest::addColumn<QString>("code");
        QTest::newRow("add") << "0x48, 0x83, 0xec, 0x18, 0xff, 0xd7, 0x48, 0x83, 0xc4, 0x18, 0xc3"; // sub $24,%rsp; call *%rdi; add $24,%rsp; ret
        QTest::newRow("pop") << "0x55, 0xff, 0xd7, 0x5d, 0xc3";                                     // push %rbp; call *%rdi; pop %rbp; ret
        QTest::newRow("return") << "0xff, 0xd7, 0xc3";
    }
    void generatedCodeThatReturnsBehindItsCallNeedsNoFramePointer()
    {
#if !defined(__x86_64__)
        QSKIP("the code is of x86-64");
#endif
        QFETCH(QString, code);
        const auto program = compiled(m_folder, QStringLiteral("trampoline"),
            "#define _GNU_SOURCE\n#include <signal.h>\n#include <string.h>\n#include <sys/mman.h>\n"
            "__attribute__((noipa)) int stop(void) { return raise(SIGSTOP) + 1; }\n"
            "int main(int n, char** v) {\n"
            "  unsigned char code[] = { " + code.toUtf8() + " };\n"
            "  unsigned char* p = mmap(0, 4096, PROT_READ | PROT_WRITE | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);\n"
            "  memcpy(p + 64, code, sizeof code);\n"
            "  return ((int (*)(int (*)(void)))(p + 64))(stop) + n + (v != 0); }\n",
            {QStringLiteral("-O2"), QStringLiteral("-fomit-frame-pointer")});
        if (program.isEmpty()) QSKIP("the compiler did not make this program");
        StoppedProcess child({program.toStdString()});
        child.run();
        QVERIFY(child.alive());
        Symbolizer symbolizer(*m_host);
        Bytes stack;
        const auto unwound = symbolizer.unwind(child.pid(), child.context(stack), 64);
        const auto named = symbolizer.name(child.pid(), unwound.addresses);
        QVERIFY2(holds(functions(named), {"stop", "", "main"}), shown(named).c_str());
        QCOMPARE(std::count_if(named.begin(), named.end(), [](const Frame& f) { return f.kind == Frame::Kind::Jit; }), 1);
    }

    void theVdsoIsUnwoundAndNamed()
    {
        const auto program = compiled(m_folder, QStringLiteral("clock"),
            "#include <time.h>\n#include <signal.h>\n__attribute__((noipa)) long now(void) { struct timespec t; long s = 0; for (;;) { "
            "clock_gettime(CLOCK_MONOTONIC, &t); s += t.tv_nsec; if (s == 1) break; } return s; }\n"
            "int main() { raise(SIGSTOP); return (int)now() + 1; }\n",
            {QStringLiteral("-O2")});
        if (program.isEmpty()) QSKIP("the compiler did not make this program");
        StoppedProcess child({program.toStdString()});
        child.run();
        Symbolizer symbolizer(*m_host);
        int inside = 0;
        for (int i = 0; i < 400; ++i) {
            child.steps(7);
            Bytes stack;
            const auto addresses = symbolizer.unwind(child.pid(), child.context(stack), 64).addresses;
            const auto named = symbolizer.name(child.pid(), addresses);
            if (named[0].module != "[vdso]") continue;
            ++inside;
            QVERIFY2(holds(functions(named), {"now", "main"}), shown(named).c_str());
            QVERIFY2(named[0].function.find("clock_gettime") != std::string::npos || named[0].function.empty(), shown(named).c_str());
            QVERIFY(named[0].kind == Frame::Kind::Library);
            QCOMPARE(addresses, child.libdwStack(64));
        }
        if (inside == 0) QSKIP("this kernel's clock is not read in the vDSO");
    }

    void theWalkStopsWhereTheCopyEnds()
    {
        const auto program = compiled(m_folder, QStringLiteral("short"),
            "#include <signal.h>\n#define N __attribute__((noipa))\nN int r(int n) { volatile char b[200]; b[n] = 1; if (n == 0) return "
            "raise(SIGSTOP); return r(n - 1) + b[n]; }\nint main() { return r(50); }\n",
            {QStringLiteral("-O1")});
        if (program.isEmpty()) QSKIP("the compiler did not make this program");
        StoppedProcess child({program.toStdString()});
        child.run();
        Symbolizer symbolizer(*m_host);
        Bytes all, part;
        const auto whole = symbolizer.unwind(child.pid(), child.context(all), 200).addresses;
        QVERIFY(whole.size() > 50);
        std::size_t before = 0;
        for (const std::size_t size : {0, 8, 100, 1000, 4000, 8000}) {
            const auto cut = symbolizer.unwind(child.pid(), child.context(part, size), 200).addresses;
            QVERIFY(cut.size() >= 1 && cut.size() < whole.size() && cut.size() >= before);
            QVERIFY(std::equal(cut.begin(), cut.end(), whole.begin()));
            before = cut.size();
        }
        QCOMPARE(symbolizer.unwind(child.pid(), child.context(part), 7).addresses.size(), std::size_t{7});
        QVERIFY(symbolizer.unwind(child.pid(), child.context(part), 0).addresses.empty());
    }

    void garbageInRegistersAndStackDoesNoHarm()
    {
        const auto program = compiled(
            m_folder, QStringLiteral("garbage"), "#include <signal.h>\nint main() { return raise(SIGSTOP); }\n", {QStringLiteral("-O2")});
        if (program.isEmpty()) QSKIP("the compiler did not make this program");
        StoppedProcess child({program.toStdString()});
        child.run();
        Symbolizer symbolizer(*m_host);
        Bytes stack;
        const auto good = child.context(stack);
        std::mt19937_64 random(3);
        for (int i = 0; i < 3000; ++i) {
            auto noise = stack;
            for (int n = 0; n < 200; ++n)
                noise[random() % noise.size()] = static_cast<std::byte>(random());
            auto context = good;
            context.stack = noise;
            if (i % 3 == 0) context.sp = random();
            if (i % 5 == 0) context.bp = random() % 2 ? context.sp + random() % 4096 : random();
            if (i % 2 == 0) context.ip += random() % 4096;
            if (i % 7 == 0) context.sp = ~std::uint64_t{0} - random() % 64;
            const auto addresses = symbolizer.unwind(child.pid(), context, 100).addresses;
            QVERIFY(!addresses.empty() && addresses.size() <= 100 && addresses[0] == context.ip);
            // Where chance has an address of a function that nothing called, the stack ends, marked or not.
            const auto frames = symbolizer.name(child.pid(), addresses);
            const bool isMarked = frames[frames.size() - 1].kind == record::Frame::Kind::Truncated;
            QVERIFY(frames.size() - (isMarked ? 1 : 0) <= addresses.size() && frames.size() > (isMarked ? 1U : 0U));
        }
    }
};
QTEST_GUILESS_MAIN(TestStackPrograms)
#include "tst_stack_programs.moc"
