// Profiles of Firefox' profiler in all their layouts are the same stacks: rows with a schema as Firefox and perf write them, columns,
// tables of each thread and of all. Source: github.com/firefox-devtools/profiler, docs-developer/CHANGELOG-formats.md, versions 53 to 70 of
// the processed format and 24 to 36 of the raw one; the small profiles here are written by hand after it.
#include "tests/support/imported_events.h"
#include <QObject>
#include <QTest>
using namespace dscope;
using namespace dscope::tests;
namespace {
QByteArray quoted(QByteArray json) { return json.replace('\'', '"'); }
const QByteArray kMeta = "'meta':{'interval':1,'startTime':1000,'preprocessedProfileVersion':%1,'categories':[{'name':'Other','color':'"
                         "grey','subcategories':['Other']},"
                         "{'name':'Kernel','color':'orange','subcategories':['Other']},{'name':'JavaScript','color':'yellow','"
                         "subcategories':['Other','JIT (Baseline)']}]}";
QByteArray meta(const char* version) { return QByteArray(kMeta).replace("%1", version); }
// main of app calls work of libw.so, which inlined sum; the kernel; run of JavaScript.
const QByteArray kStrings = "['main','work(int)','sum','do_syscall_64','run','http://x/a.js','app','w.cc']";
const QByteArray kFuncs = "'name':[0,1,2,3,4],'isJS':[false,false,false,false,true],'relevantForJS':[false,false,false,false,false],'"
                          "lineNumber':[null,null,null,null,7],'columnNumber':[null,null,null,null,1],'length':5";
const QByteArray kFrames = "'address':[16,32,32,48,-1],'inlineDepth':[0,0,1,0,0],'category':[0,0,0,1,2],'subcategory':[0,0,0,0,1],'func':["
                           "0,1,2,3,4],'nativeSymbol':[null,null,null,null,null],"
                           "'line':[null,12,5,null,9],'column':[null,null,null,null,null],'length':5";
const QByteArray kLibs = "'libs':[{'name':'app','path':'/bin/app'},{'name':'libw.so','path':'/lib/libw.so'},{'name':'vmlinux','path':''}]";
const QByteArray kSamples = "'samples':{'stack':[2,2,3,4,null],'time':[0,1.5,2,3,4],'weight':null,'weightType':'samples','length':5}";
const QByteArray kMarkers = "'markers':{'data':[null,null,null,null],'name':[4,2,0,0],'startTime':[0.5,1,2,null],'endTime':[null,2.5,null,"
                            "3],'phase':[0,1,2,3],'category':[0,0,0,0],'length':4}";
const QByteArray kNone = "'markers':{'data':[],'name':[],'startTime':[],'endTime':[],'phase':[],'category':[],'length':0}";
QByteArray threadOf(const QByteArray& rest)
{
    return "{'name':'worker','processType':'default','pid':'41','tid':42,'isMainThread':false," + rest + "}";
}
const QByteArray kStacks
    = "app`main;libw.so`work;libw.so`sum_[i] 2\napp`main;libw.so`work;vmlinux`do_syscall_64 1\nrun_[j] 1\n[no stack] 1\n";
/// Lines in the order of their bytes.
QByteArray sorted(const QByteArray& lines)
{
    auto all = lines.split('\n');
    std::sort(all.begin(), all.end());
    return all.join('\n');
}
} // namespace

