// needs: engine/importers
// What other tools print is understood; each text is in the form that its tool has, and what it says is known beforehand.
#include "tests/support/imported.h"
#include <QFile>
#include <QObject>
#include <QTemporaryFile>
#include <QTest>
#include <numeric>
#include <random>
using namespace dscope;
using namespace dscope::tests;

class TestImporters : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void whatACutTextLosesIsTold_data()
    {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<QByteArray>("says");
        QTest::addColumn<QByteArray>("told");
        QTest::newRow("dtrace") << QByteArray("\n              libc.so.6`read\n              app`main\n                3\n\n"
                                              "              libc.so.6`read\n              app`ma")
                                << QByteArray("app`main;libc.so.6`read 3\n") << QByteArray("the text ends within a stack, which is not counted");
        const QByteArray event = "jdk.ExecutionSample {\n  sampledThread = \"a\" (javaThreadId = 1)\n  stackTrace = [\n    Main.run(int) line: 1\n";
        QTest::newRow("jfr") << event + "  ]\n}\n\n" + event << QByteArray("a;Main.run_[j] 1\n") << QByteArray("the text ends within an event, which is not counted");
    }
    void whatACutTextLosesIsTold()
    {
        QFETCH(QByteArray, text);
        const auto imported = read(QTest::currentDataTag(), text);
        QVERIFY(imported);
        QTEST(said(*imported), "says");
        QTEST(QByteArray::fromStdString(imported->firstLine), "told");
    }
    /// A script may print a semicolon and a number: that is no folded stack. A backtick divides names only in files that dscope wrote.
    void whatScriptsPrintIsNoStack()
    {
        const auto printed = read("dtrace", "bash; 1234\nread(fd=3); took 25\n\n              libc.so.6`read\n                3\n");
        QVERIFY(printed);
        QCOMPARE(linesOf(*printed).size(), std::size_t{1});
        const auto dotnet = read("speedscope",
            "{\"$schema\":\"https://www.speedscope.app/file-format-schema.json\",\"exporter\":\"dotnet-trace\",\"shared\":{\"frames\":"
            "[{\"name\":\"System.Private.CoreLib!System.Collections.Generic.List`1[System.Int32].Add\"}]},\"profiles\":[{\"type\":\"sampled\","
            "\"name\":\"t\",\"unit\":\"none\",\"startValue\":0,\"endValue\":2,\"samples\":[[0]],\"weights\":[2]}]}");
        QVERIFY(dotnet);
        for (const auto& record : dotnet->records)
            if (const auto* stacks = std::get_if<record::CountedStacks>(&record))
                for (std::uint32_t i = 0; i < stacks->table->frameCount(); ++i)
                    QVERIFY(stacks->table->frame(i).module.empty());
    }
    /// usym(), sym() and uaddr() are keys of a table like others.
    void symbolsThatAreKeysAreNoFrames()
    {
        const auto imported = read("dtrace",
            "  libc.so.1`_write+0xa                              4\n  unix`mutex_enter                                 -9\n"
            "  sh                                                libc.so.1`operator new(int)                      12\n\n"
            "              libc.so.1`_write+0xa\n              sh`main+0x1\n                5\n");
        QVERIFY(imported);
        QCOMPARE(said(*imported),
            QByteArray(
                "sh`main;libc.so.1`_write 5\n@[libc.so.1`_write+0xa] 4\n@[unix`mutex_enter] -9\n@[sh, libc.so.1`operator new(int)] 12\n"));
        QCOMPARE(imported->notUnderstood, std::size_t{0});
    }
    void dropsOfDtraceAreTold()
    {
        const auto imported = read("dtrace", "dtrace: 5 drops on CPU 0\n\n              libc.so.6`read+0x1\n                3\n"
                                             "dtrace: 2 aggregation drops on CPU 1\ndtrace: error on enabled probe ID 3 (ID 1: a:b:c:d): invalid address (0x0) in action #1\n");
        QVERIFY(imported);
        QByteArray all;
        for (const auto& record : imported->records)
            if (const auto* told = std::get_if<record::Diagnostic>(&record)) all += QByteArray::fromStdString(told->message) + '\n';
        QCOMPARE(all, QByteArray("2 lines of dtrace say that data was dropped, so that numbers are too small; the first is dtrace: 5 drops on CPU 0\n"
                                 "dtrace reported errors in 1 firing, whose data may be missing; the first is dtrace: error on enabled probe ID 3 (ID 1: a:b:c:d): invalid "
                                 "address (0x0) in action #1\n"));
    }
    /// Whatever the tool that printed them does not demangle.
    void mangledNamesAreSpelledOut_data()
    {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<QByteArray>("says");
        QTest::newRow("bpftrace") << QByteArray("@[\n    _ZN3foo3barEi+12\n    _RNvCs1234_7mycrate3foo+3\n]: 3\n") << QByteArray("mycrate::foo;foo::bar 3\n");
        QTest::newRow("bcc") << QByteArray("Sampling at 49 Hertz of all threads by user + kernel stack... Hit Ctrl-C to end.\n\n    _ZN3foo3barEi\n"
                                           "    _Zebra\n    -                dd (1)\n        4\n\n")
                             << QByteArray("dd;_Zebra;foo::bar 4\n");
        QTest::newRow("backtrace") << QByteArray("\nThread 1 (LWP 11):\n#0  _ZN3foo3barEi () at m.c:1\n#1  0x1 in main () at m.c:1\n")
                                   << QByteArray("main;foo::bar 1\n");
    }
    void mangledNamesAreSpelledOut()
    {
        QFETCH(QByteArray, text);
        const auto imported = read(QTest::currentDataTag(), text);
        QVERIFY(imported);
        QTEST(said(*imported), "says");
    }
    void functionsWhoseNamesAreHexadecimalArePython()
    {
        QCOMPARE(guessed("Process 12: python x.py\nPython v3.11.7 (/usr/bin/python3.11)\n\nThread 12 (active+gil): \"Main Thread (1)\"\n"
                         "    f (x.py:3)\n    <module> (a b.py:7)\n"),
            QByteArray("py-spy"));
    }
    /// As `cat a.json b.json` makes it.
    void whatIsBehindAJsonTextIsTold_data()
    {
        QTest::addColumn<QByteArray>("json");
        const auto row = [](const char* format, QByteArray json) { QTest::newRow(format) << json.replace('\'', '"'); };
        row("chrome", "[{'ph':'X','ts':1,'dur':2,'pid':1,'tid':1,'name':'a'}]");
        row("speedscope",
            "{'$schema':'https://www.speedscope.app/file-format-schema.json','shared':{'frames':[{'name':'a'}]},"
            "'profiles':[{'type':'sampled','name':'p','unit':'none','startValue':0,'endValue':1,'samples':[[0]],'weights':[3]}]}");
        row("cpuprofile",
            "{'nodes':[{'id':1,'callFrame':{'functionName':'f','url':'','lineNumber':-1}}],'startTime':1,'endTime':11,'samples':[1],'timeDeltas':[0]}");
        row("gecko",
            "{'meta':{'version':24,'interval':1,'startTime':0},'libs':[],'threads':[{'name':'T','pid':1,'tid':1,"
            "'samples':{'schema':{'stack':0,'time':1},'data':[[0,1.0]]},'stackTable':{'schema':{'prefix':0,'frame':1},'data':[[null,0]]},"
            "'frameTable':{'schema':{'location':0},'data':[[0]]},'stringTable':['main'],'markers':{'schema':{'name':0,'startTime':1},'data':[]}}],'processes':[]}");
        row("perf.json",
            "{'linux-perf-json-version': 1, 'headers': {}, 'samples': [{'timestamp': 1, 'pid': 1, 'tid': 1, 'comm': 'x', 'callchain': "
            "[{'ip':'0x1','symbol':'f','dso':'a'}]}]}");
        row("dtrace.json",
            "{'dtrace': {'probes': [{'timestamp':1,'cpu':0,'id':1,'provider':'a','module':'b','function':'c','name':'d','output':[{'value':1}]}]}}");
    }
    void whatIsBehindAJsonTextIsTold()
    {
        QFETCH(QByteArray, json);
        const auto told = [](const text::Imported& imported) {
            return std::any_of(imported.records.begin(), imported.records.end(), [](const auto& record) {
                const auto* said = std::get_if<record::Diagnostic>(&record);
                return said && said->message.find("its JSON text ends at byte ") == 0;
            });
        };
        const auto alone = read(QTest::currentDataTag(), json + "\r\n"), twice = read(QTest::currentDataTag(), json + "\n" + json);
        QVERIFY2(alone, alone ? "" : alone.error().message.c_str());
        QVERIFY(twice);
        QVERIFY(!told(*alone));
        QVERIFY(told(*twice));
    }
    void aTextSaysWhatItSays_data()
    {
        QTest::addColumn<QByteArray>("format");
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<QByteArray>("says");
        QTest::newRow("folded") << QByteArray("folded") << QByteArray("a;b;c 3\na;b 2\n") << QByteArray("a;b 2\na;b;c 3\n");
        QTest::newRow("folded as heaptrack and Excimer write it")
            << QByteArray("folded") << QByteArray("a;b; 3\n;a;c 2\n") << QByteArray("a;b 3\na;c 2\n");
        QTest::newRow("folded, CRLF and names with blanks")
            << QByteArray("folded") << QByteArray("a;operator new 7\r\nb;c 1\r\n") << QByteArray("a;operator new 7\nb;c 1\n");
        QTest::newRow("dtrace: stacks of two kinds of module, a C++ name, an address")
            << QByteArray("dtrace")
            << QByteArray("CPU     ID                    FUNCTION:NAME\n  0  64091                        :tick-60s \n\n\n"
                          "              genunix`read+0x20\n              unix`sys_syscall+0x10e\n                2\n\n"
                          "              libx.so.1`ns::run(int, std::vector<char>)+0x1\n              0xfffffd7ffe\n               15\n")
            << QByteArray("0xfffffd7ffe;libx.so.1`ns::run 15\nunix`sys_syscall;genunix`read 2\n");
        QTest::newRow("dtrace: keys before and behind a stack are its root")
            << QByteArray("dtrace")
            << QByteArray("  write                                             \n              libc.so.1`__write+0xa\n              "
                          "qemu`main+0x1\n            28758\n\n"
                          "              libc.so.1`__read\n              qemu`main\n  bash                                                 "
                          "             4\n")
            << QByteArray("bash;qemu`main;libc.so.1`__read 4\nwrite;qemu`main;libc.so.1`__write 28758\n");
        QTest::newRow("dtrace: numbers by one key and by two")
            << QByteArray("dtrace")
            << QByteArray("\n  dtterm                                                            1\n  iCald.pl6+RPATH                      "
                          "                            28\n"
                          "  ls  read          5\n")
            << QByteArray("@[dtterm] 1\n@[iCald.pl6+RPATH] 28\n@[ls, read] 5\n");
        QTest::newRow("dtrace: overloads of Java do not merge")
            << QByteArray("dtrace")
            << QByteArray("\n              perf-7.map`La/B;::m(I)V\n              libjvm.so`run\n    1\n\n              perf-7.map`La/B;::m(J)V\n              libjvm.so`run\n    2\n")
            << QByteArray("libjvm.so`run;perf-7.map`La/B:::m(I)V 1\nlibjvm.so`run;perf-7.map`La/B:::m(J)V 2\n");
        QTest::newRow("dtrace: imported stacks that dscope's --text wrote between tables")
            << QByteArray("dtrace")
            << QByteArray("\n  BLOCKED (on object monitor)                                       1\nmain;Main.main_[j];Main.run (x)_[j] 1\n"
                          "worker 1;tool`run 2\n")
            << QByteArray("main;Main.main_[j];Main.run (x)_[j] 1\nworker 1;tool`run 2\n@[BLOCKED (on object monitor)] 1\n");
        QTest::newRow("dtrace: quantize, with 0 and a power")
            << QByteArray("dtrace")
            << QByteArray("  fvwm2                                             \n           value  ------------- Distribution "
                          "------------- count    \n"
                          "              -1 |                                         0        \n               0 |@@@@@@@@@               "
                          "                 186      \n"
                          "               1 |                                         0        \n               2 |                        "
                          "                 7        \n"
                          "               4 |                                         0        \n")
            << QByteArray("@[fvwm2] 63 186 65 7\n");
        QTest::newRow("dtrace: lquantize with open ends")
            << QByteArray("dtrace")
            << QByteArray("           value  ------------- Distribution ------------- count\n             < 0 |@@                          "
                          "             2\n"
                          "               0 |                                         0\n              10 |@@@                             "
                          "         3\n"
                          "           >= 20 |@                                        1\n")
            << QByteArray("@[] 0 2 2 3 3 1\n");
        QTest::newRow("dtrace -F: every entry is a call, within what is open on its CPU")
            << QByteArray("dtrace")
            << QByteArray("CPU FUNCTION\n  5  -> a\n  5    -> b\n  5    <- b\n  5    -> b\n  5    <- b\n  5  <- a\n  6  => read\n")
            << QByteArray("a 1\na;b 2\nread 1\n");
        QTest::newRow("perf: the process, the kernel, an unknown frame, a C++ name")
            << QByteArray("perf")
            << QByteArray("my app  123/124 [001] 4794564.109216:          5 cycles:\n\tffffffff8103ce3b do_x+0x1b ([kernel.kallsyms])\n"
                          "\t    7f001234 [unknown] (/usr/lib/libz.so.1)\n\t    400000 ns::go(int) (/bin/app)\n\n"
                          "other 7 1.5: 3 cache-misses: \n\t    400000 main (/bin/app)\n\n")
            << QByteArray("my app;app`ns::go;[libz.so.1];do_x_[k] 5\nother;app`main 3\n");
        QTest::newRow("backtrace: eu-stack, of two threads, twice")
            << QByteArray("backtrace")
            << QByteArray("PID 7 - process\nTID 7:\n#0  0x00007fa6148ad503 clock_nanosleep@GLIBC_2.2.5 - /usr/lib/libc.so.6\n"
                          "    ../sysdeps/unix/sysv/linux/clock_nanosleep.c:71:10\n#1  0x000055d429a504af - /usr/bin/sleep\n"
                          "#2  0x00007fa614805305 - 1 __libc_start_main@@GLIBC_2.34\nTID 8:\n#0  0x000055d429a4ff81\n"
                          "PID 7 - process\nTID 8:\n#0  0x000055d429a4ff81\n")
            << QByteArray("0x000055d429a4ff81 2\n__libc_start_main@@GLIBC_2.34;[sleep];libc.so.6`clock_nanosleep@GLIBC_2.2.5 1\n");
        QTest::newRow("backtrace: gdb, with a signal, parameters and variables")
            << QByteArray("backtrace")
            << QByteArray("[New LWP 12]\nread () at ../read.c:7\n7\tint i = read();\n\nThread 2 (Thread 0x7f12 (LWP 12) \"worker\"):\n#0  "
                          "0x00007f1 in read () from /lib/libc.so.6\n"
                          "#1  <signal handler called>\n#2  0x00005 in ?? () from /lib/libx.so\n#3  main (argc=1, argv=0x7ff) at a.c:7\n"
                          "        i = 1\n\n")
            << QByteArray("main;[libx.so];<signal handler called>;libc.so.6`read 1\n");
        QTest::newRow("perf: modules, also of what was inlined, of a file that is gone, and of none")
            << QByteArray("perf")
            << QByteArray("app 1 1.5: 5 cycles:\n\t7f722d142778 malloc+0x12 (/usr/lib/x86_64-linux-gnu/libc.so.6)\n"
                          "\t400010 outer->inner (/opt/new app (deleted))\n\t7f00 La/Outer;::run->La/Inner;::<init> (/tmp/perf-1.map)\n"
                          "\t400000 start ([unknown])\n\t7ffd __vdso_time ([vdso])\n\n")
            << QByteArray("app;__vdso_time;start;La/Outer:::run_[j];La/Inner:::<init>_[i];new app`outer->inner;libc.so.6`malloc 5\n");
        QTest::newRow("perf: parentheses and arrows within names are part of them")
            << QByteArray("perf")
            << QByteArray("app 1 1.5: 5 cycles:\n\t400000 (anonymous namespace)::hot(int)+0x2 (/bin/app)\n"
                          "\t400001 Ptr<T>::operator->() const+0x2 (/bin/app)\n\t400002 std::function<void (int)>::operator()(int) const+0x2 (/bin/app)\n"
                          "\t400003 main::{lambda(int)#2}::operator()+0x2 (/bin/app)\n\t400004 bool std::operator< <int>(int, int)+0x2 (/bin/app)\n"
                          "\t400005 main.Map[go.shape.func(int)] (/bin/app)\n\t400006 main.(*List[int]).Push (/bin/app)\n"
                          "\t400007 <fn(u32) -> u64 as app::Map>::map+0x2 (/bin/app)\n\t400008 <fn(i32) .> i32 as app::Handler<(A,B)>>::call (/bin/app)\n"
                          "\t400009 get[abi:cxx11](int) [clone .cold]+0x2 (/bin/app)\n\t40000a (swapper) (/bin/app)\n\n")
            << QByteArray("app;app`get[abi:cxx11];app`<fn(i32) -> i32 as app::Handler<(A,B)>>::call;app`<fn(u32) -> u64 as app::Map>::map;app`main.(*List[int]).Push;"
                          "app`main.Map[go.shape.func(int)];app`std::operator< <int>;app`main::{lambda(int)#2}::operator();"
                          "app`std::function<void (int)>::operator();app`Ptr<T>::operator->;app`(anonymous namespace)::hot 5\n");
        QTest::newRow("perf: inlined functions are of the object of the next one that is not")
            << QByteArray("perf")
            << QByteArray("app 1 1.5: 5 cycles:\n\t12eb leaf(int)+0x2 (inlined)\n\t12eb middle+0xb (inlined)\n\t12eb run+0xb (/srv/app)\n"
                          "\t2724 leaf(int)+0x2 (inlined)\n\t2724 start (/lib/libc.so.6)\n\t9999 nobody (inlined)\n\n"
                          "app 1 1.6: 2 cycles:\n\t12eb leaf(int)+0x2 (inlined)\n\tffffffff81000000 do_x ([ext4])\n\n")
            << QByteArray("app;do_x_[k];leaf_[i] 2\napp;nobody_[i];libc.so.6`start;libc.so.6`leaf_[i];app`run;app`middle_[i];app`leaf_[i] 5\n");
        QTest::newRow("perf: which objects are the kernel's, and which hold generated code")
            << QByteArray("perf")
            << QByteArray("app 1 1.5: 5 cycles:\n\t1 a ([JIT app cache])\n\t2 b ([JIT] tid 7)\n\t3 c (/root/.debug/jit/java-jit-1/jitted-7-9.so)\n\t4 d ([anon:x])\n"
                          "\t5 e ([ext4])\n\t6 f ([kernel.kallsyms])\n\n")
            << QByteArray("app;f_[k];e_[k];d;c_[j];b_[j];a_[j] 5\n");
        QTest::newRow("dtrace: parentheses and arrows within names are part of them")
            << QByteArray("dtrace")
            << QByteArray("              app`(anonymous namespace)::Holder::operator()+0x1c\n              app`(anonymous namespace)::Holder::operator->+0x15\n"
                          "              app`app::call<main::{lambda(int)#1}>+0x1c\n              app`app::call<main::{lambda(int)#2}>+0x1c\n"
                          "              libstdc++.so.6.0.30`0xd44a3\n              libstdc++.so.6.0.30`std::f(int) const+0xd\n                23\n")
            << QByteArray("libstdc++.so.6.0.30`std::f;libstdc++.so.6.0.30`0xd44a3;app`app::call<main::{lambda(int)#2}>;app`app::call<main::{lambda(int)#1}>;"
                          "app`(anonymous namespace)::Holder::operator->;app`(anonymous namespace)::Holder::operator() 23\n");
        QTest::newRow("dtrace: our own lines with places, and what was inlined")
            << QByteArray("dtrace")
            << QByteArray("              a.out`leaf (mix.c:31) (inlined)\n              a.out`mix+0x12 (mix.c:40)\n              a.out`main+0x12\n                2\n")
            << QByteArray("a.out`main;a.out`mix;a.out`leaf_[i] 2\n");
        // As c++filt prints _ZZ5outeriEN5Local3runEi.
        QTest::newRow("dtrace: a class within a function")
            << QByteArray("dtrace")
            << QByteArray("              loc`outer(int)::Local::run+0xc\n              loc`main+0x22\n                86\n\n"
                          "              loc`outer+0x1d\n              loc`main+0x22\n                 1\n")
            << QByteArray("loc`main;loc`outer 1\nloc`main;loc`outer(int)::Local::run 86\n");
        QTest::newRow("perf: a class within a function, in a process of Java")
            << QByteArray("perf")
            << QByteArray("java 6/6 2.0:  100 cycles:u: \n\t55aa outer(int)::Local::run+0x1 (/usr/lib/jvm/libjvm.so)\n"
                          "\t55b1 La/B;::m(I)V (/tmp/perf-6.map)\n\n")
            << QByteArray("java;a/B:::m_[j];libjvm.so`outer(int)::Local::run 100\n");
        QTest::newRow("perf: one name for a literal and for the parts of a function")
            << QByteArray("perf")
            << QByteArray("app 1 1.5: 5 cycles:\n\t400000 operator\"\" _km+0x2 (/bin/app)\n\n"
                          "app 1 1.6: 2 cycles:\n\t400000 operator\"\" _km(long double)+0x2 (/bin/app)\n\n"
                          "app 1 1.7: 1 cycles:\n\t400000 X::f(int) const [clone .isra.0] [clone .cold] (/bin/app)\n\n"
                          "app 1 1.8: 1 cycles:\n\t400000 X::f(int) const (/bin/app)\n\n")
            << QByteArray("app;app`X::f 2\napp;app`operator\"\" _km 7\n");
        QTest::newRow("dtrace: names of C++, mangled or not, are those of a live run")
            << QByteArray("dtrace")
            << QByteArray("              app`_ZN3foo3barEi+0x1\n              app`A::operator+(int) const [clone .cold]+0x2\n"
                          "              libstdc++.so.6`0xd44a3\n              app`main+0x1\n                2\n")
            << QByteArray("app`main;libstdc++.so.6`0xd44a3;app`A::operator+;app`foo::bar 2\n");
        QTest::newRow("dtrace: what was inlined into a method of Java")
            << QByteArray("dtrace")
            << QByteArray("              app`La/Outer;::run->La/Inner;::get\n              app`main+0x1\n                2\n")
            << QByteArray("app`main;app`La/Outer:::run;app`La/Inner:::get_[i] 2\n");
        QTest::newRow("backtrace: parentheses within names are part of them")
            << QByteArray("backtrace")
            << QByteArray("Thread 1 (Thread 0x7f12 (LWP 12) \"n\"):\n#0  std::function<void (int)>::operator()(int) const (this=0x7f, "
                          "__args#0=2) at /usr/include/x.h:589\n"
                          "#1  0x0005 in F::operator< (this=0x7f, s=0x5 \"a (b\") at cx/n.cc:8\n#2  operator new (n=4) at cx/n.cc:9\n#3  "
                          "(anonymous namespace)::f () from /lib/x.so\n\n")
            << QByteArray("x.so`(anonymous namespace)::f;operator new;F::operator<_[i];std::function<void (int)>::operator() 1\n");
        QTest::newRow("chrome: a slice that begins where another ends is beside it, the longer of two that begin together holds the other")
            << QByteArray("chrome")
            << QByteArray("[{\"ph\":\"X\",\"name\":\"a\",\"ts\":0,\"dur\":10,\"pid\":1,\"tid\":1},"
                          "{\"ph\":\"X\",\"name\":\"b\",\"ts\":10,\"dur\":5,\"pid\":1,\"tid\":1},"
                          "{\"ph\":\"X\",\"name\":\"c\",\"ts\":10,\"dur\":2,\"pid\":1,\"tid\":1}]\n")
            << QByteArray("a 10000\nb 3000\nb;c 2000\n");
        QTest::newRow("bpftrace: parameters are no part of names")
            << QByteArray("bpftrace") << QByteArray("@[\n    std::function<void (int)>::operator()(int) const+72\n    main+5\n]: 11\n")
            << QByteArray("main;std::function<void (int)>::operator() 11\n");
        QTest::newRow("bpftrace: numbers, a histogram, a linear one, stacks")
            << QByteArray("bpftrace")
            << QByteArray("Attaching 3 probes...\n\n@calls[bash]: 3\n@calls[ls, 7]: 4\n@: 9\n@us:\n[0]                    2 |@@      "
                          "|\n[1]                    1 |@       |\n"
                          "[2, 4)                 5 |@@@@@@@@|\n@l:\n[0, 10)                5 |@@@@@|\n[10, 20)               1 |@    |\n\n"
                          "@[\n    schedule+5\n    do_idle+12\n]: 11\n@s[\n    read+1\n    main+2\n, ls]: 2\n")
            << QByteArray(
                   "do_idle;schedule 11\nls;main;read 2\n@calls[bash] 3\n@calls[ls, 7] 4\n@[] 9\n@us[] 63 2 64 1 65 5\n@l[] 1 5 2 1\n");
        QTest::newRow("bpftrace: samples without a stack")
            << QByteArray("bpftrace") << QByteArray("@[\n\n]: 11\n@[\n    read+1\n]: 2\n") << QByteArray("[no stack] 11\nread 2\n");
        QTest::newRow("bpftrace -f json")
            << QByteArray("bpftrace")
            << QByteArray(
                   "{\"type\": \"attached_probes\", \"data\": {\"probes\": 1}}\n{\"type\": \"map\", \"data\": {\"@n\": {\"bash\": 3}}}\n"
                   "{\"type\": \"map\", \"data\": {\"@\": {\"\\n    schedule+5\\n    do_idle+12\\n\": 4}}}\n"
                   "{\"type\": \"hist\", \"data\": {\"@h\": [{\"min\": 2, \"max\": 3, \"count\": 5}, {\"min\": 4, \"max\": 7, \"count\": "
                   "1}]}}\n")
            << QByteArray("do_idle;schedule 4\n@n[bash] 3\n@h[] 65 5 66 1\n");
    }
    void aTextSaysWhatItSays()
    {
        QFETCH(QByteArray, format);
        QFETCH(QByteArray, text);
        QFETCH(QByteArray, says);
        const auto imported = read(format.constData(), text);
        QVERIFY2(imported, imported ? "" : imported.error().message.c_str());
        QCOMPARE(said(*imported), says);
        QCOMPARE(imported->notUnderstood, std::size_t{0});
        const auto guess = guessed(text);
        QVERIFY2(guess == format || guess == "perhaps " + format, guess.constData());
    }
    void linesThatComeAgainAreReadAsTheFirstTime_data()
    {
        QTest::addColumn<QByteArray>("format");
        QTest::addColumn<QByteArray>("lineEnd");
        QTest::addColumn<bool>("lastEnds");
        for (const auto* format : {"dtrace", "bpftrace"})
            for (const bool dos : {false, true})
                for (const bool lastEnds : {false, true})
                    QTest::addRow("%s%s%s", format, dos ? ", CRLF" : "", lastEnds ? "" : ", cut at the end")
                        << QByteArray(format) << QByteArray(dos ? "\r\n" : "\n") << lastEnds;
    }
    void linesThatComeAgainAreReadAsTheFirstTime()
    {
        QFETCH(QByteArray, format);
        QFETCH(QByteArray, lineEnd);
        QFETCH(bool, lastEnds);
        // Names around the lengths at which a line is compared in another way, each the beginning of others.
        const bool dtrace = format == "dtrace";
        std::vector<QByteArray> names;
        for (const int length : {1, 5, 44, 45, 46, 47, 48, 49, 50, 51, 58, 59, 60, 61, 62, 63, 64, 65, 80, 130})
            names.push_back((dtrace ? "m`" : "") + QByteArray(length, 'f'));
        std::mt19937 chance(7);
        std::map<QByteArray, qint64> wanted;
        QByteArray text;
        std::vector<std::size_t> stack;
        for (int i = 0; i < 3000; ++i) {
            stack.resize(chance() % (stack.size() + 1));
            while (stack.size() < 1 + chance() % 8)
                stack.push_back(chance() % 3 != 0 && !stack.empty() ? (stack.back() + 1) % names.size() : chance() % names.size());
            const auto value = static_cast<qint64>(chance() % 100 + 1);
            QByteArray folded, lines;
            for (auto f = stack.rbegin(); f != stack.rend(); ++f)
                lines += (dtrace ? "              " : "    ") + names[*f] + lineEnd;
            for (const auto f : stack)
                folded += (folded.isEmpty() ? "" : ";") + names[f];
            wanted[folded] += value;
            text += dtrace ? lines + "     " + QByteArray::number(value) + lineEnd + lineEnd
                           : "@[" + lineEnd + lines + "]: " + QByteArray::number(value) + lineEnd;
        }
        if (!lastEnds) text.chop(lineEnd.size() * (dtrace ? 2 : 1));
        QByteArray says;
        for (const auto& [folded, value] : wanted)
            says += folded + ' ' + QByteArray::number(value) + '\n';
        const auto imported = read(format.constData(), text);
        QVERIFY(imported);
        QCOMPARE(said(*imported), says);
        QCOMPARE(imported->notUnderstood, std::size_t{0});
    }
    void aFileThatIsReadInPiecesSaysTheSame()
    {
        QByteArray text;
        std::mt19937 chance(11);
        for (int i = 0; i < 60'000; ++i) {
            for (auto frames = 1 + chance() % 6; frames > 0; --frames)
                text += "              module`function_" + QByteArray::number(static_cast<int>(chance() % 40)) + "+0x1f\n";
            text += "        " + QByteArray::number(static_cast<int>(chance() % 1000 + 1)) + "\n\n";
        }
        QVERIFY(text.size() > 4 << 20);
        QTemporaryFile file;
        QVERIFY(file.open() && file.write(text) == text.size() && file.flush());
        const auto formats = importers::all();
        const auto inPieces = text::import(formats, file.fileName().toStdString(), "");
        QVERIFY(inPieces);
        QCOMPARE(said(*inPieces), said(*read("dtrace", text)));
    }
    void aFileThatIsCutMeanwhileGivesNothing_data()
    {
        QTest::addColumn<QByteArray>("format");
        QTest::addColumn<QByteArray>("line");
        QTest::newRow("mapped") << QByteArray("folded") << QByteArray("main;parse;allocate 7\n");
        QTest::newRow("read in pieces") << QByteArray("strace") << QByteArray("7 10:00:01.000000 close(3)               = 0 <0.000010>\n");
    }
    void aFileThatIsCutMeanwhileGivesNothing()
    {
        QFETCH(QByteArray, format);
        QFETCH(QByteArray, line);
        QTemporaryFile file;
        const auto text = line.repeated(12'000'000 / line.size());
        QVERIFY(file.open() && file.write(text) == text.size() && file.flush());
        const auto name = file.fileName().toStdString();
        // Told for the first time before anything is read.
        int told = 0;
        const auto cut = [&](std::uint64_t, std::uint64_t) {
            if (++told == 2) QCOMPARE(::truncate(name.c_str(), 0), 0);
        };
        const auto formats = importers::all();
        const auto imported = text::import(formats, name, format.toStdString(), cut);
        QVERIFY(told >= 2 && !imported);
        QVERIFY2(imported.error().message.find(name) != std::string::npos
                && imported.error().message.find("was cut while it was read") != std::string::npos,
            imported.error().message.c_str());
    }
    void aLineThatNobodyUnderstandsIsCountedAndShown()
    {
        const auto imported = read("folded", "a;b 1\nwhat is this\n\na;c 2\nnor this\n");
        QVERIFY(imported);
        QCOMPARE(imported->notUnderstood, std::size_t{2});
        QCOMPARE(imported->firstNumber, std::size_t{2});
        QCOMPARE(imported->firstLine, std::string("what is this"));
    }
    void aLineThatIsCutOrNoTextIsCounted_data()
    {
        QTest::addColumn<QByteArray>("format");
        QTest::addColumn<QByteArray>("last"); ///< line, and whether it is understood
        QTest::addColumn<bool>("understood");
        const auto strace = [](const char* name, const char* last, bool understood) {
            QTest::newRow(name) << QByteArray("strace") << QByteArray(last) << understood;
        };
        strace("whole", "7 10:00:01.000000 close(3)               = 0 <0.000010>", true);
        strace("without a result", "7 10:00:01.000000 exit_group(0)          = ?", true);
        strace("a file's name behind its number", "7 10:00:01.000000 openat(AT_FDCWD, \"a = b\") = 3</a<b> <0.000010>", true);
        strace("within an argument", "7 10:00:01.000000 openat(AT_FDCWD, \"/etc/ld", false);
        strace("within an argument that has an equals sign", "7 10:00:01.000000 write(1, \"a = b", false);
        strace("before the equals sign", "7 10:00:01.000000 close(3)    ", false);
        strace("before the result", "7 10:00:01.000000 close(3) = ", false);
        strace("before the time that others have", "7 10:00:01.000000 close(3) = 0", false);
        strace("within the time", "7 10:00:01.000000 close(3) = 0 <0.00", false);
        strace("within how it ended", "7 10:00:01.000000 +++ exited with 1", false);
        strace("within the name", "7 10:00:01.000000 clo", false);
        strace("where strace left", "7 10:00:01.000000 read(0,  <detached ...>", true);
        QTest::newRow("a frame of control characters") << QByteArray("dtrace") << QByteArray("  a`b\x01\x02") << false;
        QTest::newRow("a frame after a tab") << QByteArray("dtrace") << QByteArray("\ta`b\n  7") << true;
    }
    void aLineThatIsCutOrNoTextIsCounted()
    {
        QFETCH(QByteArray, format);
        QFETCH(QByteArray, last);
        QFETCH(bool, understood);
        const QByteArray before = format == "strace" ? "7 10:00:00.000000 execve(\"/bin/a\", [\"a\"], 0x7ff /* 9 vars */) = 0 <0.000500>\n"
                                                     : "  a`main\n  5\n\n";
        for (const char* end : {"", "\n"}) {
            const auto imported = read(format.constData(), before + last + end);
            QVERIFY(imported);
            QCOMPARE(imported->notUnderstood, std::size_t{understood ? 0U : 1U});
            if (understood) continue;
            QCOMPARE(imported->firstNumber, static_cast<std::size_t>(before.count('\n') + 1));
            QVERIFY(std::none_of(imported->firstLine.begin(), imported->firstLine.end(), [](char c) { return c >= 0 && c < ' '; }));
        }
        if (!understood && !last.endsWith(" = 0")) QVERIFY(!read(format.constData(), last + '\n')); // nothing at all is understood
    }
    void whatNoToolPrintsNeitherOverflowsNorGrowsWithoutBound_data()
    {
        QTest::addColumn<QByteArray>("format");
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<QByteArray>("says"); ///< or the beginning of why it is refused
        const QByteArray most = QByteArray::number(std::numeric_limits<qint64>::max());
        const QByteArray heading = "  value  ------------- Distribution ------------- count\n";
        QTest::newRow("folded: more together than a number holds")
            << QByteArray("folded") << QByteArray("a;b 9000000000000000000\na;c 1000000000000000000\n")
            << QByteArray("a;b 9000000000000000000\n");
        QTest::newRow("folded: the largest number")
            << QByteArray("folded") << QByteArray("a;c " + most + "\n") << QByteArray("a;c " + most + "\n");
        QTest::newRow("folded: a number that is larger by one")
            << QByteArray("folded") << QByteArray("a;b 1\na;c 9223372036854775808\n")
            << QByteArray("a number is larger than 9223372036854775807; line 2: \"a;c 9223372036854775808\"");
        QTest::newRow("folded: a number of 30 digits")
            << QByteArray("folded") << QByteArray("a;c 123456789012345678901234567890\n") << QByteArray("a number is larger than");
        QTest::newRow("dtrace: one stack more often than a number holds")
            << QByteArray("dtrace") << QByteArray("  a`b\n  " + most + "\n  a`b\n  " + most + "\n  c`d\n  4\n")
            << QByteArray("a`b " + most + "\n");
        QTest::newRow("dtrace: one bucket twice")
            << QByteArray("dtrace") << QByteArray(heading + "  10 |  2\n  0 |  1\n  >= 20 |  0\n  >= 20 |  1\n")
            << QByteArray("nothing in it is");
        QTest::newRow("dtrace: bounds at the ends of numbers")
            << QByteArray("dtrace") << QByteArray(heading + "  -9223372036854775807 |  2\n  9223372036854775807 |  1\n")
            << QByteArray("nothing in it is");
        QTest::newRow("dtrace: a table that is no distribution is looked at no longer for being long")
            << QByteArray("dtrace") << QByteArray(heading + QByteArray("  3 |  1\n").repeated(200'000)) << QByteArray("nothing in it is");
        QTest::newRow("dtrace: an arrow to no function")
            << QByteArray("dtrace") << QByteArray("CPU FUNCTION\n  1  =>         \n  1  => read\n") << QByteArray("read 1\n");
        QTest::newRow("dtrace: a bucket beyond the last")
            << QByteArray("dtrace") << QByteArray(heading + "  < 0 |  2\n  >= 1 |  0\n  2 |  9\n  3 |  0\n")
            << QByteArray("nothing in it is");
        QTest::newRow("dtrace: nothing inlined into nothing")
            << QByteArray("dtrace") << QByteArray("  a`b\n  ->\n  3\n\n  ->\n  a`c->\n  4\n") << QByteArray("->;a`b 3\na`c->;-> 4\n");
        QTest::newRow("strace: a second of the day that is none")
            << QByteArray("strace") << QByteArray("7 00:00:9223372035.0 close(1) = 0 <0.000001>\n")
            << QByteArray("there is no system call in it");
        QTest::newRow("bpftrace: a bucket that ends where numbers do")
            << QByteArray("bpftrace") << QByteArray("{\"type\": \"hist\", \"data\": {\"@h\": [{\"max\": " + most + ", \"count\": 5}]}}\n")
            << QByteArray("@h[] 0 5\n");
    }
    void whatNoToolPrintsNeitherOverflowsNorGrowsWithoutBound()
    {
        QFETCH(QByteArray, format);
        QFETCH(QByteArray, text);
        QFETCH(QByteArray, says);
        const auto imported = read(format.constData(), text);
        if (imported)
            QCOMPARE(said(*imported), says);
        else
            QVERIFY2(QByteArray::fromStdString(imported.error().message).startsWith(says), imported.error().message.c_str());
    }
    void aKeyIsAsLongAsThereIsRoomForInEveryRow()
    {
        QByteArray text = "  " + QByteArray(1 << 20, 'k') + "    1\n";
        for (int i = 0; i < 10'000; ++i)
            text += "  key" + QByteArray::number(i) + "    2\n";
        const auto imported = read("dtrace", text);
        QVERIFY(imported);
        QCOMPARE(imported->program.aggregations.at(0).keySize, 4104u);
        QCOMPARE(std::get<record::AggregationRows>(imported->records.at(0)).rows.size(), std::size_t{10'001});
        QVERIFY(std::get<record::Diagnostic>(imported->records.at(1))
                    .message.starts_with("1 key of a table is longer than 4096 bytes and cut"));
    }
    void callsWhoseReturnsAreMissingDoNotNestWithoutEnd()
    {
        QByteArray text = "CPU FUNCTION\n";
        for (int i = 0; i < 2000; ++i)
            text += "  0  -> f" + QByteArray::number(i) + '\n';
        const auto imported = read("dtrace", text);
        QVERIFY(imported);
        for (const auto& line : linesOf(*imported))
            QVERIFY(std::count(line.stack.begin(), line.stack.end(), ';') < 512);
    }
    void textOfAnotherKindIsRefusedWithItsLine_data()
    {
        QTest::addColumn<QByteArray>("format");
        for (const auto& f : importers::all())
            QTest::newRow(std::string(f->name()).c_str()) << QByteArray(f->name().data(), static_cast<qsizetype>(f->name().size()));
    }
    void textOfAnotherKindIsRefusedWithItsLine()
    {
        QFETCH(QByteArray, format);
        const auto imported = read(format.constData(), "Once upon a time\nthere was a file of prose.\n");
        QVERIFY(!imported);
        QVERIFY2(imported.error().message.find("Once upon a time") != std::string::npos, imported.error().message.c_str());
        QCOMPARE(guessed("Once upon a time\nthere was a file of prose.\n"), QByteArray("none"));
        QCOMPARE(guessed("@media print { p: { display: none } }\n@font-face { a: b }\n"), QByteArray("none"));
    }
    void straceTellsOfProcessesAndTheirEnds()
    {
        const auto imported = read("strace",
            "100  10:00:00.000000 execve(\"/bin/sh\", [\"sh\", \"-c\", \"a \\\"b\\\"\"], 0x7ff /* 9 vars */) = 0 <0.000500>\n"
            "100  10:00:00.100000 vfork( <unfinished ...>\n"
            "101  10:00:00.150000 execve(\"/bin/false\", [\"false\"], 0x7ff /* 9 vars */ <unfinished ...>\n"
            "100  10:00:00.160000 <... vfork resumed>) = 101 <0.060000>\n"
            "101  10:00:00.170000 <... execve resumed>) = 0 <0.020000>\n"
            "101  10:00:00.200000 exit_group(1)      = ?\n"
            "101  10:00:00.210000 +++ exited with 1 +++\n"
            "100  10:00:00.220000 --- SIGCHLD {si_signo=SIGCHLD, si_code=CLD_EXITED, si_pid=101, si_uid=0, si_status=1, si_utime=0, "
            "si_stime=0} ---\n"
            "100  10:00:00.230000 execve(\"/none\", [\"none\"], 0x7ff /* 9 vars */) = -1 ENOENT (No such file or directory) <0.000010>\n"
            "100  10:00:00.300000 +++ killed by SIGSEGV (core dumped) +++\n");
        QVERIFY(imported);
        QCOMPARE(imported->notUnderstood, std::size_t{0});
        using Kind = record::ProcessEvent::Kind;
        QList<std::tuple<Kind, unsigned, unsigned, int>> got;
        for (const auto& r : imported->records)
            if (const auto* e = std::get_if<record::ProcessEvent>(&r)) got.append({e->kind, e->pid, e->parent, e->status});
        const QList<std::tuple<Kind, unsigned, unsigned, int>> wanted{{Kind::Existing, 100, 0, 0}, {Kind::Exec, 100, 0, 0},
            {Kind::Fork, 101, 100, 0}, {Kind::Exec, 101, 0, 0}, {Kind::Exit, 101, 0, 1 << 8}, {Kind::ExecFailed, 100, 0, 2},
            {Kind::Exit, 100, 0, 11 | 128}};
        QVERIFY(got == wanted);
        const auto& exec = std::get<record::ProcessEvent>(imported->records[1]);
        QCOMPARE(exec.args, (std::vector<std::string>{"sh", "-c", "a \"b\""}));
        QVERIFY2(said(*imported).contains("@time[vfork] 89 1\n"), said(*imported).constData()); // 60 ms: [2^25, 2^26) ns
    }
    /// What strace -k prints below each call and strace -C behind all of them is of no process.
    void straceStacksAndSummariesAreOfNoProcess()
    {
        const auto imported = read("strace",
            "7 10:00:00.000000 execve(\"/bin/a\", [\"a\"], 0x7ff /* 9 vars */) = 0 <0.000500>\n > /lib/libc.so.6(execve+0x1b) [0xd3b9b]\n"
            "7 10:00:00.100000 close(3) = 0 <0.000010>\n > /lib/libc.so.6(close+0x14) [0xee3f4]\n7 10:00:00.200000 +++ exited with 0 +++\n"
            "% time     seconds  usecs/call     calls    errors syscall\n------ ----------- ----------- --------- --------- ----------------\n"
            " 52.00    0.000500         500         1           execve\n  0.00    0.000010          10         1         1 close\n"
            "------ ----------- ----------- --------- --------- ----------------\n100.00    0.000510         255         2         1 total\n");
        QVERIFY(imported);
        QCOMPARE(imported->notUnderstood, std::size_t{0});
        QList<unsigned> pids;
        for (const auto& r : imported->records)
            if (const auto* e = std::get_if<record::ProcessEvent>(&r)) pids << e->pid;
        QCOMPARE(pids, (QList<unsigned>{7, 7, 7})); // was there, exec, exit
        QCOMPARE(guessed("7 10:00:00.100000 close(3) = 0 <0.000010>\n" + QByteArray(" > /lib/libc.so.6(close+0x14) [0xee3f4]\n").repeated(20)), QByteArray("strace"));
    }
    /// A line that is of no process makes none, whatever it begins with.
    void straceLinesThatAreNoCallsMakeNoProcess()
    {
        const auto imported = read("strace",
            "7 10:00:00.100000 close(3) = 0 <0.000010>\n   a line that begins with a blank\n99999999999999999999 close(3) = 0\n5000000000 close(3) = 0\n[pid ] close(3) = 0\nprose (of a kind)\n");
        QVERIFY(imported);
        QCOMPARE(imported->notUnderstood, std::size_t{5});
        for (const auto& r : imported->records)
            if (const auto* e = std::get_if<record::ProcessEvent>(&r)) QCOMPARE(e->pid, 7U);
    }
};
QTEST_GUILESS_MAIN(TestImporters)
#include "tst_importers.moc"
