// needs: engine/record graph
// needs-programs: dscope
// Formats that other programs read: OpenMetrics, GraphML, GEXF, Perfetto, tables as JSON. Each says what the CSV or DOT of the same view says.
#include "tests/support/heavy_readers.h"
#include "tests/support/run_dscope.h"
#include <QDir>
#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QMap>
#include <QObject>
#include <QRegularExpression>
#include <QStandardPaths>
#include <QTemporaryDir>
#include <QTest>
#include <QXmlStreamReader>
#ifndef Q_MOC_RUN // moc stumbles over <concepts>
#include "tests/support/host_runs.h"
#endif
using namespace dscope::tests;
namespace {
const QString kRecordings = QStringLiteral(DSCOPE_SOURCE "/examples/recordings/");
QByteArray contents(const QString& path)
{
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}
/// Protocol buffers: number and bytes of each field. Source: protobuf.dev/programming-guides/encoding.
struct Field {
    quint64 number = 0, value = 0;
    QByteArray bytes;
};
quint64 varint(const QByteArray& data, qsizetype& at)
{
    quint64 out = 0;
    for (int shift = 0; at < data.size(); shift += 7) {
        const auto byte = quint8(data[at++]);
        out |= quint64(byte & 127) << shift;
        if (byte < 128) break;
    }
    return out;
}
QList<Field> fieldsOf(const QByteArray& data)
{
    QList<Field> out;
    for (qsizetype at = 0; at < data.size();) {
        const auto tag = varint(data, at);
        Field field{tag >> 3, 0, {}};
        if ((tag & 7) == 0) {
            field.value = varint(data, at);
        } else if ((tag & 7) == 2) {
            const auto size = qsizetype(varint(data, at));
            field.bytes = data.mid(at, size);
            at += size;
        } else {
            return {};
        }
        out << field;
    }
    return out;
}
const Field* field(const QList<Field>& all, quint64 number)
{
    for (const auto& f : all)
        if (f.number == number) return &f;
    return nullptr;
}
} // namespace

