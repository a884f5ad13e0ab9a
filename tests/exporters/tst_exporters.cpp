// needs: graph/models engine/record
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QObject>
#include <QProcess>
#include <QRegularExpression>
#include <QTemporaryDir>
#include <QTest>
#ifndef Q_MOC_RUN // moc stumbles over <concepts>
#include "exporters/exporter.h"
#include "graph/figure.h"
#include "graph/store.h"
#include "tests/support/drawn/folded_lines.h"
#include "tests/support/programs_at_hand.h"
#include "tests/support/streams.h"
#include <algorithm>
#include <cmath>
#include <fstream>
#include <map>
#include <set>
#include <sstream>
#endif
using namespace dscope;
using namespace dscope::graph;
using namespace dscope::test;

using dscope::tests::has;
namespace {
QString q(std::string_view s) { return QString::fromUtf8(s.data(), static_cast<qsizetype>(s.size())); }

/// Processes whose every text is hostile.
Stream hostileProcesses()
{
    Processes p;
    p.existing(0, 1, "init<&>\"");
    std::uint32_t pid = 10;
    for (const auto& name : hostileNames()) {
        p.fork(pid, 1, pid).exec(pid + 0.1, pid, "/bin/" + name, {name, name, "\\"}).exit(pid + 0.5, pid);
        ++pid;
    }
    return p.stream();
}
Stream hostileStacks()
{
    Stream s;
    auto p = program("profile-97 /* <b>&\"]]> */ { @[ustack()] = count(); }", {"profile:::profile-97"});
    p.host = "<host>&";
    p.aggregations = {aggregation("", Aggregator::Count, "", {stackKey(FieldKind::UserStack)})};
    begin(s, p);
    std::vector<record::AggregationRow> all;
    std::uint32_t id = 0;
    for (const auto& name : hostileNames()) {
        s.emplace_back(stack(++id, {frame(name, "main", record::Frame::Kind::User), frame("a.out", name, record::Frame::Kind::Jit)}));
        all.push_back({Key().stack(id).bytes(), {10 + id}});
    }
    s.emplace_back(rows(0, all));
    return s;
}
std::vector<std::string> workers(int count)
{
    std::vector<std::string> names;
    for (int i = 0; i < count; ++i)
        names.push_back("worker-" + std::to_string(i));
    return names;
}
/// Who opens which file, counted by both names.
Stream touched(const std::vector<std::string>& programs, const std::vector<std::string>& files)
{
    Stream s;
    auto p = program("syscall::openat:entry { @[execname, copyinstr(arg1)] = count(); }", {"syscall::openat:entry"});
    p.aggregations = {aggregation("", Aggregator::Count, "", {textKey("execname"), textKey("copyinstr(arg1)")})};
    begin(s, p);
    std::vector<record::AggregationRow> all;
    std::int64_t n = 0;
    for (const auto& program : programs)
        for (const auto& file : files)
            if (++n % 3 != 0) all.push_back({Key().text(program).text(file).bytes(), {n * n % 1009 + 1}});
    s.emplace_back(rows(0, all));
    s.emplace_back(end(3 * kSecond));
    return s;
}
/// Functions that call each other, the next within the one before, in two threads.
Stream called(const std::vector<std::string>& functions, int rounds)
{
    Stream s;
    auto p = program("pid$target:::entry, pid$target:::return { }", {"pid$target:::entry", "pid$target:::return"});
    for (auto& clause : p.clauses)
        clause.silent = false;
    begin(s, p);
    const auto count = static_cast<std::uint32_t>(functions.size());
    for (std::uint32_t i = 0; i < count; ++i)
        for (const auto* name : {"entry", "return"})
            s.emplace_back(record::ProbeDef{ProbeId{2 * i + (*name == 'r')}, "pid7", "a.out", functions[i], name});
    std::int64_t at = kStart;
    const auto fire = [&](std::uint32_t probe, std::uint32_t tid) {
        s.emplace_back(record::Fired{ClauseId{probe % 2}, ProbeId{probe}, 0, 7, tid, record::Nanoseconds(at += 1000 + at % 7919), {}});
    };
    for (int round = 0; round < rounds; ++round) {
        const std::uint32_t tid = 7 + static_cast<std::uint32_t>(round % 2), deep = 1 + static_cast<std::uint32_t>(round) % count;
        for (std::uint32_t i = 0; i < deep; ++i)
            fire(2 * i, tid);
        for (std::uint32_t i = deep; i-- > 0;)
            if (round % 11 != 10) fire(2 * i + 1, tid); // some never return
    }
    s.emplace_back(end(at - kStart));
    return s;
}
const std::map<std::string, Stream>& samples()
{
    static const std::map<std::string, Stream> all{{"flame", profile(120, 40, 12)}, {"flame-one", profile(1, 4, 1)},
        {"flame-large", profile(1000, 200, 40)}, {"flame-empty", {profile(1, 4, 1).front()}}, {"flame-hostile", hostileStacks()},
        {"histogram", writeTimes({"imapd"})},
        {"histogram-5", writeTimes({"imapd", "bash", "postgres", "nginx: worker", "qemu-system-x86_64"})},
        {"histogram-40", writeTimes(workers(40))}, {"histogram-empty", {writeTimes({"a"}).front()}},
        {"histogram-hostile", writeTimes(hostileNames())}, {"tree", build()}, {"tree-60", forest(60)}, {"tree-large", forest(6000)},
        {"tree-empty", {build().front()}}, {"tree-hostile", hostileProcesses()},
        {"bars", written({"postgres", "rsync", "imapd", "bash"}, true)}, {"bars-200", written(workers(200))},
        {"bars-hostile", written(hostileNames())}, {"table", opened({"/etc/passwd", "/tmp/x"})}, {"table-200", opened(workers(200))},
        {"table-hostile", opened(hostileNames())}, {"several", severalKinds(workers(40))}, {"graph", touched({"make", "cc", "ld"}, {"/etc/passwd", "/dev/null", "/tmp/x.o"})},
        {"graph-hostile", touched(hostileNames(), hostileNames())}, {"graph-large", touched(workers(300), workers(40))},
        {"calls", called(workers(6), 40)}, {"calls-hostile", called(hostileNames(), 400)}};
    return all;
}
std::vector<std::unique_ptr<Visual>> visualsOf(const Stream& stream)
{
    Store store;
    for (const auto& r : stream)
        store.take(r);
    std::vector<std::unique_ptr<Visual>> out;
    for (const auto& kind : kinds())
        if (kind.fits(store)) out.push_back(kind.make(store));
    return out;
}
std::string written(const Visual& v, std::string_view suffix, const exporters::Options& options = {})
{
    for (const auto& e : exporters::all()) {
        if (e->suffix() != suffix || !e->accepts(v)) continue;
        std::ostringstream out;
        if (!e->write(v, options, out)) return "(failed)";
        return out.str();
    }
    return {};
}
/// What a program from outside makes of `input`; its exit status in `status`.
QByteArray pipe(const QString& program, const QStringList& arguments, const std::string& input, int& status)
{
    QProcess process;
    process.start(program, arguments);
    if (!process.waitForStarted()) {
        status = -1;
        return {};
    }
    process.write(input.data(), static_cast<qint64>(input.size()));
    process.closeWriteChannel();
    process.waitForFinished(120'000);
    status = process.exitStatus() == QProcess::NormalExit ? process.exitCode() : -2;
    return process.readAllStandardOutput() + (status != 0 ? process.readAllStandardError() : QByteArray());
}

struct Area {
    double left, top, right, bottom;
    const Item* item;
};
Area areaOf(const Item& item)
{
    if (const auto* b = std::get_if<Box>(&item.shape)) return {b->x, b->y, b->x + b->width, b->y + b->height, &item};
    const auto& t = std::get<Text>(item.shape);
    const double left = t.anchor == Anchor::Start ? t.at.x : t.anchor == Anchor::End ? t.at.x - t.width : t.at.x - t.width / 2;
    return {left, t.at.y - t.size * 0.74, left + t.width, t.at.y + t.size * 0.2, &item};
}
bool crosses(const Area& a, const Area& b)
{
    return a.left < b.right - 0.5 && b.left < a.right - 0.5 && a.top < b.bottom - 0.5 && b.top < a.bottom - 0.5;
}
} // namespace

class ExportersTest : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void everyDrawingIsWellFormed_data() { sampleRows(); }
    void everyDrawingIsWellFormed()
    {
        if (!has("xmllint")) QSKIP("xmllint (libxml2-utils) is not installed");
        QFETCH(QString, sample);
        for (const auto& v : visualsOf(samples().at(sample.toStdString()))) {
            for (const auto theme : {Theme::Light, Theme::Dark, Theme::Print}) {
                exporters::Options options;
                options.palette = theme;
                options.metadata = "<program>&\"\x01\xff";
                const std::string svg = written(*v, "svg", options);
                int status = 0;
                const auto report = pipe("xmllint", {"--noout", "-"}, svg, status);
                QVERIFY2(status == 0, report.left(500).constData());
                QVERIFY(svg.find("<script") == std::string::npos);
                QVERIFY(svg.find("href") == std::string::npos);
                QVERIFY(svg.find("role=\"img\"") != std::string::npos);
                QVERIFY(svg.size() < 1'500'000);
            }
        }
    }
    void theSameInputGivesTheSameBytes_data() { sampleRows(); }
    void theSameInputGivesTheSameBytes()
    {
        QFETCH(QString, sample);
        const auto& stream = samples().at(sample.toStdString());
        const auto first = visualsOf(stream), second = visualsOf(stream);
        for (std::size_t i = 0; i < first.size(); ++i)
            for (const auto* suffix : {"svg", "csv", "folded", "dot"})
                QVERIFY(written(*first[i], suffix) == written(*second[i], suffix));
    }
    void nothingOverlapsAndNothingLeavesThePage_data()
    {
        QTest::addColumn<QString>("sample");
        QTest::addColumn<double>("width");
        QTest::addColumn<double>("height");
        for (const auto& [name, stream] : samples()) {
            QTest::addRow("%s 16:9", name.c_str()) << q(name) << 1600.0 << 900.0;
            QTest::addRow("%s 4:3", name.c_str()) << q(name) << 1200.0 << 900.0;
            QTest::addRow("%s a4 portrait", name.c_str()) << q(name) << 794.0 << 1123.0;
            QTest::addRow("%s a4 landscape", name.c_str()) << q(name) << 1123.0 << 794.0;
            QTest::addRow("%s column", name.c_str()) << q(name) << 325.0 << 240.0;
        }
    }
    void nothingOverlapsAndNothingLeavesThePage()
    {
        QFETCH(QString, sample);
        QFETCH(double, width);
        QFETCH(double, height);
        for (const auto& v : visualsOf(samples().at(sample.toStdString()))) {
            LayoutOptions options;
            options.width = width;
            options.height = height;
            checkGeometry(v->figure(options), std::string(v->name()));
        }
    }
    void onTheCanvasTheFigureGrowsAndStillNothingOverlaps_data() { sampleRows(); }
    void onTheCanvasTheFigureGrowsAndStillNothingOverlaps()
    {
        QFETCH(QString, sample);
        if (sample == "flame-large") QSKIP("thousands of rows: the page sizes cover it");
        for (const auto& v : visualsOf(samples().at(sample.toStdString()))) {
            LayoutOptions options;
            options.width = 1000;
            options.height = 600;
            options.fit = false;
            options.forScreen = true;
            checkGeometry(v->figure(options), std::string(v->name()));
        }
    }
    void graphvizReadsEveryGraph_data()
    {
        QTest::addColumn<QString>("sample");
        for (const auto* s : {"tree", "graph", "graph-hostile", "flame", "flame-hostile"})
            QTest::newRow(s) << s;
    }
    void graphvizReadsEveryGraph()
    {
        if (!has("dot")) QSKIP("graphviz is not installed");
        QFETCH(QString, sample);
        int graphs = 0;
        for (const auto& v : visualsOf(samples().at(sample.toStdString()))) {
            const auto graph = v->digraph();
            if (!graph) continue;
            ++graphs;
            int status = 0;
            const auto root = QJsonDocument::fromJson(pipe("neato", {"-n2", "-Tjson"}, written(*v, "dot"), status)).object();
            QCOMPARE(status, 0);
            QCOMPARE(root["objects"].toArray().size(), static_cast<qsizetype>(graph->nodes.size()));
            QCOMPARE(root["edges"].toArray().size(), static_cast<qsizetype>(graph->edges.size()));
        }
        QCOMPARE(graphs, 1);
    }
    void graphvizReadsWhatWasTraced_data()
    {
        QTest::addColumn<QString>("sample");
        for (const auto* s : {"tree", "tree-hostile", "tree-60"})
            QTest::newRow(s) << s;
    }
    void graphvizReadsWhatWasTraced()
    {
        if (!has("dot")) QSKIP("graphviz is not installed");
        QFETCH(QString, sample);
        const auto v = std::move(visualsOf(samples().at(sample.toStdString())).front());
        const auto table = v->table();
        int status = 0;
        const auto json = pipe("dot", {"-Tjson"}, written(*v, "dot"), status);
        QCOMPARE(status, 0);
        const auto root = QJsonDocument::fromJson(json).object();
        QCOMPARE(root["objects"].toArray().size(), static_cast<qsizetype>(table.rows.size()));
        for (const auto& value : root["objects"].toArray()) {
            const auto node = value.toObject();
            QVERIFY(node["name"].toString().startsWith('p'));
            const auto row = static_cast<std::size_t>(node["name"].toString().mid(1).toInt() - 1);
            QCOMPARE(node["pid"].toString(), q(table.rows[row][2]));
            QVERIFY(!node["fillcolor"].toString().isEmpty());
        }
        std::size_t children = 0;
        for (const auto& row : table.rows)
            children += row[1].empty() ? 0 : 1;
        QCOMPARE(root["edges"].toArray().size(), static_cast<qsizetype>(children));
        for (const auto& value : root["edges"].toArray())
            QCOMPARE(value.toObject()["kind"].toString(), QString("fork"));
    }
    void neatoShowsTheSamePicture()
    {
        if (!has("neato")) QSKIP("graphviz is not installed");
        const auto v = std::move(visualsOf(samples().at("tree")).front());
        std::map<QString, QString> positions;
        const auto graph = v->digraph();
        for (const auto& node : graph->nodes)
            for (const auto& [name, value] : node.attributes)
                if (name == "pos") positions[q(node.name)] = q(value);
        int status = 0;
        const auto json = pipe("neato", {"-n2", "-Tjson"}, written(*v, "dot"), status);
        QVERIFY2(status == 0, json.left(400).constData());
        // neato moves everything to the origin; what counts is where the nodes are to each other.
        const auto at = [](const QString& pos) { return QPointF(pos.section(',', 0, 0).toDouble(), pos.section(',', 1, 1).toDouble()); };
        std::optional<QPointF> shift;
        for (const auto& value : QJsonDocument::fromJson(json).object()["objects"].toArray()) {
            const auto node = value.toObject();
            const QPointF moved = at(node["pos"].toString()) - at(positions.at(node["name"].toString()));
            if (!shift) shift = moved;
            QVERIFY((moved - *shift).manhattanLength() < 0.1);
        }
        QVERIFY(shift.has_value());
    }
    // Source: RFC 4180, as Python's csv module reads it.
    void pythonReadsTheTableBack_data() { sampleRows(); }
    void pythonReadsTheTableBack()
    {
        if (!has("python3")) QSKIP("python3 is not installed");
        QFETCH(QString, sample);
        static const QString kProgram = "import csv,json,sys,io\n"
                                        "data=sys.stdin.buffer.read()\n"
                                        "assert data.endswith(b'\\r\\n') and not data.startswith(b'\\xef\\xbb\\xbf')\n"
                                        "print(json.dumps(list(csv.reader(io.StringIO(data.decode('utf-8'),newline=''),strict=True))))\n";
        for (const auto& v : visualsOf(samples().at(sample.toStdString()))) {
            const auto table = v->table();
            int status = 0;
            const auto out = pipe("python3", {"-c", kProgram}, written(*v, "csv"), status);
            QVERIFY2(status == 0, out.left(500).constData());
            const auto read = QJsonDocument::fromJson(out).array();
            QCOMPARE(read.size(), static_cast<qsizetype>(table.rows.size() + 1));
            for (std::size_t r = 0; r < table.rows.size(); ++r) {
                const auto cells = read[static_cast<qsizetype>(r + 1)].toArray();
                QCOMPARE(cells.size(), static_cast<qsizetype>(table.columns.size()));
                for (std::size_t c = 0; c < table.columns.size(); ++c) {
                    const QString cell = cells[static_cast<qsizetype>(c)].toString();
                    const std::string& raw = table.rows[r][c];
                    const bool plain = std::all_of(raw.begin(), raw.end(), [](char ch) { return ch >= 0x20 && ch < 0x7F; });
                    if (plain && !raw.empty() && std::string_view("=+-@").find(raw.front()) == std::string_view::npos)
                        QVERIFY2(cell == q(raw) || (table.columns[c].isNumber && cell == q(raw + ".00")), qPrintable(cell)); // as its column's others
                    if (!table.columns[c].isNumber && !cell.isEmpty())
                        QVERIFY2(!QString("=+-@\t\r").contains(cell.front()), qPrintable(cell));
                }
            }
        }
    }
    // As cut(1) and awk see it: a cell is what stands between tabs, whatever is in it.
    void everyLineOfTabsHasItsCells_data() { sampleRows(); }
    void everyLineOfTabsHasItsCells()
    {
        if (!has("awk")) QSKIP("awk is not installed");
        QFETCH(QString, sample);
        for (const auto& v : visualsOf(samples().at(sample.toStdString()))) {
            const auto table = v->table();
            int status = 0;
            const auto counts = pipe("awk", {"-F\t", "{ print NF }"}, written(*v, "tsv"), status);
            QCOMPARE(status, 0);
            const auto lines = counts.split('\n');
            QCOMPARE(lines.size(), static_cast<qsizetype>(table.rows.size() + 2)); // the header, and nothing behind the last end of a line
            for (const auto& line : lines)
                if (!line.isEmpty()) QCOMPARE(line.toULongLong(), table.columns.size());
            for (const auto& line : q(written(*v, "tsv")).split(QRegularExpression("[\t\n]")))
                QVERIFY2(!line.startsWith('=') && !line.startsWith('@'), qPrintable(line));
        }
    }
    void foldedLinesEndWithAValue()
    {
        for (const auto* sample : {"flame", "flame-hostile"}) {
            const auto v = std::move(visualsOf(samples().at(sample)).front());
            const QString text = q(written(*v, "folded"));
            const auto lines = text.split('\n', Qt::SkipEmptyParts);
            QCOMPARE(lines.size(), static_cast<qsizetype>(foldedLines(*v).size()));
            for (const auto& line : lines) {
                bool number = false;
                line.section(' ', -1).toLongLong(&number);
                QVERIFY2(number, qPrintable(line));
            }
        }
    }
    void exportersAcceptOnlyWhatTheyCanWrite()
    {
        const auto bars = std::move(visualsOf(samples().at("bars")).front());
        for (const auto& e : exporters::all()) {
            QVERIFY(!e->summary().empty());
            if (e->suffix() == "dot" || e->suffix() == "folded") QVERIFY(!e->accepts(*bars));
            if (e->suffix() == "svg" || e->suffix() == "csv") QVERIFY(e->accepts(*bars));
        }
    }
    void everyMarkOfAPlainFigureSaysItsNumbers()
    {
        for (const auto* sample : {"flame", "histogram", "bars", "tree"}) {
            const auto v = std::move(visualsOf(samples().at(sample)).front());
            const auto rows = v->table().rows.size();
            for (const auto& item : v->figure({}).items) {
                if (item.row) QVERIFY(item.row->value < rows);
                if (!item.row || !std::holds_alternative<Box>(item.shape)) continue;
                QVERIFY(!item.tip.empty());
                QVERIFY(!item.data.empty());
            }
        }
    }
    // For a look at them: DSCOPE_FIGURES=/some/folder tst_exporters writeFiguresWhereAsked
    void writeFiguresWhereAsked()
    {
        const QByteArray folder = qgetenv("DSCOPE_FIGURES");
        if (folder.isEmpty()) QSKIP("DSCOPE_FIGURES names no folder");
        for (const auto& [name, stream] : samples())
            for (const auto& v : visualsOf(stream))
                for (const auto& e : exporters::all()) {
                    if (!e->accepts(*v)) continue;
                    std::ofstream file(folder.toStdString() + '/' + name + '.' + std::string(v->name()) + '.' + std::string(e->suffix()));
                    QVERIFY(e->write(*v, {}, file).has_value());
                }
    }

private:
    static void sampleRows()
    {
        QTest::addColumn<QString>("sample");
        for (const auto& [name, stream] : samples())
            QTest::newRow(name.c_str()) << q(name);
    }
    static void checkGeometry(const Figure& figure, const std::string& what)
    {
        std::vector<Area> texts, nodes, frames;
        for (const auto& item : figure.items) {
            if (std::holds_alternative<Path>(item.shape)) continue;
            const auto area = areaOf(item);
            if (area.left < -0.5 || area.top < -0.5 || area.right > figure.width + 0.5 || area.bottom > figure.height + 0.5) {
                const auto* t = std::get_if<Text>(&item.shape);
                QFAIL((what + ": beyond the page: " + (t ? t->text : "box") + " at " + std::to_string(area.left) + ','
                    + std::to_string(area.top) + " .. " + std::to_string(area.right) + ',' + std::to_string(area.bottom))
                          .c_str());
            }
            if (std::holds_alternative<Text>(item.shape))
                texts.push_back(area);
            else if (item.role == Role::Node && !item.data.empty())
                nodes.push_back(area);
            else if (item.role == Role::Frame && !item.data.empty())
                frames.push_back(area);
        }
        const auto sweep = [&](std::vector<Area> areas, const char* kind) {
            std::sort(areas.begin(), areas.end(), [](const Area& a, const Area& b) { return a.top < b.top; });
            for (std::size_t i = 0; i < areas.size(); ++i)
                for (std::size_t k = i + 1; k < areas.size() && areas[k].top < areas[i].bottom; ++k)
                    if (crosses(areas[i], areas[k])) {
                        const auto say = [](const Area& a) {
                            const auto* t = std::get_if<Text>(&a.item->shape);
                            return (t ? t->text : a.item->key) + " (" + std::to_string(a.left) + ',' + std::to_string(a.top) + ')';
                        };
                        QFAIL((what + ": " + kind + " overlap: " + say(areas[i]) + " and " + say(areas[k])).c_str());
                    }
        };
        sweep(texts, "texts");
        sweep(nodes, "nodes");
        sweep(frames, "frames");
        // What is drawn leaves what is said around it free: the title, the legend, the footnote.
        for (const auto& t : texts) {
            const auto role = t.item->role;
            if (role != Role::Title && role != Role::Subtitle && role != Role::Legend && role != Role::Note) continue;
            for (const auto& box : frames)
                if (crosses(t, box)) QFAIL((what + ": a frame covers " + std::get<Text>(t.item->shape).text).c_str());
        }
        // A label lies within what it labels.
        for (const auto& t : texts) {
            const auto inside = [&](const std::vector<Area>& boxes) {
                return std::any_of(boxes.begin(), boxes.end(), [&](const Area& b) {
                    return t.left >= b.left - 0.5 && t.right <= b.right + 0.5 && t.top >= b.top - 0.5 && t.bottom <= b.bottom + 0.5;
                });
            };
            if (t.item->role == Role::Node) QVERIFY2(inside(nodes), std::get<Text>(t.item->shape).text.c_str());
            if (t.item->role == Role::Frame) QVERIFY2(inside(frames), std::get<Text>(t.item->shape).text.c_str());
        }
    }
};
QTEST_GUILESS_MAIN(ExportersTest)
#include "tst_exporters.moc"
