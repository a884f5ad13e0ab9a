// needs: engine/record
#ifndef Q_MOC_RUN // moc stumbles over <concepts>
#include "graph/figure.h"
#include "graph/noun.h"
#include "graph/sha256.h"
#include "graph/store.h"
#include "graph/text.h"
#include "graph/units.h"
#include "tests/support/streams.h"
#endif
#include <QMap>
#include <QObject>
#include <QTest>
#include <algorithm>
#include <fstream>
#include <iterator>
using namespace dscope;
using namespace dscope::graph;

namespace {
QString q(std::string_view s) { return QString::fromUtf8(s.data(), static_cast<qsizetype>(s.size())); }

/// Advance widths straight from a font's file: the truth that the embedded table was measured from.
class Font {
public:
    explicit Font(const QString& path)
    {
        std::ifstream file(path.toStdString(), std::ios::binary);
        m_bytes = QByteArray::fromStdString({std::istreambuf_iterator<char>(file), {}});
        for (int i = 0; ok() && i < u16(4); ++i)
            m_tables[m_bytes.mid(12 + 16 * i, 4)] = static_cast<int>(u32(12 + 16 * i + 8));
    }
    bool ok() const { return m_bytes.size() > 12; }
    /// In 1/2048 em; 0 where it has no such glyph.
    double width(int codePoint) const
    {
        const int glyph = glyphOf(codePoint), measured = u16(m_tables["hhea"] + 34);
        return glyph == 0 ? 0 : 2048.0 * u16(m_tables["hmtx"] + 4 * std::min(glyph, measured - 1)) / u16(m_tables["head"] + 18);
    }

private:
    int u16(int at) const { return (static_cast<uchar>(m_bytes[at]) << 8) | static_cast<uchar>(m_bytes[at + 1]); }
    quint32 u32(int at) const { return (static_cast<quint32>(u16(at)) << 16) | static_cast<quint32>(u16(at + 2)); }
    int glyphOf(int c) const // cmap format 4
    {
        const int cmap = m_tables["cmap"];
        for (int i = 0; i < u16(cmap + 2); ++i) {
            const int sub = cmap + static_cast<int>(u32(cmap + 8 + 8 * i));
            if (u16(sub) != 4) continue;
            const int n = u16(sub + 6) / 2, ends = sub + 14, starts = ends + 2 * n + 2, deltas = starts + 2 * n, ranges = deltas + 2 * n;
            for (int k = 0; k < n; ++k) {
                if (c > u16(ends + 2 * k)) continue;
                if (c < u16(starts + 2 * k)) return 0;
                const int range = u16(ranges + 2 * k), delta = u16(deltas + 2 * k);
                if (range == 0) return (c + delta) & 0xFFFF;
                return (u16(ranges + 2 * k + range + 2 * (c - u16(starts + 2 * k))) + delta) & 0xFFFF;
            }
        }
        return 0;
    }
    QByteArray m_bytes;
    QMap<QByteArray, int> m_tables;
};
} // namespace