class TestOtherPrograms : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void rowsHaveTypes()
    {
        exported("write-rates", "bars", "b.rows.json");
        exported("write-rates", "bars", "b.csv");
        QJsonParseError error{};
        const auto json = QJsonDocument::fromJson(contents(file("b.rows.json")), &error).object();
        QVERIFY2(error.error == QJsonParseError::NoError, qPrintable(error.errorString()));
        QCOMPARE(json["view"].toString(), QStringLiteral("bars"));
        const auto fields = json["schema"].toObject()["fields"].toArray();
        QCOMPARE(fields.size(), 2);
        QCOMPARE(fields[0].toObject()["type"].toString(), QStringLiteral("string"));
        QCOMPARE(fields[1].toObject()["type"].toString(), QStringLiteral("number"));
        QCOMPARE(fields[1].toObject()["unit"].toString(), QStringLiteral("bytes"));
        QStringList rows{fields[0].toObject()["name"].toString() + ',' + fields[1].toObject()["name"].toString()};
        for (const auto& row : json["rows"].toArray())
            rows << row.toArray()[0].toString() + ',' + QString::number(qint64(row.toArray()[1].toDouble()));
        QCOMPARE(rows.join("\r\n") + "\r\n", QString::fromUtf8(contents(file("b.csv"))));
    }
    void countersAndGaugesHaveTheNumbersOfTheCsv()
    {
        exported("write-rates", "bars", "b.prom");
        exported("write-rates", "bars", "b.csv");
        const auto lines = QString::fromUtf8(contents(file("b.prom"))).split('\n');
        QCOMPARE(lines[0], QStringLiteral("# TYPE dscope_bytes gauge"));
        QVERIFY(lines.contains(QStringLiteral("# UNIT dscope_bytes bytes")));
        QCOMPARE(lines[lines.size() - 2], QStringLiteral("# EOF"));
        QMap<QString, double> metrics, csv;
        static const QRegularExpression sample(QStringLiteral("^dscope_bytes\\{execname=\"([^\"]*)\"\\} ([0-9.e+]+)$"));
        for (const auto& line : lines) {
            if (line.isEmpty() || line.startsWith('#')) continue;
            const auto match = sample.match(line);
            QVERIFY2(match.hasMatch(), qPrintable(line));
            metrics[match.captured(1)] = match.captured(2).toDouble();
        }
        for (const auto& line : QString::fromUtf8(contents(file("b.csv"))).split("\r\n", Qt::SkipEmptyParts).mid(1))
            csv[line.section(',', 0, 0)] = line.section(',', 1, 1).toDouble();
        QCOMPARE(metrics, csv);
    }
    void bucketsGrowToAll()
    {
        exported("call-times", "histogram", "h.prom");
        static const QRegularExpression sample(QStringLiteral("^(dscope_[a-z_]+)_bucket\\{execname=\"([^\"]*)\",le=\"([^\"]*)\"\\} ([0-9]+)$"));
        QMap<QString, double> last, most;
        double all = 0;
        for (const auto& line : QString::fromUtf8(contents(file("h.prom"))).split('\n')) {
            if (line.isEmpty() || line.startsWith('#')) continue;
            const auto match = sample.match(line);
            QVERIFY2(match.hasMatch(), qPrintable(line));
            QVERIFY(match.captured(1).endsWith("_seconds"));
            const auto key = match.captured(2);
            const double le = match.captured(3) == "+Inf" ? 1e300 : match.captured(3).toDouble(), count = match.captured(4).toDouble();
            QVERIFY2(le > most.value(key, -1) && count >= last.value(key, 0), qPrintable(line));
            most[key] = le;
            last[key] = count;
            if (le == 1e300) all += count;
        }
        QCOMPARE(all, 40478.0); // what the figure says in its subtitle
    }
    void promtoolReadsIt()
    {
        if (const auto why = whyNoReaders({"promtool"}); !why.isEmpty()) QSKIP(qPrintable(why));
        exported("call-times", "histogram", "h.prom");
        QProcess promtool;
        promtool.setStandardInputFile(file("h.prom"));
        promtool.start("promtool", {"check", "metrics"});
        QVERIFY(promtool.waitForFinished());
        const auto said = promtool.readAllStandardError();
        QVERIFY2(!said.contains("error while linting"), said);
    }
    void graphsHaveTheNodesAndEdgesOfDot_data()
    {
        QTest::addColumn<QString>("recording");
        QTest::addColumn<QString>("view");
        QTest::newRow("processes") << "process-tree" << "process-tree";
        QTest::newRow("calls") << "hot-stacks" << "call-graph";
        QTest::newRow("relations") << "who-opens-what" << "graph";
    }
    void graphsHaveTheNodesAndEdgesOfDot()
    {
        QFETCH(QString, recording);
        QFETCH(QString, view);
        exported(recording, view, "g.dot");
        const auto dot = contents(file("g.dot"));
        const auto edges = dot.count(" -> ");
        static const QRegularExpression node(QStringLiteral("^  p\\d+ \\["), QRegularExpression::MultilineOption);
        auto nodes = 0;
        for (auto all = node.globalMatch(QString::fromUtf8(dot)); all.hasNext(); all.next())
            ++nodes;
        QVERIFY(nodes > 2 && edges > 1);
        for (const QString name : {"g.graphml", "g.gexf"}) {
            exported(recording, view, name);
            QXmlStreamReader xml(contents(file(name)));
            QMap<QString, int> elements;
            QStringList keys;
            while (!xml.atEnd()) {
                if (xml.readNext() != QXmlStreamReader::StartElement) continue;
                ++elements[xml.name().toString()];
                if (xml.name() == QLatin1String("key")) keys << xml.attributes().value("id").toString();
                if (xml.name() == QLatin1String("data")) QVERIFY(keys.contains(xml.attributes().value("key").toString()));
            }
            QVERIFY2(!xml.hasError(), qPrintable(xml.errorString()));
            QCOMPARE(elements["node"], nodes);
            QCOMPARE(elements["edge"], int(edges));
        }
    }
    void argumentsAreLeftOutOfRedactedGraphs()
    {
        exported("process-tree", "process-tree", "g.graphml");
        QVERIFY(contents(file("g.graphml")).contains("attr.name=\"args\""));
        exported("process-tree", "process-tree", "g.graphml", {"--redact"});
        QVERIFY(!contents(file("g.graphml")).contains("attr.name=\"args\""));
    }
    void perfettoHasEveryCallOnItsThread()
    {
        exported("call-chart", "flame-chart", "c.pftrace");
        exported("call-chart", "flame-chart", "c.csv");
        const auto calls = contents(file("c.csv")).count("\r\n") - 1;
        QMap<quint64, int> depth;
        QMap<quint64, quint64> now;
        int begun = 0, threads = 0;
        for (const auto& packet : fieldsOf(contents(file("c.pftrace")))) {
            QCOMPARE(packet.number, quint64(1));
            const auto fields = fieldsOf(packet.bytes);
            if (const auto* descriptor = field(fields, 60)) threads += field(fieldsOf(descriptor->bytes), 4) != nullptr;
            const auto* event = field(fields, 11);
            if (!event) continue;
            const auto parts = fieldsOf(event->bytes);
            const auto type = field(parts, 9)->value, track = field(parts, 11)->value, at = field(fields, 8)->value;
            QVERIFY2(at >= now.value(track), "events of a thread are in the order of their times");
            now[track] = at;
            begun += type != 2;
            depth[track] += type == 1 ? 1 : type == 2 ? -1 : 0;
            QVERIFY(depth[track] >= 0);
        }
        QCOMPARE(begun, int(calls));
        QCOMPARE(threads, 1);
        for (const auto left : depth)
            QCOMPARE(left, 0);
    }
    void perfettoHasEveryProcess()
    {
        exported("process-tree", "process-timeline", "p.pftrace");
        exported("process-tree", "process-timeline", "p.csv");
        int processes = 0;
        for (const auto& packet : fieldsOf(contents(file("p.pftrace")))) {
            const auto fields = fieldsOf(packet.bytes);
            const auto* descriptor = field(fields, 60);
            if (!descriptor) continue;
            const auto described = fieldsOf(descriptor->bytes);
            processes += field(described, 3) != nullptr;
        }
        QCOMPARE(processes, contents(file("p.csv")).count("\r\n") - 1);
    }

    /// Two hosts on which a process of the same number runs, whose clocks since their start are hours apart. To Perfetto they are two.
    void perfettoHasEachHostOnOneClock()
    {
        using namespace dscope;
        QStringList files;
        for (int i = 0; i < 2; ++i) {
            auto p = test::program("proc:::exit { @[pid] = count(); }", {"proc:::exit"});
            p.host = i == 0 ? "web1" : "db1";
            p.tellsOfProcesses = true;
            const std::int64_t shift = i * 3600 * test::kSecond; // of CLOCK_MONOTONIC; UTC is the same
            p.started += shift;
            p.wallClockOffset -= shift;
            p.clock = {p.started, p.started + p.wallClockOffset, 0, record::ClockReading::Kept::Yes, test::kMillisecond};
            p.aggregations = {test::aggregation("", record::Aggregator::Count, "", {test::numberKey("pid")})};
            test::Stream s;
            test::begin(s, p);
            const auto at = [&](std::int64_t ms) { return record::Nanoseconds(p.started + ms * test::kMillisecond); };
            record::ProcessEvent event;
            using Kind = record::ProcessEvent::Kind;
            event = {.kind = Kind::Existing, .when = at(0), .pid = 7, .tid = 7, .execname = "make"};
            s.emplace_back(event);
            event = {.kind = Kind::Fork, .when = at(100 + i * 50), .pid = 8, .tid = 7, .parent = 7, .execname = "make"};
            s.emplace_back(event);
            event = {.kind = Kind::Exit, .when = at(300), .pid = 8, .tid = 8, .execname = "make"};
            s.emplace_back(event);
            s.emplace_back(record::AggregationRows{AggregationId{0}, at(400), {{test::Key().number(8).bytes(), {1}}}});
            s.emplace_back(record::Exit{0, false, at(500), p.clock});
            files << "--replay" << file(QString::number(i) + ".dscope");
            test::writeRecording(files.last(), s);
        }
        const auto run = runDscope(files + QStringList{"--by", "host", "--export", "process-timeline=" + file("all.pftrace"), "--export", "series=" + file("s.rows.json"), "--export", "series=" + file("s.svg")});
        QVERIFY2(run.status == 0, run.err);
        QVERIFY2(run.err.contains("dtrace: the clocks of 2 hosts agree within 2.00 ms\n"), run.err);
        QMap<quint64, QByteArray> names;
        QMap<quint64, quint64> parents;
        QMap<QByteArray, QList<quint64>> begun; // by names of tracks, from the outermost
        for (const auto& packet : fieldsOf(contents(file("all.pftrace")))) {
            const auto fields = fieldsOf(packet.bytes);
            if (const auto* descriptor = field(fields, 60)) {
                const auto parts = fieldsOf(descriptor->bytes);
                QVERIFY(!field(parts, 3) && !field(parts, 4));
                names[field(parts, 1)->value] = field(parts, 2)->bytes;
                if (const auto* parent = field(parts, 5)) parents[field(parts, 1)->value] = parent->value;
            }
            const auto* event = field(fields, 11);
            if (!event) continue;
            const auto parts = fieldsOf(event->bytes);
            QVERIFY2(names.contains(field(parts, 11)->value), "a track is described before its events");
            if (field(parts, 9)->value == 2) continue;
            auto name = names[field(parts, 11)->value];
            for (auto track = field(parts, 11)->value; parents.contains(track); track = parents[track])
                name = names[parents[track]] + '/' + name;
            begun[name] << field(fields, 8)->value;
        }
        const quint64 ms = 1'000'000;
        QVERIFY2(begun.value("web1/make 8").size() == 1 && begun.value("db1/make 8").size() == 1, begun.keys().join(','));
        QCOMPARE(begun["db1/make 8"][0] - begun["web1/make 8"][0], 50 * ms);
        QVERIFY2(begun.contains("clocks"), begun.keys().join(','));
        QVERIFY(contents(file("all.pftrace")).contains("the clocks of 2 hosts agree within 2.00 ms"));
        // Figures and JSON with an axis of time tell it, too.
        const auto clocks = QJsonDocument::fromJson(contents(file("s.rows.json"))).object()["clocks"].toObject();
        QCOMPARE(clocks["hosts"].toInt(), 2);
        QCOMPARE(clocks["unknown"].toInt(), 0);
        QCOMPARE(clocks["within_ns"].toDouble(), 2e6);
        QVERIFY(contents(file("s.svg")).contains("the clocks of 2 hosts agree within 2.00 ms"));
    }

private:
    void exported(const QString& recording, const QString& view, const QString& name, const QStringList& more = {})
    {
        const auto run = runDscope(QStringList{"--replay", kRecordings + recording + ".dscope", "--export", view + '=' + file(name)} + more);
        QVERIFY2(run.status == 0, run.err);
    }
    QString file(const QString& name) const { return m_dir.filePath(name); }
    QTemporaryDir m_dir;
};
QTEST_GUILESS_MAIN(TestOtherPrograms)
#include "tst_other_programs.moc"
