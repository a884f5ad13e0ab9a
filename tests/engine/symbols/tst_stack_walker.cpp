#include "engine/host/host.h"
#include "engine/symbols/stack_walker.h"
#include "stopped_process.h"
#include <QFileInfo>
#include <QObject>
#include <QTest>
#include <cstdio>
#include <random>
using namespace dscope;
using symbols::Symbolizer;

namespace {
std::string text(const std::vector<record::Frame>& frames)
{
    std::string s;
    for (const auto& f : frames) {
        char line[64];
        std::snprintf(line, sizeof line, "  %llx ", static_cast<unsigned long long>(f.address));
        s += line + f.module + "`" + f.function;
        std::snprintf(line, sizeof line, "+0x%llx\n", static_cast<unsigned long long>(f.offset));
        s += line;
    }
    return s;
}
} // namespace

class TestStackWalker : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void equalsLibdwOnDebiansPrograms_data()
    {
        QTest::addColumn<QStringList>("command");
        QTest::addColumn<int>("skipSystemCalls");
        QTest::addColumn<int>("stops");
        const auto row
            = [](const char* name, const QStringList& command, int skip, int stops) { QTest::newRow(name) << command << skip << stops; };
        row("ls, from the dynamic linker on", {QStringLiteral("/usr/bin/ls"), QStringLiteral("-l"), QStringLiteral("/usr")}, 0, 200);
        row("ls, in main", {QStringLiteral("/usr/bin/ls"), QStringLiteral("-l"), QStringLiteral("/usr/lib")}, 120, 200);
        row("bash",
            {QStringLiteral("/usr/bin/bash"), QStringLiteral("-c"),
                QStringLiteral("for i in 1 2 3 4 5 6 7 8 9; do x=$((x+i)); y=${x//1/2}; done; f() { f2; }; f2() { echo $x; }; f")},
            90, 200);
        row("python3",
            {QStringLiteral("/usr/bin/python3"), QStringLiteral("-S"), QStringLiteral("-c"),
                QStringLiteral("import json\nfor i in range(99): json.loads(json.dumps({'a': [i, 'b']}))")},
            300, 200);
    }
    void equalsLibdwOnDebiansPrograms()
    {
        QFETCH(QStringList, command);
        QFETCH(int, skipSystemCalls);
        QFETCH(int, stops);
        if (!QFileInfo(command[0]).isExecutable()) QSKIP("that program is not installed");
        std::vector<std::string> words;
        for (const auto& w : command)
            words.push_back(w.toStdString());
        StoppedProcess child(words);
        QVERIFY(child.alive());
        child.systemCalls(skipSystemCalls);
        QVERIFY2(child.alive(), "it ended before it came to the interesting part");
        const auto host = host::local();
        Symbolizer symbolizer(*host);
        std::mt19937 random(42);
        int seen = 0, deepest = 0, resolved = 0;
        for (int i = 0; i < stops && child.alive(); ++i) {
            // Every instruction is a stop of its own and dear; a system call in between changes the scene.
            if (i % 8 == 7) child.systemCalls(1);
            child.steps(1 + static_cast<int>(random() % 300));
            if (!child.alive()) break;
            Bytes stack;
            const auto context = child.context(stack);
            symbolizer.attend(child.pid());
            const auto ours = symbolizer.unwind(child.pid(), context, 256);
            const auto theirs = child.libdwStack(256);
            ++seen;
            deepest = std::max(deepest, static_cast<int>(ours.size()));
            if (ours == theirs) continue;
            // libdw 0.188 loses rbx, on which the dynamic linker's resolver builds its frame; we go on to the end from there.
            const auto named = symbolizer.name(child.pid(), ours);
            const bool prefix = theirs.size() < ours.size() && std::equal(theirs.begin(), theirs.end(), ours.begin());
            const auto& last = named[std::min(theirs.size(), named.size()) - 1];
            const bool resolver
                = last.module.starts_with("ld-linux") && (last.function.empty() || last.function.starts_with("_dl_runtime_resolve"));
            const bool whole = named.back().function == "_start" || named.back().function.empty();
            if (prefix && resolver && whole && ++resolved <= stops / 10) continue;
            qWarning("stop %d\nours\n%s\ntheirs\n%s", i, text(named).c_str(), text(symbolizer.name(child.pid(), theirs)).c_str());
            QCOMPARE(ours, theirs);
        }
        QVERIFY(seen > stops / 2);
        QVERIFY(deepest >= 4);
    }
};
QTEST_GUILESS_MAIN(TestStackWalker)
#include "tst_stack_walker.moc"
