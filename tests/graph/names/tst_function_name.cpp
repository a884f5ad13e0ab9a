// needs: graph/names
#include <QObject>
#include <QTest>
#ifndef Q_MOC_RUN
#include "graph/names/function_name.h"
#include <random>
#endif
using namespace dscope::graph;
namespace {
struct Name {
    const char *name, *plain, *least; ///< as it was found; with all scopes and no arguments; in the least room
};
// Names as they stand in profiles of programs in these languages, in the spelling of each demangler, linker and perf map.
constexpr Name kNames[]{
    {"memcpy", "memcpy", "memcpy"},
    {"std::vector<int, std::allocator<int> >::push_back(int const&)", "std::vector::push_back", "push_back"},
    {"std::vector<int, std::allocator<int>>::resize", "std::vector::resize", "resize"},
    {"ns::(anonymous namespace)::alpha(int)", "ns::alpha", "alpha"},
    {"(anonymous namespace)::beta", "beta", "beta"},
    {"Foo::operator()(int) const", "Foo::operator()", "Foo::operator()"},
    {"Foo::operator<<(std::ostream&)", "operator<<", "operator<<"},
    {"std::ostream& operator<< <char>(std::ostream&, char)", "operator<<", "operator<<"},
    {"bool std::operator==<char, std::char_traits<char> >(std::string const&, char const*)", "std::operator==", "operator=="},
    {"operator new(unsigned long)", "operator new", "operator new"},
    {"Foo::operator bool() const", "Foo::operator bool", "operator bool"},
    {"Foo::operator std::vector<int, std::allocator<int> >() const", "operator std::vector<int, std::allocator<int> >", "operator std::vector<int, std::allocator<int> >"},
    {"operator delete[](void*, unsigned long)", "operator delete[]", "operator delete[]"},
    {"std::operator<=>(A const&, B const&)", "operator<=>", "operator<=>"},
    {"ns::Iter::operator->() const", "ns::Iter::operator->", "operator->"},
    {"ns::Iter::operator++(int)", "ns::Iter::operator++", "operator++"},
    {"ns::Arr::operator[](unsigned long)", "ns::Arr::operator[]", "operator[]"},
    {"main::{lambda(int)#1}::operator()(int) const", "main::{lambda#1}::operator()", "main::{lambda#1}::operator()"},
    {"void std::__invoke_impl<void, main::{lambda()#1}>(std::__invoke_other, main::{lambda()#1}&&)", "std::__invoke_impl", "__invoke_impl"},
    {"std::_Function_handler<void (), foo()::{lambda()#1}>::_M_invoke(std::_Any_data const&)", "std::_Function_handler::_M_invoke", "_M_invoke"},
    {"std::function<void ()>::operator()() const", "function::operator()", "function::operator()"},
    {"std::unique_ptr<Foo, std::default_delete<Foo> >::~unique_ptr()", "std::unique_ptr::~unique_ptr", "~unique_ptr"},
    {"Foo::Foo(int)", "Foo::Foo", "Foo::Foo"},
    {"Foo::~Foo()", "Foo::~Foo", "~Foo"},
    {"ns::f(int)::Local::g() const", "ns::f::Local::g", "g"},
    {"std::__cxx11::basic_string<char, std::char_traits<char>, std::allocator<char> >::_M_append(char const*, unsigned long)", "std::basic_string::_M_append", "_M_append"},
    {"void ns::Tree<int>::walk<ns::(anonymous namespace)::Visitor>(ns::(anonymous namespace)::Visitor&&) const", "ns::Tree::walk", "walk"},
    {"decltype(auto) std::__do_visit<true, void>(int&&)", "std::__do_visit", "__do_visit"},
    {"std::enable_if<true, int>::type ns::g<int>(int)", "ns::g", "g"},
    {"unsigned long ns::hash<char const*>(char const*)", "ns::hash", "hash"},
    {"foo[abi:cxx11](int)", "foo[abi:cxx11]", "foo"},
    {"ns::bar[abi:cxx11]", "ns::bar[abi:cxx11]", "bar"},
    {"compute.part.0", "compute.part.0", "compute"},
    {"compute.constprop.0.isra.1", "compute.constprop.0.isra.1", "compute"},
    {"ns::run(int) [clone .cold]", "ns::run", "run"},
    {"ns::run(int) [clone .part.0] [clone .constprop.1]", "ns::run", "run"},
    {"foo.llvm.123456", "foo.llvm.123456", "foo"},
    {"gomp_team._omp_fn.0", "gomp_team._omp_fn.0", "gomp_team"},
    {"main._omp_fn.1", "main._omp_fn.1", "main"},
    {"cmp<(Kind)1, 3>(int)", "cmp", "cmp"},
    {"f<&Foo::operator< >(int)", "f", "f"},
    {"std::less<int>::operator()(int const&, int const&) const", "less::operator()", "less::operator()"},
    {"boost::asio::detail::executor_op<boost::asio::detail::work_dispatcher<boost::beast::detail::bind_front_wrapper<void (Session::*)(boost::system::error_code, unsigned long), std::shared_ptr<Session>>>, std::allocator<void>, boost::asio::detail::scheduler_operation>::do_complete(void*, boost::asio::detail::scheduler_operation*, boost::system::error_code const&, unsigned long)", "boost::asio::detail::executor_op::do_complete", "do_complete"},
    {"(anonymous namespace)::RuntimeDyldELF::resolve(llvm::object::SectionRef const&)", "RuntimeDyldELF::resolve", "resolve"},
    {"llvm::SmallVectorImpl<char>::operator=(llvm::SmallVectorImpl<char>&&)", "llvm::SmallVectorImpl::operator=", "operator="},
    {"clang::Sema::CheckImplicitConversion(clang::Expr*, clang::QualType)", "clang::Sema::CheckImplicitConversion", "CheckImplicitConversion"},
    {"v8::internal::(anonymous namespace)::Invoke(v8::internal::Isolate*, v8::internal::(anonymous namespace)::InvokeParams const&)", "v8::internal::Invoke", "Invoke"},
    {"non-virtual thunk to Foo::bar(int)", "Foo::bar", "bar"},
    {"virtual thunk to ns::Foo::bar(int)", "ns::Foo::bar", "bar"},
    {"guard variable for ns::f()::x", "ns::f::x", "x"},
    {"vtable for Foo", "vtable for Foo", "Foo"},
    {"std::thread::_State_impl<std::thread::_Invoker<std::tuple<main::{lambda()#1}> > >::_M_run()", "std::thread::_State_impl::_M_run", "_M_run"},
    {"auto ns::make()::'lambda'(int)::operator()(int) const", "make::'lambda'::operator()", "make::'lambda'::operator()"},
    {"ns::$_0::operator()() const", "$_0::operator()", "$_0::operator()"},
    {"std::rt::lang_start", "std::rt::lang_start", "lang_start"},
    {"std::rt::lang_start::{{closure}}", "std::rt::lang_start::{{closure}}", "lang_start::{{closure}}"},
    {"core::ops::function::FnOnce::call_once{{vtable.shim}}", "core::ops::function::FnOnce::call_once{{vtable.shim}}", "call_once{{vtable.shim}}"},
    {"<alloc::vec::Vec<T> as core::ops::drop::Drop>::drop", "Drop::drop", "drop"},
    {"<Vec<T> as Drop>::drop", "Drop::drop", "drop"},
    {"<alloc::vec::Vec<T>>::push", "Vec::push", "push"},
    {"alloc::vec::Vec<T,A>::push", "alloc::vec::Vec::push", "push"},
    {"alloc::raw_vec::RawVec<T,A>::reserve::do_reserve_and_handle", "alloc::raw_vec::RawVec::reserve::do_reserve_and_handle", "do_reserve_and_handle"},
    {"<core::iter::adapters::map::Map<I,F> as core::iter::traits::iterator::Iterator>::fold", "Iterator::fold", "fold"},
    {"<&mut W as core::fmt::Write>::write_str", "Write::write_str", "write_str"},
    {"<T as core::convert::Into<U>>::into", "Into::into", "into"},
    {"core::fmt::num::imp::<impl core::fmt::Display for usize>::fmt", "core::fmt::num::imp::<Display for usize>::fmt", "fmt"},
    {"core::slice::<impl [T]>::iter", "core::slice::[T]::iter", "iter"},
    {"<[u8]>::to_vec", "[u8]::to_vec", "to_vec"},
    {"<dyn core::any::Any>::is", "Any::is", "is"},
    {"tokio::runtime::task::harness::Harness<T,S>::poll", "tokio::runtime::task::harness::Harness::poll", "poll"},
    {"<tokio::sync::mpsc::Receiver<T> as core::ops::drop::Drop>::drop::{{closure}}", "Drop::drop::{{closure}}", "drop::{{closure}}"},
    {"core::iter::Iterator::collect::<alloc::vec::Vec<u8>>", "core::iter::Iterator::collect", "collect"},
    {"my_crate::main::{closure#0}", "my_crate::main::{closure#0}", "main::{closure#0}"},
    {"<my_crate::Foo as my_crate::Trait>::method::{closure#1}", "Trait::method::{closure#1}", "method::{closure#1}"},
    {"_$LT$alloc..vec..Vec$LT$T$GT$$u20$as$u20$core..ops..drop..Drop$GT$::drop", "_$LT$alloc..vec..Vec$LT$T$GT$$u20$as$u20$core..ops..drop..Drop$GT$::drop", "drop"},
    {"core::ptr::drop_in_place<alloc::string::String>", "core::ptr::drop_in_place", "drop_in_place"},
    {"core::ptr::drop_in_place::<core::option::Option<alloc::boxed::Box<dyn core::any::Any>>>", "core::ptr::drop_in_place", "drop_in_place"},
    {"hashbrown::raw::RawTable<T,A>::reserve_rehash", "hashbrown::raw::RawTable::reserve_rehash", "reserve_rehash"},
    {"serde_json::de::Deserializer<R>::parse_value", "serde_json::de::Deserializer::parse_value", "parse_value"},
    {"<F as core::ops::function::FnOnce<(A,)>>::call_once", "FnOnce::call_once", "call_once"},
    {"std::sys_common::backtrace::__rust_begin_short_backtrace", "std::sys_common::backtrace::__rust_begin_short_backtrace", "__rust_begin_short_backtrace"},
    {"<for<'a> fn(&'a T) as Trait>::f", "Trait::f", "f"},
    {"main.main", "main.main", "main.main"},
    {"main.(*Server).ServeHTTP", "main.(*Server).ServeHTTP", "ServeHTTP"},
    {"net/http.(*conn).serve", "net/http.(*conn).serve", "serve"},
    {"net/http.HandlerFunc.ServeHTTP", "net/http.HandlerFunc.ServeHTTP", "ServeHTTP"},
    {"github.com/gin-gonic/gin.(*Engine).handleHTTPRequest", "github.com/gin-gonic/gin.(*Engine).handleHTTPRequest", "handleHTTPRequest"},
    {"github.com/foo/bar/v2.Run.func1", "github.com/foo/bar/v2.Run.func1", "Run.func1"},
    {"github.com/foo/bar/v2.Run.func1.2", "github.com/foo/bar/v2.Run.func1.2", "Run.func1.2"},
    {"main.main.func1.2", "main.main.func1.2", "main.main.func1.2"},
    {"main.main.gowrap1", "main.main.gowrap1", "main.main.gowrap1"},
    {"runtime.mallocgc", "runtime.mallocgc", "mallocgc"},
    {"runtime.gcBgMarkWorker.func2", "runtime.gcBgMarkWorker.func2", "gcBgMarkWorker.func2"},
    {"slices.pdqsortCmpFunc[go.shape.int]", "slices.pdqsortCmpFunc[go.shape.int]", "pdqsortCmpFunc"},
    {"slices.SortFunc[go.shape.[]*github.com/foo/bar.Item,go.shape.*uint8]", "slices.SortFunc[go.shape.[]*github.com/foo/bar.Item,go.shape.*uint8]", "SortFunc"},
    {"main.(*Cache[go.shape.string,go.shape.int]).Get", "main.(*Cache).Get", "Get"},
    {"encoding/json.(*decodeState).object", "encoding/json.(*decodeState).object", "object"},
    {"runtime/internal/atomic.(*Uint32).Load", "runtime/internal/atomic.(*Uint32).Load", "Load"},
    {"type:.eq.main.Point", "type:.eq.main.Point", "type:.eq.main.Point"},
    {"k8s.io/client-go/tools/cache.(*Reflector).ListAndWatch-fm", "k8s.io/client-go/tools/cache.(*Reflector).ListAndWatch-fm", "ListAndWatch-fm"},
    {"gopkg.in/yaml%2ev3.Unmarshal", "gopkg.in/yaml%2ev3.Unmarshal", "Unmarshal"},
    {"java.util.HashMap.put", "java.util.HashMap.put", "put"},
    {"java/util/HashMap.putVal", "java/util/HashMap.putVal", "putVal"},
    {"Ljava/lang/String;::hashCode", "Ljava/lang/String;::hashCode", "hashCode"},
    {"java.util.concurrent.ThreadPoolExecutor$Worker.run", "java.util.concurrent.ThreadPoolExecutor$Worker.run", "run"},
    {"int java.util.HashMap.hash(java.lang.Object)", "java.util.HashMap.hash", "hash"},
    {"com.foo.Bar::baz(int, String)", "com.foo.Bar::baz", "baz"},
    {"com.foo.Main.lambda$main$0", "com.foo.Main.lambda$main$0", "lambda$main$0"},
    {"com.foo.Main.<init>", "com.foo.Main.<init>", "Main.<init>"},
    {"com/foo/Main.<clinit>", "com/foo/Main.<clinit>", "Main.<clinit>"},
    {"java.lang.invoke.LambdaForm$MH/0x0000000800c03000.invoke", "java.lang.invoke.LambdaForm$MH/0x0000000800c03000.invoke", "invoke"},
    {"Foo$$Lambda$14.0x0000000800066840.run", "Foo$$Lambda$14.0x0000000800066840.run", "run"},
    {"org.springframework.web.servlet.DispatcherServlet.doDispatch", "org.springframework.web.servlet.DispatcherServlet.doDispatch", "doDispatch"},
    {"io/netty/channel/nio/NioEventLoop.run", "io/netty/channel/nio/NioEventLoop.run", "run"},
    {"pure nothrow @safe void std.stdio.writeln!(string).writeln(string)", "std.stdio.writeln", "writeln"},
    {"std.algorithm.sorting.sort!(\"a < b\", 0, int[]).sort(int[])", "std.algorithm.sorting.sort", "sort"},
    {"void app.main()", "app.main", "main"},
    {"D main", "D main", "main"},
    {"_Dmain", "_Dmain", "_Dmain"},
    {"int app.S.opCall(int)", "app.S.opCall", "S.opCall"},
    {"app.Foo.__ctor(int)", "app.Foo.__ctor", "Foo.__ctor"},
    {"app.main.__lambda1", "app.main.__lambda1", "main.__lambda1"},
    {"core.thread.osthread.Thread.run()", "core.thread.osthread.Thread.run", "run"},
    {"@safe int std.conv.to!int.to!(string).to(string)", "std.conv.to!int", "to"},
    {"const(char)[] app.name()", "app.name", "name"},
    {"py::handle_request:/srv/app/server.py", "py::handle_request:/srv/app/server.py", "handle_request"},
    {"LazyCompile:~render /srv/app/view.js:10:5", "LazyCompile:~render /srv/app/view.js:10:5", "render"},
    {"Function:*parse node:internal/url:779:14", "Function:*parse node:internal/url:779:14", "parse"},
    {"__x64_sys_read", "__x64_sys_read", "__x64_sys_read"},
    {"entry_SYSCALL_64_after_hwframe", "entry_SYSCALL_64_after_hwframe", "entry_SYSCALL_64_after_hwframe"},
    {"[unknown]", "[unknown]", "[unknown]"},
    {"a.out", "a.out", "a.out"},
    {"libc.so.6", "libc.so.6", "libc.so.6"},
    {"python3.11", "python3.11", "python3.11"},
    {"0x7f001234", "0x7f001234", "0x7f001234"},
    {"swap[2]", "swap[2]", "swap"},
    {"kworker/0:1-events", "kworker/0:1-events", "kworker/0:1-events"},
    {"[no stack]", "[no stack]", "[no stack]"},
    {"-[NSObject init]", "-[NSObject init]", "-[NSObject init]"},
};
QString shown(const std::vector<std::string>& forms)
{
    QStringList all;
    for (const auto& form : forms)
        all << QString::fromStdString(form);
    return all.join(" | ");
}
qsizetype letters(const std::string& text) { return QString::fromStdString(text).size(); }
} // namespace

