// needs: engine/text engine/record
// Rows of tables and printed maps: a warning reports keys that are too long, and too many printings.
#include "engine/record/value.h"
#include "engine/text/printed_maps.h"
#include "engine/text/row_keys.h"
#include "engine/text/tables.h"
#include <QByteArray>
#include <QObject>
#include <QTest>
#include <set>
using namespace dscope;
namespace {
QByteArray warnings(const text::Imported& imported)
{
    QByteArray out;
    for (const auto& record : imported.records)
        if (const auto* told = std::get_if<record::Diagnostic>(&record)) out += QByteArray::fromStdString(told->message) + '\n';
    return out;
}
std::vector<record::AggregationRow> rowsOf(const text::Imported& imported)
{
    std::vector<record::AggregationRow> all;
    for (const auto& record : imported.records)
        if (const auto* rows = std::get_if<record::AggregationRows>(&record)) all.insert(all.end(), rows->rows.begin(), rows->rows.end());
    return all;
}
std::set<std::string> firstKeys(const text::Imported& imported)
{
    std::set<std::string> all;
    for (const auto& row : rowsOf(imported))
        all.insert(record::stringOf(imported.program.aggregations.at(0).keys.at(0), row.key));
    return all;
}
text::PrintedMaps::Split whole()
{
    return [](std::string_view key) { return std::vector{std::string(key)}; };
}
} // namespace

class TestRowKeys : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void whatFitsStaysAsItIs()
    {
        QCOMPARE(text::shortened("", 20), std::string());
        QCOMPARE(text::shortened("twenty letters, these", 21), std::string("twenty letters, these"));
    }
    void whatIsTooLongKeepsItsBeginAndStaysApart()
    {
        const std::string begin(60, 'a');
        const auto one = text::shortened(begin + "1", 40), other = text::shortened(begin + "2", 40);
        QVERIFY(one.starts_with(std::string(21, 'a') + "...") && other.starts_with(std::string(21, 'a') + "..."));
        QCOMPARE(one.size(), std::size_t{40});
        QVERIFY(one != other);
        QCOMPARE(text::shortened(begin + "1", 40), one);
    }
    /// No character is cut in two: 21 bytes of "é" would be ten and a half.
    void charactersStayWhole()
    {
        const auto text = QString(30, QChar(0xE9)).toUtf8().toStdString();
        const auto cut = QString::fromStdString(text::shortened(text, 40));
        QVERIFY2(cut.startsWith(QString(10, QChar(0xE9)) + "..."), qPrintable(cut));
        QVERIFY(!cut.contains(QChar::ReplacementCharacter));
    }

    void longKeysOfATableAreToldAndStayApart()
    {
        const std::string begin(5000, 'k');
        text::Tables tables;
        tables.name("calls");
        tables.number({begin + "1"}, 1);
        tables.number({begin + "2"}, 2);
        tables.number({"short"}, 3);
        text::Imported out;
        tables.put(out);
        QCOMPARE(firstKeys(out).size(), std::size_t{3});
        QVERIFY2(warnings(out).contains("2 keys of @calls are longer than 4096 bytes and cut"), warnings(out));
    }
    void longKeysOfAPrintedMapAreTold()
    {
        text::PrintedMaps maps;
        maps.begin("calls", {});
        maps.number("calls", std::string(5000, 'k') + "1", 1);
        maps.number("calls", std::string(5000, 'k') + "2", 2);
        text::Imported out;
        maps.put(out, whole());
        QCOMPARE(firstKeys(out).size(), std::size_t{2});
        QVERIFY2(warnings(out).contains("2 keys of @calls are longer than 4096 bytes and cut"), warnings(out));
    }
    void otherKeysAreNotTold()
    {
        text::Tables tables;
        tables.number({std::string(4096, 'k')}, 1);
        text::Imported out;
        tables.put(out);
        QVERIFY2(warnings(out).isEmpty(), warnings(out));
    }

    /// A large map that has the same keys each time is a series, however often it is printed.
    void theSameKeysAgainAreASeries()
    {
        constexpr int kKeys = 50'000, kPrintings = 21;
        text::PrintedMaps maps;
        for (int i = 0; i < kPrintings; ++i) {
            maps.begin("bytes", i + 1);
            for (int k = 0; k < kKeys; ++k)
                maps.number("bytes", std::to_string(k), i + 1);
        }
        text::Imported out;
        maps.put(out, whole());
        QCOMPARE(rowsOf(out).size(), std::size_t{kKeys} * kPrintings);
        QVERIFY2(!warnings(out).contains("altogether"), warnings(out));
    }
    /// Keys that come once, of many printings with many keys: what they left out would be 5 million rows.
    void tooManyRowsAreTheReasonThatIsTold()
    {
        constexpr int kKeys = 110, kPrintings = 300;
        text::PrintedMaps maps;
        for (int i = 0; i < kPrintings; ++i) {
            maps.begin("bytes", i + 1);
            for (int k = 0; k < kKeys; ++k)
                maps.number("bytes", std::to_string(i * kKeys + k), 1);
        }
        text::Imported out;
        maps.put(out, whole());
        QCOMPARE(rowsOf(out).size(), std::size_t{kKeys} * kPrintings);
        QVERIFY2(warnings(out).contains("without some of their keys, and with those their printings have more than 1000000 rows (@bytes)"),
            warnings(out));
        QVERIFY2(!warnings(out).contains("with other keys each time"), warnings(out));
    }
};
QTEST_GUILESS_MAIN(TestRowKeys)
#include "tst_row_keys.moc"
