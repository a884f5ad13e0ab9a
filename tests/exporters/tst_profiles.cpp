// needs: graph/models engine/record engine/text engine/importers
// Stacks for other people's viewers, and pictures, read back by readers that are not ours.
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QMap>
#include <QObject>
#include <QProcess>
#include <QStandardPaths>
#include <QTest>
#include <QtEndian>
#ifndef Q_MOC_RUN // moc stumbles over <concepts>
#include "engine/text/importer.h"
#include "exporters/exporter.h"
#include "exporters/profiles/profile.h"
#include "graph/stacks.h"
#include "graph/store.h"
#include "tests/support/counted.h"
#include "tests/support/drawn/folded_lines.h"
#include "tests/support/streams.h"
#include <numeric>
#include <sstream>
#endif
using namespace dscope;
using namespace dscope::graph;
using namespace dscope::test;
namespace {
std::unique_ptr<Visual> flameOf(const Stream& stream)
{
    Store store;
    for (const auto& r : stream)
        store.take(r);
    for (const auto& kind : kinds())
        if (kind.name == "flame") return kind.make(store);
    return nullptr;
}
QByteArray written(const Visual& visual, std::string_view suffix, const exporters::Options& options = {})
{
    for (const auto& format : exporters::all())
        if (format->suffix() == suffix) {
            std::ostringstream out;
            const auto done = format->write(visual, options, out);
            if (!done) qWarning("%s", done.error().message.c_str());
            return QByteArray::fromStdString(out.str());
        }
    return {};
}
/// A stack with the value 7, which count() gave, or sum() of an expression.
Stream summedUp(const QString& expression)
{
    Stream s;
    auto p = program("profile-97 { @[ustack()] = count(); }", {"profile:::profile-97"});
    p.aggregations = {aggregation("", expression.isEmpty() ? record::Aggregator::Count : record::Aggregator::Sum, expression.toStdString(),
        {stackKey(record::FieldKind::UserStack)})};
    s.emplace_back(p);
    s.emplace_back(record::ProbeDef{ProbeId{1}, "profile", "", "", "profile-97"});
    s.emplace_back(stack(1, {frame("a.out", "main", record::Frame::Kind::User)}));
    s.emplace_back(rows(0, {{Key().stack(1).bytes(), {7}}}));
    return s;
}
/// A pprof file as protoc prints it without knowing its fields' names, on one line; empty where that went wrong.
QString rawFields(const Visual& visual)
{
    QProcess unzip, protoc;
    unzip.setStandardOutputProcess(&protoc);
    unzip.start(QStringLiteral("gzip"), {QStringLiteral("-dc")});
    protoc.start(QStringLiteral("protoc"), {QStringLiteral("--decode_raw")});
    if (!unzip.waitForStarted() || !protoc.waitForStarted()) return {};
    unzip.write(written(visual, "pb.gz"));
    unzip.closeWriteChannel();
    if (!unzip.waitForFinished() || !protoc.waitForFinished()) return {};
    return QString::fromUtf8(protoc.readAllStandardOutput()).simplified();
}
/// What stands inside a figure.
Store opened(const QByteArray& figure)
{
    Store store;
    text::Lines lines(std::string_view(figure.constData(), static_cast<std::size_t>(figure.size())));
    for (const auto& format : importers::all())
        if (format->name() == "figure")
            if (const auto imported = format->read(lines)) {
                store.take(imported->program);
                for (const auto& record : imported->records)
                    store.take(record);
            }
    return store;
}
} // namespace

