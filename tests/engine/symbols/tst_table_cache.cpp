#include "engine/symbols/table_cache.h"
#include <QDir>
#include <QFile>
#include <QObject>
#include <QTemporaryDir>
#include <QTest>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>
using namespace dscope;
using namespace dscope::symbols;

/// Nothing depends on the cache, and nothing that is in it is believed unseen.
class TestTableCache : public QObject {
    Q_OBJECT
    QTemporaryDir m_folder;
    int m_next = 0;
    static std::unique_ptr<Module> open(const char* path)
    {
        auto file = ElfFile::open(Fd(::open(path, O_RDONLY | O_CLOEXEC)));
        return file ? std::make_unique<Module>(*std::move(file), path, DebugPlaces{}) : nullptr;
    }
    static WholeTable wholeOf(Module& module)
    {
        const std::atomic<bool> over = false;
        return compileWholeTable(module, over);
    }
    static WholeTable small(std::uint64_t rule)
    {
        WholeTable table;
        table.runs = {{0, 64}};
        table.pages.assign(64, 1U << object::kFirstRowBits);
        table.rows = {object::walkRow(0, 0)};
        table.rules = {rule};
        return table;
    }
    QString fresh() { return m_folder.filePath(QString::number(m_next++)); }
    static QStringList files(const QString& folder) { return QDir(folder).entryList(QDir::Files, QDir::Name); }
private Q_SLOTS:
    void whatWasStoredComesBack()
    {
        const auto module = open("/proc/self/exe");
        QVERIFY(module);
        const auto key = TableCache::Key::of(module->file());
        QVERIFY(key);
        const auto whole = wholeOf(*module);
        QVERIFY(whole.isSound() && !whole.rows.empty());
        const auto folder = fresh().toStdString();
        QVERIFY(!TableCache(folder).load(*key));
        TableCache(folder).store(*key, whole);
        const auto again = TableCache(folder).load(*key);
        QVERIFY(again);
        QCOMPARE(again->pages, whole.pages);
        QCOMPARE(again->rows, whole.rows);
        QCOMPARE(again->rules, whole.rules);
        QCOMPARE(again->runs.size(), whole.runs.size());
        auto other = *key;
        ++other.size; // a file that was given the same build id
        QVERIFY(!TableCache(folder).load(other));
        other = *key;
        ++other.owner;
        QVERIFY(!TableCache(folder).load(other));
    }
    void aDamagedFileIsMadeAgain()
    {
        const TableCache::Key key{"00aa", 0, 4096};
        const auto folder = fresh();
        const TableCache cache(folder.toStdString());
        cache.store(key, small(7));
        QVERIFY(cache.load(key));
        const auto path = folder + '/' + files(folder).value(0);
        QFile file(path);
        QVERIFY(file.open(QIODevice::ReadOnly));
        const auto good = file.readAll();
        file.close();
        const auto put = [&](const QByteArray& bytes) {
            QFile out(path);
            return out.open(QIODevice::WriteOnly | QIODevice::Truncate) && out.write(bytes) == bytes.size();
        };
        for (qsizetype at = 0; at < good.size(); ++at) {
            auto bad = good;
            bad[at] = static_cast<char>(bad[at] ^ 0x10);
            QVERIFY(put(bad));
            QVERIFY2(!cache.load(key), QByteArray::number(at));
        }
        for (const auto& bad : {QByteArray(), good.left(64), good.left(good.size() - 1), good + 'x'}) {
            QVERIFY(put(bad));
            QVERIFY(!cache.load(key));
        }
        cache.store(key, small(7));
        QVERIFY(cache.load(key));
        QCOMPARE(files(folder).size(), 1);
    }
    /// A table whose pages lead out of its rows is not kept by a checksum.
    void aTableThatLeadsOutOfItselfIsNotUsed()
    {
        const TableCache::Key key{"00ab", 0, 4096};
        const TableCache cache(fresh().toStdString());
        for (const auto page : {0U, 2U << object::kFirstRowBits, (1U << object::kFirstRowBits) | 1U}) {
            auto bad = small(7);
            bad.pages[5] = page;
            QVERIFY(!bad.isSound());
            cache.store(key, bad);
            QVERIFY(!cache.load(key));
        }
    }
    void whatOthersCanWriteIsNotUsed()
    {
        const TableCache::Key key{"00ac", 0, 4096};
        const auto folder = fresh();
        const auto path = folder.toUtf8();
        TableCache(path.toStdString()).store(key, small(7));
        const auto file = path + '/' + files(folder).value(0).toUtf8();
        const auto loads = [&] { return TableCache(path.toStdString()).load(key).has_value(); };
        QVERIFY(loads());
        for (const auto& what : {path, file}) {
            struct stat before { };
            QCOMPARE(::stat(what.constData(), &before), 0);
            for (const mode_t others : {S_IWGRP, S_IWOTH}) {
                QCOMPARE(::chmod(what.constData(), before.st_mode | others), 0);
                QVERIFY(!loads());
            }
            QCOMPARE(::chmod(what.constData(), before.st_mode), 0);
            QVERIFY(loads());
            if (::geteuid() != 0) continue;
            QCOMPARE(::chown(what.constData(), 1, 1), 0);
            QVERIFY(!loads());
            QCOMPARE(::chown(what.constData(), 0, 0), 0);
        }
        const auto elsewhere = fresh().toUtf8();
        QCOMPARE(::rename(file.constData(), elsewhere.constData()), 0);
        QCOMPARE(::symlink(elsewhere.constData(), file.constData()), 0);
        QVERIFY(!loads());
        const auto link = fresh().toUtf8();
        QCOMPARE(::symlink(path.constData(), link.constData()), 0);
        TableCache(link.toStdString()).store(key, small(8));
        QVERIFY(!TableCache(link.toStdString()).load(key));
    }
    void itsSizeIsBounded()
    {
        const auto folder = fresh();
        constexpr std::uint64_t kMost = 20'000;
        const TableCache cache(folder.toStdString(), kMost);
        for (int i = 0; i < 200; ++i)
            cache.store({QByteArray::number(1000 + i).toStdString(), 0, 4096}, small(7));
        qint64 bytes = 0;
        for (const auto& one : QDir(folder).entryInfoList(QDir::Files))
            bytes += one.size();
        QVERIFY2(bytes > 0 && bytes <= qint64{kMost}, QByteArray::number(bytes));
        QVERIFY(cache.load({"1199", 0, 4096}) || files(folder).size() > 10);
    }
    void withoutAFolderThereIsNone()
    {
        const TableCache::Key key{"00ad", 0, 4096};
        for (const auto* folder : {"", "/nonexistent/dscope", "/dev/null", "/proc/1/cache"}) {
            const TableCache cache{std::string(folder)};
            cache.store(key, small(7));
            QVERIFY(!cache.load(key));
        }
    }
    /// What is compiled at once is what is compiled in parts of 64 KiB.
    void aWholeTableHasAllOfItsParts()
    {
        const auto module = open("/proc/self/exe");
        QVERIFY(module);
        const auto whole = wholeOf(*module);
        std::size_t page = 0;
        for (const auto& run : runsOfCode(module->file()))
            for (auto base = run.base(); base < run.end; base += FrameParts::kPart) {
                const auto part = compileWalkTable(module->frames().around(std::max(base, run.begin)), base,
                    FrameParts::kPart >> object::kWalkPageBits, module->restorers(), module->stackEnds(), module->stubs());
                for (const auto theirs : part.pages) {
                    const auto ours = whole.pages.at(page++);
                    constexpr auto kFirst = (1U << object::kFirstRowBits) - 1;
                    QCOMPARE(ours >> object::kFirstRowBits, theirs >> object::kFirstRowBits);
                    for (std::uint32_t i = 0; i < ours >> object::kFirstRowBits; ++i) {
                        const auto row = whole.rows.at((ours & kFirst) + i);
                        const auto rule
                            = std::uint64_t{row >> object::kRuleBits} << object::kRowShift | whole.rules.at(object::ruleOf(row));
                        QCOMPARE(rule, part.rows.at((theirs & kFirst) + i));
                    }
                }
            }
        QCOMPARE(page, whole.pages.size());
    }
};
QTEST_GUILESS_MAIN(TestTableCache)
#include "tst_table_cache.moc"
