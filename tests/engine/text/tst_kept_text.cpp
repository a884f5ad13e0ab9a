#include "engine/text/kept_text.h"
#include <QObject>
#include <QTest>
#include <csignal>
#include <string>
#include <string_view>
#include <sys/resource.h>
#include <vector>
using namespace dscope;
using text::KeptText;
namespace {
/// Texts of many lengths, none of them and longer than a block among them, each of another letter than its neighbours.
std::string textOf(std::size_t i)
{
    return std::string(i % 97 == 96 ? 3'000'000 : i * i % 70'000, static_cast<char>('a' + i % 26)) + std::to_string(i);
}
constexpr std::size_t kTexts = 1'400;
std::size_t sizeOfAll()
{
    std::size_t size = 0;
    for (std::size_t i = 0; i < kTexts; ++i)
        size += textOf(i).size();
    return size;
}
void keepAll(KeptText& kept, std::vector<std::string_view>& views)
{
    for (std::size_t i = 0; i < kTexts; ++i)
        views.push_back(kept.keep(textOf(i)));
    kept.finish();
}
void compareAll(const std::vector<std::string_view>& views)
{
    for (std::size_t i = 0; i < kTexts; ++i)
        QVERIFY2(views[i] == textOf(i), std::to_string(i).c_str());
}
} // namespace

class TestKeptText : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void keepsEachText_data()
    {
        QTest::addColumn<qulonglong>("expected");
        QTest::addColumn<QByteArray>("folder");
        QTest::addColumn<bool>("isInFile");
        const auto all = qulonglong(sizeOfAll());
        QVERIFY(all > KeptText::kLarge);
        QTest::newRow("of a pipe") << qulonglong(0) << QByteArray("/var/tmp") << false;
        QTest::newRow("of a file") << all << QByteArray("/var/tmp") << true;
        QTest::newRow("of a file that grows meanwhile") << qulonglong(KeptText::kLarge) << QByteArray("/var/tmp") << true;
        QTest::newRow("without a folder") << all << QByteArray("/nowhere/at/all") << false;
    }
    void keepsEachText()
    {
        QFETCH(qulonglong, expected);
        QFETCH(QByteArray, folder);
        QFETCH(bool, isInFile);
        KeptText kept(expected, folder.constData());
        QCOMPARE(kept.isInFile(), isInFile);
        std::vector<std::string_view> views;
        keepAll(kept, views);
        compareAll(views);
    }
    /// A limit on the size of files stands for a disk that is full: to write more is refused.
    void keepsWhatADiskHasNoRoomFor()
    {
        rlimit before{};
        QCOMPARE(::getrlimit(RLIMIT_FSIZE, &before), 0);
        std::signal(SIGXFSZ, SIG_IGN);
        KeptText kept(sizeOfAll(), "/var/tmp");
        QVERIFY(kept.isInFile());
        const rlimit small{5'000'001, before.rlim_max}; // in the middle of a page
        QCOMPARE(::setrlimit(RLIMIT_FSIZE, &small), 0);
        std::vector<std::string_view> views;
        keepAll(kept, views);
        QCOMPARE(::setrlimit(RLIMIT_FSIZE, &before), 0);
        compareAll(views);
    }
};
QTEST_GUILESS_MAIN(TestKeptText)
#include "tst_kept_text.moc"
