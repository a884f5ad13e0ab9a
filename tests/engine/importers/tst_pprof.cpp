// needs-programs: dscope
// Profiles of pprof, written by Go or by protoc from their schema, never by us alone.
#include "tests/support/run_dscope.h"
#include <QFile>
#include <QFileInfo>
#include <QObject>
#include <QRegularExpression>
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
// Two types of values, an inlined call, a location without a function, a label, and what is no stack.
const QByteArray kProfile = R"(
sample_type { type: 1 unit: 2 } sample_type { type: 3 unit: 4 }
sample { location_id: [2, 1] value: [3, 30] label { key: 5 str: 6 } }
sample { location_id: [3, 1] value: [1, 10] }
sample { location_id: [1] value: [0, 7] }
mapping { id: 1 memory_start: 4096 memory_limit: 8192 filename: 7 has_functions: true }
location { id: 1 mapping_id: 1 address: 4100 line { function_id: 1 line: 10 } }
location { id: 2 mapping_id: 1 address: 4200 line { function_id: 3 line: 5 } line { function_id: 2 line: 20 } }
location { id: 3 mapping_id: 1 address: 4300 }
function { id: 1 name: 8 } function { id: 2 name: 9 } function { id: 3 name: 10 }
string_table: ["", "samples", "count", "cpu", "microseconds", "thread", "worker", "/opt/bin/tool", "main", "outer", "inner"]
)";
} // namespace

