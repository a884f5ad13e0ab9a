// needs-programs: dscope
// Timelines and stacks of speedscope, Chrome's trace events and Perfetto: what was written by Python, by protoc from Perfetto's schema,
// and by programs that trace themselves, is what they said.
#include "tests/support/run_dscope.h"
#include <QElapsedTimer>
#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QObject>
#include <QStandardPaths>
#include <QTemporaryDir>
#include <QTest>
using namespace dscope::tests;
namespace {
const QString kData = QStringLiteral(DSCOPE_SOURCE "/tests/data/imports/");
QByteArray contents(const QString& path)
{
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}
bool lacks(const char* program) { return QStandardPaths::findExecutable(program).isEmpty(); }

// "main" calls "a" twice and "b", which calls "a"; times in milliseconds, with a fraction. An event stands on a line of its own, as a tool
// may write it: none of them is bpftrace's.
const QByteArray kEvented = contents(kData + "evented.speedscope.json");
const QByteArray kSampled = contents(kData + "sampled.speedscope.json");
// Begins and ends out of order, a complete event with what is in it, an instant, a counter, two threads with names.
const QByteArray kChrome = contents(kData + "events.chrome.json");
const QByteArray kPerfetto = contents(kData + "slices.textproto");
const QByteArray kSamples = contents(kData + "samples.textproto");
const QByteArray kWeights = contents(kData + "weights.textproto");
} // namespace