class TestGecko : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void allLayoutsAreTheSameStacks_data()
    {
        QTest::addColumn<QByteArray>("json");
        const QByteArray prefix = "'stackTable':{'prefix':[null,0,1,1,null],'frame':[0,1,2,3,4],'length':5}";
        const QByteArray offset = "'stackTable':{'prefixOffset':[0,1,1,2,0],'frame':[0,1,2,3,4],'length':5}";
        const QByteArray resources = "'resourceTable':{'lib':[0,1,2],'name':[6,6,6],'host':[null,null,null],'type':[1,1,1],'length':3}";
        const QByteArray byResource = "'resource':[0,1,1,2,-1],";
        const QByteArray strings = "'stringArray':" + kStrings;
        // Tables of each thread, as samply writes them, until 55; the texts of all since 56; all tables since 60; sources, offsets, libs of
        // frames.
        QTest::newRow("53") << "{" + meta("53") + "," + kLibs + ",'threads':["
                + threadOf(kSamples + "," + kNone + "," + prefix + ",'frameTable':{" + kFrames + "},'funcTable':{" + byResource
                    + "'fileName':[null,7,7,null,5]," + kFuncs + "}," + resources + "," + strings)
                + "]}";
        QTest::newRow("57") << "{" + meta("57") + "," + kLibs + ",'shared':{" + strings + "},'threads':["
                + threadOf(kSamples + "," + kNone + "," + prefix + ",'frameTable':{" + kFrames + "},'funcTable':{" + byResource
                    + "'fileName':[null,7,7,null,5]," + kFuncs + "}," + resources)
                + "]}";
        QTest::newRow("60") << "{" + meta("60") + "," + kLibs + ",'threads':[" + threadOf(kSamples + "," + kNone) + "],'shared':{" + prefix
                + ",'frameTable':{" + kFrames + "},'funcTable':{" + byResource + "'source':[null,0,0,null,1]," + kFuncs + "}," + resources
                + "," + strings + ",'sources':{'uuid':[null,null],'filename':[7,5],'length':2}}}";
        QTest::newRow("70") << "{" + meta("70") + "," + kLibs + ",'threads':["
                + threadOf("'samples':{'stack':[2,2,3,4,null],'timeDeltas':[0,1.5,0.5,1,1],'weight':[1,1,1,1,1],'weightType':'samples','"
                           "length':5},"
                    + kNone)
                + "],'shared':{" + offset + ",'frameTable':{'lib':[0,1,1,2,-1]," + kFrames
                + "},'funcTable':{'resource':[-1,-1,-1,-1,-1],'source':[null,0,0,null,1]," + kFuncs
                + "},'resourceTable':{'name':[],'host':[],'type':[],'length':0}," + strings
                + ",'sources':{'id':[null,null],'filename':[7,5],'startLine':[1,1],'startColumn':[1,1],'sourceMapURL':[null,null],'length':"
                  "2}}}";
    }
    void allLayoutsAreTheSameStacks()
    {
        QFETCH(QByteArray, json);
        QCOMPARE(guessed(quoted(json)), QByteArray("gecko"));
        const auto imported = read("gecko", quoted(json));
        QVERIFY2(imported, imported ? "" : imported.error().message.c_str());
        QCOMPARE(sorted(said(*imported)), sorted(kStacks));
        QCOMPARE(sampled(*imported),
            QByteArray("samples\n1 worker 41 42 1\n1500000 worker 41 42 1\n2000000 worker 41 42 1\n3000000 worker 41 42 1\n4000000 worker "
                       "41 42 1\n"));
        QCOMPARE(warned(*imported), QByteArray());
        QCOMPARE(imported->notUnderstood, std::size_t(0));
    }
    /// Firefox and `perf script report gecko` write rows and locations. Processes stand within, and count from their own begin.
    void rawProfilesAreRead()
    {
        const auto rows = [](const QByteArray& name, const QByteArray& more) {
            return "{'name':'" + name + "','processType':'default'" + more
                + ",'samples':{'schema':{'stack':0,'time':1,'eventDelay':2},'data':[[2,0,0],[2,1.5],[3,2,0],[4,3,0],[null,4,0]]},"
                  "'stackTable':{'schema':{'prefix':0,'frame':1},'data':[[null,0],[0,1],[1,2],[1,3],[null,4]]},"
                  "'frameTable':{'schema':{'location':0,'relevantForJS':1,'innerWindowID':2,'implementation':3,'line':4,'column':5,'"
                  "category':6,'subcategory':7},"
                  "'data':[[0,false],[1,false,0,null,null,null,0,0],[2,false],[3,false,0,null,null,null,1,0],[4,false,0,null,9,2,2,1]]},"
                  "'stringTable':['main (in app)','work(int) (in libw.so)','0x1050','do_syscall_64 (in [kernel.kallsyms])','run "
                  "(http://x/a.js:7:1)[3]'],"
                  "'markers':{'schema':{'name':0,'startTime':1,'endTime':2,'phase':3,'category':4,'data':5},'data':[[0,1,2,1,0,{'type':'"
                  "Text','name':'t'}]]}}";
        };
        const auto one = read("gecko",
            quoted("{" + QByteArray(kMeta).replace("'preprocessedProfileVersion':%1", "'version':24")
                + ",'libs':[{'start':4096,'end':8192,'name':'hot.so'}],'threads':[" + rows("worker", ",'pid':41,'tid':42")
                + "],'processes':[],'pausedRanges':[]}"));
        QVERIFY2(one, one ? "" : one.error().message.c_str());
        QCOMPARE(sorted(said(*one)),
            sorted("app`main;libw.so`work;hot.so`0x50 2\napp`main;libw.so`work;[kernel.kallsyms]`do_syscall_64_[k] 1\nrun_[j] 1\n[no "
                   "stack] 1\n"));
        QCOMPARE(called(*one), QByteArray("1000001 41 worker main (in app) entry\n2000001 41 worker main (in app) return\n"));

        const auto inner = "{'meta':{'startTime':1010},'libs':[],'threads':["
            + rows("tab", ",'processName':'Web Content','pid':50,'tid':50") + "],'processes':[]}";
        const auto two = read("gecko",
            quoted("{" + QByteArray(kMeta).replace("'preprocessedProfileVersion':%1", "'version':24") + ",'libs':[],'threads':["
                + rows("worker", ",'pid':41,'tid':42") + "],'processes':[" + inner + "]}"));
        QVERIFY2(two, two ? "" : two.error().message.c_str());
        QVERIFY2(said(*two).contains("Web Content;tab;app`main;libw.so`work;0x1050 2\n"), said(*two));
        QVERIFY2(said(*two).contains("pid 41;worker;run_[j] 1\n"), said(*two));
        QVERIFY2(sampled(*two).contains("\n14000000 tab 50 50 1\n"), sampled(*two));
    }
    void weightsAreTimeOrBytes_data()
    {
        QTest::addColumn<QByteArray>("samples");
        QTest::addColumn<QByteArray>("said");
        QTest::addColumn<QByteArray>("warned");
        const QByteArray weighted = "'samples':{'stack':[0,1],'time':[0,1],'weight':%1,'weightType':'%2','length':2}";
        QTest::newRow("time") << QByteArray(weighted).replace("%1", "[2,0.5]").replace("%2", "tracing-ms")
                              << QByteArray("main 2000000\nmain;work(int) 500000\n") << QByteArray();
        QTest::newRow("bytes") << QByteArray(weighted).replace("%1", "[2,5]").replace("%2", "bytes")
                               << QByteArray("main 2\nmain;work(int) 5\n") << QByteArray();
        QTest::newRow("samples of many") << QByteArray(weighted).replace("%1", "[20,null]").replace("%2", "samples")
                                         << QByteArray("main 20\n") << QByteArray("1 sample is left out: the weight is no number\n");
        QTest::newRow("too few") << QByteArray(weighted).replace("%1", "[20]").replace("%2", "samples") << QByteArray("main 20\n")
                                 << QByteArray("thread worker has 2 samples and 1 weights: samples without a weight are left out\n");
        QTest::newRow("memory") << QByteArray("'samples':{'stack':[],'time':[],'length':0},'nativeAllocations':{'time':[0,1],'weight':[64,-"
                                              "64],'weightType':'bytes','stack':[1,1],'length':2}")
                                << QByteArray("main;work(int) 64\n")
                                << QByteArray("1 samples of memory that was given back are left out: their bytes are negative\n");
    }
    void weightsAreTimeOrBytes()
    {
        QFETCH(QByteArray, samples);
        QFETCH(QByteArray, said);
        QFETCH(QByteArray, warned);
        const auto json = "{" + meta("53") + ",'libs':[],'threads':["
            + threadOf(samples + "," + kNone
                + ",'stackTable':{'prefix':[null,0],'frame':[0,1],'length':2},'frameTable':{'func':[0,1],'length':2},'funcTable':{'name':["
                  "0,1],'length':2},'stringArray':"
                + kStrings)
            + "]}";
        const auto imported = read("gecko", quoted(json));
        QVERIFY2(imported, imported ? "" : imported.error().message.c_str());
        QCOMPARE(tests::said(*imported), said);
        QCOMPARE(tests::warned(*imported), warned);
    }
    /// A moment, a whole, and a begin with its end: the whole overlaps the other, so it is beside it.
    void markersAreSlices()
    {
        const auto json = "{" + meta("56") + ",'libs':[],'shared':{'stringArray':" + kStrings + "},'threads':["
            + threadOf("'samples':{'stack':[],'time':[],'length':0}," + kMarkers) + "]}";
        const auto imported = read("gecko", quoted(json));
        QVERIFY2(imported, imported ? "" : imported.error().message.c_str());
        QCOMPARE(called(*imported),
            QByteArray("1 41 worker run instant\n500001 41 worker sum entry\n1500001 41 worker main entry\n2000001 41 worker sum "
                       "return\n2500001 41 worker main return\n"));
    }
    void whatIsNotThereIsCounted()
    {
        const auto json = "{" + meta("53") + ",'libs':[],'threads':["
            + threadOf("'samples':{'stack':[0,7,1],'time':[0,1,2],'length':3}," + kNone
                + ",'stackTable':{'prefix':[null,null],'frame':[0,9],'length':2},'frameTable':{'func':[0],'length':1},'funcTable':{'name':["
                  "0],'length':1},'stringArray':"
                + kStrings)
            + "]}";
        const auto imported = read("gecko", quoted(json));
        QVERIFY2(imported, imported ? "" : imported.error().message.c_str());
        QCOMPARE(said(*imported), QByteArray("main 1\n"));
        QCOMPARE(imported->notUnderstood, std::size_t(1));
        QCOMPARE(QByteArray::fromStdString(imported->firstLine), QByteArray("2 stacks of samples are not among its stacks"));
    }
    void whatIsDamagedIsRefused_data()
    {
        QTest::addColumn<QByteArray>("json");
        QTest::addColumn<QByteArray>("says");
        QTest::newRow("no threads") << "{" + meta("53") + "}" << QByteArray("it has no threads");
        QTest::newRow("cut") << "{" + meta("53") + ",'threads':[{'name':'a'," << QByteArray("there is the end of the file within a value");
        QTest::newRow("nothing in it") << "{" + meta("53") + ",'threads':[{}]}" << QByteArray("there is no sample and no marker in it");
        QTest::newRow("in a circle") << "{" + meta("53") + ",'threads':["
                + threadOf("'samples':{'stack':[0],'time':[0]},'stackTable':{'prefix':[1,0],'frame':[0,0]},'frameTable':{'func':[0]},'"
                           "funcTable':{'name':[0]},'stringArray':['a']")
                + "]}" << QByteArray("its stacks lead back to themselves");
    }
    void whatIsDamagedIsRefused()
    {
        QFETCH(QByteArray, json);
        QFETCH(QByteArray, says);
        const auto imported = read("gecko", quoted(json));
        QVERIFY(!imported);
        QVERIFY2(imported.error().message.find(says.toStdString()) != std::string::npos, imported.error().message.c_str());
    }
};
QTEST_GUILESS_MAIN(TestGecko)
#include "tst_gecko.moc"