class TestProfiles : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void speedscopeGetsEveryStackWithItsWeight()
    {
        const auto flame = flameOf(profile(120, 40, 12));
        const auto document = QJsonDocument::fromJson(written(*flame, "json")).object();
        QCOMPARE(document["$schema"].toString(), QStringLiteral("https://www.speedscope.app/file-format-schema.json"));
        const auto frames = document["shared"].toObject()["frames"].toArray();
        const auto sampled = document["profiles"].toArray()[0].toObject();
        const auto samples = sampled["samples"].toArray(), weights = sampled["weights"].toArray();
        QMap<QString, qint64> got, wanted;
        for (int i = 0; i < samples.size(); ++i) {
            QStringList names;
            for (const auto n : samples[i].toArray())
                names << frames[n.toInt()].toObject()["name"].toString();
            got[names.join(';')] += weights[i].toInteger();
        }
        for (const auto& [stack, value] : foldedLines(*flame))
            wanted[QString::fromStdString(stack)] += value;
        QVERIFY(wanted.size() > 10);
        QCOMPARE(got, wanted);
        QCOMPARE(sampled["endValue"].toInteger(), std::accumulate(wanted.begin(), wanted.end(), qint64{0}));
    }
    void speedscopesRulesHold_data()
    {
        QTest::addColumn<QByteArray>("folded");
        QTest::newRow("one frame") << QByteArray("main 1\n");
        QTest::newRow("nested") << QByteArray("main 3\nmain;a 2\nmain;a;b 1\n");
        QTest::newRow("quotes, markup and no name") << QByteArray("main;a\"quote\\back;<b>&amp; 5\n");
        QTest::newRow("other scripts") << QByteArray("main;\xc3\xbcml\xc3\xa4ut;\xf0\x9f\x98\x80 7\n");
        QTest::newRow("no text at all") << QByteArray("main;bad\xff\xfe\x01bytes 1\n");
    }
    /// Source: speedscope 1.25.0, file-format-schema.json: what must be there and of what type; and what its reader asks
    /// beyond that: as many weights as samples, frames that exist, weights that are not negative.
    void speedscopesRulesHold()
    {
        QFETCH(QByteArray, folded);
        auto kept = std::make_shared<const QByteArray>(folded);
        tests::FoldedLines lines;
        for (std::string_view left(kept->data(), static_cast<std::size_t>(kept->size())); !left.empty();
             left.remove_prefix(left.find('\n') + 1)) {
            const auto line = left.substr(0, left.find('\n'));
            const auto space = line.rfind(' ');
            lines.emplace_back(line.substr(0, space), std::stoll(std::string(line.substr(space + 1))));
        }
        Store store;
        store.take(tests::countedStacks(lines));
        QJsonParseError error{};
        for (const auto& kind : kinds())
            if (kind.name == "flame") {
                const auto text = written(*kind.make(store), "json");
                const auto document = QJsonDocument::fromJson(text, &error).object();
                QVERIFY2(error.error == QJsonParseError::NoError, qPrintable(error.errorString()));
                QVERIFY(QString::fromUtf8(text).toUtf8() == text);
                const auto frames = document["shared"].toObject()["frames"].toArray(), profiles = document["profiles"].toArray();
                for (const auto frame : frames)
                    QVERIFY(frame.toObject()["name"].isString());
                QCOMPARE(profiles.size(), 1);
                QVERIFY(document["activeProfileIndex"].toInt(-1) == 0);
                const auto p = profiles[0].toObject();
                QCOMPARE(p["type"].toString(), QStringLiteral("sampled"));
                QVERIFY(p["name"].isString());
                QVERIFY(QStringList({"bytes", "microseconds", "milliseconds", "nanoseconds", "none", "seconds"})
                            .contains(p["unit"].toString()));
                const auto samples = p["samples"].toArray(), weights = p["weights"].toArray();
                QCOMPARE(samples.size(), weights.size());
                QCOMPARE(samples.size(), static_cast<qsizetype>(lines.size()));
                qint64 sum = 0;
                for (const auto weight : weights) {
                    QVERIFY(weight.toInteger(-1) >= 0);
                    sum += weight.toInteger();
                }
                QCOMPARE(p["endValue"].toInteger() - p["startValue"].toInteger(), sum);
                for (const auto sample : samples)
                    for (const auto frame : sample.toArray())
                        QVERIFY(frame.toInteger(-1) >= 0 && frame.toInteger() < frames.size());
            }
    }
    void pprofIsReadByTheProtocolCompiler()
    {
        if (QStandardPaths::findExecutable(QStringLiteral("protoc")).isEmpty()) QSKIP("protoc (package protobuf-compiler) is not here");
        const auto flame = flameOf(profile(20, 10, 6));
        QProcess unzip, protoc;
        unzip.setStandardOutputProcess(&protoc);
        unzip.start(QStringLiteral("gzip"), {QStringLiteral("-dc")});
        protoc.start(QStringLiteral("protoc"), {QStringLiteral("--decode_raw")});
        QVERIFY(unzip.waitForStarted() && protoc.waitForStarted());
        unzip.write(written(*flame, "pb.gz"));
        unzip.closeWriteChannel();
        QVERIFY(unzip.waitForFinished() && protoc.waitForFinished());
        QCOMPARE(unzip.exitCode(), 0);
        QCOMPARE(protoc.exitCode(), 0);
        const auto text = protoc.readAllStandardOutput();
        const auto lines = foldedLines(*flame);
        QCOMPARE(text.count("\n2 {") + text.startsWith("2 {"), static_cast<qsizetype>(lines.size())); // Profile.sample
        QVERIFY(text.count("\n5 {") > 5);                                                             // Profile.function
        for (const auto& [stack, value] : lines)
            QVERIFY(text.contains("6: \"" + stack.substr(stack.rfind(';') + 1) + '"')); // Profile.string_table
    }
    void pprofHoldsEveryStackForWhoReadsItsFieldsByNumber()
    {
        if (QStandardPaths::findExecutable(QStringLiteral("python3")).isEmpty()) QSKIP("python3 is not here");
        // Source: github.com/google/pprof, proto/profile.proto, for the numbers; protobuf.dev, "Encoding", for the rest.
        static constexpr auto kReader = R"py(
import gzip, sys
def fields(b):
    def varint():
        nonlocal at
        n = shift = 0
        while True:
            byte = b[at]; at += 1
            n |= (byte & 127) << shift; shift += 7
            if byte < 128: return n
    at, out = 0, []
    while at < len(b):
        tag = varint()
        if tag & 7 == 0: out.append((tag >> 3, varint()))
        elif tag & 7 == 2:
            size = varint(); out.append((tag >> 3, b[at:at + size])); at += size
        else: sys.exit("wire type %d" % (tag & 7))
    return out
def numbers(message, field):
    got = []
    for number, value in fields(message):
        if number == field:
            got += [value] if isinstance(value, int) else [n for _, n in fields(b"".join(b"\x08" + v for v in split(value)))]
    return got
def split(packed):
    one = b""
    for byte in packed:
        one += bytes([byte])
        if byte < 128: yield one; one = b""
profile = fields(gzip.decompress(sys.stdin.buffer.read()))
strings = [v.decode() for n, v in profile if n == 6]
assert strings[0] == ""
functions = {numbers(v, 1)[0]: strings[numbers(v, 2)[0]] for n, v in profile if n == 5}
locations = {numbers(v, 1)[0]: functions[numbers(next(x for m, x in fields(v) if m == 4), 1)[0]] for n, v in profile if n == 4}
for n, v in profile:
    if n == 2: print(";".join(locations[i] for i in reversed(numbers(v, 1))), numbers(v, 2)[0])
)py";
        const auto flame = flameOf(profile(20, 10, 6));
        QProcess python;
        python.start(QStringLiteral("python3"), {QStringLiteral("-c"), QString::fromUtf8(kReader)});
        QVERIFY(python.waitForStarted());
        python.write(written(*flame, "pb.gz"));
        python.closeWriteChannel();
        QVERIFY(python.waitForFinished());
        QVERIFY2(python.exitCode() == 0, python.readAllStandardError().constData());
        QCOMPARE(python.readAllStandardOutput(), written(*flame, "folded"));
    }
    void linesAndInlinedFunctionsAreInProfiles()
    {
        if (QStandardPaths::findExecutable(QStringLiteral("protoc")).isEmpty()) QSKIP("protoc (package protobuf-compiler) is not here");
        auto run = summedUp({});
        auto& stack = std::get<record::StackDef>(run[2]);
        std::vector<record::Frame> frames(stack.frames.begin(), stack.frames.end());
        auto inlined = frame("a.out", "step", record::Frame::Kind::User);
        inlined.inlined = true;
        frames.insert(frames.begin(), inlined);
        for (auto& f : frames) {
            f.file = std::string("/src/mix.c");
            f.line = f.inlined ? 9 : 31;
        }
        stack.frames = record::FrameList(std::move(frames));
        const auto flame = flameOf(run);
        // Speedscope's frames, by its schema.
        const auto json = QJsonDocument::fromJson(written(*flame, "json"))["shared"]["frames"].toArray();
        QCOMPARE(json.size(), 2);
        QCOMPARE(json[0].toObject(), (QJsonObject{{"name", "a.out`main"}, {"file", "/src/mix.c"}, {"line", 31}}));
        QCOMPARE(json[1].toObject(), (QJsonObject{{"name", "a.out`step"}, {"file", "/src/mix.c"}, {"line", 9}, {"kind", "inlined"}}));
        // One location (4) of the mapping 1 with two lines (its field 4): the inlined function's first.
        const auto text = rawFields(*flame);
        QVERIFY2(text.contains("4 { 1: 1 2: 1 4 { 1: 1 2: 9 } 4 { 1: 2 2: 31 } }"), qPrintable(text));
        QVERIFY2(text.contains("\"a.out`step\"") && text.contains("\"/src/mix.c\"") && !text.contains("_[i]"), qPrintable(text));
        QVERIFY(written(*flame, "folded").contains("a.out`main;a.out`step_[i] 7"));
    }
    /// A key beside the stack is a label of its samples (3). The only timer gives the period (12); where another probe may count, none does.
    void keysAreLabelsAndATimerAloneGivesThePeriod()
    {
        if (QStandardPaths::findExecutable(QStringLiteral("protoc")).isEmpty()) QSKIP("protoc (package protobuf-compiler) is not here");
        auto run = summedUp({});
        std::get<record::Program>(run[0]).aggregations
            = {aggregation("", record::Aggregator::Count, "", {numberKey("arg0"), stackKey(record::FieldKind::UserStack)})};
        run.back() = rows(0, {{Key().number(42).stack(1).bytes(), {7}}});
        const auto sampled = rawFields(*flameOf(run));
        QVERIFY2(sampled.contains("3 { 1: 3 2: 4 }") && sampled.contains("6: \"arg0\" 6: \"42\""), qPrintable(sampled));
        QVERIFY2(sampled.contains("12: 10309278"), qPrintable(sampled)); // ns, of 97 a second
        run.insert(run.begin() + 2, record::ProbeDef{ProbeId{2}, "syscall", "", "read", "entry"});
        const auto mixed = rawFields(*flameOf(run));
        QVERIFY2(mixed.contains("3 { 1: 3 2: 4 }") && !mixed.contains("12: "), qPrintable(mixed));
    }
    void profilesSayWhatTheirValuesAre_data()
    {
        QTest::addColumn<QString>("summed"); ///< an expression, or empty for count()
        QTest::addColumn<QString>("type");
        QTest::addColumn<QString>("unit");
        QTest::addColumn<QString>("speedscope");
        QTest::addColumn<qlonglong>("value"); ///< of 7
        QTest::newRow("samples") << "" << "samples" << "count" << "none" << 7LL;
        QTest::newRow("nanoseconds") << "timestamp - self->ts" << "time" << "nanoseconds" << "nanoseconds" << 7LL;
        QTest::newRow("microseconds") << "(timestamp - self->ts) / 1000" << "time" << "nanoseconds" << "nanoseconds" << 7000LL;
        QTest::newRow("bytes") << "args[0]->b_bcount" << "size" << "bytes" << "bytes" << 7LL;
        QTest::newRow("nobody knows") << "arg7" << "arg7" << "" << "none" << 7LL;
    }
    /// Source: github.com/google/pprof, proto/profile.proto: ValueType; speedscope's file-format-schema.json: "unit".
    void profilesSayWhatTheirValuesAre()
    {
        QFETCH(QString, summed);
        QFETCH(QString, type);
        QFETCH(QString, unit);
        QFETCH(QString, speedscope);
        QFETCH(qlonglong, value);
        const auto flame = flameOf(summedUp(summed));

        const auto sampled = QJsonDocument::fromJson(written(*flame, "json")).object()["profiles"].toArray()[0].toObject();
        QCOMPARE(sampled["unit"].toString(), speedscope);
        QCOMPARE(sampled["weights"].toArray()[0].toInteger(), value);

        if (QStandardPaths::findExecutable(QStringLiteral("protoc")).isEmpty()) QSKIP("protoc (package protobuf-compiler) is not here");
        QProcess unzip, protoc;
        unzip.setStandardOutputProcess(&protoc);
        unzip.start(QStringLiteral("gzip"), {QStringLiteral("-dc")});
        protoc.start(QStringLiteral("protoc"), {QStringLiteral("--decode_raw")});
        QVERIFY(unzip.waitForStarted() && protoc.waitForStarted());
        unzip.write(written(*flame, "pb.gz"));
        unzip.closeWriteChannel();
        QVERIFY(unzip.waitForFinished() && protoc.waitForFinished());
        const auto text = QString::fromUtf8(protoc.readAllStandardOutput());
        QStringList strings;
        for (const auto& line : text.split('\n'))
            if (line.startsWith("6: \"")) strings << line.mid(4).chopped(1); // Profile.string_table
        const auto numberOf = [&](const QString& field) { return text.section("1 {", 1, 1).section(field, 1, 1).section('\n', 0, 0).toInt(); };
        QCOMPARE(strings.value(numberOf("  1: ")), type);
        QCOMPARE(strings.value(numberOf("  2: ")), unit);
    }
    void aFigureOfItsStacksAloneKeepsTheirUnit_data()
    {
        QTest::addColumn<QString>("summed");
        QTest::addColumn<QString>("amount"); ///< of all
        QTest::newRow("samples") << ""
                                 << "7 samples";
        QTest::newRow("nanoseconds") << "timestamp - self->ts"
                                     << "7 ns";
        QTest::newRow("microseconds") << "(timestamp - self->ts) / 1000" << QString("7 \u00b5s");
        QTest::newRow("bytes") << "args[0]->b_bcount"
                               << "7 B";
        QTest::newRow("nobody knows") << "arg7"
                                      << "7";
    }
    /// A run that has no room, or was redacted.
    void aFigureOfItsStacksAloneKeepsTheirUnit()
    {
        QFETCH(QString, summed);
        QFETCH(QString, amount);
        const auto flame = flameOf(summedUp(summed));
        QCOMPARE(QString::fromStdString(flame->stacks()->measure().amount(7)), amount);
        exporters::Options noRoom, redacted;
        noRoom.runs.emplace_back();
        redacted.inside = exporters::Inside::Shown;
        for (const auto& options : {noRoom, redacted})
            for (const auto* suffix : {"svg", "html"}) {
                const auto stacks = stacksOf(opened(written(*flame, suffix, options)));
                QCOMPARE(QString::fromStdString(stacks->measure().amount(stacks->total())), amount);
                QCOMPARE(QString::fromStdString(stacks->measure().name), summed == "arg7" ? summed : QString());
            }
    }
    void theFirstMappingIsTheProgram_data()
    {
        using Kind = record::Frame::Kind;
        using Stacks = QList<std::vector<record::Frame>>;
        QTest::addColumn<Stacks>("stacks");
        QTest::addColumn<QString>("command");
        QTest::addColumn<QStringList>("mappings");
        const auto libc = frame("libc.so.6", "read", Kind::Library), ld = frame("ld-linux-x86-64.so.2", "_start", Kind::Library),
                   cat = frame("cat", "main", Kind::User), shell = frame("dash", "main", Kind::User), kernel = frame("vmlinux", "entry", Kind::Kernel),
                   made = frame("[vdso]", "time", Kind::User), script = frame("libpython3.11.so.1.0", "eval", Kind::Library);
        QTest::newRow("a library is the outermost that is known") << Stacks{{libc, cat}} << "" << QStringList{"cat", "libc.so.6"};
        QTest::newRow("libraries and the kernel come first") << Stacks{{ld, libc, kernel}, {ld, cat, libc}} << "" << QStringList{"cat", "ld-linux-x86-64.so.2", "libc.so.6", "vmlinux"};
        QTest::newRow("what was traced") << Stacks{{shell}, {shell, libc}, {cat}} << "/usr/bin/cat -n x" << QStringList{"cat", "dash", "libc.so.6"};
        QTest::newRow("what has the most") << Stacks{{cat}, {shell}, {shell, libc}} << "" << QStringList{"dash", "cat", "libc.so.6"};
        QTest::newRow("no frame is of the program") << Stacks{{libc}, {script, libc}} << "python3 x.py" << QStringList{"python3", "libc.so.6", "libpython3.11.so.1.0"};
        QTest::newRow("nobody knows") << Stacks{{libc}, {made, libc}} << "" << QStringList{"[vdso]", "libc.so.6"}; // as they come
    }
    /// Source: profile.proto: "mapping[0] will be the main binary."
    void theFirstMappingIsTheProgram()
    {
        QFETCH(QList<std::vector<record::Frame>>, stacks);
        QFETCH(QString, command);
        QFETCH(QStringList, mappings);
        Stream s;
        auto p = program("profile-97 { @[ustack()] = count(); }", {"profile:::profile-97"});
        p.aggregations = {aggregation("", record::Aggregator::Count, "", {stackKey(record::FieldKind::UserStack)})};
        begin(s, p);
        std::vector<record::AggregationRow> all;
        for (std::uint32_t id = 1; const auto& frames : stacks) {
            s.emplace_back(stack(id, frames));
            all.push_back({Key().stack(id++).bytes(), {1}});
        }
        s.emplace_back(rows(0, all));
        const auto flame = flameOf(s);
        const auto profile = exporters::profileOf(*flame->stacks(), command.toStdString());
        QStringList got;
        for (const auto& mapping : profile.mappings)
            got << QString::fromStdString(profile.strings.all()[mapping.file]);
        QCOMPARE(got.value(0), mappings.value(0));
        got.sort();
        mappings.sort();
        QCOMPARE(got, mappings);
        for (const auto& location : profile.locations) { // each frame still has its own
            const auto name = profile.strings.all()[profile.functions[location.lines[0].function - 1].name];
            QCOMPARE(profile.strings.all()[profile.mappings[location.mapping - 1].file], name.substr(0, name.find('`')));
        }
    }
    /// What another tool told of calls is not called by probes that nobody wrote.
    void importedCallsHaveATrueTitle()
    {
        const std::string trace = R"({"traceEvents":[{"ph":"X","pid":1,"tid":1,"name":"outer","ts":0,"dur":1000},{"ph":"X","pid":1,"tid":1,"name":"inner","ts":100,"dur":500}]})";
        Stream s;
        text::Lines lines(trace);
        for (const auto& format : importers::all())
            if (format->name() == "chrome")
                if (const auto imported = format->read(lines)) {
                    auto p = imported->program;
                    p.isImported = true; // as the command line says of each
                    s.emplace_back(p);
                    s.insert(s.end(), imported->records.begin(), imported->records.end());
                }
        QVERIFY(!s.empty());
        Store store;
        for (const auto& r : s)
            store.take(r);
        for (const auto& kind : kinds())
            if (kind.fits(store)) QVERIFY2(!QString::fromStdString(kind.make(store)->title()).contains(":::"), kind.make(store)->title().c_str());
        QCOMPARE(QString::fromStdString(flameOf(s)->title()), QStringLiteral("Flame graph"));
    }
    void aPngHasTheSizeThatWasAskedFor()
    {
        const auto flame = flameOf(profile(20, 10, 6));
        const auto bytes = written(*flame, "png");
        QCOMPARE(bytes.left(8), QByteArray("\x89PNG\r\n\x1a\n"));
        // Source: PNG specification, IHDR: width and height, big endian, at 16.
        const auto number = [&](int at) { return qFromBigEndian<quint32>(bytes.constData() + at); };
        QCOMPARE(number(16), 1600u);
        QCOMPARE(number(20), 900u);
    }
};
QTEST_GUILESS_MAIN(TestProfiles)
#include "tst_profiles.moc"
