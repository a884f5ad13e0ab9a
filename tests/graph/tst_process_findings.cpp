// needs: graph
// What is said of processes agrees with how many there are, and stays short where they are many.
#include "graph/process_findings.h"
#include <QObject>
#include <QTest>
#include <numeric>
using namespace dscope;
namespace {
graph::Process process(const std::string& path, const std::string& argument, int status, std::int64_t took)
{
    graph::Process p;
    p.start = p.firstSeen = 0;
    p.end = took;
    p.status = status;
    p.images.push_back({path, "/home", {path.substr(path.rfind('/') + 1), argument}, 0, false});
    return p;
}
QStringList findings(const std::vector<graph::Process>& all, std::size_t most = 8, graph::CriticalPath path = {}, std::int64_t now = 0)
{
    graph::Family family;
    family.all = all;
    family.now = now;
    family.shown.resize(all.size());
    std::iota(family.shown.begin(), family.shown.end(), std::size_t{0});
    family.path = std::move(path);
    QStringList out;
    for (const auto& sentence : graph::findingsOf(family, most, graph::Privacy::Open))
        out << QString::fromStdString(sentence);
    return out;
}
} // namespace

class TestProcessFindings : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void aFewFailuresAreToldOneByOne()
    {
        const auto said = findings({process("/bin/cc", "a.c", 1 << 8, 5'000'000), process("/bin/cc", "b.c", 1 << 8, 2'000'000),
            process("/bin/cc", "b.c", 1 << 8, 2'000'000), process("/bin/ls", "x", 0, 9'000'000)});
        QCOMPARE(said, QStringList({"cc b.c: exit 1, 2 times", "cc a.c: exit 1", "ls x took longest: 9 ms"}));
    }
    void manyOfOneKindAreOneSentenceThatCountsThem()
    {
        std::vector<graph::Process> all;
        for (int i = 0; i < 1200; ++i)
            all.push_back(process("/bin/cc", "file" + std::to_string(i) + ".c", 1 << 8, 1'000'000));
        for (int i = 0; i < 40; ++i)
            all.push_back(process("/bin/prog", std::to_string(i), 11, 1'000'000));
        const auto said = findings(all);
        QCOMPARE(said.size(), 2); // all took as long as one another: none took longest
        QCOMPARE(said[0], QString("prog: ended by SIGSEGV, 40 times, first prog 0"));
        QCOMPARE(said[1], QString("cc: exit 1, 1,200 times, first cc file0.c"));
    }
    void ofWhatRanAgainAndAgainTheDearestAreTold()
    {
        std::vector<graph::Process> all;
        for (int command = 1; command <= 60; ++command)
            for (int times = 0; times < 4; ++times)
                all.push_back(process("/bin/sed", std::to_string(command), 0, command * 1'000'000));
        const auto said = findings(all);
        QCOMPARE(said[0], QString("sed 60 ran 4 times in one directory, 240 ms in all"));
        QCOMPARE(said[2], QString("sed 58 ran 4 times in one directory, 232 ms in all"));
        QCOMPARE(said[3], QString("57 more commands ran 228 times, each in one directory, 6.61 s in all")); // 4 * (1 + ... + 57) ms
    }
    void theLongestIsToldWhereItIsAheadAndWhetherItDecided()
    {
        const std::vector all{process("/bin/sh", "x.sh", 0, 1000), process("/bin/sleep", "0.9", 0, 900), process("/bin/cc", "a.c", 0, 720)};
        QCOMPARE(findings(all), QStringList()); // sh has no children here: it is not ahead by a quarter
        const std::vector apart{process("/bin/sleep", "0.9", 0, 900'000'000), process("/bin/cc", "a.c", 0, 720'000'000)};
        QCOMPARE(findings(apart), QStringList("sleep 0.9 took longest: 900 ms"));
        QCOMPARE(findings(apart, 8, {{0}, 900}), QStringList("sleep 0.9 took longest: 900 ms"));
        QCOMPARE(findings(apart, 8, {{1}, 720}), QStringList("sleep 0.9 took longest: 900 ms, not on the critical path"));
    }
    /// A run that ends before a process does knows how long it ran at least.
    void whatStillRanTookAtLeastThat()
    {
        auto background = process("/bin/sleep", "0.9", 0, 0);
        background.end.reset();
        const auto cc = process("/bin/cc", "a.c", 0, 500'000'000);
        QCOMPARE(findings({background, cc}, 8, {}, 822'000'000), QStringList("sleep 0.9 took longest: at least 822 ms"));
        QCOMPARE(findings({background, cc}, 8, {{1}, 500}, 822'000'000),
            QStringList("sleep 0.9 took longest: at least 822 ms, not on the critical path"));
        QCOMPARE(findings({background, background, background}, 8, {}, 2'000'000),
            QStringList("sleep 0.9 ran 3 times in one directory, at least 6 ms in all"));
    }
    void foldersOfACompilerAreNotWhatItWorksOn()
    {
        auto p = process("/usr/bin/cc1", "-quiet", 0, 1);
        p.images.back().args = {"cc1", "-quiet", "-I", "/home/ada/project/include", "-imultiarch", "x86_64-linux-gnu", "source.c"};
        QCOMPARE(QString::fromStdString(graph::calledIn(p, graph::Privacy::Open)), QString("cc1 source.c"));
        p.images.back().args = {"tar", "cf", "out", "/usr/share/doc"};
        QCOMPARE(QString::fromStdString(graph::calledIn(p, graph::Privacy::Open)), QString("cc1 doc"));
    }
    void whatIsSaidOfALongCommandIsNotCutOff()
    {
        const auto said = findings({process("/usr/bin/cc1", std::string(400, 'x') + " last.c", 0, 58'000'000)});
        QCOMPARE(said.size(), 1);
        QVERIFY2(said[0].startsWith("cc1 xx") && said[0].endsWith("last.c took longest: 58 ms"), qPrintable(said[0]));
        QVERIFY2(said[0].size() < 90, qPrintable(said[0]));
    }
};
QTEST_GUILESS_MAIN(TestProcessFindings)
#include "tst_process_findings.moc"