class TestTimelines : public QObject {
    Q_OBJECT
private Q_SLOTS:
    /// Each file is known by its beginning, though others' texts have objects with a type, frames and numbers, too.
    void aTimelineIsCallsAndStacks_data()
    {
        QTest::addColumn<QByteArray>("bytes");
        QTest::addColumn<QByteArray>("calls");
        QTest::addColumn<QByteArray>("folded");
        const QByteArray head = "start_ns,end_ns,duration_ns,pid,tid,depth,function\r\n";
        QTest::newRow("speedscope") << kEvented
                                    << head + "0,10000000,10000000,0,1,0,main\r\n1000000,2500000,1500000,0,1,1,a\r\n3000000,7000000,4000000,0,1,1,\"b\xc3\xa4;\"\"c\"\"\"\r\n"
                                              "4000001,5000000,999999,0,1,2,a\r\n"
                                    << QByteArray("main 4500000\nmain;a 1500000\nmain;b\xc3\xa4:\"c\" 3000001\nmain;b\xc3\xa4:\"c\";a 999999\n");
        QTest::newRow("chrome") << kChrome
                                << head + "0,1000000,1000000,7,7,0,outer\r\n200500,500750,300250,7,7,1,inner\r\n100000,500000,400000,7,9,0,job\r\n"
                                          "300000,300000,0,7,9,1,mark\r\n900000,,,7,9,0,never ends\r\n"
                                << QByteArray("pool;job 400000\npool;never ends 100000\nserver;outer 699750\nserver;outer;inner 300250\n");
        QTest::newRow("chrome, as an object") << "{\"displayTimeUnit\":\"ms\",\"traceEvents\":" + kChrome.left(kChrome.lastIndexOf(',')) + "],\"otherData\":{\"v\":[]}}"
                                              << head + "0,1000000,1000000,7,7,0,outer\r\n200500,500750,300250,7,7,1,inner\r\n100000,500000,400000,7,9,0,job\r\n"
                                                        "300000,300000,0,7,9,1,mark\r\n900000,,,7,9,0,never ends\r\n"
                                              << QByteArray("pool;job 400000\npool;never ends 100000\nserver;outer 699750\nserver;outer;inner 300250\n");
        if (lacks("protoc")) return;
        // By the incremental clock in microseconds, from 5,010 us of the clock that counts for all; the other track by two more clocks.
        QTest::newRow("perfetto") << encoded(kPerfetto)
                                  << head + "0,40000,40000,40,41,0,request\r\n5000,25000,20000,40,41,1,parse\r\n40000,80000,40000,40,2147483648,0,upload\r\n"
                                  << QByteArray("io;request 20000\nio;request;parse 20000\nnetwork;upload 40000\n");
    }
    void aTimelineIsCallsAndStacks()
    {
        QFETCH(QByteArray, bytes);
        QFETCH(QByteArray, calls);
        QFETCH(QByteArray, folded);
        put("in", bytes);
        auto run = runDscope({"--import", at("in"), "--export", "flame-chart=" + at("c.csv"), "--export", "flame=" + at("f.folded")});
        QVERIFY2(run.status == 0, run.err);
        QCOMPARE(contents(at("c.csv")), calls);
        QCOMPARE(contents(at("f.folded")), folded);
        // From a pipe and recorded; then through our own files, which others read: the same calls.
        run = runDscope({"--import", "-", "--record", at("r.dscope")}, bytes);
        QVERIFY2(run.status == 0, run.err);
        for (const auto* suffix : {"json", "pftrace"}) {
            run = runDscope({"--replay", at("r.dscope"), "--export", QString("flame-chart=") + at(QString("again.") + suffix)});
            QVERIFY2(run.status == 0, run.err);
            run = runDscope({"--import", at(QString("again.") + suffix), "--export", "flame-chart=" + at("again.csv")});
            QVERIFY2(run.status == 0, run.err);
            QCOMPARE(contents(at("again.csv")).count('\n'), calls.count('\n'));
        }
    }
    void samplesAreStacks_data()
    {
        QTest::addColumn<QByteArray>("bytes");
        QTest::addColumn<QByteArray>("folded");
        QTest::newRow("speedscope, the profile that is active first")
            << kSampled << QByteArray("cpu 1;main;lib.so`work 4500\ncpu 1;main;wait 2000\ncpu 2;wait 1000000000\n");
        if (lacks("protoc")) return;
        QTest::newRow("perfetto") << encoded(kSamples) << QByteArray("hot;hot`main;hot`0x1000;kernel`do_syscall_64 1\nhot;hot`main;hot`mix 2\n"
                                                                     "hot`main;hot`0x1000;kernel`do_syscall_64 2\n");
        QTest::newRow("perfetto, bytes") << encoded(kWeights) << QByteArray("pid 9;alloc 5120\n");
    }
    void samplesAreStacks()
    {
        QFETCH(QByteArray, bytes);
        QFETCH(QByteArray, folded);
        put("in", bytes);
        const auto run = runDscope({"--import", at("in"), "--export", at("f.folded")});
        QVERIFY2(run.status == 0, run.err);
        QCOMPARE(contents(at("f.folded")), folded);
    }
    /// What is neither a slice nor a sample is left out, and told.
    void whatIsLeftOutIsTold()
    {
        put("in", kChrome);
        const auto run = runDscope({"--import", at("in"), "--export", at("c.csv")});
        QVERIFY2(run.err.contains("1 event is left out: counters (phase C)"), run.err);
        put("in", QByteArray("[{'name':'a','ph':'X','pid':1,'tid':1,'ts':0,'dur':10},{'name':'b','ph':'X','pid':1,'tid':1,'ts':5,'dur':10},{'ph':'E','pid':1,'tid':1,'ts':20}]").replace('\'', '"'));
        const auto cut = runDscope({"--import", at("in"), "--export", at("c.csv")});
        QVERIFY2(cut.err.contains("a slice ends behind what it is in") && cut.err.contains("the end of a slice has no begin"), cut.err);
    }
    /// The compiler's own account of its time; Python adds it up.
    void whatClangWroteOfItselfIsRead()
    {
        if (lacks("clang++") || lacks("python3")) QSKIP("clang++ or python3 is not installed");
        put("x.cpp", "#include <map>\n#include <string>\nstd::map<std::string, int> words() { return {{\"a\", 1}}; }\n");
        const auto made = runDscope({"-ftime-trace", "-ftime-trace-granularity=0", "-c", at("x.cpp"), "-o", at("x.o")}, {}, "clang++");
        if (made.status != 0) QSKIP("clang++ does not compile here");
        const auto told = runDscope({"-c",
                                        "import json,sys\ne=[x for x in json.load(open(sys.argv[1]))['traceEvents'] if x['ph']=='X']\n"
                                        "print(len(e), sum(x['dur'] for x in e if x['name']=='Frontend')*1000)",
                                        at("x.json")},
            {}, "python3");
        const auto words = told.out.split(' ');
        QCOMPARE(words.size(), 2);
        const auto run = runDscope({"--import", at("x.json"), "--export", "flame-chart=" + at("c.csv")});
        QVERIFY2(run.status == 0, run.err);
        qint64 calls = 0, frontend = 0;
        for (const auto& line : contents(at("c.csv")).split('\n')) {
            const auto cells = line.trimmed().split(',');
            if (cells.size() < 7 || cells[0] == "start_ns") continue;
            ++calls;
            if (cells[6] == "Frontend") frontend += cells[2].toLongLong();
        }
        QCOMPARE(calls, words[0].toLongLong());
        QCOMPARE(frontend, words[1].trimmed().toLongLong());
    }
    /// JavaScript's run time tells of itself in events of all kinds.
    void whatNodeWroteOfItselfIsRead()
    {
        if (lacks("node") || lacks("python3")) QSKIP("node or python3 is not installed");
        const auto made = runDscope({"--trace-event-categories", "node,v8", "--trace-event-file-pattern", at("node.log"), "-e", "for (let i = 0; i < 2e6; i++) [i];"}, {}, "node");
        if (made.status != 0 || contents(at("node.log")).isEmpty()) QSKIP("node does not trace here");
        const auto told = runDscope({"-c", "import json,sys\nprint(sum(1 for x in json.load(open(sys.argv[1]))['traceEvents'] if x['ph'] in 'XBiIbnSTp'))", at("node.log")}, {}, "python3");
        const auto run = runDscope({"--import", at("node.log"), "--export", "flame-chart=" + at("c.csv")});
        QVERIFY2(run.status == 0, run.err);
        QCOMPARE(contents(at("c.csv")).count('\n') - 1, told.out.trimmed().toInt());
    }
    void whatIsDamagedIsRefusedWithItsPlace_data()
    {
        QTest::addColumn<QByteArray>("bytes");
        QTest::addColumn<QByteArray>("says");
        QTest::newRow("speedscope, cut") << kEvented.left(kEvented.size() / 2) << QByteArray("there is the end of the file within a value");
        QTest::newRow("speedscope, a frame that is not there") << QByteArray(kEvented).replace("\"frame\": 2", "\"frame\": 99") << QByteArray("frame 99 is not among the 3 of shared.frames");
        QTest::newRow("speedscope, closed in the wrong order") << QByteArray(kEvented).replace("1, \"at\": 5}", "0, \"at\": 5}")
                                                               << QByteArray("event 6 of profile 1 closes \"main\", which is not the innermost");
        QTest::newRow("speedscope, back in time")
            << QByteArray(kEvented).replace("\"at\": 7", "\"at\": 1") << QByteArray("event 7 of profile 1 is earlier");
        QTest::newRow("speedscope, a unit of its own") << QByteArray(kSampled).replace("\"seconds\"", "\"lightyears\"") << QByteArray("\"lightyears\", a unit that the format does not have");
        QTest::newRow("chrome, cut in the first event") << kChrome.left(40) << QByteArray("event 1 is damaged or cut");
        QTest::newRow("nested a million deep") << "[{\"ph\":\"X\",\"args\":" + QByteArray(1'000'000, '[')
                                               << QByteArray("event 1 is damaged or cut");
        if (lacks("protoc")) return;
        const auto trace = encoded(kPerfetto);
        QTest::newRow("perfetto, cut") << trace.left(trace.size() - 3) << QByteArray("no packet can be read there");
        QTest::newRow("perfetto, nothing in it") << encoded("packet { timestamp: 1 trusted_packet_sequence_id: 1 track_event { type: TYPE_COUNTER counter_value: 3 } }")
                                                 << QByteArray("there is no slice and no sample in it; 1 packet is left out: values of counters");
        auto damaged = trace;
        damaged[trace.indexOf("request") - 1] = '\x7f';
        QTest::newRow("perfetto, a length beyond its end") << damaged << QByteArray("in packet 2: its interned data cannot be read");
        QTest::newRow("perfetto, beyond all times") << encoded("packet { timestamp: 18446744073709551615 track_event { type: TYPE_SLICE_BEGIN name: \"x\" } }") << QByteArray("beyond 73 years");
    }
    void whatIsDamagedIsRefusedWithItsPlace()
    {
        QFETCH(QByteArray, bytes);
        QFETCH(QByteArray, says);
        put("bad", bytes);
        const auto run = runDscope({"--import", at("bad"), "--export", at("bad.folded")});
        QCOMPARE(run.status, 1);
        QVERIFY2(run.err.contains(says), run.err);
        QVERIFY2(run.err.contains(at("bad").toUtf8()), run.err);
    }
    /// Wherever a file ends, it is refused, or what is there is read; nothing hangs and nothing dies.
    void aFileMayEndAnywhere()
    {
        QList<QByteArray> files{kEvented, kSampled, kChrome};
        if (!lacks("protoc")) files << encoded(kPerfetto) << encoded(kSamples);
        for (const auto& file : files)
            for (qsizetype part = 1; part < 8; ++part) {
                put("part", file.left(file.size() * part / 8));
                const auto run = runDscope({"--import", at("part"), "--export", at("part.folded")});
                QVERIFY2(run.status == 0 || run.status == 1, run.err);
                QVERIFY2(run.status == 0 || run.err.contains("cannot import"), run.err);
            }
    }
    /// Small files that ask for much: they end in an error, soon.
    void whatAsksForMuchIsRefusedSoon_data()
    {
        QTest::addColumn<QByteArray>("python");
        QTest::addColumn<QByteArray>("says");
        QTest::newRow("slices that nest without end")
            << QByteArray("for i in range(200000): o.write(b'%s{\"ph\":\"B\",\"name\":\"n\",\"pid\":1,\"tid\":1,\"ts\":%d}' % (b',' if i else b'[', i))") << QByteArray("nest deeper than 4,096");
        // Deep stacks again and again, each different in its innermost frame.
        QTest::newRow("samples of deep stacks") << QByteArray("o.write(b'{\"$schema\":\"https://www.speedscope.app/file-format-schema.json\",\"shared\":{\"frames\":[{\"name\":\"%s\"}]},\"profiles\":[{\"type\":\"sampled\",\"unit\":\"none\",\"name\":\"p\",\"samples\":[' % (b'x'*2000000))\n"
                                                              "for i in range(1,1000): o.write(b'%s[%s]' % (b',' if i>1 else b'', b','.join([b'0']*i)))\no.write(b']}]}')")
                                                << QByteArray("more than 4 GiB of text");
        // 16 locations of 16,384 inlined functions, named in 100,000 samples.
        QTest::newRow("inlined functions in all samples of pprof")
            << QByteArray("def v(n):\n r=b''\n while n>127: r+=bytes([n&127|128]); n>>=7\n return r+bytes([n])\n"
                          "def m(f,b): return bytes([f<<3|2])+v(len(b))+b\n"
                          "o.write(m(1,b'\\x08\\x01\\x10\\x02'))\no.write(m(6,b'')+m(6,b'samples')+m(6,b'count')+m(6,b'f'))\n"
                          "o.write(m(5,b'\\x08\\x01\\x10\\x03'))\nfor i in range(1,17): o.write(m(4,b'\\x08'+v(i)+m(4,b'\\x08\\x01')*65536))\n"
                          "for i in range(100000): o.write(m(2,b'\\x08'+v(1+i%16)+b'\\x10\\x01'))")
            << QByteArray("more than 500,000,000 frames in all");
        // One name of 30 MB, which each of 40 types of values would keep.
        QTest::newRow("a long name in stacks of many types")
            << QByteArray("def v(n):\n r=b''\n while n>127: r+=bytes([n&127|128]); n>>=7\n return r+bytes([n])\n"
                          "def m(f,b): return bytes([f<<3|2])+v(len(b))+b\n"
                          "o.write(m(1,b'\\x08\\x01\\x10\\x02')*40)\no.write(m(6,b'')+m(6,b'samples')+m(6,b'count')+m(6,b'f'*30000000))\n"
                          "o.write(m(5,b'\\x08\\x01\\x10\\x03')+m(4,b'\\x08\\x01'+m(4,b'\\x08\\x01'))+m(2,b'\\x08\\x01'+b'\\x10\\x01'*40))")
            << QByteArray("the names of its frames are more than 1,024 MiB");
        QTest::newRow("writers of Perfetto without end")
            << QByteArray("def v(n):\n r=b''\n while n>127: r+=bytes([n&127|128]); n>>=7\n return r+bytes([n])\n"
                          "def m(f,b): return bytes([f<<3|2])+v(len(b))+b\n"
                          "for i in range(100002): o.write(m(1,b'\\x50'+v(i+1)))")
            << QByteArray("more than 100,000 writers");
        QTest::newRow("compressed streams with nothing in them behind a long one")
            << QByteArray("import gzip\no.write(gzip.compress(b'\\x0a\\x04\\x08\\x01\\x10\\x02'+b'\\x32\\x00'*32000000))\no.write(gzip.compress(b'')*100000)")
            << QByteArray("more than 16,000,000 entries");
    }
    void whatAsksForMuchIsRefusedSoon()
    {
        QFETCH(QByteArray, python);
        QFETCH(QByteArray, says);
        if (lacks("python3")) QSKIP("python3 is not installed");
        const auto made = runDscope({"-c", "import sys\no=open(sys.argv[1],'wb')\n" + python, at("much")}, {}, "python3");
        QVERIFY2(made.status == 0, made.err);
        const auto run = runDscope({"--import", at("much"), "--export", at("much.folded")});
        QCOMPARE(run.status, 1);
        QVERIFY2(run.err.contains(says), run.err);
    }
    /// More slices than a chart keeps: the longest are in it, and the stacks have all.
    void ofTooManySlicesTheLongestAreKept()
    {
        QByteArray text = "[{\"ph\":\"X\",\"name\":\"all\",\"pid\":1,\"tid\":1,\"ts\":0,\"dur\":1000000}";
        for (int i = 0; i < 250'000; ++i)
            text += ",{\"ph\":\"X\",\"name\":\"short\",\"pid\":1,\"tid\":1,\"ts\":" + QByteArray::number(4 * i) + ",\"dur\":" + (i % 5 == 0 ? "1" : "2") + "}";
        put("many", text + ']');
        const auto run = runDscope({"--import", at("many"), "--export", at("many.folded"), "--export", "flame-chart=" + at("many.csv")});
        QVERIFY2(run.status == 0, run.err);
        QVERIFY2(run.err.contains("50,001 shorter slices of 250,001 are not among the calls"), run.err);
        QCOMPARE(contents(at("many.folded")), QByteArray("all 550000000\nall;short 450000000\n"));
        QCOMPARE(contents(at("many.csv")).count('\n'), 200'001);
    }

private:
    static QByteArray encoded(const QByteArray& text)
    {
        const auto run = runDscope({"--proto_path=" + kData, "--encode=perfetto.protos.Trace", kData + "perfetto.proto"}, text, "protoc");
        if (run.status != 0) qWarning() << run.err;
        return run.out;
    }
    void put(const QString& name, const QByteArray& bytes)
    {
        QFile file(at(name));
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write(bytes);
    }
    QString at(const QString& name) const { return m_dir.filePath(name); }
    QTemporaryDir m_dir;
};
QTEST_GUILESS_MAIN(TestTimelines)
#include "tst_timelines.moc"
