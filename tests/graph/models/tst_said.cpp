// needs: engine/base engine/record engine/text engine/importers
// What figures say is said in the window's language: of every view, nothing but names of what was traced stays as it is.
#include <QDir>
#include <QObject>
#include <QRegularExpression>
#include <QTest>
#ifndef Q_MOC_RUN
#include "engine/base/fd.h"
#include "engine/record/wire.h"
#include "engine/text/importer.h"
#include "graph/keys.h"
#include "graph/store.h"
#include "graph/tongue.h"
#include "graph/visual.h"
#include "tests/support/drawn/visuals.h"
#include "tests/support/streams.h"
#include <fcntl.h>
#include <set>
#endif
using namespace dscope;
using namespace dscope::graph;
using namespace dscope::test;
namespace {
/// English texts that translators are shown: gui/figure_words.cpp.
const std::set<std::string>& listed()
{
    static const auto all = [] {
        std::set<std::string> out;
        QFile file(DSCOPE_SOURCE "/gui/figure_words.cpp");
        if (!file.open(QIODevice::ReadOnly)) return out;
        const auto text = QString::fromUtf8(file.readAll());
        static const QRegularExpression kListed(QStringLiteral("QT_TRANSLATE_NOOP\\(\\s*\"Figures\",((?:\\s*\"(?:[^\"\\\\]|\\\\.)*\")+)"));
        static const QRegularExpression kPart(QStringLiteral("\"((?:[^\"\\\\]|\\\\.)*)\""));
        for (auto m = kListed.globalMatch(text); m.hasNext();) {
            QString words;
            const auto parts = m.next().captured(1);
            for (auto part = kPart.globalMatch(parts); part.hasNext();)
                words += part.next().captured(1);
            out.insert(words.toStdString());
        }
        return out;
    }();
    return all;
}
/// A text in letters that no name has: Latin ones that are seen behind it were not said.
std::string inOtherLetters(const char* english)
{
    if (!listed().contains(english)) return english;
    std::string out;
    for (const char* c = english; *c; ++c)
        if ((*c >= 'a' && *c <= 'z') || (*c >= 'A' && *c <= 'Z'))
            out += {'\xd0', static_cast<char>('\x80' + ((*c | 0x20) - 'a'))}; // of U+0400 to U+0419, which are Cyrillic
        else
            out += *c;
    return out;
}

QStringList wordsIn(const std::string& text)
{
    static const QRegularExpression kWord(QStringLiteral("[A-Za-z]+"));
    QStringList out;
    for (auto m = kWord.globalMatch(QString::fromStdString(text)); m.hasNext();)
        out << m.next().captured().toLower();
    return out;
}
/// The words that a run has brought: names, paths, keys, and D's own.
class Traced {
public:
    explicit Traced(const Store& store)
    {
        // Units and functions of D are the same everywhere.
        add("ns ms s min h B KiB MiB GiB TiB EiB k M G T P E p CPU UTC dirname x");
        const auto& p = store.program();
        add("zgone zwhy nop mix lib"); // what is asked for and answered below
        add(p.command + ' ' + p.name);
        for (const auto& clause : p.clauses) {
            add(clause.probes);
            for (const auto& action : clause.actions)
                for (const auto& field : action.fields)
                    add(field.name);
        }
        for (const auto& a : p.aggregations) {
            add(a.name + ' ' + a.value + ' ' + std::string(functionName(a.function)));
            for (const auto& key : a.keys)
                add(key.name);
        }
        for (const auto& [id, probe] : store.probes())
            add(probe.provider + ' ' + probe.module + ' ' + probe.function + ' ' + probe.name);
        for (const auto& e : store.processes()) {
            add(e.path + ' ' + e.cwd + ' ' + e.execname);
            for (const auto& arg : e.args)
                add(arg);
        }
        for (const auto& kind : kinds())
            if (kind.fits(store)) addCells(*kind.make(store));
    }
    bool has(const QString& word) const { return m_words.contains(word); }
    void addCells(const Visual& visual)
    {
        for (const auto& row : visual.table().rows)
            for (const auto& cell : row)
                add(cell);
    }

private:
    void add(const std::string& text)
    {
        for (const auto& word : wordsIn(text))
            m_words.insert(word);
    }
    QSet<QString> m_words;
};
/// Words of a text that are neither said nor traced.
QStringList unsaidIn(const std::string& text, const Traced& traced)
{
    auto rest = QString::fromStdString(text);
    static const QRegularExpression kCut(QStringLiteral("[A-Za-z]*\u2026[A-Za-z]*")); // what is left of names
    static const QRegularExpression kNoName(QStringLiteral("\\[(unknown|no stack|none|folded)\\]"));
    static const QRegularExpression kErrorOrSignal(QStringLiteral("\\b(SIG[A-Z0-9]+|E[A-Z0-9]{3,})\\b"));
    for (const auto& pattern : {kCut, kNoName, kErrorOrSignal})
        rest.replace(pattern, QStringLiteral(" "));
    QStringList out;
    for (const auto& word : wordsIn(rest.toStdString()))
        if (!traced.has(word)) out << word;
    return out;
}

void takeAll(Store& store, const Stream& stream)
{
    for (const auto& record : stream)
        store.take(record);
}
Stream imported(std::string_view format, const char* text)
{
    text::Lines lines{std::string_view(text)};
    Stream out;
    for (const auto& one : importers::all())
        if (one->name() == format)
            if (auto read = one->read(lines)) {
                out.emplace_back(read->program);
                out.insert(out.end(), read->records.begin(), read->records.end());
            }
    if (out.empty()) qFatal("%s reads nothing", std::string(format).c_str());
    return out;
}
Stream recording(const QString& path)
{
    Stream out;
    const Fd file(::open(qPrintable(path), O_RDONLY | O_CLOEXEC));
    record::Reader reader(file.get());
    for (bool more = true; more;) {
        const auto polled = reader.poll(std::chrono::milliseconds(100), [&](const record::Record& r) { out.push_back(r); });
        more = polled && *polled;
    }
    return out;
}
/// The same before anything has happened.
Stream programOf(const Stream& stream)
{
    Stream out;
    for (const auto& r : stream)
        if (std::holds_alternative<record::Program>(r) || std::holds_alternative<record::ProbeDef>(r)) out.push_back(r);
    return out;
}
/// Stacks with lines of source, and files whose code can be read.
Stream linedStacks()
{
    auto out = profile(60, 40, 30);
    std::uint32_t line = 0;
    for (auto& r : out)
        if (auto* stack = std::get_if<record::StackDef>(&r)) {
            std::vector<record::Frame> frames(stack->frames.begin(), stack->frames.end());
            for (auto& frame : frames) {
                frame.file = std::string("/zhome/zsource") + std::to_string(line % 7) + ".zcpp";
                frame.line = 1 + line++ % 50;
                frame.linked = 0x1000 + line % 64;
                frame.code = record::CodeFile{"/zhome/zrender", ""};
            }
            stack->frames = record::FrameList(std::move(frames));
        }
    return out;
}
Result<record::CodeText> code(const record::CodeFile&, std::uint64_t)
{
    record::CodeText out{0x1000, 0x1040, {}};
    for (std::uint64_t at = out.begin; at < out.end; ++at) {
        auto& one = out.instructions.emplace_back();
        one.address = at;
        one.length = 1;
        one.text = "nop";
    }
    return out;
}
/// Counts by stack of which some end early.
Stream cutStacks()
{
    Stream s;
    auto p = program("syscall::zread:entry { @[ustack()] = count(); }", {"syscall::zread:entry"});
    p.aggregations = {aggregation("", Aggregator::Count, "", {stackKey(FieldKind::UserStack)})};
    begin(s, p);
    record::Frame end;
    end.kind = record::Frame::Kind::Truncated;
    std::vector<record::AggregationRow> all;
    std::uint32_t id = 0;
    for (const auto why :
        {record::Truncation::TooDeep, record::Truncation::NoCaller, record::Truncation::BadMemory, record::Truncation::NoTable,
            record::Truncation::Switched}) {
        end.offset = static_cast<std::uint64_t>(why);
        s.emplace_back(stack(++id, {end, frame("zapp", "zmain", record::Frame::Kind::User)}));
        all.push_back({Key().stack(id).bytes(), {static_cast<std::int64_t>(100 * id)}});
    }
    s.emplace_back(rows(0, all));
    s.emplace_back(record::Drop{record::Drop::Kind::Principal, 0, 1});
    return s;
}
/// Values of a key every second, in buckets or as they are.
Stream everySecond(Aggregator function, const std::string& value)
{
    std::vector<std::vector<record::AggregationRow>> seconds;
    for (int second = 0; second < 20; ++second) {
        auto& own = seconds.emplace_back();
        for (const auto* key : {"zcc", "zld"}) {
            const std::int64_t much = second == 9 ? 4000 : 40;
            const bool isQuantized = function == Aggregator::Quantize;
            own.push_back({Key().text(key).bytes(),
                isQuantized ? std::vector<std::int64_t>{power(10), 300, power(20), much} : std::vector<std::int64_t>{much}});
        }
    }
    return ticking(aggregation("ztimes", function, value, {textKey("execname")}), seconds, true);
}

std::map<QString, Stream> streams()
{
    std::map<QString, Stream> out;
    const QDir folder(DSCOPE_SOURCE "/examples/recordings");
    for (const auto& name : folder.entryList({"*.dscope"}, QDir::Files))
        out[name] = recording(folder.filePath(name));
    out["lines"] = recording(DSCOPE_SOURCE "/tests/data/written_by_21ebb1a/lines.dscope");
    out["Linux"] = recording(DSCOPE_SOURCE "/tests/data/written_by_21ebb1a/linux.dscope");
    out["print"] = recording(DSCOPE_SOURCE "/tests/data/written_by_21ebb1a/print.dscope");
    std::vector<std::string> many;
    for (int i = 0; i < 60; ++i)
        many.push_back("zprogram" + std::to_string(i));
    out["forest"] = forest(300);
    out["build"] = build();
    out["deep stacks"] = profile(300, 60, 90);
    out["few stacks"] = profile(30, 9, 9, 3);
    out["one program"] = writeTimes({"zcc"});
    out["many times"] = writeTimes(many);
    out["bars"] = written(many);
    out["many bars"] = written(many, true);
    out["kinds"] = severalKinds(many);
    out["files"] = opened(many);
    out["cut stacks"] = cutStacks();
    out["counts"] = everySecond(Aggregator::Count, "");
    out["sums"] = everySecond(Aggregator::Sum, "zarg");
    out["highest"] = everySecond(Aggregator::Max, "zarg");
    out["quantized"] = everySecond(Aggregator::Quantize, "zarg");
    out["slow"] = everySecond(Aggregator::Quantize, "timestamp - self->zts");
    out["folded text"] = imported("folded", "zmain;zparse;zread 3000\nzmain;zdraw 200\n");
    out["flow"] = imported("dtrace", "CPU FUNCTION\n  0  -> zmain\n  0    -> zread\n  0    <- zread\n  0  <- zmain\n  0  -> zmain\n");
    for (const auto& name : {"forest", "one program", "bars", "deep stacks", "files", "call-chart.dscope", "who-opens-what.dscope"})
        out[QStringLiteral("nothing yet of ") + name] = programOf(out.at(name));
    return out;
}
std::map<QString, Store> stores()
{
    std::map<QString, Store> out;
    for (const auto& [name, stream] : streams()) {
        out[name].readCodeBy(code);
        takeAll(out[name], stream);
    }
    out["lines of stacks"].readCodeBy(code);
    takeAll(out["lines of stacks"], linedStacks());
    out["code that is not to be had"].readCodeBy([](const record::CodeFile&, std::uint64_t) {
        return Result<record::CodeText>(Error{0, "zwhy"});
    });
    takeAll(out["code that is not to be had"], linedStacks());
    auto& ruled = out["stacks by rules"];
    StackRules rules;
    rules.keep(*NamePattern::of("render|shade"));
    rules.drop(*NamePattern::of("mix"));
    rules.fold(*NamePattern::of("lib"));
    rules.foldRecursion();
    ruled.read(rules);
    takeAll(ruled, profile(30, 9, 9, 3));
    auto& part = out["part of a run"];
    part.keepTimes();
    takeAll(part, everySecond(Aggregator::Count, ""));
    Stretch stretch;
    stretch.from = Moment{Moment::Since::Start, 3'000'000'000};
    if (!part.show(stretch)) qFatal("no such stretch");
    return out;
}

std::vector<LayoutOptions> sheets()
{
    std::vector<LayoutOptions> out(6);
    out[0].forScreen = true;
    out[0].fit = false;
    out[0].width = 1440;
    out[0].height = 700;
    out[1].zooms = true;
    out[2].width = 325;
    out[2].height = 300;
    out[3].width = 700;
    out[3].height = 400;
    out[3].top = 2;
    out[3].values = ValueScale::Logarithmic;
    out[4].height = 160;
    out[5].focus = "zgone";
    for (auto& options : out)
        options.footer = LayoutOptions::Footer::None; // which no screen shows
    return out;
}
struct Place {
    QString where;
    std::string text;
};
void addTexts(std::vector<Place>& out, const QString& where, const Figure& figure)
{
    const auto add = [&](const char* what, const std::string& text) { out.push_back({where + QStringLiteral(", ") + what, text}); };
    add("title", figure.title);
    add("title of the page", figure.words.title);
    add("subtitle", figure.words.subtitle);
    for (const auto& known : figure.words.known)
        add("caveat", known);
    add("description", figure.description);
    for (const auto& item : figure.items) {
        if (const auto* text = std::get_if<dscope::graph::Text>(&item.shape)) add("text", text->text);
        add("tip", item.tip);
    }
}
std::vector<Place> textsOf(const QString& where, const Visual& visual)
{
    std::vector<Place> out{{where + QStringLiteral(", name"), visual.title()}};
    for (auto& finding : visual.findings(Privacy::Open))
        out.push_back({where + QStringLiteral(", finding"), std::move(finding)});
    for (auto options : sheets()) {
        if (!options.focus.empty() && !visual.facts().hasFocus) continue;
        addTexts(out, where, visual.figure(options));
    }
    if (const auto share = visual.share([](std::string_view) { return true; }, {}))
        out.push_back({where + QStringLiteral(", search"), share->text("1 %")});
    return out;
}
} // namespace

class SaidTest : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void initTestCase()
    {
        QVERIFY(listed().size() > 400 && listed().contains("Flame graph"));
        for (auto& [name, store] : stores())
            m_stores[name] = std::move(store);
    }

