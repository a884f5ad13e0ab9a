// What StructuredPrinter writes. The names of members and their nesting: FreeBSD's dtrace(1), "Structured output".
// uses: nlohmann_json::nlohmann_json
#include "engine/format/structured_printer.h"
#include "engine/format/printer.h"
#include "engine/record/buckets.h"
#include <QObject>
#include <QTest>
#include <cstdio>
#include <cstring>
#include <nlohmann/json.hpp>
using namespace dscope;
using namespace dscope::format;
using namespace dscope::record;
using Json = nlohmann::ordered_json;

namespace {
template <typename T> Bytes bytes(T value)
{
    Bytes out(sizeof value);
    std::memcpy(out.data(), &value, sizeof value);
    return out;
}
Bytes bytes(std::string_view text, std::size_t size)
{
    Bytes out(size);
    std::memcpy(out.data(), text.data(), text.size());
    return out;
}

/// One clause at BEGIN, what it records, and the document of that.
struct Run {
    Program program;
    std::vector<Record> records;
    std::string messages;
    Effects* effects = nullptr;

    Run() { program.clauses.emplace_back(); }
    Run& action(ActionKind kind, std::vector<Field> fields = {}, std::string format = {}, std::vector<std::uint32_t> aggregations = {})
    {
        Action a;
        a.kind = kind;
        a.format = std::move(format);
        auto& clause = program.clauses.back();
        for (auto f : fields) {
            f.offset = clause.payloadSize;
            clause.payloadSize += f.size;
            a.fields.push_back(f);
        }
        for (const auto n : aggregations)
            a.aggregations.push_back(AggregationId{n});
        clause.actions.push_back(std::move(a));
        return *this;
    }
    Run& fire(const Bytes& payload = {})
    {
        Fired f;
        f.probe = ProbeId{1};
        f.cpu = 3;
        f.when = Nanoseconds(12345);
        f.payload = payload;
        records.emplace_back(f);
        return *this;
    }
    std::string text(const char* oformat)
    {
        std::string out;
        StructuredPrinter printer(*documentStyle(oformat), [&](std::string_view s) { out += s; }, [&](std::string_view s) { messages += s; }, effects);
        printer.take(program);
        printer.take(ProbeDef{ProbeId{1}, "dtrace", "", "", "BEGIN"});
        for (const auto& r : records)
            printer.take(r);
        printer.finish();
        return out;
    }
    Json json() { return Json::parse(text("json")); }
    /// What the only probe put out.
    Json output() { return json().at("dtrace").at("probes").at(0).at("output"); }
};
/// Tells them if they differ.
bool equal(const Json& found, const Json& expected)
{
    if (found != expected) std::fprintf(stderr, "found    %s\nexpected %s\n", found.dump().c_str(), expected.dump().c_str());
    return found == expected;
}
Field integer(std::uint32_t size, FieldKind kind = FieldKind::Int) { return {kind, 0, size, "n", ""}; }
Field string(std::uint32_t size = 16) { return {FieldKind::String, 0, size, "s", "string"}; }
Frame frame(const char* module, const char* function, std::uint64_t offset, Frame::Kind kind)
{
    Frame f;
    f.module = module;
    f.function = function;
    f.offset = offset;
    f.address = 0x1000 + offset;
    f.kind = kind;
    return f;
}
} // namespace

