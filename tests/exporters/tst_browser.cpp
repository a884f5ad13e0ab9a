// needs-programs: dscope
// The script in SVG and HTML, in Chromium, with a mouse and a keyboard.
#include "graph/figure.h"
#include "tests/support/heavy_readers.h"
#include "tests/support/reader_fonts.h"
#include "tests/support/run_dscope.h"
#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QObject>
#include <QProcess>
#include <QStandardPaths>
#include <QTemporaryDir>
#include <QTest>
#include <optional>
#include <utility>
#include <vector>
using namespace dscope;
using namespace dscope::tests;
namespace {
// Texts on one line of a figure that run into each other, or that end beyond the page.
const QString kLineUp = QStringLiteral(R"(js:[...document.querySelectorAll('svg')].flatMap(s=>{
    const page=s.viewBox.baseVal.width,all=[...s.querySelectorAll('text')].map(e=>[e.getBBox(),e.textContent,+e.getAttribute('y')]),bad=[];
    all.forEach(([b,t,y],i)=>{if(b.x<-0.5||b.x+b.width>page+0.5)bad.push(t+' leaves the page');
        all.slice(i+1).forEach(([c,u,z])=>{if(Math.abs(y-z)<1&&c.x<b.x+b.width-1&&b.x<c.x+c.width-1)bad.push(t+' and '+u)})});
    return bad}))");
// Words that fonts like to rewrite, and the sum of their letters, without kerning.
const QString kLettersAlone = QStringLiteral(R"(js:(svg=>['0x1b','a->b','!=','fi'].flatMap(w=>['s','b','m'].map(c=>{
    const of=t=>{const e=document.createElementNS('http://www.w3.org/2000/svg','text');e.setAttribute('class',c);e.setAttribute('font-size','100');
        e.setAttribute('style','font-kerning:none');e.textContent=t;svg.append(e);const w=e.getComputedTextLength();e.remove();return w};
    return [w,of(w),[...w].reduce((a,l)=>a+of(l),0)]})))(document.querySelector('svg')))");
// A picture of code and one of its letters, each 12 px wide and painted alone: how many of its pixels of ink are others, in parts of all.
const QString kOtherInk = QStringLiteral(R"(js:(async()=>{
    const style=document.querySelector('style').textContent,word='a->b!=c::d',one=document.createElementNS('http://www.w3.org/2000/svg','text');
    one.setAttribute('class','m');one.setAttribute('font-size','200');one.textContent='m';document.documentElement.append(one);
    const size=2400/one.getComputedTextLength();
    const paint=async marks=>{const i=new Image();i.src='data:image/svg+xml,'+encodeURIComponent(`<svg xmlns='http://www.w3.org/2000/svg' width='200' height='40'><style>
        ${style}</style>${marks}</svg>`);await i.decode();const c=document.createElementNS('http://www.w3.org/1999/xhtml','canvas');c.width=200;c.height=40;
        c.getContext('2d').drawImage(i,0,0);return c.getContext('2d').getImageData(0,0,200,40).data};
    const text=(t,x)=>`<text class='m' font-size='${size}' x='${x}' y='25'>${t.replace('>','&gt;')}</text>`;
    const whole=await paint(text(word,4)),letters=await paint([...word].map((l,i)=>text(l,4+12*i)).join(''));
    let ink=0,other=0;
    for(let i=3;i<whole.length;i+=4){if(letters[i]>128)++ink;if(Math.abs(whole[i]-letters[i])>128)++other}
    return [ink,other/ink]})())");
// The same of the frame above the root that a page painted on its canvas.
const QString kCanvasLetters = QStringLiteral(R"(js:new Promise(told=>{const ask=()=>{
    if(!performance.getEntriesByName('dscope: drawn').length)return setTimeout(ask,20);
    const c=document.getElementById('canvas'),y=c.height-36,seen=c.getContext('2d').getImageData(0,y,200,17).data,word='operator!=';
    const look=JSON.parse(document.getElementById('dscope-tree').textContent),ground='#'+[...seen.slice(0,3)].map(v=>v.toString(16).padStart(2,'0')).join('');
    const kind=look.kinds.findIndex(k=>k.toLowerCase()===ground),o=document.createElement('canvas'),p=o.getContext('2d',{willReadFrequently:true});o.width=200;o.height=17;
    p.fillStyle=ground;p.fillRect(0,0,200,17);
    const empty=p.getImageData(0,0,200,17).data;
    p.font='12px "JetBrains Mono","DejaVu Sans Mono",monospace';p.textBaseline='middle';p.fillStyle=look.inks[kind];
    const w=p.measureText('m').width;[...word].forEach((l,i)=>p.fillText(l,4+i*w,9));
    const wanted=p.getImageData(0,0,200,17).data,same=(a,b)=>a.every((v,i)=>v===b[i]);
    told(same(seen,empty)?'nothing':same(seen,wanted)?'the same':'other')};ask()}))");