class FigureTest : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void whatFollowsWordsFromTheRightStaysBehindThem_data()
    {
        QTest::addColumn<QString>("text");
        QTest::addColumn<QString>("drawn"); // with | for the mark
        QTest::newRow("none") << "sum(7) \u00b7 21" << "sum(7) \u00b7 21";
        QTest::newRow("in quotation marks") << QString::fromUtf8("by \"\u05e9\u05dc\u05d5\u05dd\" \u00b7 21") << QString::fromUtf8("|by \"\u05e9\u05dc\u05d5\u05dd|\" \u00b7 21");
        QTest::newRow("two words") << QString::fromUtf8("\u0645\u0631 \u0628\u0627 9") << QString::fromUtf8("|\u0645\u0631 \u0628\u0627| 9");
        QTest::newRow("alone") << QString::fromUtf8("\u05e9") << QString::fromUtf8("|\u05e9");
        QTest::newRow("others that are not ASCII") << QString::fromUtf8("\u6f22\u5b57 9") << QString::fromUtf8("\u6f22\u5b57 9");
    }
    void whatFollowsWordsFromTheRightStaysBehindThem()
    {
        QFETCH(QString, text);
        QFETCH(QString, drawn);
        const auto given = QString::fromStdString(fromTheLeft(text.toStdString()));
        QCOMPARE(given, drawn.replace('|', QChar(0x200e)));
        QCOMPARE(textWidth(given.toStdString(), 12), textWidth(text.toStdString(), 12)); // the marks have no width
    }
    void noFontIsWiderThanItsRoom_data()
    {
        QTest::addColumn<QStringList>("files");
        QTest::addColumn<bool>("bold");
        QTest::addColumn<bool>("mono");
        QTest::newRow("sans") << QStringList{"truetype/dejavu/DejaVuSans.ttf", "opentype/inter/Inter-Regular.otf",
            "truetype/liberation/LiberationSans-Regular.ttf"}
                              << false << false;
        QTest::newRow("bold") << QStringList{"truetype/dejavu/DejaVuSans-Bold.ttf", "opentype/inter/Inter-Bold.otf",
            "truetype/liberation/LiberationSans-Bold.ttf"}
                              << true << false;
        QTest::newRow("mono") << QStringList{"truetype/dejavu/DejaVuSansMono.ttf", "truetype/jetbrains-mono/JetBrainsMono-Regular.ttf",
            "truetype/liberation/LiberationMono-Regular.ttf"}
                              << false << true;
    }
    void noFontIsWiderThanItsRoom()
    {
        QFETCH(QStringList, files);
        QFETCH(bool, bold);
        QFETCH(bool, mono);
        std::vector<Font> fonts;
        for (const auto& file : files) {
            fonts.emplace_back("/usr/share/fonts/" + file);
            if (!fonts.back().ok()) QSKIP(qPrintable(file + " is not installed"));
        }
        std::vector<int> all;
        for (int c = 0x20; c < 0x7F; ++c)
            all.push_back(c);
        for (int c = 0xA0; c < 0x180; ++c)
            all.push_back(c);
        for (int c = 0x384; c < 0x460; ++c) // Greek and Cyrillic
            all.push_back(c);
        for (const int c : {0x2013, 0x2026, 0x2022, 0x2190, 0x2191, 0x2192, 0x2193, 0x2212, 0x221A, 0x2265, 0x22EE, 0x25B2, 0x25BC, 0xFFFD})
            all.push_back(c);
        double rooms = 0, wide = 0;
        for (const int c : all) {
            std::string text;
            appendUtf8(text, static_cast<char32_t>(c));
            double widest = 0;
            for (const auto& font : fonts)
                widest = std::max(widest, font.width(c));
            if (widest <= 0) continue; // not assigned
            const double room = textWidth(text, 2048, {.bold = bold, .mono = mono});
            QVERIFY2(room >= widest, qPrintable(QString("%1: %2 for %3").arg(q(text)).arg(room).arg(widest)));
            rooms += room;
            wide += widest;
        }
        QVERIFY2(rooms < 1.02 * wide, qPrintable(QString::number(rooms / wide))); // more is for other versions of these fonts
    }
    void elidedTextFitsAndKeepsItsEnds()
    {
        const std::string text = "/usr/lib/gcc/x86_64-linux-gnu/12/cc1plus";
        for (double width = 0; width < 400; width += 7) {
            for (const bool middle : {false, true}) {
                const std::string cut = elided(text, width, 12, middle ? Elide::Middle : Elide::End);
                QVERIFY(textWidth(cut, 12) <= width + 1e-9);
                if (cut.size() > 6 && cut != text) QVERIFY(cut.front() == '/');
                if (middle && cut.size() > 6 && cut != text) QVERIFY(cut.back() == 's');
            }
        }
        QCOMPARE(q(elided(text, 1000, 12, Elide::Middle)), q(text));
        QCOMPARE(q(elided("abc", 1, 12, Elide::Middle)), QString());
    }
    void elidingNeverCutsACharacterInTwo()
    {
        const std::string text = "äöü漢字€äöü漢字€äöü";
        for (double width = 0; width < 200; width += 3) {
            const std::string cut = elided(text, width, 12, Elide::Middle);
            QVERIFY(cut.find("\uFFFD") == std::string::npos);
            QCOMPARE(printable(cut), cut);
        }
    }
    void aNumberStaysWithItsUnit()
    {
        const std::string text = "cc1 inflate.c took longest: 28.7 s and then 12 ms";
        for (double width = 60; width < textWidth(text, 12); width += 3)
            for (const auto& line : wrapped(text, width, 12, 20)) {
                QVERIFY2(!line.starts_with("s ") && line != "s" && !line.starts_with("ms") && !line.ends_with("28.7"), line.c_str());
                QVERIFY(textWidth(line, 12) <= width + 0.5);
            }
        QCOMPARE(wrapped("a 5 longer word", 40, 12, 9).size() > 1, true); // of words that are no unit it may stand apart
    }
    void printableTextIsWellFormedAndVisible_data()
    {
        QTest::addColumn<QByteArray>("raw");
        QTest::addColumn<QString>("shown");
        QTest::newRow("plain") << QByteArray("cc -O2") << "cc -O2";
        QTest::newRow("line end") << QByteArray("a\nb") << q("a\u240Ab");
        QTest::newRow("escape") << QByteArray("\x1b[31m") << q("\u241B[31m");
        QTest::newRow("delete") << QByteArray("\x7f") << q("\u2421");
        QTest::newRow("overlong") << QByteArray("\xC0\x80") << q("\uFFFD\uFFFD");
        QTest::newRow("surrogate") << QByteArray("\xED\xA0\x80") << q("\uFFFD\uFFFD\uFFFD");
        QTest::newRow("cut") << QByteArray("a\xE2\x82") << q("a\uFFFD");
        QTest::newRow("above Unicode") << QByteArray("\xF4\x90\x80\x80") << q("\uFFFD\uFFFD\uFFFD\uFFFD");
        QTest::newRow("right to left override") << QByteArray("\xE2\x80\xAEgnp") << q("\uFFFDgnp");
        QTest::newRow("kept") << QByteArray("\xF0\x9F\x94\xA5 \xC3\xA4") << q("\U0001F525 ä");
    }
    void printableTextIsWellFormedAndVisible()
    {
        QFETCH(QByteArray, raw);
        QFETCH(QString, shown);
        const std::string out = printable(raw.toStdString());
        QCOMPARE(q(out), shown);
        QCOMPARE(printable(out), out);
    }
    // Qt finds the same characters; how many replacements stand for one ill-formed stretch is its own affair.
    void decodesLikeQt()
    {
        quint32 seed = 12345;
        for (int round = 0; round < 20000; ++round) {
            QByteArray raw;
            for (int i = 0; i < 6; ++i) {
                seed = seed * 1664525 + 1013904223;
                static const QByteArray kPool("\x41\x7e\x80\x8f\x90\x9f\xa0\xbf\xc0\xc1\xc2\xdf\xe0\xe2\xed\xee\xef\xf0\xf1\xf4\xf5\xff");
                raw += kPool[static_cast<int>((seed >> 16) % static_cast<quint32>(kPool.size()))];
            }
            std::u32string mine;
            const std::string text = raw.toStdString();
            for (std::size_t at = 0; at < text.size();)
                mine += nextCodePoint(text, at);
            std::u32string theirs;
            for (const uint c : QString::fromUtf8(raw).toUcs4())
                theirs += (c & 0xFFFE) == 0xFFFE || (c >= 0xFDD0 && c <= 0xFDEF) ? char32_t{0xFFFD} : static_cast<char32_t>(c);
            const auto collapsed = [](std::u32string s) {
                s.erase(std::unique(s.begin(), s.end(), [](char32_t a, char32_t b) { return a == 0xFFFD && b == 0xFFFD; }), s.end());
                return s;
            };
            QVERIFY2(collapsed(mine) == collapsed(theirs), raw.toHex().constData());
        }
    }
    // Source: FIPS 180-4 examples, and the million-a test of NIST.
    void sha256HasTheStandardsDigests()
    {
        QCOMPARE(q(sha256("")), QString("e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"));
        QCOMPARE(q(sha256("abc")), QString("ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"));
        QCOMPARE(q(sha256("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq")),
            QString("248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"));
        QCOMPARE(q(sha256(std::string(1000000, 'a'))), QString("cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0"));
    }
    void numbersReadAsPeopleSayThem_data()
    {
        QTest::addColumn<QString>("shown");
        QTest::addColumn<QString>("expected");
        QTest::newRow("4.1 us") << q(formatDuration(4096)) << q("4.1 µs");
        QTest::newRow("131 us") << q(formatDuration(131072)) << q("131 µs");
        QTest::newRow("ns") << q(formatDuration(999)) << "999 ns";
        QTest::newRow("rounds up a unit") << q(formatDuration(999'999)) << "1.0 ms";
        QTest::newRow("seconds") << q(formatDuration(2.41e9)) << "2.41 s";
        QTest::newRow("minutes") << q(formatDuration(200e9)) << "3 min 20 s";
        QTest::newRow("hours") << q(formatDuration(7500e9)) << "2 h 5 min";
        QTest::newRow("days") << q(formatDuration(300'000e9)) << "3 d 11 h";
        QTest::newRow("the longest time") << q(formatDuration(9.2234e18)) << "106,752 d";
        QTest::newRow("minutes back") << q(formatDuration(-200e9)) << "\u22123 min 20 s";
        QTest::newRow("the largest count") << q(formatCompact(9.2234e18)) << "9.2E";
        QTest::newRow("the largest size") << q(formatBytes(9.2234e18)) << "8.0 EiB";
        QTest::newRow("zero") << q(formatDuration(0)) << "0 ns";
        QTest::newRow("a moment that three digits tell") << q(formatMoment(1'500'000, 500'000)) << "1.5 ms";
        QTest::newRow("a moment between them") << q(formatMoment(1'050'000, 50'000)) << "1.05 ms";
        QTest::newRow("a moment far on") << q(formatMoment(12'345'678'900, 100)) << "12.3456789 s";
        QTest::newRow("a moment after minutes") << q(formatMoment(200'000'000'000, 10'000'000'000)) << "3 min 20 s";
        QTest::newRow("a moment after minutes and a bit") << q(formatMoment(200'500'000'000, 500'000'000)) << "200.5 s";
        QTest::newRow("12.3 MiB") << q(formatBytes(12.3 * 1048576)) << "12.3 MiB";
        QTest::newRow("4 KiB") << q(formatBytes(4096)) << "4 KiB";
        QTest::newRow("35.6k") << q(formatCompact(35'600)) << "35.6k";
        QTest::newRow("whole") << q(formatCompact(735)) << "735";
        QTest::newRow("grouped") << q(formatGrouped(57516)) << "57,516";
        QTest::newRow("negative") << q(formatGrouped(-1234567)) << "\u22121,234,567";
        QTest::newRow("least") << q(formatGrouped(INT64_MIN)) << "\u22129,223,372,036,854,775,808";
        QTest::newRow("share") << q(formatShare(817, 1000)) << "81.7 %";
        QTest::newRow("all") << q(formatShare(5, 5)) << "100 %";
        QTest::newRow("not quite all") << q(formatShare(2990, 2991)) << "> 99.9 %";
        QTest::newRow("tiny") << q(formatShare(1, 2000)) << "0.05 %";
        QTest::newRow("too little for digits") << q(formatShare(13, 15'000'000)) << "< 0.01 %";
        QTest::newRow("none of all") << q(formatShare(0, 15)) << "0 %";
        QTest::newRow("one") << q(Noun("calls").with("1")) << "1 call";
        QTest::newRow("several") << q(Noun("calls").with("1,001")) << "1,001 calls";
        QTest::newRow("one unit") << q(formatRange(8192, 16384, Unit::Nanoseconds)) << q("8.2 – 16.4 µs");
        QTest::newRow("two units") << q(formatRange(512, 1024, Unit::Bytes)) << q("512 B – 1 KiB");
        QTest::newRow("no minus zero") << q(formatFixed(-0.001, 1)) << "0.0";
    }
    void numbersReadAsPeopleSayThem()
    {
        QFETCH(QString, shown);
        QFETCH(QString, expected);
        QCOMPARE(shown, expected);
    }
    void unitsAreSaidOnlyWhenTheProgramSaysThem_data()
    {
        QTest::addColumn<QString>("value");
        QTest::addColumn<QString>("source");
        QTest::addColumn<QString>("probes");
        QTest::addColumn<int>("unit");
        QTest::addColumn<double>("scale");
        const auto row = [](const char* value, const char* source, const char* probes, Unit unit, double scale = 1) {
            QTest::newRow(value) << value << source << probes << static_cast<int>(unit) << scale;
        };
        row("timestamp - self->ts", "", "fbt::x:return", Unit::Nanoseconds);
        row("vtimestamp - self->v", "", "fbt::x:return", Unit::Nanoseconds);
        row("(timestamp - self->ts) / 1000", "", "fbt::x:return", Unit::Nanoseconds, 1000);
        row("(timestamp - self->ts) / this->n", "", "fbt::x:return", Unit::None);
        row("timestamp", "", "tick-1s", Unit::None);
        row("this->delta", "x { this->delta = timestamp - self->ts; }", "fbt::x:return", Unit::Nanoseconds);
        row("this->other", "x { this->other = arg0 * 2; }", "fbt::x:return", Unit::None);
        row("arg2", "", "syscall::write:entry", Unit::Bytes);
        row("arg2 ", "", "syscall::openat:entry", Unit::None);
        row("args[0]->b_bcount", "", "io:::start", Unit::Bytes);
        row("arg0", "", "fbt::kmalloc:entry", Unit::None);
        row("mytimestamping - 1", "", "fbt::x:entry", Unit::None);
    }
    void unitsAreSaidOnlyWhenTheProgramSaysThem()
    {
        QFETCH(QString, value);
        QFETCH(QString, source);
        QFETCH(QString, probes);
        QFETCH(int, unit);
        QFETCH(double, scale);
        record::Program program;
        program.source = source.toStdString();
        program.clauses.emplace_back().probes = probes.toStdString();
        test::Stream stream;
        test::begin(stream, program);
        Store store;
        for (const auto& r : stream)
            store.take(r);
        record::Aggregation a;
        a.function = record::Aggregator::Quantize;
        a.value = value.toStdString();
        const auto measure = measureOf(a, store);
        QCOMPARE(static_cast<int>(measure.unit), unit);
        if (measure.unit != Unit::None) QCOMPARE(measure.scale, scale);
    }
};
QTEST_GUILESS_MAIN(FigureTest)
#include "tst_figure.moc"
