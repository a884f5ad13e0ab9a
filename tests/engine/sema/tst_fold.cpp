// needs: tests/support
#include "compiled.h"
#include <QObject>
#include <QTest>
#include <type_traits>
using namespace dscope;
using tests::compiled;

/// Constant expressions have the value, size and sign that the C++ compiler gives the same text.
class FoldTest : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void computesAsCDoes_data();
    void computesAsCDoes();
};

#define ROW(...)                                                                                             \
    QTest::newRow(#__VA_ARGS__) << static_cast<qint64>(__VA_ARGS__) << static_cast<int>(sizeof(__VA_ARGS__)) \
                                << std::is_signed_v<std::remove_cvref_t<decltype(__VA_ARGS__)>>

void FoldTest::computesAsCDoes_data()
{
    QTest::addColumn<qint64>("value");
    QTest::addColumn<int>("size");
    QTest::addColumn<bool>("isSigned");
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wsign-compare"
#pragma GCC diagnostic ignored "-Wparentheses"
#pragma GCC diagnostic ignored "-Wsign-conversion"
#pragma GCC diagnostic ignored "-Wconversion"
    ROW(1 + 2 * 3);
    ROW(-1);
    ROW(- -5);
    ROW(~0);
    ROW(~0u);
    ROW(2147483647);
    ROW(2147483648);
    ROW(0x7fffffff);
    ROW(0x80000000);
    ROW(0xffffffffffffffff);
    ROW(037777777777);
    ROW(1u);
    ROW(1l);
    ROW(1ul);
    ROW(1ull);
    ROW(1 + 1u);
    ROW(-1 + 0u);
    ROW(-1 + 0ul);
    ROW(1u - 2l);
    ROW(7 / -2);
    ROW(7 % -2);
    ROW(-7 / 2);
    ROW(-7 % 2);
    ROW(-7 / 2u);
    ROW(1 << 4);
    ROW(1l << 40);
    ROW(-16 >> 2);
    ROW(0xfffffff0 >> 2);
    ROW(1u << 31);
    ROW(5 & 3 | 8 ^ 2);
    ROW('a');
    ROW((char)300);
    ROW((unsigned char)300);
    ROW((short)40000);
    ROW((unsigned short)-1);
    ROW((int)0x1ffffffff);
    ROW((unsigned int)-1);
    ROW((long)-1);
    ROW(1 ? 2 : 3l);
    ROW(0 ? 2u : -3);
    ROW(sizeof(int));
    ROW(sizeof(unsigned long long));
#pragma GCC diagnostic pop
    // Arithmetic of two narrow types has the wider of them in D, not int.
    const auto narrow = [](const char* text, auto value) {
        QTest::newRow(text) << static_cast<qint64>(value) << static_cast<int>(sizeof value) << std::is_signed_v<decltype(value)>;
    };
    narrow("(char)100 + (char)100", static_cast<signed char>(-56));
    narrow("(unsigned char)200 + (unsigned char)100", static_cast<unsigned char>(44));
    narrow("(unsigned short)1 - (unsigned short)2", static_cast<unsigned short>(65535));
    // Comparisons and logic are int in D and C, bool in C++.
    const auto logic = [](const char* text, bool value) { QTest::newRow(text) << static_cast<qint64>(value) << 4 << true; };
    logic("1 < 2", true);
    logic("-1 < 0u", false);
    logic("-1l < 0u", true);
    logic("-1l < 0ul", false);
    logic("1 == 1l", true);
    logic("2 != 2", false);
    logic("!5", false);
    logic("3 && 0", false);
    logic("3 || 0", true);
    logic("1 ^^ 1", false);
    logic("1 ^^ 0", true);
}
#undef ROW

void FoldTest::computesAsCDoes()
{
    QFETCH(qint64, value);
    QFETCH(int, size);
    QFETCH(bool, isSigned);
    const auto c = compiled(QStringLiteral("BEGIN { trace(%1); }").arg(QString::fromLatin1(QTest::currentDataTag())));
    QVERIFY2(c.program, qPrintable(c.said()));
    const auto& e = *c.program->clauses.at(0).body.at(0).args.at(0);
    QCOMPARE(e.kind, sema::ExprKind::Integer);
    const auto* t = types::resolved(e.type);
    // A character constant is char in C++, int in C and D.
    const bool isCharacter = QByteArray(QTest::currentDataTag()).startsWith('\'');
    QCOMPARE(static_cast<int>(t->size), isCharacter ? 4 : size);
    QCOMPARE(t->isSigned, isSigned);
    QCOMPARE(qint64{e.integer}, value);
}

QTEST_GUILESS_MAIN(FoldTest)
#include "tst_fold.moc"