const QString kWords = QStringLiteral("[...document.querySelectorAll('svg text')].slice(-2).map(e=>e.textContent)"); // found, details
// When a tree was unpacked and drawn on its canvas, in ms.
const QString kDrawn = QStringLiteral("js:new Promise(told=>{const ask=()=>{const drawn=performance.getEntriesByName('dscope: drawn')[0];"
                                      "drawn?told(drawn.startTime):setTimeout(ask,20)};ask()})");
const QString kShown = QStringLiteral("[...document.querySelectorAll('.f')].filter(e=>!e.hasAttribute('display')).length");
} // namespace

class TestBrowser : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void initTestCase()
    {
        if (QStandardPaths::findExecutable("chromium").isEmpty() || QStandardPaths::findExecutable("python3").isEmpty())
            QSKIP("chromium or python3 is not installed");
        // a calls b for 60, c for 40, of which d is 10: every frame is wide enough for its name.
        put("stacks", "a;b 60\na;c 30\na;c;d 10\na;<img src=x onerror=alert(1)> 20\n");
        for (const auto* suffix : {"svg", "html"})
            QCOMPARE(
                runDscope({"--import", "folded:" + file("stacks"), "--interactive", "--export", file(QString("f.") + suffix)}).status, 0);
    }
    void aClickZoomsAndEscapeResets()
    {
        const auto [given, errors] = drive("f.svg",
            {"js:" + kShown, "click:rect[data-total=\"40\"]", "js:" + kShown, "js:" + kWords,
                "js:+document.querySelector('rect[data-total=\"40\"]').getAttribute('width')>1400", "key:Escape", "js:" + kShown});
        QCOMPARE(errors, QStringList());
        QCOMPARE(given[0].toInt(), 6); // all, a, b, c, d and the one that looks like markup
        QCOMPARE(given[1].toInt(), 4); // c, what calls it and what it calls
        QVERIFY(given[2].toArray()[1].toString().startsWith(QStringLiteral("c \u00b7 self 30, total 40")));
        QCOMPARE(given[3].toBool(), true);
        QCOMPARE(given[4].toInt(), 6);
    }
    void searchCountsNestedMatchesOnce()
    {
        const auto [given, errors] = drive("f.svg", {"keys:/^[cd]$", "key:Enter", "js:" + kWords, "keys:n", "js:" + kWords});
        QCOMPARE(errors, QStringList());
        QCOMPARE(given[0].toArray()[0].toString(), QStringLiteral("2 matches, 33.3 %")); // c's 40 of 120; d is a part of it
        QVERIFY(given[0].toArray()[1].toString().startsWith('c'));
        QVERIFY(given[1].toArray()[1].toString().startsWith('d'));
    }
    void theShareIsWhatAwkCounts_data() { suffixes(); }
    void theShareIsWhatAwkCounts()
    {
        QFETCH(QString, suffix);
        // A profile of a real program, on a page on which most of its frames are too narrow to be drawn.
        const auto profile = QStringLiteral(DSCOPE_SOURCE "/examples/recordings/hot-stacks.dscope"), page = "hot." + suffix;
        QCOMPARE(runDscope({"--replay", profile, "--interactive", "--size", "400x300", "--export", "flame=" + file(page), "--export",
                               "flame=" + file("hot.folded")})
                     .status,
            0);
        const QStringList patterns{"strcmp|memcpy", "^ld-linux", "msort", "vfprintf", "hash"};
        QStringList counted, steps;
        for (const auto& pattern : patterns) {
            QProcess awk;
            awk.start("awk",
                {"-v", "p=" + pattern,
                    R"({ v = $NF; sub(/ [0-9]+$/, ""); n = split($0, f, ";"); hit = 0
                        for (i = 1; i <= n; i++) if (tolower(f[i]) ~ p) hit = 1
                        all += v; if (hit) some += v } END { p = 100 * some / all; print (p < 0.1 ? "<0.1" : sprintf("%.1f", p)) " %" })",
                    file("hot.folded")});
            QVERIFY(awk.waitForFinished());
            counted << QString::fromUtf8(awk.readAllStandardOutput().trimmed());
            steps << "keys:/" + pattern << "key:Enter" << told(suffix, 0) << "key:Escape";
        }
        const auto [given, errors] = drive(page, steps);
        QCOMPARE(errors, QStringList());
        for (int i = 0; i < patterns.size(); ++i) {
            const auto words = given[i].toString();
            QVERIFY2(words.section(", ", 1, 1) == counted[i], qPrintable(patterns[i] + ": " + words + ", not " + counted[i]));
        }
    }
    void theShareOfCallsIsThatOfTheirTime()
    {
        QCOMPARE(runDscope({"--replay", DSCOPE_SOURCE "/examples/recordings/call-chart.dscope", "--interactive", "--export",
                               "flame-chart=" + file("chart.svg"), "--export", "flame-chart=" + file("chart.csv")})
                     .status,
            0);
        QProcess awk; // most of these calls are too short to be drawn by themselves
        awk.start("awk",
            {"-F,", R"(NR > 1 { for (i = 1; i <= 2; i++) if ($i != "") { if (!from || $i < from) from = $i; if ($i > to) to = $i }
                if ($7 ~ /list_add/) { sum += $3; n++ } } END { printf "%d matches, %.1f %%", n, 100 * sum / (to - from) })",
                file("chart.csv")});
        QVERIFY(awk.waitForFinished());
        const auto counted = QString::fromUtf8(awk.readAllStandardOutput());
        QVERIFY(counted.contains(" matches, "));
        const auto [given, errors] = drive("chart.svg", {"keys:/list_add", "key:Enter", "js:" + kWords});
        QCOMPARE(errors, QStringList());
        const auto words = given[0].toArray()[0].toString();
        QVERIFY2(words.startsWith(counted), qPrintable(words + ", not " + counted));
    }
    void aHalfTypedExpressionIsNoError()
    {
        const auto [given, errors] = drive("f.svg", {"keys:/(", "js:" + kWords});
        QCOMPARE(errors, QStringList());
        QVERIFY(given[0].toArray()[0].toString().contains("not a regular expression yet"));
    }
    void arrowsWalk()
    {
        const auto [given, errors] = drive("f.svg",
            {"key:ArrowUp", "key:ArrowUp", "key:ArrowUp", "js:" + kWords, "key:ArrowRight", "js:" + kWords, "key:Enter", "js:" + kShown,
                "key:Backspace", "js:" + kShown});
        QCOMPARE(errors, QStringList());
        QVERIFY2(given[0].toArray()[1].toString().startsWith('b'), qPrintable(given[0].toArray()[1].toString())); // the widest above a
        QVERIFY(given[1].toArray()[1].toString().startsWith('c'));
        QCOMPARE(given[2].toInt(), 4);
        QCOMPARE(given[3].toInt(), 6); // a has everything above it
    }
    void namesAreNeverMarkup()
    {
        for (const auto* name : {"f.svg", "f.html"}) {
            const auto [given, errors] = drive(name,
                {"keys:/onerror", "key:Enter", "js:document.querySelectorAll('img').length",
                    "js:document.documentElement.textContent.includes('<img src=x')"});
            QCOMPARE(errors, QStringList());
            QCOMPARE(given[0].toInt(), 0);
            QCOMPARE(given[1].toBool(), true);
        }
    }
    void thePageSearchesInItsField()
    {
        const auto [given, errors] = drive("f.html",
            {"click:#search", "keys:d", "js:document.getElementById('found').textContent", "click:#reset",
                "js:document.getElementById('found').textContent+document.getElementById('search').value", "click:rect[data-total=\"40\"]",
                "js:document.getElementById('details').textContent"});
        QCOMPARE(errors, QStringList());
        QCOMPARE(given[0].toString(), QStringLiteral("1 match, 8.3 %"));
        QCOMPARE(given[1].toString(), QString());
        QVERIFY(given[2].toString().startsWith(QStringLiteral("c \u00b7 self 30")));
    }
    /// In a report each figure has a field of its own, and keys are for the one that was touched last.
    void eachFigureOfAReportIsSearchedByItself()
    {
        put("other", "a;b 10\na;d 90\n");
        QCOMPARE(runDscope({"--import", "folded:" + file("stacks"), "--import", "folded:" + file("other"), "--report", file("two.html")}).status, 0);
        const QString found = "js:[...document.querySelectorAll('#flame,#flame-2')].map(e=>e.querySelector('[data-part=found]').textContent)";
        const auto [given, errors] = drive("two.html",
            {"keys:/d", found, "key:Escape", "js:document.querySelector('#flame-2').scrollIntoView()", "click:#flame-2 [data-part=search]", "keys:d",
                found, "key:Enter", "js:document.querySelector('#flame-2 [data-part=details]').textContent",
                "js:(a=>a.length-new Set(a).size)([...document.querySelectorAll('[id]')].map(e=>e.id))"});
        QCOMPARE(errors, QStringList());
        QCOMPARE(given[0].toArray(), QJsonArray({"1 match, 8.3 %", ""}));
        QCOMPARE(given[2].toArray(), QJsonArray({"", "1 match, 90.0 %"}));
        QVERIFY(given[3].toString().startsWith("d \u00b7 self 90"));
        QCOMPARE(given[4].toInt(), 0); // no id twice
    }
    void aTreeTooLargeForSvgStandsOnACanvas()
    {
        QByteArray text;
        for (int i = 0; i < 12'000; ++i)
            text += "main;half" + QByteArray::number(i % 2) + ";f" + QByteArray::number(i) + " 1\n";
        put("many", text);
        QCOMPARE(runDscope({"--import", file("many"), "--export", file("many.html")}).status, 0);
        const auto [given, errors] = drive("many.html",
            {kDrawn, "js:document.querySelectorAll('svg').length", "keys:/half1", "js:document.getElementById('found').textContent", "key:Enter",
                "js:document.getElementById('details').textContent",
                "js:(c=>[c.width,c.clientWidth*devicePixelRatio])(document.getElementById('canvas'))"});
        QCOMPARE(errors, QStringList());
        QCOMPARE(given[1].toInt(), 0);
        QCOMPARE(given[2].toString(), QStringLiteral("1 match, 50.0 %"));
        QVERIFY(given[3].toString().startsWith("half1"));
        QCOMPARE(given[4].toArray()[0].toDouble(), given[4].toArray()[1].toDouble()); // nothing is cut at its right
    }
    void aPageOfManyStacksIsSmallAndIsSearched()
    {
        if (const auto why = whyNoReaders({"chromium"}); !why.isEmpty()) QSKIP(qPrintable(why));
        constexpr int kStacks = 30'000;
        QByteArray text;
        quint32 state = 7;
        for (int i = 0; i < kStacks; ++i) {
            text += "main;run";
            for (int d = 0; d < 12; ++d) {
                state = state * 1664525 + 1013904223;
                text += ";function_" + QByteArray::number((state >> 8) % (40U << d));
            }
            text += ";leaf_" + QByteArray::number(i) + ' ' + QByteArray::number(1 + i % 50) + '\n';
        }
        put("large", text);
        QCOMPARE(runDscope({"--import", "folded:" + file("large"), "--export", file("large.html"), "--export", file("a.folded")}).status, 0);
        QVERIFY2(QFile(file("large.html")).size() < text.size() / 4, qPrintable(QString::number(QFile(file("large.html")).size())));
        QCOMPARE(runDscope({"--import", file("large.html"), "--export", file("b.folded")}).status, 0);
        QCOMPARE(contents(file("a.folded")), contents(file("b.folded")));
        const auto [given, errors] = drive("large.html",
            {kDrawn,
                "js:(f=>['leaf_1','leaf_12','leaf_123'].map(w=>{f.value=w;f.dispatchEvent(new Event('input'));"
                "return document.getElementById('found').textContent}))(document.getElementById('search'))",
                "key:Escape", "keys:n"});
        QCOMPARE(errors, QStringList());
        const auto found = given[1].toArray();
        QCOMPARE(found.size(), 3);
        for (qsizetype digits = 1; digits <= 3; ++digits) {
            int matches = 0;
            for (int i = 0; i < kStacks; ++i)
                matches += QByteArray::number(i).startsWith(QByteArray("123").first(digits));
            const auto told = found[digits - 1].toString();
            QVERIFY2(told.startsWith(QString::number(matches) + " matches, "), qPrintable(told));
        }
    }
    /// Each set of fonts alone, whatever is installed: a page may be read on a machine that has one of them.
    void textsFitInTheFontsOfTheReader_data() { fontSets(); }
    void textsFitInTheFontsOfTheReader()
    {
        QFETCH(ReaderFonts, reader);
        if (const auto why = whyNot(reader); !why.isEmpty()) QSKIP(qPrintable(why));
        const std::vector<std::pair<QString, QString>> figures{{"bars", "write-rates"}, {"flame", "hot-stacks"},
            {"process-tree", "process-tree"}, {"process-timeline", "process-tree"}, {"table", "write-sizes"}, {"histogram", "write-sizes"},
            {"series", "write-rates"}, {"call-graph", "hot-stacks"}, {"sandwich", "hot-stacks"}};
        QByteArray page = "<!DOCTYPE html><meta charset=\"utf-8\"><body>";
        for (const auto& [view, recording] : figures) {
            const auto svg = file(view + "-fits.svg");
            QCOMPARE(
                runDscope({"--replay", DSCOPE_SOURCE "/examples/recordings/" + recording + ".dscope", "--export", view + '=' + svg}).status,
                0);
            page += contents(svg).mid(contents(svg).indexOf("<svg"));
        }
        put("fits.html", page);
        const auto [given, errors] = drive("fits.html",
            {"js:[...document.querySelectorAll('svg text')].map(e=>[e.textContent,e.getAttribute('class'),+e.getAttribute('font-size'),"
             "e.getComputedTextLength(),e.hasAttribute('textLength')||e.hasAttribute('lengthAdjust')])",
                kLineUp, kLettersAlone, widthOf("b", "m")},
            reader);
        QCOMPARE(errors, QStringList());
        QVERIFY2(qAbs(given[3].toDouble() - reader.letter) < 1, qPrintable(given[3].toVariant().toString())); // these fonts and no others
        QVERIFY2(given[0].toArray().size() > 300, qPrintable(QString::number(given[0].toArray().size())));
        for (const auto text : given[0].toArray()) {
            const auto face = text[1].toString();
            const double size = text[2].toDouble(), natural = text[3].toDouble(),
                         room = graph::textWidth(text[0].toString().toStdString(), size, {.bold = face.startsWith('b'), .mono = face == "m"});
            QVERIFY2(!text[4].toBool(), qPrintable(text[0].toString()));
            // Fonts move few pairs of letters apart, as "LA" and "YT", by up to 1/20 em.
            QVERIFY2(natural <= room + size / 20, qPrintable(QString("%1: %2 for %3").arg(text[0].toString()).arg(natural).arg(room)));
        }
        QCOMPARE(given[1].toArray(), QJsonArray());
        for (const auto letters : given[2].toArray())
            QVERIFY2(qAbs(letters[1].toDouble() - letters[2].toDouble()) < 0.2, qPrintable(letters[0].toString()));
    }
    /// Fonts for code draw "->" and "!=" as one sign that is as wide: only the picture tells.
    void codeIsDrawnLetterByLetter_data() { fontSets(); }
    void codeIsDrawnLetterByLetter()
    {
        QFETCH(ReaderFonts, reader);
        if (const auto why = whyNot(reader); !why.isEmpty()) QSKIP(qPrintable(why));
        QByteArray text;
        for (int i = 0; i < 12'000; ++i)
            text += "operator!=;half" + QByteArray::number(i % 2) + ";f" + QByteArray::number(i) + " 1\n";
        put("signs", text);
        for (const auto* suffix : {"svg", "html"})
            QCOMPARE(runDscope({"--import", "folded:" + file("signs"), "--export", "flame=" + file(QString("signs.") + suffix)}).status, 0);
        const auto [drawn, errors] = drive("signs.svg", {kOtherInk}, reader);
        QCOMPARE(errors, QStringList());
        QVERIFY(drawn[0].toArray()[0].toInt() > 100);
        QVERIFY2(drawn[0].toArray()[1].toDouble() < 0.02, qPrintable(drawn[0].toArray()[1].toVariant().toString()));
        const auto [painted, more] = drive("signs.html",
            {"js:(p=>{const at=[];for(const c of ['c','s'])for(const e of document.querySelectorAll('body *')){const y=getComputedStyle(e);"
             "if(y.fontFeatureSettings!=='\"calt\" 0'||y.fontVariantLigatures!=='none')at.push(e.localName)}return at})()",
                kCanvasLetters},
            reader);
        QCOMPARE(more, QStringList());
        QCOMPARE(painted[0].toArray(), QJsonArray());
        QCOMPARE(painted[1].toString(), QStringLiteral("the same"));
    }
    /// What a zoom writes on a frame is what the layout writes on one of that width: the part of the name that tells most.
    void zoomedNamesAreCutAsDrawnOnes_data() { fontSets(); }
    void zoomedNamesAreCutAsDrawnOnes()
    {
        QFETCH(ReaderFonts, reader);
        if (const auto why = whyNot(reader); !why.isEmpty()) QSKIP(qPrintable(why));
        const QByteArray list = "cli`engine::storage::detail::SkipList<std::pair<std::__cxx11::basic_string<char>, double> >";
        const QList<QPair<QByteArray, int>> leaves{{list + "::sum(double const*, unsigned long) const", 300}, {list + "::insert(int)", 120},
            {"libz.so.1+0xaa60", 60}, {"alloc::vec::Vec<T,A>::push::h94d15a7bc0cbc21f", 90}, {"tiny", 60}};
        // After a zoom gaps are wider and frames a little narrower, so only forms compare, and not where a name is cut.
        QByteArray whole = "other 5000\n", part;
        for (const auto& [name, count] : leaves) {
            whole += "main;" + name + ' ' + QByteArray::number(count) + '\n';
            part += "main;" + name + ' ' + QByteArray::number(count) + '\n';
        }
        put("whole", whole);
        put("part", part);
        for (const auto* name : {"whole", "part"})
            QCOMPARE(runDscope({"--import", QString("folded:") + file(name), "--interactive", "--size", "1200x800", "--export",
                                   QString("flame=") + file(QString(name) + ".svg")})
                         .status,
                0);
        const QString labels
            = "js:[...document.querySelectorAll('.f')].filter(e=>!e.hasAttribute('display')).map(e=>{const t=e.nextElementSibling;"
              "const has=t&&t.localName==='text'&&!t.hasAttribute('display');return [e.querySelector('title').textContent.split('\\n')[0],"
              "has?t.textContent.replace(/  \\d+ %$/,''):'',has?t.getComputedTextLength()<=+e.getAttribute('width')-8:true]})"
              ".filter(l=>!/^(all|main)$/.test(l[0]))";
        const auto [zoomed, errors] = drive("whole.svg",
            {"js:[...document.querySelectorAll('.f')].find(e=>e.textContent.startsWith('main\\n')).id='m'", "click:#m", labels}, reader);
        const auto [drawn, more] = drive("part.svg", {labels}, reader);
        QCOMPARE(errors + more, QStringList());
        QCOMPARE(zoomed[1].toArray().size(), leaves.size());
        for (const auto label : zoomed[1].toArray())
            QVERIFY2(label[2].toBool(), qPrintable(label[0].toString() + " as " + label[1].toString()));
        QCOMPARE(zoomed[1].toArray(), drawn[0].toArray());
    }
    void aFoldOpens()
    {
        QCOMPARE(runDscope(
                     {"--replay", DSCOPE_SOURCE "/examples/recordings/process-tree.dscope", "--export", "process-tree=" + file("tree.html")})
                     .status,
            0);
        const QString inside = QStringLiteral("js:[...document.querySelectorAll('#inside li')].map(e=>e.textContent)");
        const auto [given, errors] = drive("tree.html", {inside, "click:rect[data-inside]", inside, "key:Escape", inside});
        QCOMPARE(errors, QStringList());
        QCOMPARE(given[0].toArray().size(), 0);
        QVERIFY2(given[1].toArray().size() >= 3, qPrintable(QString::number(given[1].toArray().size())));
        QVERIFY2(given[1].toArray()[0].toString().contains(QStringLiteral(" \u00b7 pid ")), qPrintable(given[1].toArray()[0].toString()));
        QCOMPARE(given[2].toArray().size(), 0);
    }
    void aCallsTimeIsZoomedWithItsAxis()
    {
        QCOMPARE(runDscope({"--replay", DSCOPE_SOURCE "/examples/recordings/call-chart.dscope", "--interactive", "--export",
                               "flame-chart=" + file("calls.svg")})
                     .status,
            0);
        const QString bars = QStringLiteral("[...document.querySelectorAll('.f')].filter(e=>!e.hasAttribute('display'))");
        const auto widthOf = [&](const char* name) {
            return "js:" + bars + ".filter(e=>e.textContent.startsWith('words`" + name + "'))"
                + ".reduce((w,e)=>w+parseFloat(e.getAttribute('width')),0)";
        };
        const QString axis = QStringLiteral("js:[...document.querySelectorAll('text[data-at-ns]')].map(e=>e.textContent)");
        const auto [given, errors] = drive("calls.svg",
            {axis, widthOf("words_read"), "keys:/words_read", "key:Enter", "key:Enter", axis, widthOf("words_read"), widthOf("main"),
                "js:" + bars + ".length", "key:Escape", axis, widthOf("words_read")});
        QCOMPARE(errors, QStringList());
        QCOMPARE(given[0].toArray()[0].toString(), QStringLiteral("0"));
        QCOMPARE(given[2].toArray()[0].toString(), QStringLiteral("581.7 \u00b5s")); // where it begins, by the recording's table
        QVERIFY(given[1].toDouble() < 700);
        QVERIFY(given[3].toDouble() > 1490);
        QVERIFY(std::abs(given[3].toDouble() - given[4].toDouble()) < 1); // its caller is cut
        QVERIFY(given[5].toInt() > 50);
        QCOMPARE(given[6], given[0]);
        QCOMPARE(given[7], given[1]);
    }
    void anIcicleHangsFromItsRootAndZoomsDownwards_data() { suffixes(); }
    void anIcicleHangsFromItsRootAndZoomsDownwards()
    {
        QFETCH(QString, suffix);
        drawn("icicle", {}, suffix);
        const auto topOf = [](const char* total) {
            return QStringLiteral("js:document.querySelector('rect[data-total=\"%1\"]').getAttribute('y')*1").arg(total);
        };
        const auto [given, errors] = drive("icicle." + suffix,
            {topOf("120"), topOf("40"), "click:rect[data-total=\"40\"]", "js:" + kShown,
                "js:document.querySelector('rect[data-total=\"40\"]').getAttribute('width')>1400", "key:Escape", "js:" + kShown,
                "keys:/^[cd]$", "key:Enter", told(suffix, 0), told(suffix, 1), "key:ArrowDown", told(suffix, 1), "keys:i", topOf("120")});
        QCOMPARE(errors, QStringList());
        QVERIFY(given[1].toDouble() > given[0].toDouble() + 70); // two rows
        QCOMPARE(given[2].toInt(), 4);                           // all, a, c, d
        QVERIFY(given[3].toBool());
        QCOMPARE(given[4].toInt(), 6);
        QCOMPARE(given[5].toString(), QStringLiteral("2 matches, 33.3 %"));
        QVERIFY(given[6].toString().startsWith(QStringLiteral("c \u00b7 self 30, total 40")));
        QVERIFY(given[7].toString().startsWith(QStringLiteral("d \u00b7")));
        QVERIFY(given[8].toDouble() > given[1].toDouble()); // turned over, with the root below
    }
    void aSandwichZoomsEachSideByItself_data() { suffixes(); }
    void aSandwichZoomsEachSideByItself()
    {
        QFETCH(QString, suffix);
        put("sides", "main;run;f;x;deep 30\nmain;other;f;x 20\nidle;f;y 15\nmain;other;f 25\nmain;z 50\ncron;job;f;x;deeper 10\n");
        drawn("sandwich", {"--focus", "f"}, suffix, "sides");
        const auto widthOf = [](const QString& total) {
            return QStringLiteral("js:document.querySelector('rect[data-total=\"%1\"]').getAttribute('width')*1").arg(total);
        };
        const auto [given, errors] = drive("sandwich." + suffix,
            {"js:" + kShown, widthOf("60"), widthOf("45"), "click:rect[data-total=\"60\"]", told(suffix, 1), widthOf("60"), widthOf("45"),
                "js:" + kShown, "key:Escape", widthOf("60"), "keys:/^(x|other)$", told(suffix, 0), "key:Escape", "keys:/^(f|x)$",
                told(suffix, 0), "key:Escape", "keys:/^(run|other|main)$", told(suffix, 0)});
        QCOMPARE(errors, QStringList());
        QCOMPARE(given[0].toInt(), 12);
        QVERIFY(given[3].toString().startsWith(QStringLiteral("x \u00b7 60, 60.0 % of f, 40.0 % of all")));
        QVERIFY(given[4].toDouble() > 1.6 * given[1].toDouble());
        QCOMPARE(given[5], given[2]);   // what calls it is not zoomed
        QCOMPARE(given[6].toInt(), 11); // y is gone
        QCOMPARE(given[7], given[1]);
        QCOMPARE(given[8].toString(), QStringLiteral("2 matches, 45.0 % above, 60.0 % below"));
        QCOMPARE(given[9].toString(), QStringLiteral("2 matches, 100 %"));
        QCOMPARE(given[10].toString(), QStringLiteral("4 matches, 75.0 %")); // main, other and run of the 45 and the 30
    }
    void marksOfOtherFiguresTellAndZoom()
    {
        QCOMPARE(runDscope({"--replay", DSCOPE_SOURCE "/examples/recordings/process-tree.dscope", "--interactive", "--export",
                               "process-tree=" + file("tree.svg")})
                     .status,
            0);
        const auto [given, errors] = drive("tree.svg", {"keys:/cc1", "key:Enter", "js:" + kWords, "key:Escape", "js:" + kWords});
        QCOMPARE(errors, QStringList());
        QVERIFY(given[0].toArray()[1].toString().startsWith("cc1"));
        QCOMPARE(given[1].toArray()[1].toString(), QString());
    }

private:
    static void suffixes()
    {
        QTest::addColumn<QString>("suffix");
        QTest::newRow("svg") << "svg";
        QTest::newRow("html") << "html";
    }
    /// What is said of matches (0) and of the mark that is chosen (1).
    static QString told(const QString& suffix, int which)
    {
        if (suffix == "html")
            return which == 0 ? "js:document.getElementById('found').textContent" : "js:document.getElementById('details').textContent";
        return "js:" + kWords + QStringLiteral("[%1].replace(/^search: .*\u258f /,'')").arg(which);
    }
    void drawn(const QString& view, const QStringList& words, const QString& suffix, const QString& text = "stacks")
    {
        QCOMPARE(
            runDscope(QStringList{"--import", "folded:" + file(text), "--interactive", "--export", view + '=' + file(view + '.' + suffix)}
                + words)
                .status,
            0);
    }
    static void fontSets()
    {
        QTest::addColumn<ReaderFonts>("reader");
        QTest::newRow("Inter and JetBrains Mono") << interAndJetBrainsMono();
        QTest::newRow("Liberation") << liberationFonts();
        QTest::newRow("DejaVu") << dejaVuFonts();
    }
    /// ./tests/run has one set of fonts, which tells of each rule; .ci/matrix readers has all of them.
    static QString whyNot(const ReaderFonts& reader)
    {
        if (const auto missing = reader.missing(); !missing.isEmpty()) return missing + " is not installed";
        return reader.sans == interAndJetBrainsMono().sans ? QString() : whyNoReaders();
    }
    static QString widthOf(const QString& face, const QString& word)
    {
        return QString(
            "js:(e=>{e.setAttribute('class','%1');e.setAttribute('font-size','100');e.textContent='%2';document.querySelector('svg')."
            "append(e);"
            "return Math.round(1000*e.getComputedTextLength())/1000})(document.createElementNS('http://www.w3.org/2000/svg','text'))")
            .arg(face, word);
    }
    struct Seen {
        QJsonArray given;
        QStringList errors;
    };
    Seen drive(const QString& name, const QStringList& steps, const std::optional<ReaderFonts>& reader = {})
    {
        const QStringList fonts = reader ? QStringList{"FONTCONFIG_FILE=" + reader->configuration(m_dir)} : QStringList();
        const auto run
            = runDscope(fonts + QStringList{"python3", DSCOPE_SOURCE "/tests/support/browser.py", file(name)} + steps, {}, "env");
        const auto answer = QJsonDocument::fromJson(run.out).object();
        Seen seen{answer["given"].toArray(), {}};
        if (run.status != 0) seen.errors << QString::fromUtf8(run.err.right(600));
        for (const auto error : answer["errors"].toArray())
            seen.errors << error.toString();
        return seen;
    }
    QByteArray contents(const QString& path) const
    {
        QFile read(path);
        return read.open(QIODevice::ReadOnly) ? read.readAll() : QByteArray();
    }
    QString file(const QString& name) const { return m_dir.filePath(name); }
    void put(const QString& name, const QByteArray& text)
    {
        QFile out(file(name));
        QVERIFY(out.open(QIODevice::WriteOnly));
        out.write(text);
    }
    QTemporaryDir m_dir;
};
QTEST_GUILESS_MAIN(TestBrowser)
#include "tst_browser.moc"
