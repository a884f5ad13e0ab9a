// needs: engine/importers
// What bpftrace prints, as text and as JSON. Texts are those of bpftrace 0.17.0 (Debian 12) and 0.27.1 (Debian sid), which programs printed
// whose values are known; names of processes and addresses are others.
#include "engine/record/buckets.h"
#include "tests/support/imported.h"
#include <QObject>
#include <QTest>
using namespace dscope;
using namespace dscope::tests;
namespace {
/// "@h[k] 12..13 1, 896..1023 1", a line a row: histograms by the bounds of their buckets; ".." alone is an open end.
QByteArray bounds(const text::Imported& imported)
{
    QByteArray out;
    for (const auto& record : imported.records) {
        const auto* rows = std::get_if<record::AggregationRows>(&record);
        if (!rows) continue;
        const auto& a = imported.program.aggregations.at(rows->aggregation.value);
        if (!record::hasBuckets(a)) continue;
        for (const auto& row : rows->rows) {
            out += '@' + QByteArray::fromStdString(a.name) + '[';
            for (const auto& key : a.keys)
                out += QByteArray::fromStdString(record::stringOf(key, row.key)) + (&key == &a.keys.back() ? "" : ",");
            out += ']';
            for (std::size_t i = 0; i + 1 < row.data.size(); i += 2) {
                const auto range = record::bucketRange(a, static_cast<int>(row.data[i]));
                const auto end = [](const auto& e) { return e ? QByteArray::number(static_cast<qlonglong>(*e)) : QByteArray(); };
                out += ' ' + end(range.low) + ".." + end(range.high) + '=' + QByteArray::number(static_cast<qlonglong>(row.data[i + 1]));
            }
            out += '\n';
        }
    }
    return out;
}
QStringList nounsOf(const text::Imported& imported)
{
    QStringList out;
    for (const auto& record : imported.records)
        if (const auto* stacks = std::get_if<record::CountedStacks>(&record)) out << QString::fromStdString(stacks->noun);
    return out;
}
QByteArray warnings(const text::Imported& imported)
{
    QByteArray out;
    for (const auto& record : imported.records)
        if (const auto* said = std::get_if<record::Diagnostic>(&record)) out += QByteArray::fromStdString(said->message) + '\n';
    return out;
}
/// The times of rows and, behind those that empty their map, "!".
QByteArray times(const text::Imported& imported)
{
    QByteArray out;
    for (const auto& record : imported.records) {
        const auto* fired = std::get_if<record::Fired>(&record);
        if (!fired) continue;
        const auto& actions = imported.program.clauses.at(fired->clause.value).actions;
        const auto since = fired->when.count() - imported.program.started;
        out += (out.isEmpty() ? "" : " ") + QByteArray::number(static_cast<qlonglong>(since)) + (actions.size() > 1 ? "!" : "");
    }
    return out;
}
} // namespace