class TestStructuredPrinter : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void aProbeIsDescribed()
    {
        Run r;
        r.action(ActionKind::Trace, {integer(4)}).fire(bytes(-7));
        QVERIFY(equal(r.json(), Json::parse(R"({"dtrace": {"probes": [{"timestamp": 12345, "cpu": 3, "id": 1, "provider": "dtrace",
            "module": "", "function": "", "name": "BEGIN", "output": [{"value": -7}]}]}})")));
    }
    void theSameAsXml()
    {
        Run r;
        r.action(ActionKind::Trace, {string()}).fire(bytes("a<b>&\x01\xc3", 16));
        QCOMPARE(QString::fromStdString(r.text("xml,pretty")),
            QStringLiteral("<?xml version=\"1.0\"?>\n<dtrace>\n  <probes>\n    <timestamp>12345</timestamp>\n    <cpu>3</cpu>\n    <id>1</id>\n"
                           "    <provider>dtrace</provider>\n    <module/>\n    <function/>\n    <name>BEGIN</name>\n    <output>\n"
                           "      <value>a&lt;b&gt;&amp;\\001\\303</value>\n    </output>\n  </probes>\n</dtrace>\n"));
    }
    void nothingIsADocumentToo()
    {
        Run r;
        r.program.clauses.clear();
        QCOMPARE(r.text("json"), std::string("{\"dtrace\":{\"probes\":[]}}\n"));
        QCOMPARE(r.text("xml"), std::string("<?xml version=\"1.0\"?>\n<dtrace></dtrace>\n"));
    }
    void textsAreWellFormed_data()
    {
        QTest::addColumn<QByteArray>("traced");
        QTest::addColumn<QByteArray>("found");
        QTest::newRow("quotes") << QByteArray("say \"x\" \\ ") << QByteArray("say \"x\" \\ ");
        QTest::newRow("controls") << QByteArray("a\x1b[31m\n\x7f") << QByteArray("a\x1b[31m\n\x7f");
        QTest::newRow("UTF-8") << QByteArray("\xc3\xa4\xe2\x82\xac\xf0\x9f\x98\x80") << QByteArray("\xc3\xa4\xe2\x82\xac\xf0\x9f\x98\x80");
        QTest::newRow("C1") << QByteArray("\xc2\x9b") << QByteArray("\xc2\x9b");
        QTest::newRow("bytes of no character") << QByteArray("\xff\xc3z") << QByteArray("\\377\\303z");
        QTest::newRow("longer than needed") << QByteArray("\xc0\xaf\xe0\x80\xaf") << QByteArray("\\300\\257\\340\\200\\257");
        QTest::newRow("a surrogate") << QByteArray("\xed\xa0\x80") << QByteArray("\\355\\240\\200");
        QTest::newRow("beyond Unicode") << QByteArray("\xf4\x90\x80\x80") << QByteArray("\\364\\220\\200\\200");
    }
    void textsAreWellFormed()
    {
        QFETCH(QByteArray, traced);
        QFETCH(QByteArray, found);
        Run r;
        r.action(ActionKind::Trace, {string(32)}).fire(bytes(traced.toStdString(), 32));
        QCOMPARE(QByteArray::fromStdString(r.output().at(0).at("value").get<std::string>()), found);
        const auto text = r.text("json");
        for (const char c : text)
            QVERIFY(static_cast<unsigned char>(c) != 0x1b && static_cast<unsigned char>(c) != 0x7f); // no terminal obeys it
    }
    void integersKeepAllDigits()
    {
        Run r;
        r.action(ActionKind::Trace, {integer(8, FieldKind::Uint)}).fire(bytes(UINT64_MAX));
        QVERIFY(r.text("json").find("{\"value\":18446744073709551615}") != std::string::npos);
    }
    void printfHasItsMessageAndArguments()
    {
        Run r;
        r.action(ActionKind::Printf, {integer(4), string()}, "%d of %s\n");
        r.action(ActionKind::Printf, {}, "none");
        auto payload = bytes(5);
        const auto name = bytes("cat", 16);
        payload.insert(payload.end(), name.begin(), name.end());
        QVERIFY(equal(r.fire(payload).output(),
            Json::parse(R"([{"message": "5 of cat\n"}, {"value": 5}, {"value": "cat"}, {"message": "none"}, {"value": 0}])")));
    }
    void framesAreUnrolled()
    {
        Run r;
        r.records.emplace_back(StackDef{StackId{9},
            {frame("dtrace.ko", "dtrace_ioctl", 0x81c, Frame::Kind::Kernel), frame("vmlinux", "entry", 0, Frame::Kind::Kernel), Frame{}}});
        r.action(ActionKind::Stack, {{FieldKind::Stack, 0, 4, "stack()", ""}}).fire(bytes(std::uint32_t{9}));
        QVERIFY(equal(r.output(), Json::parse(R"([{"stack-frames": [
            {"symbol": "dtrace.ko`dtrace_ioctl+0x81c", "module": "dtrace.ko", "name": "dtrace_ioctl", "offset": "0x81c"},
            {"symbol": "vmlinux`entry", "module": "vmlinux", "name": "entry"}, {"symbol": "0x0", "offset": "0x0"}]}])")));
    }
    void symbolsAreTakenApart()
    {
        Run r;
        r.records.emplace_back(StackDef{StackId{1}, {frame("kernel", "prison0", 0, Frame::Kind::Kernel)}});
        Frame module;
        module.module = "libc.so.6";
        module.kind = Frame::Kind::Library;
        r.records.emplace_back(StackDef{StackId{2}, {module}});
        Frame unknown;
        unknown.address = 0xfffffe00c18d2000;
        unknown.kind = Frame::Kind::Kernel;
        r.records.emplace_back(StackDef{StackId{3}, {unknown}});
        const Field kernel{FieldKind::Symbol, 0, 4, "sym(x)", "_symaddr"}, user{FieldKind::Symbol, 0, 4, "umod(x)", "_usymaddr"};
        r.action(ActionKind::Symbol, {kernel}).action(ActionKind::Symbol, {user}).action(ActionKind::Symbol, {kernel});
        QVERIFY(equal(r.fire(bytes(std::array<std::uint32_t, 3>{1, 2, 3})).output(),
            Json::parse(R"([{"sym": "kernel`prison0", "object": "kernel", "name": "prison0"}, {"umod": "libc.so.6"},
                {"sym": "0xfffffe00c18d2000", "offset": "0xfffffe00c18d2000"}])")));
    }
    void memoryIsHexadecimal()
    {
        Run r;
        r.action(ActionKind::Tracemem, {{FieldKind::Bytes, 0, 4, "p", ""}, integer(4)});
        QVERIFY(equal(r.fire(bytes(std::array<std::uint32_t, 2>{0x04030201, 3})).output(), Json::parse(R"([{"tracemem": "0x010203"}])")));
    }
    void aggregationsHaveKeysAndAValue_data()
    {
        QTest::addColumn<int>("function");
        QTest::addColumn<QList<qint64>>("data");
        QTest::addColumn<QByteArray>("member");
        using A = Aggregator;
        const auto row = [](const char* name, A f, QList<qint64> data, const char* member) {
            QTest::newRow(name) << int(f) << data << QByteArray(member);
        };
        row("count", A::Count, {4}, R"("count": 4)");
        row("sum", A::Sum, {-4}, R"("sum": -4)");
        row("min", A::Min, {1}, R"("min": 1)");
        row("max", A::Max, {9}, R"("max": 9)");
        row("avg", A::Avg, {2, 10}, R"("avg": 5)");
        row("stddev", A::Stddev, {2, 4, 10, 0}, R"("stddev": 1)"); // of 1 and 3
        row("quantize", A::Quantize, {kQuantizeZero + 7, 17},
            R"("buckets": [{"value": 32, "count": 0}, {"value": 64, "count": 17}, {"value": 128, "count": 0}])");
        row("lquantize", A::Lquantize, {0, 2, 1, 3},
            R"("buckets": [{"value": "< 0", "count": 2}, {"value": 0, "count": 3}, {"value": 10, "count": 0}])");
    }
    void aggregationsHaveKeysAndAValue()
    {
        QFETCH(int, function);
        QFETCH(QList<qint64>, data);
        QFETCH(QByteArray, member);
        Run r;
        Aggregation a;
        a.name = "times";
        a.function = static_cast<Aggregator>(function);
        a.parameters = {0, 100, 10, 0};
        a.keys = {{FieldKind::String, 0, 8, "execname", "string"}, {FieldKind::Int, 8, 4, "pid", "int"}};
        a.keySize = 12;
        r.program.aggregations.push_back(a);
        auto key = bytes("cat", 8);
        const auto pid = bytes(77);
        key.insert(key.end(), pid.begin(), pid.end());
        r.records.emplace_back(AggregationRows{AggregationId{0}, {}, {{key, {data.begin(), data.end()}}}});
        r.action(ActionKind::Printa, {}, {}, {0}).fire();
        const auto expected = R"({"aggregation-data": [{"keys": [{"value": "cat"}, {"value": 77}], )" + member + R"(}], "aggregation-name": "times"})";
        QVERIFY(equal(r.output(), Json::array({Json::parse(expected.toStdString())})));

        // Printed once; without a printa() it comes at the end, in no probe's name.
        r.records.emplace_back(Exit{});
        QCOMPARE(r.json().at("dtrace").at("probes").size(), std::size_t{1});
        r.records.erase(r.records.begin() + 1); // the firing
        const auto last = r.json().at("dtrace").at("probes").at(0);
        QVERIFY(equal(last.at("name"), Json("AGGREGATIONS")));
        QVERIFY(equal(last.at("id"), Json(-1)));
        QVERIFY(equal(last.at("output"), Json::array({Json::parse(expected.toStdString())})));
    }
    void dropsAreAPseudoProbe()
    {
        Run r;
        r.program.started = 5;
        r.records.emplace_back(Drop{Drop::Kind::Aggregation, 1, 3});
        r.records.emplace_back(Drop{Drop::Kind::Aggregation, 0, 4});
        const auto probes = r.json().at("dtrace").at("probes");
        auto expected = Json::parse(R"({"timestamp": 5, "cpu": -1, "id": -1, "provider": "dtrace", "module": "INTERNAL",
            "function": "INTERNAL", "name": "DROP", "count": 3, "total": 3, "kind": 1})");
        expected["msg"] = probes.at(0).at("msg");
        QVERIFY(equal(probes.at(0), expected));
        QVERIFY(equal(probes.at(0).at("msg"), Json("3 aggregation drops on CPU 1\n")));
        QVERIFY(equal(probes.at(1).at("total"), Json(7)));
        QVERIFY(r.messages.starts_with("dtrace: 3 aggregation drops on CPU 1\n"));
    }
    void commandsDoNotWriteIntoIt()
    {
        struct Remembered final : Effects {
            std::string log;
            Result<Write> redirect(const std::string& path) override { return Error{1, path}; }
            void restore() override { log += "{back}"; }
            void truncate() override { log += "{truncate}"; }
            void run(const std::string& command) override { log += "{run " + command + "}"; }
            void keepApart() override { log += "{apart}"; }
        } effects;
        Run r;
        r.effects = &effects;
        r.action(ActionKind::System, {}, "date").action(ActionKind::Freopen, {}, "/tmp/x").action(ActionKind::Ftruncate).fire().fire();
        const auto text = r.text("json");
        QCOMPARE(effects.log, std::string("{apart}{run date}{run date}"));
        QVERIFY(equal(Json::parse(text).at("dtrace").at("probes").at(1).at("output"), Json::parse(R"([{"system": "date"}, {"freopen": "/tmp/x"}])")));
        QCOMPARE(QString::fromStdString(r.messages).count("freopen() has no effect"), 1);
        QCOMPARE(QString::fromStdString(r.messages).count("ftruncate() has no effect"), 1);
    }
    void theProgramsOptionChooses()
    {
        const auto printed = [](const char* option, const char* asked) {
            std::string out;
            Printer printer([&](std::string_view s) { out += s; }, [](std::string_view) {});
            if (asked) printer.setFormat(asked);
            Program p;
            p.clauses.emplace_back();
            if (option) p.options["oformat"] = option;
            printer.take(p);
            printer.take(Exit{});
            printer.finish();
            return out;
        };
        QCOMPARE(printed(nullptr, nullptr), std::string("\n"));
        QCOMPARE(printed("json", nullptr), std::string("{\"dtrace\":{\"probes\":[]}}\n"));
        QCOMPARE(printed(nullptr, "json"), std::string("{\"dtrace\":{\"probes\":[]}}\n"));
        QCOMPARE(printed("json", "text"), std::string("\n"));
    }
};
QTEST_GUILESS_MAIN(TestStructuredPrinter)
#include "tst_structured_printer.moc"
