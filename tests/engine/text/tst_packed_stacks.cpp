// needs: engine/record
// Stacks as large pages hold them, written by hand as docs/formats.md says.
#include <QObject>
#include <QTest>
#ifndef Q_MOC_RUN
#include "engine/text/packed_stacks.h"
#include "tests/support/counted.h"
#endif
using namespace dscope;
using namespace std::string_literals;
namespace {
/// main (own 2) calls a (own 3), which calls b (own 4), and c (own 5); 1 has no stack.
const std::string kPlain = "\0\7samples\5\4main\0\1a\0\1b\0\1c\0\3all\0"s + "\5\4\0\1\2\3"s + "\0\0\0\2"s + "\1\2\3\4\5"s + "\6\0\0\0\0"s;
} // namespace
class TestPackedStacks : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void areRead()
    {
        const auto stacks = text::packedStacks(kPlain);
        QVERIFY(stacks);
        QCOMPARE(QString::fromStdString(stacks->noun), QStringLiteral("samples"));
        QStringList lines;
        for (const auto& [stack, value] : tests::foldedLines(*stacks))
            lines << QString::fromStdString(stack) + ' ' + QString::number(value);
        QCOMPARE(lines.join(", "), QStringLiteral("[no stack] 1, main 2, main;a 3, main;a;b 4, main;c 5"));
    }
    void damagedOnesAreRefused()
    {
        for (std::size_t size = 0; size + 5 < kPlain.size(); ++size) // the kinds are not needed
            QVERIFY2(!text::packedStacks(std::string_view(kPlain).substr(0, size)), qPrintable(QString::number(size)));
        for (std::size_t at = 0; at < kPlain.size(); ++at)
            for (const char byte : {'\x7f', '\xff'}) {
                auto damaged = kPlain;
                damaged[at] = byte;
                (void)text::packedStacks(damaged); // any answer but a fault
            }
    }
};
QTEST_GUILESS_MAIN(TestPackedStacks)
#include "tst_packed_stacks.moc"