class TestBpftrace : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void histogramsHaveTheBoundsThatArePrinted_data()
    {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<QByteArray>("says");
        QTest::newRow("hist(x, 2)") << QByteArray("@h4:\n[12, 14)    1 |@|\n[14, 16)   0 ||\n[16, 20)  0 ||\n[896, 1024)   1 |@|\n\n")
                                    << QByteArray("@h4[] 12..13=1 896..1023=1\n");
        QTest::newRow("one bucket") << QByteArray("@one:\n[40, 50)   1 |@|\n") << QByteArray("@one[] 40..49=1\n");
        QTest::newRow("letters are powers of 1,024")
            << QByteArray("@l:\n[2K, 3K)    1 |@|\n\n@m:\n[1M, 1536K)  1 |@|\n") << QByteArray("@l[] 2048..3071=1\n@m[] 1048576..1572863=1\n");
        QTest::newRow("all that is negative") << QByteArray("@n:\n(..., 0)    2 |@|\n[0]   0 ||\n[1]   0 ||\n[2, 4)   0 ||\n[4, 8)   1 |@|\n")
                                              << QByteArray("@n[] ..-1=2 4..7=1\n");
        QTest::newRow("keys share a scale, though each prints its own part of it")
            << QByteArray("@l[a]:\n[40, 50)   1 |@|\n\n@l[b]:\n[70, 80)   1 |@|\n") << QByteArray("@l[a] 40..49=1\n@l[b] 70..79=1\n");
        QTest::newRow("below and above") << QByteArray("@l:\n(..., 0)   1 |@|\n[0, 10)   3 |@|\n[10, 20)   0 ||\n[100, ...)   2 |@|\n")
                                         << QByteArray("@l[] ..-1=1 0..9=3 100..=2\n");
        QTest::newRow("the last bucket of numbers") << QByteArray("@h:\n[2E, 4E)  1 |@|\n[4E, 8E)    1 |@|\n")
                                                    << QByteArray("@h[] 2305843009213693952..4611686018427387903=1 4611686018427387904..9223372036854775807=1\n");
        QTest::newRow("json") << QByteArray("{\"type\": \"hist\", \"data\": {\"@h\": [{\"max\": -1, \"count\": 1},{\"min\": 0, \"max\": 0, \"count\": 0},"
                                            "{\"min\": 5, \"max\": 5, \"count\": 1},{\"min\": 896, \"max\": 1023, \"count\": 2}]}}\n")
                              << QByteArray("@h[] ..-1=1 5..5=1 896..1023=2\n");
        QTest::newRow("json by keys") << QByteArray("{\"type\": \"hist\", \"data\": {\"@l\": {\"1,a\": [{\"min\": 40, \"max\": 49, \"count\": 1}],"
                                                    " \"2,b\": [{\"min\": 70, \"max\": 79, \"count\": 1},{\"min\": 100, \"count\": 3}]}}}\n")
                                      << QByteArray("@l[1,a] 40..49=1\n@l[2,b] 70..79=1 100..=3\n");
    }
    void histogramsHaveTheBoundsThatArePrinted()
    {
        QFETCH(QByteArray, text);
        QFETCH(QByteArray, says);
        const auto imported = read("bpftrace", text);
        QVERIFY2(imported, imported ? "" : imported.error().message.c_str());
        QCOMPARE(bounds(*imported), says);
        QCOMPARE(imported->notUnderstood, std::size_t{0});
    }

    void aStackHasItsFramesFromTheRoot_data()
    {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<QByteArray>("says");
        QTest::newRow("perf") << QByteArray("@up[\n\t7f3f9c31ae89 syscall+25 (/usr/lib/x86_64-linux-gnu/libc.so.6)\n\t55e097885d98 main+7 ([unknown])\n]: 1\n")
                              << QByteArray("main;libc.so.6`syscall 1\n");
        QTest::newRow("perf of the kernel")
            << QByteArray("@p[\n\tffffffff81f5d84a vfs_read+106\n\tffffffff81000130 entry_SYSCALL_64_after_hwframe+118\n, cat]: 2\n")
            << QByteArray("cat;entry_SYSCALL_64_after_hwframe_[k];vfs_read_[k] 2\n");
        QTest::newRow("raw") << QByteArray("@r[\n7f3f9c31ae89\n55e097885d98\n]: 3\n") << QByteArray("0x55e097885d98;0x7f3f9c31ae89 3\n");
        QTest::newRow("raw, not followed to its end") << QByteArray("@r[\n7fa879ac8a02\n0\n2f3d5249445f4548\n]: 3\n")
                                                      << QByteArray("0x2f3d5249445f4548;0;0x7fa879ac8a02 3\n");
        QTest::newRow("perf, not followed to its end")
            << QByteArray("@p[\n\t7fa879ac8a02 0x7fa879ac8a02 ([unknown])\n\t0 0 ([unknown])\n, w]: 3\n")
            << QByteArray("w;0;0x7fa879ac8a02 3\n");
        QTest::newRow("json without blanks: perf, not followed to its end")
            << QByteArray("{\"type\": \"map\", \"data\": {\"@p\": {\"\\n\\t7fa879ac8a020x7fa879ac8a02([unknown])\\n\\t00([unknown])\\n\": 3}}}\n")
            << QByteArray("0;0x7fa879ac8a02 3\n");
        QTest::newRow("build_id") << QByteArray("@b[\na226e0f150be89099d375c6b865b1dba794648ae 0x110e89\n55e097885d98\n]: 1\n")
                                  << QByteArray("0x55e097885d98;a226e0f150be89099d375c6b865b1dba794648ae`0x110e89 1\n");
        QTest::newRow("user and kernel, the user's first")
            << QByteArray("@u[\n        read+25\n        main+1\n        __libc_start_call_main+2\n, \n        vfs_read+3\n        do_syscall_64+4\n, cat]: 1\n")
            << QByteArray("cat;__libc_start_call_main;main;read;do_syscall_64;vfs_read 1\n");
        QTest::newRow("user and kernel, the kernel's first")
            << QByteArray("@u[\n    vfs_read+3\n    entry_SYSCALL_64_after_hwframe+4\n, \n    read+25\n    main+1\n]: 1\n")
            << QByteArray("main;read;entry_SYSCALL_64_after_hwframe;vfs_read 1\n");
        QTest::newRow("json, commas in names")
            << QByteArray("{\"type\": \"map\", \"data\": {\"@s\": {\"\\n    f<int, std::allocator<int> >(int, long)+5\\n    main+5\\n,a b\": 4}}}\n")
            << QByteArray("a b;main;f<int, std::allocator<int> > 4\n");
        QTest::newRow("json without blanks: perf")
            << QByteArray("{\"type\": \"map\", \"data\": {\"@p\": {\"\\n\\tffffffffc000216eabort_it+4234\\n\\tffffffff81000130entry_SYSCALL_64+1\\n,x\": 1, "
                          "\"\\n\\t7f269bb1ae89abs+25(/usr/lib/libc.so.6)\\n\\t5561894b7d280x5561894b7d28([unknown])\\n,y\": 2}}}\n")
            << QByteArray("x;entry_SYSCALL_64_[k];abort_it_[k] 1\ny;0x5561894b7d28;libc.so.6`abs 2\n");
        QTest::newRow("json without blanks: build_id, two stacks")
            << QByteArray("{\"type\": \"map\", \"data\": {\"@b\": {\"\\na226e0f150be89099d375c6b865b1dba794648ae0x110e89\\n5561894b7d28\\n\": 1}, "
                          "\"@u\": {\"\\nread+25\\nmain+4\\n,\\nvfs_read+1\\nentry_SYSCALL_64_after_hwframe+1\\n,cat\": 1}}}\n")
            << QByteArray("0x5561894b7d28;a226e0f150be89099d375c6b865b1dba794648ae`0x110e89 1\n"
                          "cat;main;read;entry_SYSCALL_64_after_hwframe;vfs_read 1\n");
        QTest::newRow("frames of one function at two places are no second printing")
            << QByteArray("@k[\n    a+1\n    b\n]: 3\n@k[\n    a+9\n    b\n]: 2\n") << QByteArray("b;a 5\n");
        QTest::newRow("the same stack of three processes in one printing")
            << QByteArray("@k[\n    a+1\n    b\n]: 10\n@k[\n    a+1\n    b\n]: 10\n@k[\n    a+1\n    b\n]: 9\n") << QByteArray("b;a 29\n");
        QTest::newRow("the same stack twice in each of two printings, not emptied")
            << QByteArray("@s[\n    a\n]: 3\n@s[\n    a\n]: 4\n\n@s[\n    a\n]: 5\n@s[\n    a\n]: 6\n\n") << QByteArray("a 11\n");
        QTest::newRow("and emptied")
            << QByteArray("@s[\n    a\n]: 3\n@s[\n    a\n]: 4\n\n@s[\n    a\n]: 5\n@s[\n    a\n]: 1\n\n") << QByteArray("a 13\n");
        QTest::newRow("json of 0.23, line ends escaped twice") << QByteArray(
            "{\"type\": \"map\", \"data\": {\"@u\": {\"\\\\n        read+25\\\\n        main+4\\\\n\": 3}, \"@p\": "
            "{\"\\\\n\\\\t7f4a819b73a7 abs+25 (/usr/lib/libc.so.6)\\\\n\\\\t5653006f41f4 0x5653006f41f4 ([unknown])\\\\n,writes\": 45}}}\n")
                                                               << QByteArray("writes;0x5653006f41f4;libc.so.6`abs 45\nmain;read 3\n");
        QTest::newRow("printed again and emptied") << QByteArray("@k[\n    a\n    b\n]: 3\n\n@k[\n    a\n    b\n]: 2\n") << QByteArray("b;a 5\n");
        QTest::newRow("printed again and not emptied") << QByteArray("@k[\n    a\n    b\n]: 3\n\n@k[\n    a\n    b\n]: 7\n") << QByteArray("b;a 7\n");
    }
    void aStackHasItsFramesFromTheRoot()
    {
        QFETCH(QByteArray, text);
        QFETCH(QByteArray, says);
        const auto imported = read("bpftrace", text);
        QVERIFY2(imported, imported ? "" : imported.error().message.c_str());
        QCOMPARE(said(*imported), says);
        QCOMPARE(imported->notUnderstood, std::size_t{0});
    }

    /// What stats() has of a stack is two measures, in text and in each of JSON's spellings.
    void statisticsByStacksAreTwoMeasures_data()
    {
        QTest::addColumn<QByteArray>("text");
        QTest::newRow("text of 0.17") << QByteArray("@s[\n    f+1\n    main+2\n]: count 2, average 3, total 7\n");
        QTest::newRow("text of 0.27") << QByteArray("@s[\n    f+1\n    main+2\n]: { .count = 2, .average = 3, .total = 7 }\n");
        QTest::newRow("json") << QByteArray(
            R"({"type": "stats", "data": {"@s": {"\n    f+1\n    main+2\n": {"count": 2, "average": 3, "total": 7}}}})");
        QTest::newRow("json of 0.20") << QByteArray(
            R"({"type": "stats", "data": {"@s": {"\\n    f+1\\n    main+2\\n": {"count": 2, "average": 3, "total": 7}}}})");
    }
    void statisticsByStacksAreTwoMeasures()
    {
        QFETCH(QByteArray, text);
        const auto imported = read("bpftrace", text);
        QVERIFY(imported);
        QCOMPARE(said(*imported), QByteArray("main;f 7\nmain;f 2\n"));
        QCOMPARE(nounsOf(*imported), (QStringList{"@s", "@s.count"}));
        QCOMPARE(imported->notUnderstood, std::size_t{0});
    }
    /// One map may have counts and another one bytes.
    void stacksOfSeveralMapsDoNotAddUp()
    {
        const auto imported = read("bpftrace", "@bytes[\n    f+1\n    main+2\n]: 4096\n@calls[\n    f+1\n    main+2\n]: 2\n");
        QVERIFY(imported);
        QCOMPARE(said(*imported), QByteArray("main;f 4096\nmain;f 2\n"));
        QCOMPARE(nounsOf(*imported), (QStringList{"@bytes", "@calls"}));
    }
    void averagesByStacksAreLeftOut()
    {
        const auto imported = read("bpftrace", R"({"type": "stats", "data": {"@a": {"\n    f+1\n": 3}, "@b": 4}})");
        QVERIFY(imported);
        QCOMPARE(said(*imported), QByteArray("@b[] 1 4\n"));
        QVERIFY2(warnings(*imported).contains("1 stack has no count: left out"), warnings(*imported));
    }

    void valuesAndKeysAreWhatTheyAre_data()
    {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<QByteArray>("says");
        QTest::addColumn<QByteArray>("told");
        QTest::newRow("stats of 0.17") << QByteArray("@s[k]: count 2, average 3, total 7\n") << QByteArray("@s[k] 7\n@s_average[k] 2 7\n")
                                       << QByteArray();
        QTest::newRow("stats of 0.27") << QByteArray("@s[k]: { .count = 2, .average = 3, .total = 7 }\n")
                                       << QByteArray("@s[k] 7\n@s_average[k] 2 7\n") << QByteArray();
        QTest::newRow("stats in json") << QByteArray("{\"type\": \"stats\", \"data\": {\"@s\": {\"k\": {\"count\": 2, \"average\": 3, \"total\": 7}}, "
                                                     "\"@t\": {\"count\": 2, \"average\": 6, \"total\": 12}, \"@a\": 3, \"@b\": {\"x\": -3}}}\n")
                                       << QByteArray("@s[k] 7\n@s_average[k] 2 7\n@t[] 12\n@t_average[] 2 12\n@a[] 1 3\n@b[x] 1 -3\n") << QByteArray();
        QTest::newRow("bool") << QByteArray("@b: true\n@bk[true, x]: 1\n@f: false\n") << QByteArray("@b[] 1\n@bk[true, x] 1\n@f[] 0\n") << QByteArray();
        QTest::newRow("bool in json") << QByteArray("{\"type\": \"map\", \"data\": {\"@b\": true, \"@f\": false, \"@bk\": {\"true,x\": 1}}}\n")
                                      << QByteArray("@b[] 1\n@f[] 0\n@bk[true, x] 1\n") << QByteArray();
        QTest::newRow("negative numbers") << QByteArray("@n: -7\n@k[-3]: 4\n") << QByteArray("@n[] -7\n@k[-3] 4\n") << QByteArray();
        QTest::newRow("tuples as keys") << QByteArray("@t[(1, x), 2]: 3\n") << QByteArray("@t[(1, x), 2] 3\n") << QByteArray();
        QTest::newRow("commas in keys that are one") << QByteArray("@k[a, b]: 2\n@k[x: 3]: 1\n@k[{\"j\": 1}]: 5\n")
                                                    << QByteArray("@k[a, b] 2\n@k[x: 3] 1\n@k[{\"j\": 1}] 5\n") << QByteArray();
        QTest::newRow("a key of two lines") << QByteArray("@s[x\ny]: 2\n@n: 1\n") << QByteArray("@s[x\ny] 2\n@n[] 1\n") << QByteArray();
        QTest::newRow("text, tuples and numbers that are too large")
            << QByteArray("@n: 1\n@s: hello world\n@t: (1, x, 3)\n@g: 18446744073709551615\n") << QByteArray("@n[] 1\n")
            << QByteArray("2 values are text, which no figure draws (the first: @s: hello world)\n1 value is above 9223372036854775807: left out\n");
        QTest::newRow("one name twice in json")
            << QByteArray("{\"type\": \"map\", \"data\": {\"@c\": {\"operatornew(unsignedlong)\": 1, \"operatornew(unsignedlong)\": 2}}}\n")
            << QByteArray("@c[operatornew(unsignedlong)] 3\n")
            << QByteArray("1 key has the name of another key of the same map (bpftrace -f json takes blanks out of names): their values are added up\n");
        QTest::newRow("what bpftrace says besides")
            << QByteArray("WARNING: Addrspace is not set\nLost 12 events\n@n: 1\n") << QByteArray("@n[] 1\n")
            << QByteArray("bpftrace lost 12 events: counts may be too small\n"
                          "bpftrace said 1 warning or error (the first: WARNING: Addrspace is not set)\n");
        QTest::newRow("the same in json")
            << QByteArray("{\"type\": \"lost_events\", \"data\": {\"events\": 12}}\n{\"type\": \"printf\", \"data\": \"x\"}\n"
                          "{\"type\": \"errorf\", \"msg\": \"oops 1\", \"filename\": \"a\", \"line\": 4, \"col\": 1}\n"
                          "{\"type\": \"map\", \"data\": {\"@n\": 1}}\n")
            << QByteArray("@n[] 1\n")
            << QByteArray("1 line of printf(), print() of a value and the like: left out\nbpftrace lost 12 events: counts may be too small\n"
                          "bpftrace said 1 warning or error (the first: oops 1)\n");
    }
    void valuesAndKeysAreWhatTheyAre()
    {
        QFETCH(QByteArray, text);
        QFETCH(QByteArray, says);
        QFETCH(QByteArray, told);
        const auto imported = read("bpftrace", text);
        QVERIFY2(imported, imported ? "" : imported.error().message.c_str());
        QCOMPARE(said(*imported), says);
        QCOMPARE(warnings(*imported), told);
        QCOMPARE(imported->notUnderstood, std::size_t{0});
    }

    void mapsThatArePrintedAgainAreSeries_data()
    {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<QByteArray>("says");
        QTest::addColumn<QByteArray>("when"); ///< since the beginning; "!": the map was emptied
        QTest::addColumn<bool>("isNumbered");
        QTest::newRow("emptied, without times") << QByteArray("@x[a]: 5\n@x[b]: 1\n\n@x[a]: 7\n\n\n@x[a]: 2\n")
                                                << QByteArray("@x[a] 5\n@x[b] 1\n@x[a] 7\n@x[a] 2\n") << QByteArray("1! 2! 3!") << true;
        QTest::newRow("not emptied") << QByteArray("@x[a]: 5\n\n@x[a]: 7\n@x[b]: 1\n\n@x[a]: 7\n@x[b]: 3\n")
                                     << QByteArray("@x[a] 5\n@x[a] 7\n@x[b] 1\n@x[a] 7\n@x[b] 3\n") << QByteArray("1 2 3") << true;
        QTest::newRow("no blank lines between (0.27)") << QByteArray("@x[a]: 5\n@x[a]: 7\n@x[a]: 2\n") << QByteArray("@x[a] 5\n@x[a] 7\n@x[a] 2\n")
                                                       << QByteArray("1! 2! 3!") << true;
        QTest::newRow("only the largest are printed: what is missing is as it was")
            << QByteArray("@x[a]: 5\n\n@x[b]: 6\n") << QByteArray("@x[a] 5\n@x[a] 5\n@x[b] 6\n") << QByteArray("1 2") << true;
        QTest::newRow("times") << QByteArray("12:00:01\n@x: 5\n12:00:02\n@x: 3\n12:00:04\n@x: 9\n\n@x: 1\n") << QByteArray("@x[] 5\n@x[] 3\n@x[] 9\n@x[] 1\n")
                               << QByteArray("2000000000! 3000000000! 5000000000! 7000000000!") << false;
        QTest::newRow("json") << QByteArray("{\"type\": \"time\", \"data\": \"23:59:59\\n\"}\n{\"type\": \"map\", \"data\": {\"@x\": {\"a\": 5}}}\n"
                                            "{\"type\": \"time\", \"data\": \"00:00:00\\n\"}\n{\"type\": \"map\", \"data\": {\"@x\": {\"a\": 2}}}\n")
                              << QByteArray("@x[a] 5\n@x[a] 2\n") << QByteArray("1000000000! 2000000000!") << false;
        QTest::newRow("tseries") << QByteArray("@t[a]:\n                   4                      6\nhh:mm:ss.ns        |______________________|\n"
                                               "11:58:49.600000000 |          *           | 5\n11:58:49.700000000 |          *           | -7\n"
                                               "                   v______________________v\n                   4                      6\n\n")
                                 << QByteArray("@t[a] 1 5\n@t[a] 1 -7\n") << QByteArray("100000000! 200000000!") << false;
        QTest::newRow("tseries in json")
            << QByteArray("{\"type\": \"tseries\", \"data\": {\"@t\": [{\"interval_start\":\"2026-11-28 11:58:50.600000000\",\"value\":5},"
                          "{\"interval_start\":\"2026-11-28 11:58:50.700000000\",\"value\":7}]}}\n")
            << QByteArray("@t[] 1 5\n@t[] 1 7\n") << QByteArray("100000000! 200000000!") << false;
        QTest::newRow("printed at the end, and by bpftrace once more") << QByteArray("@x: 5\n\n@x: 5\n") << QByteArray("@x[] 5\n") << QByteArray() << false;
    }
    void mapsThatArePrintedAgainAreSeries()
    {
        QFETCH(QByteArray, text);
        QFETCH(QByteArray, says);
        QFETCH(QByteArray, when);
        QFETCH(bool, isNumbered);
        const auto imported = read("bpftrace", text);
        QVERIFY2(imported, imported ? "" : imported.error().message.c_str());
        QCOMPARE(said(*imported), says);
        QCOMPARE(times(*imported), when);
        QCOMPARE(imported->program.timesAreLines, isNumbered);
        QCOMPARE(imported->notUnderstood, std::size_t{0});
    }

    /// Each printing was compared with all stacks before it.
    void timeGrowsWithTheTextAndNotWithItsSquare()
    {
        constexpr int kPrintings = 100'000;
        QByteArray text;
        for (int i = 0; i < kPrintings; ++i)
            text += "@x[\n    f" + QByteArray::number(i) + "+0\n]: 1\n\n";
        const auto imported = read("bpftrace", text);
        QVERIFY2(imported, imported ? "" : imported.error().message.c_str());
        QCOMPARE(said(*imported).count('\n'), kPrintings);
    }

    /// What a printing leaves out is as it was. With other keys each time that would be 2,000,000 rows of a text of 22 KB.
    void memoryGrowsWithTheTextAndNotWithItsSquare()
    {
        constexpr int kPrintings = 2000;
        QByteArray text;
        for (int i = 0; i < kPrintings; ++i)
            text += "@x[" + QByteArray::number(i) + "]: 1\n\n";
        const auto imported = read("bpftrace", text);
        QVERIFY2(imported, imported ? "" : imported.error().message.c_str());
        QCOMPARE(said(*imported).count('\n'), kPrintings); // each value is there, once
        QVERIFY2(warnings(*imported).contains("with other keys each time (@x): only what came in altogether is kept"),
            warnings(*imported).constData());
    }
};
QTEST_GUILESS_MAIN(TestBpftrace)
#include "tst_bpftrace.moc"
