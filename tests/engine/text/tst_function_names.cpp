// needs: engine/text
// The functions of lines that other tools print, by what those tools print without parameters.
#include "engine/text/function_names.h"
#include <QObject>
#include <QProcess>
#include <QStandardPaths>
#include <QTest>
#include <string>
#include <vector>
using namespace dscope;
namespace {
std::string_view viewOf(const QByteArray& text) { return {text.constData(), static_cast<std::size_t>(text.size())}; }
QByteArray bytesOf(std::string_view text) { return {text.data(), static_cast<qsizetype>(text.size())}; }
QByteArray outputOf(const QString& program, const QStringList& arguments, const QByteArray& input = {})
{
    QProcess process;
    process.start(program, arguments);
    process.write(input);
    process.closeWriteChannel();
    process.waitForFinished(60'000);
    return process.readAllStandardOutput();
}
} // namespace

class TestFunctionNames : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void parametersGo_data()
    {
        QTest::addColumn<QByteArray>("printed");
        QTest::addColumn<QByteArray>("name");
        const auto row = [](const char* printed, const char* name) { QTest::newRow(printed) << QByteArray(printed) << QByteArray(name); };
        row("operator delete(void*)", "operator delete");
        row("f(int) [clone .constprop.0] [clone .cold]", "f");
        row("f(int) (.cold)", "f"); // LLVM
        row("X::f(int) const [clone .cold]", "X::f");
        row("X::f(int) const & [clone .isra.0] [clone .cold]", "X::f");
        row("operator\"\" _km(long double)", "operator\"\" _km");
        row("operator\"\"_km(long double)", "operator\"\"_km"); // clang
        row("get[abi:cxx11](int) const &", "get[abi:cxx11]");
        row("f((anonymous namespace)::T)", "f");
        row("void (anonymous namespace)::f<int>(int)", "(anonymous namespace)::f<int>");
        row("Ptr<T>::operator->() const", "Ptr<T>::operator->");
        row("mapped::operator!() const", "mapped::operator!");
        row("std::ostream& std::operator<< <char>(std::ostream&, char)", "std::operator<< <char>");
        row("non-virtual thunk to A::f()", "non-virtual thunk to A::f");
    }
    void parametersGo()
    {
        QFETCH(QByteArray, printed);
        QFETCH(QByteArray, name);
        QCOMPARE(bytesOf(text::withoutParameters(viewOf(printed))), name);
    }

    /// Names of several languages that hold parentheses and have no parameters behind them.
    void namesStay_data()
    {
        QTest::addColumn<QByteArray>("name");
        for (const auto* name : {"main", "operator()", "(anonymous namespace)", "std::function<void (int)>::operator()", "call<void (*)(int)>", "operator()<int>",
                 "main::{lambda(int)#1}", "main.Map[go.shape.func(int)]", "main.(*T).Method", "main.(*T)", "<F as Handler<(A,B)>>::call", "<fn(u32) -> u64 as Map>::map",
                 "app.foo!(int)", "app.foo(x: Swift.Int) -> ()", "main::'lambda'(int)", "f [clone .cold]", "f (.cold)", "(", ")", "()", "", "a)", "(b"})
            QTest::newRow(name) << QByteArray(name);
    }
    void namesStay()
    {
        QFETCH(QByteArray, name);
        QCOMPARE(bytesOf(text::withoutParameters(viewOf(name))), name);
    }

    /// c++filt(1) leaves the parameters out itself, by the mangled name.
    void theyAreThoseOfCppfilt()
    {
        for (const auto* program : {"c++filt", "nm"})
            if (QStandardPaths::findExecutable(program).isEmpty()) QSKIP("binutils is not installed");
        const auto library = outputOf("g++", {"-print-file-name=libstdc++.so.6"}).trimmed();
        const auto symbols = outputOf("sh", {"-c", "nm -D --defined-only \"$0\" | cut -d' ' -f3 | cut -d@ -f1 | grep ^_Z", QString::fromUtf8(library)});
        if (symbols.isEmpty()) QSKIP("there is no libstdc++.so.6 with its symbols");
        const auto printed = outputOf("c++filt", {}, symbols).split('\n'), names = outputOf("c++filt", {"-p"}, symbols).split('\n');
        QCOMPARE(printed.size(), names.size());
        int compared = 0;
        for (qsizetype i = 0; i < names.size(); ++i) {
            if (printed[i].contains(" for ") || printed[i].contains(" to ")) continue; // "vtable for": c++filt leaves their parameters in
            ++compared;
            QCOMPARE(bytesOf(text::withoutParameters(viewOf(printed[i]))), names[i]);
        }
        QVERIFY(compared > 1000);
    }

