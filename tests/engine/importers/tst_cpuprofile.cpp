// Profiles of V8: by time and by counts, in both layouts of nodes, and as Node writes them, whose own numbers are added up here.
#include "tests/support/imported_events.h"
#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QObject>
#include <QProcess>
#include <QStandardPaths>
#include <QTemporaryDir>
#include <QTest>
using namespace dscope;
using namespace dscope::tests;
namespace {
QByteArray quoted(QByteArray json) { return json.replace('\'', '"'); }
QByteArray contents(const QString& path)
{
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}
QByteArray nodeName(const QJsonObject& node)
{
    const auto name = node["callFrame"].toObject()["functionName"].toString().toUtf8();
    return name.isEmpty() ? "(anonymous)" : name;
}
/// What stacks count by their innermost frame, without its module.
std::map<QByteArray, qint64> byLeaf(const text::Imported& imported)
{
    std::map<QByteArray, qint64> out;
    for (const auto& line : said(imported).split('\n')) {
        if (line.isEmpty()) continue;
        const auto stack = line.left(line.lastIndexOf(' '));
        out[stack.mid(stack.lastIndexOf(';') + 1)] += line.mid(line.lastIndexOf(' ') + 1).toLongLong();
    }
    return out;
}
const QByteArray kNodes
    = "'nodes':[{'id':1,'callFrame':{'functionName':'(root)','scriptId':'0','url':'','lineNumber':-1,'columnNumber':-1},'hitCount':0,'"
      "children':[2,4]},"
      "{'id':2,'callFrame':{'functionName':'main','scriptId':'7','url':'file:///srv/"
      "a.js','lineNumber':9,'columnNumber':2},'hitCount':3,'children':[3],'positionTicks':[{'line':11,'ticks':3}]},"
      "{'id':3,'callFrame':{'functionName':'','scriptId':'7','url':'file:///srv/a.js','lineNumber':19,'columnNumber':0},'hitCount':1},"
      "{'id':4,'callFrame':{'functionName':'(idle)','scriptId':'0','url':'','lineNumber':-1,'columnNumber':-1},'hitCount':2}]";
} // namespace