    void everyTextOfAView_data()
    {
        QTest::addColumn<QString>("kind");
        for (const auto& kind : kinds())
            QTest::newRow(std::string(kind.name).c_str()) << q(kind.name);
    }
    void everyTextOfAView()
    {
        QFETCH(QString, kind);
        const auto all = kinds();
        const auto& view = *std::find_if(all.begin(), all.end(), [&](const Kind& one) { return q(one.name) == kind; });
        QStringList wrong;
        std::size_t texts = 0;
        const auto look = [&](const QString& where, const Visual& visual, std::initializer_list<const Store*> of) {
            std::vector<Traced> traced;
            for (const auto* store : of)
                traced.emplace_back(*store);
            const Tongue tongue(inOtherLetters, {});
            for (const auto& [place, text] : textsOf(where, visual)) {
                ++texts;
                auto unsaid = unsaidIn(text, traced.front());
                if (traced.size() > 1) unsaid.removeIf([&](const QString& word) { return traced.back().has(word); });
                if (!unsaid.isEmpty()) wrong << place + QStringLiteral(": ") + unsaid.join(QChar(' ')) + QStringLiteral(" in: ") + q(text);
            }
        };
        const Store* before = nullptr;
        for (const auto& [name, store] : m_stores) {
            if (!view.fits(store)) continue;
            look(name, *view.make(store), {&store});
            if (view.compare && before) look(name + QStringLiteral(" compared"), *view.compare(*before, store), {before, &store});
            before = &store;
        }
        wrong.removeDuplicates();
        QVERIFY2(
            wrong.isEmpty(), qPrintable(QString::number(wrong.size()) + QStringLiteral(" texts:\n") + wrong.mid(0, 60).join(QChar('\n'))));
        QVERIFY2(texts > 100, qPrintable(kind));
    }

    /// The check fails for what is not said.
    void whatIsNotSaidIsSeen()
    {
        const Traced traced(m_stores.at("build"));
        const Tongue tongue(inOtherLetters, {});
        QVERIFY(unsaidIn(said("Findings"), traced).isEmpty());
        QCOMPARE(unsaidIn("Findings", traced), QStringList{"findings"});
        QCOMPARE(unsaidIn(said("Findings that nobody lists"), traced).size(), 4);
        QCOMPARE(unsaidIn(said("%1 failed", "quantum"), traced), QStringList{"quantum"});
        QVERIFY(unsaidIn("make \u00b7 12 ms", traced).isEmpty());
    }

private:
    std::map<QString, Store> m_stores;
};
QTEST_GUILESS_MAIN(SaidTest)
#include "tst_said.moc"