class TestPprof : public QObject {
    Q_OBJECT
private Q_SLOTS:
    /// The numbers that go tool pprof tells of a profile of Go's own run time.
    void aProfileOfGoIsWhatItsOwnToolSays()
    {
        const auto file = kData + "go-cpu.pb.gz";
        auto run = runDscope({"--import", file, "--export", "sandwich=" + at("f.csv"), "--export", at("f.folded")});
        QVERIFY2(run.status == 0, run.err);
        const auto table = contents(at("f.csv"));
        QVERIFY2(table.contains("main.mix,420000000,590000000"), table);
        const auto folded = contents(at("f.folded"));
        QVERIFY2(folded.contains("front;"), folded); // the label
        if (lacks("go")) QSKIP("go is not installed: its numbers were not asked for again");
        run = runDscope({"tool", "pprof", "-raw", file}, {}, "go");
        if (run.status != 0) QSKIP("go tool pprof does not run here");
        // "         73  730000000: 1 2 3": of each stack the count and the time.
        static const QRegularExpression sample("^ +(\\d+) +(\\d+): ", QRegularExpression::MultilineOption);
        qint64 theirs = 0, ours = 0;
        for (auto all = sample.globalMatch(QString::fromUtf8(run.out)); all.hasNext();)
            theirs += all.next().captured(2).toLongLong();
        for (const auto& line : folded.split('\n'))
            ours += line.mid(line.lastIndexOf(' ') + 1).toLongLong();
        QVERIFY(theirs > 0);
        QCOMPARE(ours, theirs);
    }
    void whatProtocWroteIsRead_data()
    {
        QTest::addColumn<QString>("schema");
        QTest::addColumn<QString>("type");
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<QByteArray>("folded");
        QTest::newRow("pprof") << "profile.proto" << "perftools.profiles.Profile" << kProfile
                               << QByteArray("tool`main 7000\ntool`main;tool`0x10cc 10000\nworker;tool`main;tool`outer;tool`inner_[i] 30000\n");
        auto preferred = kProfile;
        QTest::newRow("pprof, a sample without a stack of one type alone")
            << "profile.proto" << "perftools.profiles.Profile"
            << QByteArray(kProfile).replace("sample { location_id: [2, 1]", "sample { value: [0, 3] }\nsample { location_id: [2, 1]")
            << QByteArray("[no stack] 3000\ntool`main 7000\ntool`main;tool`0x10cc 10000\nworker;tool`main;tool`outer;tool`inner_[i] 30000\n");
        QTest::newRow("pprof, the type it prefers") << "profile.proto" << "perftools.profiles.Profile" << preferred.append("default_sample_type: 1")
                                                    << QByteArray("tool`main;tool`0x10cc 1\nworker;tool`main;tool`outer;tool`inner_[i] 3\n");
    }
    void whatProtocWroteIsRead()
    {
        if (lacks("protoc")) QSKIP("protoc is not installed (protobuf-compiler)");
        QFETCH(QString, schema);
        QFETCH(QString, type);
        QFETCH(QByteArray, text);
        QFETCH(QByteArray, folded);
        const auto bytes = encoded(schema, type, text);
        QVERIFY(!bytes.isEmpty());
        QCOMPARE(foldedOf(bytes), folded);
        // From a pipe, too, and recorded.
        auto run = runDscope({"--import", "-", "--record", at("r.dscope")}, bytes);
        QVERIFY2(run.status == 0, run.err);
        run = runDscope({"--replay", at("r.dscope"), "--export", at("r.folded")});
        QVERIFY2(run.status == 0, run.err);
        QCOMPARE(contents(at("r.folded")), folded);
    }
    /// Our files, read again, hold the same; that others read them is for tst_profiles.
    void whatWeWriteIsRead_data()
    {
        QTest::addColumn<QString>("suffix");
        for (const auto* suffix : {"pb.gz", "json"})
            QTest::newRow(suffix) << suffix;
    }
    void whatWeWriteIsRead()
    {
        QFETCH(QString, suffix);
        const QByteArray folded = "tool`main;libc.so.6`read;vfs_read_[k] 8\ntool`main;run.java_[j];inner_[i] 900\ntool`main;tool`run;tool`the other_[i] 90\ntool`main;wait 10\n";
        put("in.folded", folded);
        const auto run = runDscope({"--import", at("in.folded"), "--export", "flame=" + at("out." + suffix)});
        QVERIFY2(run.status == 0, run.err);
        QCOMPARE(foldedOf(contents(at("out." + suffix))), folded);
    }
    /// Whole numbers alone fit into the format: the unit says what they are of.
    void fractionsComeBackWithTheirUnit_data()
    {
        QTest::addColumn<QByteArray>("unit");
        QTest::addColumn<QByteArray>("weights");
        QTest::addColumn<QByteArray>("type");
        QTest::addColumn<QByteArray>("folded");
        const QByteArray fractions = "main;mix 1.5\nmain;wait 0.003\n";
        QTest::newRow("count") << QByteArray("none") << QByteArray("1.5,0.003") << QByteArray("samples/e-3") << fractions;
        QTest::newRow("bytes") << QByteArray("bytes") << QByteArray("1.5,0.003") << QByteArray("bytes/e-3 bytes") << fractions;
        QTest::newRow("parts of a nanosecond") << QByteArray("nanoseconds") << QByteArray("1.5,0.003") << QByteArray("time/e-3 nanoseconds") << fractions;
        QTest::newRow("whole") << QByteArray("microseconds") << QByteArray("1.5,0.003") << QByteArray("time/nanoseconds") << QByteArray("main;mix 1500\nmain;wait 3\n");
    }
    void fractionsComeBackWithTheirUnit()
    {
        QFETCH(QByteArray, unit);
        QFETCH(QByteArray, weights);
        QFETCH(QByteArray, type);
        QFETCH(QByteArray, folded);
        auto json = QByteArray("{'$schema':'https://www.speedscope.app/file-format-schema.json','shared':{'frames':[{'name':'main'},{'name':'mix'},{'name':'wait'}]},"
                               "'profiles':[{'type':'sampled','name':'x','unit':'UNIT','startValue':0,'endValue':2,'samples':[[0,1],[0,2]],'weights':[WEIGHTS]}]}");
        put("in.json", json.replace("UNIT", unit).replace("WEIGHTS", weights).replace('\'', '"'));
        auto run = runDscope({"--import", at("in.json"), "--export", "flame=" + at("out.pb.gz")});
        QVERIFY2(run.status == 0, run.err);
        QCOMPARE(foldedOf(contents(at("out.pb.gz"))), folded);
        // Again, so that the unit was read as what it is.
        run = runDscope({"--import", at("out.pb.gz"), "--export", "flame=" + at("again.pb.gz")});
        QVERIFY2(run.status == 0, run.err);
        QCOMPARE(contents(at("again.pb.gz")), contents(at("out.pb.gz")));
        if (lacks("go")) QSKIP("go is not installed: its tool was not asked for the unit");
        run = runDscope({"tool", "pprof", "-raw", at("out.pb.gz")}, {}, "go");
        if (run.status != 0) QSKIP("go tool pprof does not run here");
        QVERIFY2(run.out.contains(type), run.out);
    }
    /// A heap profile of Go says with each sample how large the blocks were.
    void labelsThatAreNumbersAreTables()
    {
        if (lacks("protoc")) QSKIP("protoc is not installed (protobuf-compiler)");
        put("heap", encoded("profile.proto", "perftools.profiles.Profile", R"(
sample_type { type: 1 unit: 2 } sample_type { type: 3 unit: 4 }
sample { location_id: [1] value: [3, 48] label { key: 5 num: 16 num_unit: 4 } }
sample { location_id: [2] value: [1, 16] label { key: 5 num: 16 num_unit: 4 } label { key: 8 str: 9 } }
sample { location_id: [2] value: [2, 8192] label { key: 5 num: 4096 num_unit: 4 } }
location { id: 1 line { function_id: 1 } } location { id: 2 line { function_id: 2 } }
function { id: 1 name: 6 } function { id: 2 name: 7 }
string_table: ["", "objects", "count", "space", "bytes", "size", "main", "grow", "who", "me"])"));
        const auto run = runDscope({"--import", at("heap"), "--text", "--export", "flame=" + at("heap.folded")});
        QVERIFY2(run.status == 0, run.err);
        QCOMPARE(contents(at("heap.folded")), QByteArray("grow 8192\nmain 48\nme;grow 16\n"));
        QVERIFY2(run.err.contains("size (3 samples)"), run.err);
        const auto again = runDscope({"--import", at("heap"), "--export", "flame=" + at("again.pb.gz"), "--export", "bars=" + at("sizes.rows.json")});
        QVERIFY2(contents(at("sizes.rows.json")).contains("\"unit\":\"bytes\""), contents(at("sizes.rows.json")));
        QVERIFY2(again.status == 0, again.err);
        if (!lacks("go")) {
            const auto raw = runDscope({"tool", "pprof", "-raw", at("again.pb.gz")}, {}, "go");
            if (raw.status == 0) QVERIFY2(raw.out.contains("\nspace/bytes\n"), raw.out);
        }
        const auto text = QString::fromUtf8(run.out).simplified();
        QVERIFY2(text.contains("16 bytes 64 4096 bytes 8192") && text.contains("4096 bytes 2 16 bytes 4"), run.out);
    }
    /// What a run knows beside its stacks, as Go's own tool reads it; the build id as readelf tells it.
    void aRunKeepsMappingsPeriodAndLabels()
    {
        if (const auto why = whyNoTracing(); !why.isEmpty()) QSKIP(why);
        if (lacks("go") || lacks("readelf") || lacks("perl")) QSKIP("go, readelf or perl is not installed");
        const auto perl = QFileInfo(QStandardPaths::findExecutable("perl")).canonicalFilePath();
        auto run = runDscope({"-qn", "profile-997 /pid == $target/ { @[execname, ustack()] = count(); }", "-c", "perl -e $i++while$i<3e7", "--export", "flame=" + at("run.pb.gz")});
        QVERIFY2(run.status == 0, run.err);
        run = runDscope({"tool", "pprof", "-raw", at("run.pb.gz")}, {}, "go");
        if (run.status != 0) QSKIP("go tool pprof does not run here");
        for (const QByteArray told : {"PeriodType: cpu nanoseconds", "Period: 1003009", "execname:[perl]", "Time: 20", "Duration: "})
            QVERIFY2(run.out.contains(told), run.out.left(3000) + " lacks " + told);
        const auto notes = runDscope({"-n", perl}, {}, "readelf").out;
        const auto id = notes.mid(notes.indexOf("Build ID: ") + 10, 40);
        QVERIFY2(run.out.contains(perl.toUtf8() + ' ' + id + " [FN]"), run.out.right(3000) + id);
        // As labels they become frames again where we read it.
        const auto folded = foldedOf(contents(at("run.pb.gz")));
        QVERIFY2(folded.contains("perl;"), folded.left(300));
    }
    void whatIsDamagedIsRefusedWithItsPlace_data()
    {
        QTest::addColumn<QByteArray>("bytes");
        QTest::addColumn<QByteArray>("says");
        const auto go = contents(kData + "go-cpu.pb.gz");
        QTest::newRow("a profile that was cut") << go.left(go.size() / 2) << QByteArray("its compressed data is cut near byte");
        auto wrong = go;
        wrong[300] = static_cast<char>(wrong[300] ^ 0x55);
        wrong[301] = static_cast<char>(wrong[301] ^ 0x55);
        QTest::newRow("a profile with other bytes") << wrong << QByteArray("its compressed data is damaged");
        QTest::newRow("a sample of a location that is not there")
            << QByteArray("\x0a\x04\x08\x01\x10\x02\x12\x04\x08\x63\x10\x01\x32\0\x32\1n\x32\5count", 24) << QByteArray("a sample has location 99");
        QTest::newRow("a length beyond all") << QByteArray("\x0a\x04\x08\x01\x10\x02\x12\xff\xff\xff\xff\xff\xff\xff\xff\x7f", 16) << QByteArray("at byte 6");
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
    /// 600 MB of zeros in 600 kB, refused at the bound and not at the end of memory.
    void whatInflatesWithoutEndIsRefused()
    {
        if (lacks("python3")) QSKIP("python3 is not installed");
        const auto made = runDscope({"-c",
                                        "import sys,zlib\nc=zlib.compressobj(9,zlib.DEFLATED,31)\no=open(sys.argv[1],'wb')\no.write(c.compress(b'\\x0a\\x04\\x08\\x01\\x10\\x02'))\n"
                                        "for i in range(600): o.write(c.compress(b'\\x32\\x00'*524288))\no.write(c.flush())",
                                        at("bomb")},
            {}, "python3");
        QCOMPARE(made.status, 0);
        const auto run = runDscope({"--import", at("bomb"), "--export", at("bomb.folded")});
        QCOMPARE(run.status, 1);
        QVERIFY2(run.err.contains("it inflates to more than 512 MiB"), run.err);
    }

private:
    QByteArray encoded(const QString& schema, const QString& type, const QByteArray& text)
    {
        const auto run = runDscope({"--proto_path=" + kData, "--encode=" + type, kData + schema}, text, "protoc");
        if (run.status != 0) qWarning() << run.err;
        return run.status == 0 ? run.out : QByteArray();
    }
    /// What is imported, in the order of its lines.
    QByteArray foldedOf(const QByteArray& bytes)
    {
        put("bytes", bytes);
        const auto run = runDscope({"--import", at("bytes"), "--export", at("bytes.folded")});
        return run.status == 0 ? contents(at("bytes.folded")) : run.err;
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
QTEST_GUILESS_MAIN(TestPprof)
#include "tst_pprof.moc"
