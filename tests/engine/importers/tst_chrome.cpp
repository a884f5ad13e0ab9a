// Trace events of Chrome's format: what belongs to no thread has lanes of its own, DevTools' profiles are stacks with times, and an event
// that is not as the format says is left out and counted. Source: "Trace Event Format", Google, 2016; v8/src/profiler/profile-generator.cc.
#include "tests/support/imported_events.h"
#include <QObject>
#include <QTest>
using namespace dscope;
using namespace dscope::tests;
namespace {
QByteArray quoted(QByteArray json) { return json.replace('\'', '"'); }
} // namespace

class TestChrome : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void whatIsAsynchronousHasItsOwnLanes_data()
    {
        QTest::addColumn<QByteArray>("events");
        QTest::addColumn<QByteArray>("calls");
        QTest::addColumn<QByteArray>("stacks");
        QTest::newRow("a request with what it waits for")
            << QByteArray(
                   "{'cat':'rq','name':'GET "
                   "/','ph':'b','id':'0x1','ts':0,'pid':1,'tid':1},{'cat':'rq','name':'db','ph':'b','id':'0x1','ts':10,'pid':1,'tid':2},"
                   "{'cat':'rq','name':'sent','ph':'n','id':'0x1','ts':20,'pid':1,'tid':1},{'cat':'rq','name':'db','ph':'e','id':'0x1','ts'"
                   ":40,'pid':1,'tid':1},"
                   "{'cat':'rq','name':'GET /','ph':'e','id':'0x1','ts':50,'pid':1,'tid':1}")
            << QByteArray(
                   "0 1 rq GET / entry\n10000 1 rq db entry\n20000 1 rq sent instant\n40000 1 rq db return\n50000 1 rq GET / return\n")
            << QByteArray("GET / 20000\nGET /;db 30000\n");
        QTest::newRow("two that overlap are beside each other, a third has the lane that is free again")
            << QByteArray("{'cat':'c','name':'a','ph':'b','id':1,'ts':0,'pid':1,'tid':1},{'cat':'c','name':'b','ph':'b','id':2,'ts':5,'pid'"
                          ":1,'tid':1},"
                          "{'cat':'c','name':'a','ph':'e','id':1,'ts':10,'pid':1,'tid':1},{'cat':'c','name':'b','ph':'e','id':2,'ts':15,'"
                          "pid':1,'tid':1},"
                          "{'cat':'c','name':'d','ph':'b','id':3,'ts':12,'pid':1,'tid':1},{'cat':'c','name':'d','ph':'e','id':3,'ts':14,'"
                          "pid':1,'tid':1}")
            << QByteArray(
                   "0 1 c a entry\n5000 1 c b entry\n10000 1 c a return\n12000 1 c d entry\n14000 1 c d return\n15000 1 c b return\n")
            << QByteArray("c;a 10000\nc;b 10000\nc;d 2000\n");
        QTest::newRow("ends are found by their names, in whatever order") << QByteArray(
            "{'cat':'c','name':'a','ph':'b','id':1,'ts':0,'pid':1,'tid':1},{'cat':'c','name':'b','ph':'b','id':1,'ts':5,'pid':1,'tid':1},"
            "{'cat':'c','name':'a','ph':'e','id':1,'ts':10,'pid':1,'tid':1},{'cat':'c','name':'b','ph':'e','id':1,'ts':15,'pid':1,'tid':1}")
                                                                          << QByteArray("0 1 c a entry\n5000 1 c b entry\n10000 1 c a "
                                                                                        "return\n15000 1 c b return\n")
                                                                          << QByteArray("c;a 10000\nc;b 10000\n");
        QTest::newRow("the older kind, of one name and id; ids of one process")
            << QByteArray("{'cat':'c','name':'a','ph':'S','id':1,'ts':0,'pid':1,'tid':1},{'cat':'c','name':'a','ph':'T','id':1,'ts':4,'pid'"
                          ":1,'tid':1},{'cat':'c','name':'a','ph':'F','id':1,'ts':9,'pid':1,'tid':1},"
                          "{'cat':'c','name':'x','ph':'b','id2':{'local':'0x1'},'ts':20,'pid':1,'tid':1},{'cat':'c','name':'x','ph':'b','"
                          "id2':{'local':'0x1'},'ts':21,'pid':2,'tid':1},"
                          "{'cat':'c','name':'x','ph':'e','id2':{'local':'0x1'},'ts':25,'pid':1,'tid':1},{'cat':'c','name':'x','ph':'e','"
                          "id2':{'local':'0x1'},'ts':27,'pid':2,'tid':1}")
            << QByteArray("0 1 c a entry\n4000 1 c a instant\n9000 1 c a return\n20000 1 c x entry\n21000 2 c x entry\n25000 1 c x "
                          "return\n27000 2 c x return\n")
            << QByteArray("pid 1;c;a 9000\npid 1;c;x 5000\npid 2;c;x 6000\n");
        QTest::newRow("beside a thread, and without an end")
            << QByteArray(
                   "{'name':'t','ph':'X','ts':0,'dur':10,'pid':1,'tid':1},{'cat':'c','name':'a','ph':'b','id':1,'ts':2,'pid':1,'tid':1}")
            << QByteArray("0 1 1 t entry\n2000 1 c a entry\n10000 1 1 t return\n") << QByteArray("c;a 8000\nthread 1;t 10000\n");
    }
    void whatIsAsynchronousHasItsOwnLanes()
    {
        QFETCH(QByteArray, events);
        QFETCH(QByteArray, calls);
        QFETCH(QByteArray, stacks);
        const auto imported = read("chrome", quoted("{'traceEvents':[" + events + "]}"));
        QVERIFY2(imported, imported ? "" : imported.error().message.c_str());
        QCOMPARE(called(*imported), calls);
        QCOMPARE(said(*imported), stacks);
        QCOMPARE(imported->notUnderstood, std::size_t(0));
    }
    /// Of each event: what is odd about it. The event behind it is drawn.
    void anOddEventIsCountedAndTheOthersDrawn_data()
    {
        QTest::addColumn<QByteArray>("odd");
        QTest::addColumn<QByteArray>("says");
        QTest::newRow("no length") << QByteArray("{'name':'a','ph':'X','ts':1,'dur':null,'pid':1,'tid':1}")
                                   << QByteArray("event 2 has null as its length (dur) at byte ");
        QTest::newRow("none at all") << QByteArray("{'name':'a','ph':'X','ts':1,'pid':1,'tid':1}")
                                     << QByteArray("event 2 does not say how long it was (dur)");
        QTest::newRow("a length below 0") << QByteArray("{'name':'a','ph':'X','ts':1,'dur':-1,'pid':1,'tid':1}")
                                          << QByteArray("event 2 has a length below 0");
        QTest::newRow("NaN") << QByteArray("{'name':'a','ph':'X','ts':1,'dur':NaN,'pid':1,'tid':1}") << QByteArray("event 2 has ");
        QTest::newRow("no time") << QByteArray("{'name':'a','ph':'B','pid':1,'tid':1}")
                                 << QByteArray("event 2 does not say when it was (ts)");
        QTest::newRow("no number as its time") << QByteArray("{'name':'a','ph':'B','ts':'noon','pid':1,'tid':1}")
                                               << QByteArray("event 2 has \"noon\" as its time (ts)");
        QTest::newRow("a list as its time") << QByteArray("{'name':'a','ph':'B','ts':[1,{}],'pid':1,'tid':1}")
                                            << QByteArray("event 2 has ");
        QTest::newRow("beyond all times") << QByteArray("{'name':'a','ph':'B','ts':3e15,'pid':1,'tid':1}")
                                          << QByteArray("event 2 has a time beyond 73 years");
        QTest::newRow("no phase") << QByteArray("{'name':'a','ts':1,'pid':1,'tid':1}")
                                  << QByteArray("event 2 does not say what it is (ph)");
        QTest::newRow("a phase that is no text")
            << QByteArray("{'name':'a','ph':7,'ts':1,'pid':1,'tid':1}") << QByteArray("event 2 does not say what it is (ph)");
        QTest::newRow("empty") << QByteArray("{}") << QByteArray("event 2 does not say what it is (ph)");
        QTest::newRow("no object") << QByteArray("['a',7]") << QByteArray("event 2 is no object");
        QTest::newRow("no id") << QByteArray("{'name':'a','ph':'b','ts':1,'pid':1,'tid':1}")
                               << QByteArray("event 2 does not say to what it belongs (id)");
    }
    void anOddEventIsCountedAndTheOthersDrawn()
    {
        QFETCH(QByteArray, odd);
        QFETCH(QByteArray, says);
        const QByteArray good = "{'name':'good','ph':'X','ts':'20','dur':'5.5','pid':'1','tid':1}"; // strings as numbers are read
        for (const auto& list : {"[{'name':'first','ph':'X','ts':1,'dur':2,'pid':'1','tid':1},\n" + odd + ',' + good + ']',
                 "{'traceEvents':[{'name':'first','ph':'X','ts':1,'dur':2,'pid':'1','tid':1},\n" + odd + ',' + good + "]}"}) {
            const auto imported = read("chrome", quoted(list));
            QVERIFY2(imported, imported ? "" : imported.error().message.c_str());
            QCOMPARE(said(*imported), QByteArray("first 2000\ngood 5500\n"));
            QCOMPARE(imported->notUnderstood, std::size_t(1));
            QCOMPARE(imported->firstNumber, std::size_t(2));
            QVERIFY2(imported->firstLine.starts_with(says.toStdString()), imported->firstLine.c_str());
        }
    }
    void wholeNumbersMayHaveAPoint()
    {
        const auto imported = read("chrome",
            quoted("[{'name':'a','ph':'X','ts':0.0,'dur':9.0,'pid':1.0,'tid':2},{'name':'b','ph':'X','ts':1,'dur':2,'pid':1,'tid':2.0}]"));
        QVERIFY(imported);
        QCOMPARE(said(*imported), QByteArray("a 7000\na;b 2000\n"));
    }
    void aFileThatIsCutIsDrawnAndTold()
    {
        const auto whole = quoted(
            "{'traceEvents':[{'name':'a','ph':'X','ts':1,'dur':2,'pid':1,'tid':1},{'name':'b','ph':'X','ts':9,'dur':2,'pid':1,'tid':1}");
        const auto cut = read("chrome", whole.left(whole.size() - 9));
        QVERIFY(cut);
        QCOMPARE(said(*cut), QByteArray("a 2000\n"));
        QCOMPARE(cut->notUnderstood, std::size_t(1));
        QVERIFY(warned(*cut).contains("there is the end of the file within a value; what follows is left out"));
        // A list need not be closed, by the format; one that is damaged is read until there.
        const auto open = read("chrome", quoted("[{'name':'a','ph':'X','ts':1,'dur':2,'pid':1,'tid':1},\n"));
        QVERIFY(open && warned(*open).isEmpty());
        QCOMPARE(open->notUnderstood, std::size_t(0));
        const auto damaged = read("chrome", quoted("[{'name':'a','ph':'X','ts':1,'dur':2,'pid':1,'tid':1},\n{'name':'b' 'ph':'X'},{}]"));
        QVERIFY(damaged);
        QCOMPARE(said(*damaged), QByteArray("a 2000\n"));
        QVERIFY2(warned(*damaged).contains("in event 2: there is neither a comma nor a closing bracket"), warned(*damaged));
        QVERIFY(!read("chrome", quoted("[{'name':'b' 'ph':'X'}]")));
    }
    void aTraceIsKnownByItsBeginning_data()
    {
        QTest::addColumn<QByteArray>("json");
        QTest::addColumn<QByteArray>("format");
        QTest::newRow("first without a phase") << QByteArray("[{},{'name':'x'},{'name':'t','ph':'X','ts':0,'dur':100}]")
                                               << QByteArray("chrome");
        QTest::newRow("members in front") << QByteArray(
            "{'displayTimeUnit':'ns','otherData':{'a':[1,2]},'beginningOfTime':7,'traceEvents':[]}")
                                          << QByteArray("chrome");
        QTest::newRow("more in front than a guess sees")
            << "{'metadata':{'sourceMaps':['" + QByteArray(5000, 'x') << QByteArray("perhaps chrome");
        QTest::newRow("not a trace") << QByteArray("[{'name':'x'},{'a':1}]") << QByteArray("none");
        QTest::newRow("a profile") << QByteArray("{'nodes':[{'id':1,'callFrame':{'functionName':'(root)'}}],'startTime':0}")
                                   << QByteArray("cpuprofile");
        QTest::newRow("a profile of memory") << QByteArray("{'head':{'callFrame':{'functionName':'(root)'},'selfSize':0}}")
                                             << QByteArray("cpuprofile");
        QTest::newRow("Firefox, processed") << QByteArray("{'meta':{'interval':1,'preprocessedProfileVersion':70},'threads':[]}")
                                            << QByteArray("gecko");
        QTest::newRow("Firefox, raw, from perf")
            << QByteArray("{'meta':{'interval':1,'stackwalk':1,'version':24},'libs':[],'threads':[]}") << QByteArray("gecko");
        QTest::newRow("shared tables first") << QByteArray("{'shared':{'stringArray':['a']},'threads':[{'samples':{}}]}")
                                             << QByteArray("gecko");
    }
    void aTraceIsKnownByItsBeginning()
    {
        QFETCH(QByteArray, json);
        QFETCH(QByteArray, format);
        QCOMPARE(guessed(quoted(json)), format);
    }
    /// DevTools writes a profile in parts, between the other events, and "args" in front of the phase. A sample lasts until the next; the
    /// last until the end of the profile.
    void profilesOfDevToolsAreStacksWithTimes()
    {
        const auto json
            = quoted("{'traceEvents':["
                     "{'ph':'M','name':'thread_name','pid':9,'tid':1,'ts':0,'args':{'name':'CrRendererMain'}},"
                     "{'args':{'data':{'startTime':1000}},'ph':'P','name':'Profile','id':'0x1','pid':9,'tid':1,'ts':1000},"
                     "{'args':{'data':{'cpuProfile':{'nodes':[{'id':1,'callFrame':{'functionName':'(root)','scriptId':0}},{'id':2,'parent':"
                     "1,'callFrame':{'functionName':'run','scriptId':1,'url':'file:///a.js','lineNumber':1}}],"
                     "'samples':[2,2]},'timeDeltas':[100,50]}},'ph':'P','name':'ProfileChunk','id':'0x1','pid':9,'tid':2,'ts':1200},"
                     "{'args':{'data':{'cpuProfile':{'nodes':[{'id':3,'parent':2,'callFrame':{'functionName':'','url':'a.js','lineNumber':"
                     "4}}],'samples':[3,2]},'timeDeltas':[200,30],'endTime':1385}},"
                     "'ph':'P','name':'ProfileChunk','id':'0x1','pid':9,'tid':2,'ts':1400},"
                     "{'name':'RunTask','ph':'X','ts':1000,'dur':400,'pid':9,'tid':1}]}");
        const auto imported = read("chrome", json);
        QVERIFY2(imported, imported ? "" : imported.error().message.c_str());
        QCOMPARE(said(*imported), QByteArray("(root);run 255000\n(root);run;(anonymous) 30000\nRunTask 400000\n"));
        // All count from the first moment: the slice.
        QCOMPARE(called(*imported), QByteArray("1 9 CrRendererMain RunTask entry\n400001 9 CrRendererMain RunTask return\n"));
        QCOMPARE(qlonglong(imported->program.started), Q_INT64_C(1));
        const auto parts = sampled(*imported);
        QVERIFY2(parts.startsWith("samples\n100001 CrRendererMain 9 1 "), parts);
        QCOMPARE(warned(*imported), QByteArray());
    }
    void samplesAndTimesOfDifferentLengthAreTold()
    {
        const auto imported = read("chrome",
            quoted("[{'ph':'P','name':'ProfileChunk','id':'0x1','pid':9,'tid':2,'ts':200,'args':{'data':{'cpuProfile':{'nodes':[{'id':2,'"
                   "callFrame':{'functionName':'f'}}],"
                   "'samples':[2,2,2,7]},'timeDeltas':[100,100,100]}}}]"));
        QVERIFY(imported);
        QCOMPARE(said(*imported), QByteArray("f 300000\n"));
        QVERIFY2(warned(*imported).contains("it has 4 samples and 3 times"), warned(*imported));
    }
    void anEndEndsTheSliceOfItsName_data()
    {
        QTest::addColumn<QByteArray>("events");
        QTest::addColumn<QByteArray>("stacks");
        QTest::addColumn<bool>("isAlone");
        const auto row = [](const char* name, const char* events, const char* stacks, bool isAlone) {
            QTest::newRow(name) << QByteArray(events) << QByteArray(stacks) << isAlone;
        };
        row("names that are open", "B main 0, B work 10, E work 20, E main 30", "main 20000\nmain;work 10000\n", false);
        row("ends without a name", "B main 0, B work 10, E  20, E  30", "main 20000\nmain;work 10000\n", false);
        row("ends whose begin is not told", "B main 0, E schedule 5, E schedule 6, B work 10, E work 20, E schedule 25, E main 30",
            "main 20000\nmain;work 10000\n", true);
        row("what has no end ends with what it is in", "B main 0, B work 10, B leaf 12, E work 20, E main 30",
            "main 20000\nmain;work 2000\nmain;work;leaf 8000\n", false);
        row("ends that have other names throughout", "B main 0, B work 10, E work-end 20, E main-end 30", "main 20000\nmain;work 10000\n", false);
    }
    /// Perfetto does the same: of ends that have a name it ends the slice of that name.
    void anEndEndsTheSliceOfItsName()
    {
        QFETCH(QByteArray, events);
        QFETCH(QByteArray, stacks);
        QFETCH(bool, isAlone);
        QByteArray json;
        for (const auto& event : events.split(',')) {
            const auto words = event.trimmed().split(' ');
            const auto name = words[1].isEmpty() ? QByteArray() : "'name':'" + words[1] + "',";
            json += (json.isEmpty() ? "[{" : ",{") + name + "'ph':'" + words[0] + "','ts':" + words[2] + ",'pid':1,'tid':1}";
        }
        const auto imported = read("chrome", quoted((json + ']').constData()));
        QVERIFY(imported);
        QCOMPARE(said(*imported), stacks);
        QCOMPARE(warned(*imported).contains("have no begin"), isAlone);
    }
    /// Flows, counters and the rest are told, each kind with its number.
    void whatIsNotDrawnIsTold()
    {
        const auto imported = read("chrome",
            quoted("[{'name':'a','ph':'X','ts':1,'dur':2,'pid':1,'tid':1},{'name':'c','ph':'C','ts':1,'pid':1,'args':{'v':1}},{'name':'f','"
                   "ph':'s','id':1,'ts':1,'pid':1,'tid':1},"
                   "{'name':'f','ph':'f','id':1,'ts':2,'pid':1,'tid':1},{'name':'q','ph':'?','ts':2,'pid':1,'tid':1}]"));
        QVERIFY(imported);
        QCOMPARE(warned(*imported),
            QByteArray("1 event is left out: of a phase that the format does not have (phase ?)\n1 event is left out: counters (phase C)\n"
                       "1 event is left out: flows (phase f)\n1 event is left out: flows (phase s)\n"));
    }
};
QTEST_GUILESS_MAIN(TestChrome)
#include "tst_chrome.moc"