    /// What compilers put behind functions that they cut in parts, and names of kinds that libstdc++ has few of.
    void namesOfClonesAreThoseOfCppfilt()
    {
        if (QStandardPaths::findExecutable("c++filt").isEmpty()) QSKIP("binutils is not installed");
        QByteArray symbols;
        // outer(int)::Local::run(int) and run2() const, its lambda, a literal and a template of one, f(int) const, g(int) const &, h<int>
        for (const auto* mangled : {"_ZZ5outeriEN5Local3runEi", "_ZZ5outeriENK5Local4run2Ev", "_ZZ5outeriENKUliE_clEi", "_Zli3_kme",
                 "_Zli2_bIJLc49ELc49EEEiv", "_ZNK1X1fEi", "_ZNKR1X1gEi", "_ZNVK1X1hIiEET_S1_", "_ZNK1XcvbEv", "_Z6outer2IZ1uvEUliE_EiT_"})
            for (const auto* clone : {"", ".cold", ".isra.0", ".constprop.0.isra.0", ".part.0.cold", ".lto_priv.0"})
                symbols += QByteArray(mangled) + clone + '\n';
        const auto printed = outputOf("c++filt", {}, symbols).split('\n'), names = outputOf("c++filt", {"-p"}, symbols).split('\n');
        QCOMPARE(printed.size(), 10 * 6 + 1);
        QCOMPARE(names.size(), printed.size());
        for (qsizetype i = 0; i < names.size(); ++i)
            QCOMPARE(bytesOf(text::withoutParameters(viewOf(printed[i]))), names[i]);
    }

    void gdbsArgumentsGo_data()
    {
        QTest::addColumn<QByteArray>("printed");
        QTest::addColumn<QByteArray>("name");
        const auto row = [](const char* printed, const char* name) { QTest::newRow(printed) << QByteArray(printed) << QByteArray(name); };
        row("std::function<void (int)>::operator()(int) const (this=0x7f, __args#0=2) at /usr/x.h:589", "std::function<void (int)>::operator()");
        row("F::operator() (this=0x7) at n.cc:8", "F::operator()");
        row("F::operator->* (this=0x7) at n.cc:8", "F::operator->*");
        row("F::operator< (this=0x7) at n.cc:8", "F::operator<");
        row("tp<char> () at n.cc:14", "tp<char>");
        row("operator new (n=4) at n.cc:9", "operator new");
        row("(anonymous namespace)::f (s=0x5 \"a (b\")", "(anonymous namespace)::f");
        row("<app::T as core::ops::Fn<(i32,)>>::call (self=0x1)", "<app::T as core::ops::Fn<(i32,)>>::call");
        row("?? () from /lib/libx.so", "??");
        row("clone3", "clone3");
    }
    void gdbsArgumentsGo()
    {
        QFETCH(QByteArray, printed);
        QFETCH(QByteArray, name);
        QCOMPARE(bytesOf(text::withoutArguments(viewOf(printed))), name);
    }

    void offsetsGo()
    {
        QCOMPARE(text::withoutOffset("main+0x1c"), std::string_view("main"));
        for (const auto* name : {"libstdc++.so.6.0.30`0xd44a3", "operator+", "operator+0", "f+0x", "f+0x12 (a.c:3)", "+", ""})
            QCOMPARE(text::withoutOffset(name), std::string_view(name));
    }

    void methodsOfJavaAreTakenApart_data()
    {
        QTest::addColumn<QByteArray>("printed");
        QTest::addColumn<QByteArrayList>("methods");
        const auto row = [](const char* printed, const QByteArrayList& methods) { QTest::newRow(printed) << QByteArray(printed) << methods; };
        row("La/Outer;::run->La/Inner;::get", {"La/Outer;::run", "La/Inner;::get"});
        row("La/B;::m(I)V->La/C;::<init>()V->a.D::<clinit>", {"La/B;::m", "La/C;::<init>", "a.D::<clinit>"});
        row("La/B;::m([[JLa/C;Z)[La/D;", {"La/B;::m"});
        row("a.B::m(B.java:12)->a.C::n(C.java:3)", {"a.B::m(B.java:12)", "a.C::n(C.java:3)"});
        row("a.B::m(I)V(B.java:12)", {"a.B::m(I)V(B.java:12)"});
        for (const auto* one : {"Ptr<T>::operator->", "operator->", "X::operator->[abi:cxx11]", "X::operator->*", "<fn(u32) -> u64>::x",
                 "a->", "->", "->a", "a->->b", "", "outer(int)::Local::run", "f(D)::I", "f(I)[abi:cxx11]", "f(decltype(a->b))", "f(int)",
                 "f()", "f(I", "f(L)V", "f(I)VV"})
            row(one, {one});
    }
    void methodsOfJavaAreTakenApart()
    {
        QFETCH(QByteArray, printed);
        QFETCH(QByteArrayList, methods);
        QByteArrayList got;
        for (const auto method : text::javaMethods(viewOf(printed)))
            got << bytesOf(method);
        QCOMPARE(got, methods);
    }
};
QTEST_GUILESS_MAIN(TestFunctionNames)
#include "tst_function_names.moc"
