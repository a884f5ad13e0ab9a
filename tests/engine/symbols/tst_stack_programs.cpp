#include "compiled_program.h"
#include "engine/host/host.h"
#include "stopped_process.h"
#include <QObject>
#include <QTest>
using namespace dscope;
using record::Frame;
using symbols::Symbolizer;

/// Programs compiled for the test, stopped where they raise a signal: names up to _start, and libdw's frames.
class TestStackPrograms : public QObject {
    Q_OBJECT
    QTemporaryDir m_folder;
    std::unique_ptr<host::Host> m_host = host::local();
    using Strings = std::vector<std::string>;

    static std::string shown(const std::vector<Frame>& frames)
    {
        std::string s;
        for (const auto& f : frames) s += "  " + f.module + "`" + f.function + "+" + std::to_string(f.offset) + "\n";
        return s;
    }
    static Strings functions(const std::vector<Frame>& frames)
    {
        Strings names;
        for (const auto& f : frames) names.push_back(f.function);
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
            QTest::newRow(name) << QByteArray(source) << QString::fromUtf8(compiler) << QString::fromUtf8(flags).split(u' ', Qt::SkipEmptyParts)
                                << QString::fromUtf8(frames).split(u' ');
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
        row("without .eh_frame but .debug_frame", chain, "cc", "-O2 -g -gz=none -fno-asynchronous-unwind-tables -fno-exceptions", "raise c b a main");
        row("optimized for size", chain, "cc", "-Os", "raise c b a main");
        row("with an aligned stack", "#include <signal.h>\n#define N __attribute__((noipa))\n"
            "N int c(char* p, int n) { p[n & 3] = 1; raise(SIGSTOP); return p[0] + n; }\n"
            "N int b(int n) { __attribute__((aligned(256))) char p[512]; int r = c(p, n); return r + p[3]; }\n"
            "N int a(int n) { __attribute__((aligned(64))) char p[n * 64]; p[0] = 1; n = b(n); return n + p[0]; }\nint main(int n, char** v) { return a(n) + (v != 0); }\n",
            "cc", "-O2 -fomit-frame-pointer -w", "raise c b a main");
        row("recursion", "#include <signal.h>\n__attribute__((noipa)) int r(int n) { if (n == 0) return raise(SIGSTOP); int v[8] = { n }; return r(n - 1) + v[n & 7]; }\n"
            "int main() { return r(9); }\n", "cc", "-O1 -fomit-frame-pointer", "raise r r r r r r r r r r main");
        row("in a signal handler", "#include <signal.h>\nstatic volatile int x;\nvoid handler(int s) { x = s; raise(SIGSTOP); }\n"
            "__attribute__((noipa)) void work(void) { __asm__ volatile(\"ud2\"); }\n"
            "int main(int n, char** v) { signal(SIGILL, handler); work(); return n + (v != 0); }\n", "cc", "-O2 -fno-optimize-sibling-calls", "raise handler __restore_rt work main");
        row("in a handler that interrupts a function's first instruction", "#include <signal.h>\nvoid handler(int s) { raise(SIGSTOP); }\n"
            "void first(void); __asm__(\".globl first\\n.type first,@function\\nfirst: .cfi_startproc\\n ud2\\n ret\\n.cfi_endproc\\n.size first,.-first\");\n"
            "int main(int n, char** v) { signal(SIGILL, handler); first(); return n + (v != 0); }\n", "cc", "-O2 -w -fno-optimize-sibling-calls", "raise handler __restore_rt first main");
        row("in a destructor while an exception flies", "#include <csignal>\nstruct D { [[gnu::noipa]] ~D() { raise(SIGSTOP); __asm__ volatile(\"\"); } };\nnamespace ns { template <class T> [[gnu::noipa]] void thrower(T t) { throw t; }\n"
            "struct Owner { [[gnu::noipa]] int run(int n) const { D d; thrower(n); return n; } }; }\n"
            "int main(int n, char**) { try { ns::Owner().run(n); } catch (int) { return 1; } }\n", "c++", "-O2", "raise D::~D ns::Owner::run main");
        row("from a library's callback", "#include <stdlib.h>\n#include <signal.h>\nstatic int compare(const void* a, const void* b) { raise(SIGSTOP); return *(int*)a - *(int*)b; }\n"
            "int main() { int v[3] = { 3, 1, 2 }; qsort(v, 3, sizeof(int), compare); return v[0]; }\n", "cc", "-O2", "raise compare");
        row("in C++ with templates and lambdas", "#include <csignal>\n#include <functional>\nnamespace ns { template <class F> [[gnu::noinline]] int call(F f) { return f(3) + 1; } }\n"
            "int main() { return ns::call([](int n) { raise(SIGSTOP); return n; }) + 1; }\n", "c++", "-O1 -fno-inline", "raise main::{lambda(int)#1}::operator() ns::call<main::{lambda(int)#1}> main");
        row("after a call through a null pointer", "#include <signal.h>\n__attribute__((noipa)) int wrong(int (*f)(void)) { return f() + 1; }\n"
            "int main(int n, char** v) { return wrong((int (*)(void))(long)(n - 1)) + (v != 0); }\n", "cc", "-O2", "wrong main");
        row("where .cfi names rbx", "#include <signal.h>\n__attribute__((noipa)) int stop(void) { return raise(SIGSTOP) + 1; }\nint odd(void);\n"
            "__asm__(\".globl odd\\n.type odd,@function\\nodd: .cfi_startproc\\n push %rbx\\n.cfi_def_cfa_offset 16\\n.cfi_offset rbx,-16\\n mov %rsp,%rbx\\n.cfi_def_cfa_register rbx\\n"
            " sub $4096,%rsp\\n and $-64,%rsp\\n call stop\\n mov %rbx,%rsp\\n.cfi_def_cfa_register rsp\\n pop %rbx\\n.cfi_def_cfa_offset 8\\n ret\\n.cfi_endproc\\n.size odd,.-odd\");\n"
            "int main() { return odd() + 1; }\n", "cc", "-O2", "stop odd main");
    }
    void unwindsToMain()
    {
        QFETCH(QByteArray, source);
        QFETCH(QString, compiler);
        QFETCH(QStringList, flags);
        QFETCH(QStringList, frames);
        const auto program = compiled(m_folder, QStringLiteral("p%1").arg(qHash(source + flags.join(u' ').toUtf8())), source, flags, compiler);
        if (program.isEmpty()) QSKIP("the compiler did not make this program");
        StoppedProcess child({program.toStdString()});
        child.run();
        // Signals that the program handles itself are delivered.
        while (child.alive() && child.signal() == SIGILL) child.deliver(SIGILL);
        QVERIFY(child.alive());
        Symbolizer symbolizer(*m_host);
        Bytes stack;
        const auto context = child.context(stack);
        const auto addresses = symbolizer.unwind(child.pid(), context, 128);
        const auto named = symbolizer.name(child.pid(), addresses);
        const auto names = functions(named);
        Strings wanted;
        for (const auto& f : frames) wanted.push_back(f.toStdString());
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
        if (context.ip < 4096) return; // libdw has no rule for the null pointer
        const auto theirs = child.libdwStack(128);
        QVERIFY2(addresses == theirs, (shown(named) + "libdw\n" + shown(symbolizer.name(child.pid(), theirs))).c_str());
    }
};
QTEST_GUILESS_MAIN(TestStackPrograms)
#include "tst_stack_programs.moc"
