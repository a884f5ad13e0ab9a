// Unwind tables that a thread makes while a run begins.
#include "engine/session/table_maker.h"
#include <QObject>
#include <QTemporaryDir>
#include <QTest>
#include <fcntl.h>
#include <fstream>
using namespace dscope;

class TestTableMaker : public QObject {
    Q_OBJECT
    /// The files of code that this test has mapped.
    static std::vector<std::shared_ptr<symbols::Module>> ownFiles()
    {
        std::vector<std::shared_ptr<symbols::Module>> found;
        std::ifstream maps("/proc/self/maps");
        for (std::string line; std::getline(maps, line);) {
            const auto at = line.find('/');
            if (at == line.npos || line.find(" r-xp ") == line.npos) continue;
            if (auto file = symbols::ElfFile::open(Fd(::open(line.c_str() + at, O_RDONLY | O_CLOEXEC))))
                found.push_back(std::make_shared<symbols::Module>(*std::move(file), line.substr(at), symbols::DebugPlaces{}));
        }
        return found;
    }
private Q_SLOTS:
    /// Ctrl+C while a run waits for the tables of a large program: it may have to wait for seconds.
    void nobodyWaitsForARunThatIsOver()
    {
        const QTemporaryDir cache;
        session::TableMaker maker(cache.path().toStdString());
        const auto files = ownFiles();
        QVERIFY(!files.empty());
        for (const auto& file : files)
            QVERIFY(maker.want(file));
        bool isAsked = false;
        maker.await(std::chrono::hours(24), [&] { return isAsked = true; });
        if (!isAsked) QSKIP("the tables were made at once");
        QVERIFY(maker.take().size() < files.size());
    }
    /// Neither when it is made nor when it comes from the cache.
    void aTableThatHasNoRoomIsNotMade()
    {
        const QTemporaryDir cache;
        const auto files = ownFiles();
        const auto made = [&](std::size_t most) {
            session::TableMaker maker(cache.path().toStdString(), most);
            for (const auto& file : files)
                maker.want(file);
            maker.await(std::chrono::hours(24));
            std::size_t rows = 0, largest = 0;
            for (const auto& one : maker.take()) {
                rows += one.table.rows.size();
                largest = std::max(largest, one.table.rows.size());
            }
            return std::pair(rows, largest);
        };
        QCOMPARE(made(1).first, 0U);
        const auto [rows, largest] = made(SIZE_MAX);
        QVERIFY(rows > largest && largest > 8192);
        QCOMPARE(made(largest - 1).first, rows - largest);
        QCOMPARE(made(largest).first, rows);
    }
    void tablesAreWaitedForElse()
    {
        const QTemporaryDir cache;
        session::TableMaker maker(cache.path().toStdString());
        const auto files = ownFiles();
        for (const auto& file : files)
            QVERIFY(maker.want(file));
        maker.await(std::chrono::hours(24), [] { return false; });
        QCOMPARE(maker.take().size(), files.size());
    }
};
QTEST_GUILESS_MAIN(TestTableMaker)
#include "tst_table_maker.moc"