class TestCpuprofile : public QObject {
    Q_OBJECT
private Q_SLOTS:
    /// A sample lasts until the next, the last until the end; V8 may tell a sample late, so that a difference is below 0.
    void samplesAreStacksWithTime()
    {
        const auto imported = read(
            "cpuprofile", quoted("{" + kNodes + ",'startTime':1000,'endTime':1700,'samples':[2,3,4,2],'timeDeltas':[100,300,-100,250]}"));
        QVERIFY2(imported, imported ? "" : imported.error().message.c_str());
        // At 1100 main, at 1300 (idle), at 1400 (anonymous), at 1550 main.
        QCOMPARE(said(*imported), QByteArray("(root);(idle) 100000\n(root);main 350000\n(root);main;(anonymous) 150000\n"));
        QCOMPARE(warned(*imported), QByteArray("some frames are no functions: \"(idle)\" is time in which nothing ran\n"));
        QCOMPARE(qlonglong(imported->program.started), Q_INT64_C(1100000));
        QVERIFY2(sampled(*imported).startsWith("samples\n1100000 "), sampled(*imported));
    }
    void withoutTimesNodesCountTheirHits()
    {
        const auto imported = read("cpuprofile", quoted("{" + kNodes + ",'startTime':1000,'endTime':1700}"));
        QVERIFY(imported);
        QCOMPARE(said(*imported), QByteArray("(root);(idle) 2\n(root);main 3\n(root);main;(anonymous) 1\n"));
    }
    /// Callers named by their callees, and nodes within nodes as before 2016, are the same stacks.
    void allLayoutsAreTheSame_data()
    {
        QTest::addColumn<QByteArray>("nodes");
        QTest::newRow("parent") << QByteArray(
            "'nodes':[{'id':3,'parent':2,'callFrame':{'functionName':''},'hitCount':1},{'id':2,'parent':1,'callFrame':{'functionName':'"
            "main'},'hitCount':3},"
            "{'id':4,'parent':1,'callFrame':{'functionName':'(idle)'},'hitCount':2},{'id':1,'callFrame':{'functionName':'(root)'}}]");
        QTest::newRow("head") << QByteArray(
            "'head':{'children':[{'functionName':'main','id':2,'url':'a.js','lineNumber':10,'hitCount':3,'children':[{'functionName':'','"
            "id':3,'hitCount':1,'children':[]}]},"
            "{'functionName':'(idle)','id':4,'hitCount':2,'children':[]}],'functionName':'(root)','id':1,'hitCount':0}");
    }
    void allLayoutsAreTheSame()
    {
        QFETCH(QByteArray, nodes);
        const auto counted = read("cpuprofile", quoted("{" + nodes + "}"));
        QVERIFY2(counted, counted ? "" : counted.error().message.c_str());
        QCOMPARE(said(*counted), QByteArray("(root);(idle) 2\n(root);main 3\n(root);main;(anonymous) 1\n"));
        const auto timed = read("cpuprofile", quoted("{" + nodes + ",'samples':[2,3],'timestamps':[100,150]}"));
        QVERIFY(timed);
        QCOMPARE(said(*timed), QByteArray("(root);main 50000\n(root);main;(anonymous) 50000\n"));
    }
    void memoryIsBytes()
    {
        const auto imported = read("cpuprofile",
            quoted("{'head':{'callFrame':{'functionName':'(root)'},'selfSize':0,'id':1,'children':[{'callFrame':{'functionName':'make','"
                   "url':'a.js','lineNumber':0},'selfSize':4096,'id':2,'children':[]}]},"
                   "'samples':[{'size':4096,'nodeId':2,'ordinal':1}]}"));
        QVERIFY2(imported, imported ? "" : imported.error().message.c_str());
        QCOMPARE(said(*imported), QByteArray("(root);make 4096\n"));
    }
    void whatIsWrongIsTold_data()
    {
        QTest::addColumn<QByteArray>("json");
        QTest::addColumn<QByteArray>("says");
        QTest::newRow("cut") << "{" + kNodes.left(200) << QByteArray("there is the end of the file within a value");
        QTest::newRow("a list") << QByteArray("[]") << QByteArray("it is no object");
        QTest::newRow("nothing in it") << QByteArray("{'nodes':[]}") << QByteArray("it has neither nodes nor samples");
        QTest::newRow("in a circle") << QByteArray("{'nodes':[{'id':1,'parent':2,'hitCount':1},{'id':2,'parent':1,'hitCount':1}]}")
                                     << QByteArray("call each other in a circle");
    }
    void whatIsWrongIsTold()
    {
        QFETCH(QByteArray, json);
        QFETCH(QByteArray, says);
        const auto imported = read("cpuprofile", quoted(json));
        QVERIFY(!imported);
        QVERIFY2(imported.error().message.find(says.toStdString()) != std::string::npos, imported.error().message.c_str());
    }
    void aSampleOfNoNodeIsCounted()
    {
        const auto imported = read("cpuprofile", quoted("{" + kNodes + ",'startTime':1000,'samples':[2,99,2],'timeDeltas':[100,100,100]}"));
        QVERIFY(imported);
        QCOMPARE(said(*imported), QByteArray("(root);main 400000\n"));
        QCOMPARE(imported->notUnderstood, std::size_t(1));
    }
    void whatNodeWritesIsWhatItSays()
    {
        if (QStandardPaths::findExecutable("node").isEmpty()) QSKIP("node is not installed");
        const QTemporaryDir folder;
        QFile script(folder.filePath("w.js"));
        QVERIFY(script.open(QIODevice::WriteOnly));
        script.write("function hot(n) { let s = 0; for (let i = 0; i < n; i++) s += Math.sqrt(i); return s }\nconst t = Date.now(); while "
                     "(Date.now() - t < 300) hot(1e5);\n");
        script.close();
        QProcess node;
        node.setWorkingDirectory(folder.path());
        node.start("node", {"--cpu-prof", "--cpu-prof-name=a.cpuprofile", "w.js"});
        if (!node.waitForFinished() || node.exitCode() != 0) QSKIP("node does not profile here");
        const auto bytes = contents(folder.filePath("a.cpuprofile"));
        const auto profile = QJsonDocument::fromJson(bytes).object();
        std::map<qint64, QByteArray> names;
        for (const auto& entry : profile["nodes"].toArray())
            names[entry.toObject()["id"].toInteger()] = nodeName(entry.toObject());
        const auto samples = profile["samples"].toArray(), deltas = profile["timeDeltas"].toArray();
        std::vector<std::pair<qint64, qint64>> taken;
        auto now = profile["startTime"].toInteger();
        for (qsizetype i = 0; i < samples.size(); ++i)
            taken.emplace_back(now += deltas[i].toInteger(), samples[i].toInteger());
        std::stable_sort(taken.begin(), taken.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
        std::map<QByteArray, qint64> expected;
        for (std::size_t i = 0; i < taken.size(); ++i)
            if (const auto until = i + 1 < taken.size() ? taken[i + 1].first : profile["endTime"].toInteger(); until > taken[i].first)
                expected[names[taken[i].second]] += 1000 * (until - taken[i].first);

        QCOMPARE(guessed(bytes), QByteArray("cpuprofile"));
        const auto imported = read("cpuprofile", bytes);
        QVERIFY2(imported, imported ? "" : imported.error().message.c_str());
        const auto found = byLeaf(*imported);
        QVERIFY(expected.contains("hot"));
        for (const auto& [name, ns] : expected)
            QCOMPARE(found.contains(name) ? found.at(name) : 0, ns);
    }
};
QTEST_GUILESS_MAIN(TestCpuprofile)
#include "tst_cpuprofile.moc"