class FunctionNameTest : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void theFunctionIsKept_data()
    {
        QTest::addColumn<QString>("plain");
        QTest::addColumn<QString>("least");
        for (const auto& [name, plain, least] : kNames)
            QTest::newRow(name) << QString(plain) << QString(least);
    }
    void theFunctionIsKept()
    {
        QFETCH(QString, plain);
        QFETCH(QString, least);
        const auto forms = nameForms(QTest::currentDataTag());
        QCOMPARE(QString::fromStdString(forms.back()), least);
        QVERIFY2(std::find(forms.begin(), forms.end(), plain.toStdString()) != forms.end(), qPrintable(shown(forms)));
        QCOMPARE(forms.front(), std::string(QTest::currentDataTag()));
        for (std::size_t i = 1; i < forms.size(); ++i)
            QVERIFY2(letters(forms[i]) < letters(forms[i - 1]), qPrintable(shown(forms)));
    }
    void theyAreManyAndDifferent() { QVERIFY(std::size(kNames) > 100); }
    void namesThatWereOneAreApart()
    {
        const auto least = [](const char* name) { return nameForms(name).back(); };
        QVERIFY(least("std::vector<int, std::allocator<int> >::push_back(int const&)") != least("std::vector<int>::resize(unsigned long)"));
        QVERIFY(least("ns::(anonymous namespace)::alpha(int)") != least("ns::(anonymous namespace)::beta(int)"));
    }
    /// Folded text ends names with the kind of the frame, which no title and no label shows.
    void marksAreNoPartOfNames()
    {
        for (const auto* name : {"inl", "sync.(*Mutex).Unlock", "main::{lambda(int)#1}::operator()", "<F as app::Tr>::go", "f<int>"})
            for (const auto* mark : {"_[k]", "_[j]", "_[i]", "_[w]"}) {
                QCOMPARE(shown(nameForms(std::string(name) + mark)), shown(nameForms(name)));
                QCOMPARE(functionName(std::string(name) + mark).parts.back().name, functionName(name).parts.back().name);
            }
        for (const auto* name : {"_[k]", "f_[T]", "f[k]", "swap_[2]"}) // arguments of Go, an index
            QCOMPARE(withoutMark(name), std::string_view(name));
    }
    void whatIsNoNameStaysAsItIs_data()
    {
        QTest::addColumn<QString>("name");
        for (const auto* name : {"", " ", "operator", "foo(", "a<b", "::", "x::", "<", ">", "((((", "))))", "foo::bar<", "a::<", "<a as", "!(", "a!(",
                 "\"", "operator\"\"", "{{{", "$LT$", "_$LT$", "$u", "$u7", "L;::", "py::", "Function:", ".", "..", "/", "//a", "a/b.", "\xff::\xff"})
            QTest::newRow(name) << QString::fromLatin1(name);
    }
    void whatIsNoNameStaysAsItIs()
    {
        QFETCH(QString, name);
        const auto forms = nameForms(name.toStdString());
        QVERIFY(!forms.empty());
        QCOMPARE(forms.front(), name.toStdString());
    }
    void addressesAreToldFromFunctions_data()
    {
        QTest::addColumn<QString>("frame");
        QTest::addColumn<int>("at"); // -1: a function
        QTest::newRow("of a library") << "libz.so.1.2.13+0xaa60" << 14;
        QTest::newRow("bare") << "0x7f00aa60" << 0;
        QTest::newRow("function and offset") << "libz.so.1`inflate+0x12" << -1;
        QTest::newRow("function") << "main" << -1;
        QTest::newRow("a name that ends so") << "read0x12" << -1;
        QTest::newRow("no digits") << "a+0x" << -1;
        QTest::newRow("no hexadecimal digits") << "a+0xmain" << -1;
        QTest::newRow("empty") << "" << -1;
    }
    void addressesAreToldFromFunctions()
    {
        QFETCH(QString, frame);
        QFETCH(int, at);
        QCOMPARE(static_cast<int>(addressIn(frame.toStdString())), at);
    }
    void anyBytesGiveForms()
    {
        std::mt19937 random(5);
        constexpr std::string_view kLetters = "ab:<>()[]{}!., $'\"/~*&0Loperator";
        for (int i = 0; i < 20'000; ++i) {
            std::string name;
            for (auto left = random() % 40; left > 0; --left)
                name += kLetters[random() % kLetters.size()];
            const auto forms = nameForms(name);
            QVERIFY(!forms.empty() && forms.front() == name);
            const auto parsed = functionName(name);
            QVERIFY2(!parsed.parts.empty() && parsed.telling < parsed.parts.size(), name.c_str());
        }
    }
};
QTEST_APPLESS_MAIN(FunctionNameTest)
#include "tst_function_name.moc"
