// needs: engine/text engine/demangle
// The functions of lines that other tools print, by what those tools print without parameters.
#include "engine/demangle/demangle.h"
#include "engine/text/function_names.h"
#include <QDir>
#include <QElapsedTimer>
#include <QHash>
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
/// The functions of a program or a library, by nm.
QByteArrayList symbolsOf(const QString& file, const QStringList& options)
{
    QByteArrayList symbols;
    for (const auto& line : outputOf("nm", options + QStringList{"--defined-only", "--without-symbol-versions", file}).split('\n')) {
        const auto parts = line.split(' ');
        if (parts.size() == 3 && QByteArray("tTwWiuV").contains(parts[1])) symbols += parts[2];
    }
    return symbols;
}
QByteArray nameOf(const QByteArray& printed) { return QByteArray::fromStdString(text::readFunctionName(viewOf(printed)).name); }
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
        row("get(int)[abi:cxx11] const&", "get");
        row("A::operator void (*)(int)()", "A::operator void (*)(int)");
        row("E::operator void (E::*)()() const", "E::operator void (E::*)()");
        row("void (*f<int>(int))(int)", "f<int>");
        row("int (&f(int)) [3]", "f");
        row("int A::*f<int>()", "f<int>");
        row("double con<int>(int) requires ((sizeof (int))>(2))&&(integral<int>)", "con<int>");
        row("decltype (x.f()) g<int>(int)", "g<int>");
        row("f<(4>2)>(int)", "f<(4>2)>");
        row("f<(3<2)>(int)", "f<(3<2)>");
        row("std::ostream& operator<<<int>(std::ostream&, int)", "operator<<<int>");                               // clang
        row("void f<int>(int)::'lambda0'(int)::operator()(int) const", "f<int>(int)::'lambda0'(int)::operator()"); // clang
        row("invocation function for block in f(int)", "invocation function for block in f");
        row("std::ostream::operator<<(int)@plt", "std::ostream::operator<<@plt");
        row("f(int) [clone .part.0] [clone ._omp_fn.1]", "f [clone ._omp_fn.1]");
        row("f(int) (.resume.cold)", "f [clone .resume]");                                     // LLVM
        row("pure nothrow @safe double app.Sq!(int).area(int)", "app.Sq!(int).area");          // D
        row("java.lang.String java.lang.Object.toString()", "java.lang.Object.toString");      // JDK's map for perf
        row("void [app] Program::Main(string[])[OptimizedTier1]", "void [app] Program::Main"); // .NET's
        row("f(x::Int64)", "f");                                                               // Julia
        row("f((anonymous namespace)::T)", "f");
        row("void (anonymous namespace)::f<int>(int)", "(anonymous namespace)::f<int>");
        row("operator<(S const&, S const&)", "operator<");
        row("operator!(S)", "operator!");
        row("bool operator==(S const&, S const&)", "operator==");
        row("Ptr<T>::operator->() const", "Ptr<T>::operator->");
        row("mapped::operator!() const", "mapped::operator!");
        row("std::ostream& std::operator<< <char>(std::ostream&, char)", "std::operator<< <char>");
        row("non-virtual thunk to A::f()", "non-virtual thunk to A::f");
    }
    void parametersGo()
    {
        QFETCH(QByteArray, printed);
        QFETCH(QByteArray, name);
        QCOMPARE(nameOf(printed), name);
        QCOMPARE(nameOf(name), name); // what dscope printed itself is read as it was
    }

    /// Names of several languages that hold parentheses and have no parameters behind them.
    void namesStay_data()
    {
        QTest::addColumn<QByteArray>("name");
        for (const auto* name : {"main", "operator()", "(anonymous namespace)", "std::function<void (int)>::operator()",
                 "call<void (*)(int)>", "operator()<int>", "main::{lambda(int)#1}", "main::{lambda(int)#2}", "main::'lambda'(int)",
                 "main.Map[go.shape.func(int)]", "main.(*T).Method", "main.(*T)", "net(.text)", "type:.eq.[2]interface {}",
                 "<F as Handler<(A,B)>>::call", "<fn(u32) -> u64 as Map>::map", "app::f::<'('>", "app::f::<\"x(\">",
                 "core::ops::function::FnOnce::call_once{{vtable.shim}}", "app.foo!(int)", "std.stdio.Reader.this(this)",
                 "app.foo(x: Swift.Int) -> ()", "closure #1 (Swift.Int) -> () in sw.main() -> ()",
                 "closure #2 (Swift.Int) -> () in sw.main() -> ()", "closure #1 in main()",
                 "partial apply forwarder for closure #1 () -> () in sw.f() -> ()",
                 "reabstraction thunk helper from @escaping () -> () to @escaping () -> (@out ())", "@objc sw.Foo.bar(x: Swift.Int) -> ()",
                 "static Foo.bar(_:at:)", "foo(x:)", "foo(y:)", "$s2sw4leafySdSiF", "$s2sw4mainyyFyycfU_", "-[A b:c:]", "+[A(Extra) load]",
                 "__44-[Foo bar]_block_invoke", "app.Foo$$Lambda$12/0x0000000800c03000.run", "System.String:Concat (string,string)",
                 "(wrapper runtime-invoke) object:runtime_invoke_void (object,intptr)", "LazyCompile:*(anonymous) /app/(x).js:1:2",
                 "RegExp:(foo)(bar)", "(garbage collector)", "Array.forEach (native)", "py::f:/app/x(1).py", "block (2 levels) in foo",
                 "Foo#bar", "Foo->bar", "GHC.Base.(<$>)", "Main_zdwloop_info", "camlO.$2b$7e_327", "camlStdlib__List__map_481",
                 "shapes__Oadd__2", "__shapes_MOD_leaf", "main.Foo(u32).bar", "main.leaf__anon_1234", "P$PPROG_$$_LEAF$LONGINT$$DOUBLE",
                 "*foo<Array(Int32)>:Array(Int32)", "~procProc(Nil)@/app/c.cr:52", "julia_leaf_123", "lists:foldl/3", "-f/1-fun-0-/2",
                 "kfun:main#leaf(kotlin.Int){}kotlin.Double", "?leaf@@YANH@Z", "`anonymous namespace'::f", "f.cold", "memcpy@GLIBC_2.2.5",
                 "f [clone .resume]", "[unknown]", "(", ")", "()", "", "a)", "(b", "a(b", "a)(b)", "vtable for f()::X"})
            QTest::newRow(name) << QByteArray(name);
    }
    void namesStay()
    {
        QFETCH(QByteArray, name);
        QCOMPARE(nameOf(name), name);
    }

    /// Symbols as c++filt of binutils 2.47 prints them, and what a live run names them: a profile has the same names, whatever its tool
    /// prints.
    void mangledAndPrintedNamesAreOne_data()
    {
        QTest::addColumn<QByteArray>("symbol");
        QTest::addColumn<QByteArray>("printed");
        QTest::addColumn<QByteArray>("name");
        const auto row = [](const char* symbol, const char* printed, const char* name) {
            QTest::newRow(symbol) << QByteArray(symbol) << QByteArray(printed) << QByteArray(name);
        };
        row("_ZN3geoW6shapes4leafEi", "geo::leaf@shapes(int)", "geo::leaf@shapes");
        row("_ZW6shapesWP4part4leafi", "leaf@shapes:part(int)", "leaf@shapes:part");
        row("_ZNH1A3fooEi", "A::foo(this int)", "A::foo");
        row("_ZZ4mainENKUlTyT_E_clIiEEDaS_", "auto main::{lambda<typename $T0>($T0)#1}::operator()<int>(int) const",
            "main::{lambda<typename $T0>($T0)#1}::operator()<int>");
        row("_Z4con2IiQaagtstT_Li2E8integralIS0_EEdS0_", "double con2<int>(int) requires (((sizeof (int))>(2)))&&(integral<int>)",
            "con2<int>");
        row("_ZN1AF3barEv", "A::bar[friend]()", "A::bar[friend]");
        row("_Z3bitDB8_", "_Z3bitDB8_", "_Z3bitDB8_");
        row("_Z3f16DF16_", "f16(_Float16)", "f16");
        row("_Z3bf1DF16b", "bf1(std::bfloat16_t)", "bf1");
        row("_ZTW3tls", "TLS wrapper function for tls", "TLS wrapper function for tls");
        row("_ZTH3tls", "TLS init function for tls", "TLS init function for tls");
        row("_ZThn16_N1B1fEv", "non-virtual thunk to B::f()", "non-virtual thunk to B::f");
        row("_ZTv0_n24_N1D1fEv", "virtual thunk to D::f()", "virtual thunk to D::f");
        row("_ZTch0_h16_NK1E1fEv", "covariant return thunk to E::f() const", "covariant return thunk to E::f");
        row("_ZZN1A1fEvENKUlvE_clEv", "A::f()::{lambda()#1}::operator()() const", "A::f()::{lambda()#1}::operator()");
        row("_ZNKSt3__110__function6__funcIZ4mainE3$_0NS_9allocatorIS2_EEFvvEEclEv",
            "std::__1::__function::__func<main::$_0, std::__1::allocator<main::$_0>, void ()>::operator()() const",
            "std::__1::__function::__func<main::$_0, std::__1::allocator<main::$_0>, void ()>::operator()");
        row("_ZN12_GLOBAL__N_14impl3runEv", "(anonymous namespace)::impl::run()", "(anonymous namespace)::impl::run");
        row("_Z3tagB5cxx11v", "tag[abi:cxx11]()", "tag[abi:cxx11]");
        row("_Z4packIJidEEvDpT_", "void pack<int, double>(int, double)", "pack<int, double>");
        row("_ZN1AcvbEv", "A::operator bool()", "A::operator bool");
        row("_ZN1AcvT_IiEEv", "A::operator int<int>()", "A::operator int<int>");
        row("_ZN1AclEv", "A::operator()()", "A::operator()");
        row("_ZNK1AptEv", "A::operator->() const", "A::operator->");
        row("_ZN1ApmEv", "A::operator->*()", "A::operator->*");
        row("_ZN1AcmEi", "A::operator,(int)", "A::operator,");
        row("_ZN1AlsEi", "A::operator<<(int)", "A::operator<<");
        row("_ZN1AltEi", "A::operator<(int)", "A::operator<");
        row("_ZN1AssEi", "A::operator<=>(int)", "A::operator<=>");
        row("_ZN1AawEv", "A::operator co_await()", "A::operator co_await");
        row("_Zli3_kmy", "operator\"\" _km(unsigned long long)", "operator\"\" _km");
        row("_ZN1AnwEm", "A::operator new(unsigned long)", "A::operator new");
        row("_ZN1Q1gEi.cold", "Q::g(int) [clone .cold]", "Q::g");
        row("_ZN1Q1hEi.part.0.cold", "Q::h(int) [clone .part.0] [clone .cold]", "Q::h");
        row("_ZN1Q1iEi.llvm.1234567890", "Q::i(int) [clone .llvm.1234567890]", "Q::i");
        row("_ZN1Q1jEi.__uniq.98765", "Q::j(int) [clone .__uniq.98765]", "Q::j [clone .__uniq.98765]");
        row("_ZN1Q1kEv._omp_fn.0", "Q::k() [clone ._omp_fn.0]", "Q::k [clone ._omp_fn.0]");
        row("_ZN1Q1lEv.resume", "Q::l() [clone .resume]", "Q::l [clone .resume]");
        row("_ZN1Q1mEv.resolver", "Q::m() [clone .resolver]", "Q::m [clone .resolver]");
        row("_ZN1Q1nEv.avx2.0", "Q::n() [clone .avx2.0]", "Q::n [clone .avx2.0]");
        row("_ZN1r4leaf17h0123456789abcdefE", "r::leaf::h0123456789abcdef", "r::leaf");
        row("_ZN1r4leaf17h0123456789abcdefE.llvm.123456", "r::leaf::h0123456789abcdef", "r::leaf");
        row("_ZN71_$LT$r..Sq$LT$T$GT$$u20$as$u20$r..Shape$GT$4area17h0123456789abcdefE",
            "_ZN71_$LT$r..Sq$LT$T$GT$$u20$as$u20$r..Shape$GT$4area17h0123456789abcdefE",
            "_ZN71_$LT$r..Sq$LT$T$GT$$u20$as$u20$r..Shape$GT$4area17h0123456789abcdefE");
        row("_RNvCs1234_1r4leaf", "r[3c1c0]::leaf", "r::leaf");
        row("_RNvCs1234_1r4leaf.llvm.8827", "r[3c1c0]::leaf", "r::leaf");
        row("_RNvNtC1ru9gre_fka0a5gre_2", "r[0]::ÞgreØ::gre_2", "r::ÞgreØ::gre_2");
        row("_RINvC1r4kindKVNtB2_1KS1nh7_EB2_", "_RINvC1r4kindKVNtB2_1KS1nh7_EB2_", "_RINvC1r4kindKVNtB2_1KS1nh7_EB2_");
        row("_D3app4main4leafFNaNbNfiZd", "app.main.leaf(int)", "app.main.leaf");
        row("_D3app4main__T2SqTdZQg4areaMFiZd", "app.main.Sq!(double).Sq.area(int)", "app.main.Sq!(double).Sq.area");
        row("Main_zdwloop_info", "Main_zdwloop_info", "Main_zdwloop_info");
        row("shapes__Oadd__2", "shapes__Oadd__2", "shapes__Oadd__2");
        row("__shapes_MOD_leaf", "__shapes_MOD_leaf", "__shapes_MOD_leaf");
        row("camlO.$2b$7e_327", "camlO.$2b$7e_327", "camlO.$2b$7e_327");
        row("camlDune__exe__Main.leaf_12", "camlDune__exe__Main.leaf_12", "camlDune__exe__Main.leaf_12");
        row("-[Foo bar:baz:]", "-[Foo bar:baz:]", "-[Foo bar:baz:]");
        row("_i_Foo__bar_baz_", "_i_Foo__bar_baz_", "_i_Foo__bar_baz_");
        row("__main_block_invoke", "__main_block_invoke", "__main_block_invoke");
        row("kfun:main#leaf(kotlin.Int){}kotlin.Double", "kfun:main#leaf(kotlin.Int){}kotlin.Double",
            "kfun:main#leaf(kotlin.Int){}kotlin.Double");
        row("main.leaf__anon_1234", "main.leaf__anon_1234", "main.leaf__anon_1234");
        row("type:.eq.[2]interface {}", "type:.eq.[2]interface {}", "type:.eq.[2]interface {}");
        row("main.(*T[go.shape.int]).Foo-fm", "main.(*T[go.shape.int]).Foo-fm", "main.(*T[go.shape.int]).Foo-fm");
        row("julia_leaf_123", "julia_leaf_123", "julia_leaf_123");
        row("größe", "größe", "größe");
        row("a;b", "a;b", "a;b");
        row("$s2sw4leafySdSiF", "$s2sw4leafySdSiF", "$s2sw4leafySdSiF");
        row("$S4main4leafyS2iF", "$S4main4leafyS2iF", "$S4main4leafyS2iF");
        row("_T04main4leafS2iF", "_T04main4leafS2iF", "_T04main4leafS2iF");
        row("?leaf@@YANH@Z", "?leaf@@YANH@Z", "?leaf@@YANH@Z");
        row("P$PPROG_$$_LEAF$LONGINT$$DOUBLE", "P$PPROG_$$_LEAF$LONGINT$$DOUBLE", "P$PPROG_$$_LEAF$LONGINT$$DOUBLE");
        row("*Sq(Float64)@Sq(T)#area<Int32>:Float64", "*Sq(Float64)@Sq(T)#area<Int32>:Float64", "*Sq(Float64)@Sq(T)#area<Int32>:Float64");
        row("~procProc(Nil)@/app/c.cr:52", "~procProc(Nil)@/app/c.cr:52", "~procProc(Nil)@/app/c.cr:52");
    }
    void mangledAndPrintedNamesAreOne()
    {
        QFETCH(QByteArray, symbol);
        QFETCH(QByteArray, printed);
        QFETCH(QByteArray, name);
        QCOMPARE(nameOf(symbol), name);
        QCOMPARE(nameOf(printed), name);
        QCOMPARE(QByteArray::fromStdString(demangle::demangled(symbol.toStdString())), name);
    }

    void facts_data()
    {
        using Kind = record::Frame::Kind;
        QTest::addColumn<QByteArray>("printed");
        QTest::addColumn<QByteArray>("facts"); // name, clone, module, descriptor, place, offset, kind
        const auto row = [](const char* printed, const char* facts) { QTest::newRow(printed) << QByteArray(printed) << QByteArray(facts); };
        row("libc.so.6`read+0x1c", "read||libc.so.6|||28|4");
        row("libstdc++.so.6.0.30`0xd44a3", "0xd44a3||libstdc++.so.6.0.30||||4");
        row("a.out`A::operator+(int)+0x2", "A::operator+||a.out|||2|4");
        row("a.out`A::operator++0x2", "A::operator+||a.out|||2|4");
        row("a.out`mix(int)+0x12 (src/mix.c:31) (inlined)", "mix||a.out||src/mix.c:31|18|4 inlined");
        row("a.out`f(int) [clone .cold]+0x5", "f|[clone .cold]|a.out|||5|4");
        row("a.out`_ZN3foo3barEi.isra.0+0x5", "foo::bar|[clone .isra.0]|a.out|||5|4");
        row("vfs_read_[k]", "vfs_read||||||2");
        row("La/B;::m(I)V_[j]", "La/B;::m|||(I)V|||3");
        row("inl(int)_[i]", "inl||||||4 inlined");
        row("a.B.m(B.java:12)", "a.B.m||||B.java:12||4");
        row("`anonymous namespace'::f+0x1", "`anonymous namespace'::f|||||1|4");
        row("f+0x", "f+0x||||||4");
        row("f+0x11111111111111111", "f+0x11111111111111111||||||4"); // more than 64 bits
        static_assert(static_cast<int>(Kind::Kernel) == 2 && static_cast<int>(Kind::Jit) == 3 && static_cast<int>(Kind::Unknown) == 4);
    }
    void facts()
    {
        QFETCH(QByteArray, printed);
        QFETCH(QByteArray, facts);
        const auto is = text::readFunctionName(viewOf(printed), {.hasModule = true, .hasPlace = true, .hasMark = true});
        auto got = QByteArray::fromStdString(is.name + '|' + is.clone) + '|' + bytesOf(is.module) + '|' + bytesOf(is.descriptor) + '|'
            + bytesOf(is.file) + (is.file.empty() ? "" : ":") + (is.line ? QByteArray::number(is.line) : "") + '|';
        if (is.offset) got += QByteArray::number(qulonglong(*is.offset));
        QCOMPARE(got + '|' + QByteArray::number(int(is.kind)) + (is.inlined ? " inlined" : ""), facts);
    }

    /// What hints do not name is part of the name.
    void onlyWhatIsHintedIsTaken()
    {
        for (const auto* name : {"vfs_read_[k]", "libc.so.6`read", "f (mix.c:31)", "f (inlined)"})
            QCOMPARE(text::readFunctionName(name).name, name);
        QCOMPARE(text::readFunctionName("f+0x1c", {.offset = text::NameHints::Offset::None}).name, "f+0x1c");
        QCOMPARE(text::readFunctionName("f+28", {.offset = text::NameHints::Offset::Decimal}).name, "f");
    }

    /// As c++filt -s dlang prints them.
    void qualifiersOfDFollowTheParameters()
    {
        const auto bare = [](const char* printed) { return text::readFunctionName(printed).name; };
        QCOMPARE(bare("rt.aaA.Impl.findSlotInsert(ulong) inout"), "rt.aaA.Impl.findSlotInsert");
        QCOMPARE(bare("core.sync.Mutex.lock() shared const"), "core.sync.Mutex.lock");
        const auto* within = "allocator.MmapAllocator.allocate(ulong) shared const.__lambda2";
        QCOMPARE(bare((std::string(within) + "(void*)").c_str()), within);
        QCOMPARE(bare(within), within);
    }

    void descriptorsStayWhereOverloadsWouldMerge()
    {
        text::OverloadedMethods methods;
        for (const auto* printed : {"a/B.m(I)V", "a/B.m(J)V", "a/B.n(I)V", "a/B.n(I)V", "f(int)"}) {
            const auto is = text::readFunctionName(printed);
            methods.add(is.name, is.descriptor);
        }
        QVERIFY(methods.has("a/B.m"));
        QVERIFY(!methods.has("a/B.n") && !methods.has("f") && !methods.has("x"));
    }

    /// Symbols of languages that encode all that tells functions apart are names as they are; those that are demangled are what c++filt
    /// prints without parameters. So no two become one but by what that leaves out.
    void functionsOfLibrariesStayApart_data()
    {
        QTest::addColumn<QString>("file");
        const auto add = [](const QString& folder, const QStringList& names) {
            for (const auto& name : QDir(folder).entryList(names, QDir::Files))
                QTest::newRow(qPrintable(name)) << folder + '/' + name;
        };
        add("/usr/lib/x86_64-linux-gnu",
            {"libstdc++.so.6", "libQt6Core.so.6", "libgfortran.so.5", "libgnat-1?.so", "libgphobos.so.?", "libclang-cpp.so.1?",
                "libglib-2.0.so.0"});
        add("/usr/lib/gcc/x86_64-linux-gnu/12", {"libgfortran.a", "libstdc++.a", "libgcc.a"});
        add("/usr/lib/ocaml", {"stdlib.a", "unix.a"});
        if (QStandardPaths::findExecutable("nm").isEmpty()) QTest::newRow("none") << QString();
    }
    void functionsOfLibrariesStayApart()
    {
        QFETCH(QString, file);
        if (QStandardPaths::findExecutable("c++filt").isEmpty()) QSKIP("binutils is not installed");
        auto symbols = symbolsOf(file, file.contains(".so") ? QStringList{"-D"} : QStringList());
        if (symbols.isEmpty()) QSKIP("it has no symbols");
        std::sort(symbols.begin(), symbols.end());
        symbols.erase(std::unique(symbols.begin(), symbols.end()), symbols.end());
        const auto all = symbols.join('\n') + '\n';
        // c++filt reads some names of D only when it is told that they are.
        const auto told = [&](const QStringList& options) {
            auto names = outputOf("c++filt", options, all).split('\n');
            if (file.contains("phobos")) {
                const auto ofD = outputOf("c++filt", options + QStringList{"-s", "dlang"}, all).split('\n');
                for (qsizetype i = 0; i < symbols.size(); ++i)
                    if (symbols[i].startsWith("_D")) names[i] = ofD.value(i);
            }
            return names;
        };
        const auto whole = told({"-i"}), bare = told({"-i", "-p"});
        QCOMPARE(whole.size(), symbols.size() + 1);
        QCOMPARE(bare.size(), whole.size());
        QHash<QByteArray, qsizetype> firstOf;
        for (qsizetype i = 0; i < symbols.size(); ++i) {
            const auto name = nameOf(symbols[i]);
            QCOMPARE(QByteArray::fromStdString(demangle::demangled(symbols[i].toStdString())), name);
            QCOMPARE(nameOf(whole[i]), name);
            QCOMPARE(nameOf(name), name);
            if (whole[i] == symbols[i]) QCOMPARE(name, symbols[i]);
            const auto first = firstOf.value(name, -1);
            const bool isOfD = symbols[i].startsWith("_D"); // c++filt leaves their parameters
            const bool differ
                = first >= 0 && !isOfD && bare[first] != bare[i] && !name.contains(" for ") && !name.contains("thunk to "); // those keep parameters
            QVERIFY2(!differ, first < 0 ? "" : (symbols[first] + " and " + symbols[i] + " are both " + name).constData());
            firstOf.insert(name, i);
        }
    }

    /// c++filt(1) leaves the parameters out itself, by the mangled name.
    void theyAreThoseOfCppfilt()
    {
        for (const auto* program : {"c++filt", "nm"})
            if (QStandardPaths::findExecutable(program).isEmpty()) QSKIP("binutils is not installed");
        const auto library = outputOf("g++", {"-print-file-name=libstdc++.so.6"}).trimmed();
        const auto symbols
            = outputOf("sh", {"-c", "nm -D --defined-only \"$0\" | cut -d' ' -f3 | cut -d@ -f1 | grep ^_Z", QString::fromUtf8(library)});
        if (symbols.isEmpty()) QSKIP("there is no libstdc++.so.6 with its symbols");
        const auto printed = outputOf("c++filt", {}, symbols).split('\n'), names = outputOf("c++filt", {"-p"}, symbols).split('\n');
        QCOMPARE(printed.size(), names.size());
        int compared = 0;
        for (qsizetype i = 0; i < names.size(); ++i) {
            if (printed[i].contains(" for ") || printed[i].contains(" to ")) continue; // "vtable for": c++filt leaves their parameters in
            ++compared;
            QCOMPARE(nameOf(printed[i]), names[i]);
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
            QCOMPARE(nameOf(printed[i]), names[i]);
    }

    void gdbsArgumentsGo_data()
    {
        QTest::addColumn<QByteArray>("printed");
        QTest::addColumn<QByteArray>("name");
        const auto row = [](const char* printed, const char* name) { QTest::newRow(printed) << QByteArray(printed) << QByteArray(name); };
        row("std::function<void (int)>::operator()(int) const (this=0x7f, __args#0=2) at /usr/x.h:589",
            "std::function<void (int)>::operator()");
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
        QCOMPARE(text::withoutOffset("a+0x1+0xFFffffffffffffff"), std::string_view("a+0x1"));
        for (const auto* name : {"libstdc++.so.6.0.30`0xd44a3", "operator+", "operator+0", "f+0x", "f+0x12 (a.c:3)", "+", "", "f0x12",
                 "+0x12", "f+0x11111111111111111", "f+0y12"})
            QCOMPARE(text::withoutOffset(name), std::string_view(name));
    }

    /// Each takes as many steps as it has characters: what takes more does not end within minutes.
    void longNamesTakeLinearTime()
    {
        constexpr qsizetype kSize = 1 << 20;
        QElapsedTimer time;
        time.start();
        for (const QByteArray part : {"]::", "a[1]::", "[1]::", "a->", "a::b(I)V->", "(", "operator", ") .> ", " const", "[abi:x]"}) {
            const auto printed = part.repeated(kSize / part.size());
            QVERIFY(nameOf(printed).size() <= printed.size());
            QVERIFY(!text::readFunctionNames(viewOf(printed)).empty());
        }
        QCOMPARE(nameOf(QByteArray("a[1]::").repeated(10) + 'b'), QByteArray("a::").repeated(10) + 'b');
        QVERIFY2(time.elapsed() < 20'000, qPrintable(QString::number(time.elapsed())));
    }
    void methodsOfJavaAreTakenApart_data()
    {
        QTest::addColumn<QByteArray>("printed");
        QTest::addColumn<QByteArrayList>("methods");
        const auto row
            = [](const char* printed, const QByteArrayList& methods) { QTest::newRow(printed) << QByteArray(printed) << methods; };
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
            got << bytesOf(method.name);
        QCOMPARE(got, methods);
    }
};
QTEST_GUILESS_MAIN(TestFunctionNames)
#include "tst_function_names.moc"
