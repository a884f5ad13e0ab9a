#include <QObject>
#include <QTest>
#ifndef Q_MOC_RUN // moc stumbles over <concepts>
#include "engine/record/redact.h"
#include "engine/record/value.h"
#include "tests/support/counted.h"
#include "tests/support/streams.h"
#endif
using namespace dscope;
using namespace dscope::record;
using namespace dscope::test;

class TestRedact : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void foldersOfUsersLoseTheirNames_data()
    {
        QTest::addColumn<QString>("text");
        QTest::addColumn<QString>("wanted");
        QTest::newRow("a file") << "/home/ada/src/x.c"
                                << "/home/~/src/x.c";
        QTest::newRow("two") << "/home/ada:/home/bob"
                             << "/home/~:/home/~";
        QTest::newRow("a Mac") << "/Users/ada"
                               << "/Users/~";
        QTest::newRow("no user") << "/home/"
                                 << "/home/";
        QTest::newRow("nothing to do with it") << "/usr/bin/cc"
                                               << "/usr/bin/cc";
    }
    void foldersOfUsersLoseTheirNames()
    {
        QFETCH(QString, text);
        QFETCH(QString, wanted);
        const auto once = withoutUsers(text.toStdString());
        QCOMPARE(QString::fromStdString(once), wanted);
        QCOMPARE(withoutUsers(once), once);
    }
    void processesKeepTheirNamesAndLoseTheRest()
    {
        Redactor redact;
        ProcessEvent event;
        event.kind = ProcessEvent::Kind::Exec;
        event.uid = 1000;
        event.path = "/home/ada/bin/tool";
        event.cwd = "/home/ada";
        event.args = {"/home/ada/bin/tool", "--password=x"};
        const auto out = std::get<ProcessEvent>(redact(event));
        QCOMPARE(out.uid, kNoUser);
        QCOMPARE(out.path, std::string("/home/~/bin/tool"));
        QCOMPARE(out.cwd, std::string());
        QVERIFY(out.args == std::vector<std::string>{"tool"});
    }
    void importedStacksLoseTheNamesOfUsersAlone()
    {
        const auto stacks = tests::countedStacks({{"main;[/home/ada/bin/x];write", 3}, {"main", 2}}, "bytes of ada", StackUnit::Bytes);
        Redactor redact;
        const auto out = std::get<CountedStacks>(redact(stacks));
        QVERIFY((tests::foldedLines(out) == tests::FoldedLines{{"main;[/home/~/bin/x];write", 3}, {"main", 2}}));
        QVERIFY(out.measuresAs(stacks));
        QCOMPARE(tests::foldedLines(stacks)[0].first, std::string("main;[/home/ada/bin/x];write")); // what was given stays
    }
    void importedStacksLoseTheirLinesOfSource()
    {
        StackTableBuilder builder;
        const auto node = builder.below(StackTable::kRoot, builder.frame({.name = "f", .file = "/home/ada/f.c", .line = 3}));
        auto ordered = builder.ordered();
        const CountedStacks stacks{ordered.table, std::make_shared<std::vector<CountedStacks::Stack>>(1, CountedStacks::Stack{ordered.numbers[node], 1}), "samples"};
        Redactor redact;
        const auto out = std::get<CountedStacks>(redact(stacks));
        QVERIFY(!out.table->tellsLines());
        QVERIFY(out.table->frame(0).file.empty());
    }
    void keysStayApart()
    {
        auto p = program("x", {"syscall:::entry"});
        p.host = "secret";
        p.command = "/usr/bin/make PASSWORD=x";
        p.aggregations = {aggregation("", Aggregator::Count, "", {numberKey("uid"), textKey("curpsinfo->pr_psargs"), textKey("execname")})};
        Redactor redact;
        const auto head = std::get<Program>(redact(p));
        QCOMPARE(head.host, std::string());
        QCOMPARE(head.command, std::string("make"));
        const auto in = rows(0,
            {{Key().number(1000).text("/bin/cat /home/ada/x").text("cat").bytes(), {1}},
                {Key().number(1000).text("/bin/cat /home/ada/y").text("cat").bytes(), {2}},
                {Key().number(0).text("/bin/cat /home/ada/y").text("cat").bytes(), {3}}});
        const auto out = std::get<AggregationRows>(redact(in));
        const auto& keys = p.aggregations[0].keys;
        const auto text = [&](std::size_t row, std::size_t key) { return stringOf(keys[key], out.rows[row].key); };
        QCOMPARE(text(0, 1), std::string("cat #1"));
        QCOMPARE(text(1, 1), std::string("cat #2"));
        QCOMPARE(text(2, 1), std::string("cat #2"));
        QCOMPARE(text(0, 2), std::string("cat"));
        QCOMPARE(integerOf(keys[0], out.rows[0].key), integerOf(keys[0], out.rows[1].key));
        QVERIFY(integerOf(keys[0], out.rows[0].key) != integerOf(keys[0], out.rows[2].key));
        QVERIFY(integerOf(keys[0], out.rows[0].key) < 10);
        QVERIFY(out.rows[2].data == std::vector<std::int64_t>{3});
    }
    void filesAreLeftOutOfFrames()
    {
        Frame frame{0x10, "a.out", "mix", 4, Frame::Kind::User};
        frame.file = std::string("/home/ada/secret/mix.c");
        frame.line = 31;
        frame.linked = 0x1010;
        frame.code = CodeFile{"/home/ada/secret/a.out", "0123456789abcdef"};
        Redactor redact;
        const auto out = std::get<StackDef>(redact(StackDef{StackId{1}, {frame}})).frames[0];
        QVERIFY(!out.file && out.line == 0);
        QCOMPARE(out.code->path, std::string());
        QCOMPARE(out.code->buildId, frame.code->buildId); // says what was built, and not who built it where
        QCOMPARE(out.function, frame.function);
        QCOMPARE(out.linked, frame.linked);
    }
    void onlyUsersAreUsers()
    {
        auto p = program("x", {"syscall:::entry"});
        p.aggregations = {aggregation("", Aggregator::Count, "", {numberKey("fluid"), numberKey("self->uids"), numberKey("arg0")})};
        Redactor redact;
        redact(p);
        const auto in = rows(0, {{Key().number(77).number(78).number(79).bytes(), {1}}});
        QVERIFY(std::get<AggregationRows>(redact(in)) == in);
    }
};
QTEST_GUILESS_MAIN(TestRedact)
#include "tst_redact.moc"
