// needs: engine/importers graph
// What is imported is drawn: what the seeds' programs printed, and stacks too many for a page.
#include "graph/store.h"
#include "graph/visual.h"
#include "tests/support/imported.h"
#include <QFile>
#include <QObject>
#include <QTest>
using namespace dscope;
using namespace dscope::tests;

class TestImported : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void whatTheSeedsPrintedIsReadAndDrawn_data()
    {
        QTest::addColumn<QByteArray>("says");
        QTest::addColumn<std::size_t>("notUnderstood"); ///< prompts, headings, dates
        QTest::addColumn<QByteArray>("view");
        QTest::addColumn<QByteArray>("shown");
        QTest::newRow("applicat") << QByteArray("@[] 1 28 2 17 3 35 4 72 5 78 6 65\n") << std::size_t{1} << QByteArray("histogram")
                                  << QByteArray("295");
        QTest::newRow("iotime_throughput") << QByteArray(
            "@[sd2 (/devices/pci@0,0/pci1179,1@1d/storage@2/disk@0,0:r)] 70 3 71 1 72 2257 73 1\n"
            "@[cmdk0 (/devices/pci@0,0/pci-ide@1f,1/ide@0/cmdk@0,0:a)] 72 1 74 2 76 2 77 172 78 52 79 108 80 34\n")
                                           << std::size_t{0} << QByteArray("histogram") << QByteArray("cmdk0");
        QTest::newRow("lib_call_stack") << QByteArray("pid1002:libc.so.1:strcmp;ls`_start;ls`main;libc.so.1`setlocale;libc.so.1`strcmp 1\n"
                                                      "pid1002:libc.so.1:strlen;ls`_start;ls`main;ls`xstrdup;libc.so.1`strlen 1\n"
                                                      "pid1002:libc.so.1:strlen;ls`xstrdup;libc.so.1`strlen 1\n")
                                        << std::size_t{0} << QByteArray("flame") << QByteArray("pid1002:libc.so.1:strlen");
        QTest::newRow("libc_trace") << QByteArray("__tls_static_mods 1\n__tls_static_mods;lmalloc 1\n"
                                                  "__tls_static_mods;lmalloc;getbucketnum 1\n"
                                                  "__tls_static_mods;lmalloc;initial_allocation 1\n"
                                                  "__tls_static_mods;lmalloc;initial_allocation;__systemcall 1\n")
                                    << std::size_t{3} << QByteArray("flame-chart") << QByteArray("initial_allocation");
        QTest::newRow("qemu_sizes") << QByteArray("@[write] 73 14 75 10 76 39 77 36\n") << std::size_t{0} << QByteArray("histogram")
                                    << QByteArray("99");
        QTest::newRow("qemu_stacks") << QByteArray(
            "write;qemu-dm`_start;qemu-dm`main;qemu-dm`main_loop;qemu-dm`main_loop_wait;qemu-dm`qemu_bh_poll;"
            "qemu-dm`bdrv_aio_bh_cb;qemu-dm`ide_write_dma_cb;qemu-dm`bdrv_flush;qemu-dm`vdisk_flush;qemu-dm`VDFlush;"
            "qemu-dm`vmdkFlush;qemu-dm`vmdkFlushImage;qemu-dm`vmdkWriteDescriptor;qemu-dm`RTFileWriteAt;"
            "qemu-dm`RTFileWrite;libc.so.1`__write 28758\n")
                                     << std::size_t{0} << QByteArray("flame") << QByteArray("vmdkFlush");
        QTest::newRow("readch") << QByteArray("@[xclock] 69 1\n@[acroread] 69 3\n@[FvwmAuto] 66 13 67 21 68 5\n@[xterm] 69 19 70 7 71 5\n"
                                              "@[fvwm2] 63 186 66 51 67 17 69 503 70 9\n"
                                              "@[Xsun] 63 269 66 2 67 31 68 128 69 171 70 33 71 85 72 24 73 8 74 21 75 26 76 21 77 94\n")
                                << std::size_t{1} << QByteArray("histogram") << QByteArray("FvwmAuto");
        QTest::newRow("whowrite") << QByteArray() << std::size_t{2} << QByteArray("graph") << QByteArray("MozillaFirebird");
        QTest::newRow("xcalls") << QByteArray() << std::size_t{1} << QByteArray("bars") << QByteArray("nsrindexd");
    }
    void whatTheSeedsPrintedIsReadAndDrawn()
    {
        QFETCH(QByteArray, says);
        QFETCH(std::size_t, notUnderstood);
        QFETCH(QByteArray, view);
        QFETCH(QByteArray, shown);
        QFile file(QString::fromUtf8(DSCOPE_SOURCE "/tests/engine/importers/seeds/") + QTest::currentDataTag() + ".txt");
        QVERIFY(file.open(QIODevice::ReadOnly));
        const auto text = file.readAll();
        const auto guess = guessed(text);
        QVERIFY2(guess == "dtrace" || guess == "perhaps dtrace", guess.constData());
        auto imported = read("dtrace", text);
        QVERIFY(imported);
        if (!says.isEmpty()) {
            QCOMPARE(said(*imported), says);
        } else { // a table: each of its lines again, in their order, with single blanks
            QByteArray rows;
            for (const auto& line : text.split('\n'))
                if (line.startsWith("  ") && !line.endsWith("COUNT")) rows += line.simplified() + '\n';
            QCOMPARE(said(*imported).replace("@[", "").replace("]", "").replace(",", ""), rows);
        }
        QCOMPARE(imported->notUnderstood, notUnderstood);
        graph::Store store;
        store.take(imported->program);
        for (auto& record : imported->records)
            store.take(record);
        for (const auto& kind : graph::kinds()) {
            if (kind.name != view.toStdString()) continue;
            QVERIFY(kind.fits(store));
            QByteArray texts;
            for (const auto& item : kind.make(store)->figure({}).items)
                if (const auto* t = std::get_if<graph::Text>(&item.shape)) texts += QByteArray::fromStdString(t->text) + '\n';
            QVERIFY2(texts.contains(shown), texts.constData());
            return;
        }
        QFAIL("there is no such view");
    }
    void aLogWithoutTimesMakesATreeThatTellsNone()
    {
        QByteArray text = "7 execve(\"/bin/sh\", [\"sh\"], 0x7ff /* 9 vars */) = 0\n";
        for (int i = 0; i < 4; ++i) {
            const auto pid = QByteArray::number(9 + i);
            text += "7 fork() = " + pid + '\n' + pid + " execve(\"/bin/ls\", [\"ls\"], 0x7ff /* 9 vars */) = 0\n" + pid + " +++ exited with "
                + QByteArray::number(i) + " +++\n";
        }
        text += "7 +++ exited with 0 +++\n";
        auto imported = read("strace", text);
        QVERIFY(imported);
        graph::Store store;
        store.take(imported->program);
        for (auto& record : imported->records)
            store.take(record);
        for (const auto& kind : graph::kinds()) {
            if (kind.name == "process-timeline") QVERIFY(!kind.fits(store));
            if (kind.name != "process-tree") continue;
            const auto tree = kind.make(store);
            const auto figure = tree->figure({});
            QByteArray texts = QByteArray::fromStdString(figure.description) + '\n';
            for (const auto& item : figure.items) {
                if (const auto* t = std::get_if<graph::Text>(&item.shape)) texts += QByteArray::fromStdString(t->text) + '\n';
                texts += QByteArray::fromStdString(item.tip) + '\n';
            }
            QVERIFY2(texts.contains("5 processes") && texts.contains("3 failed") && texts.contains("exit 3"), texts.constData());
            for (const auto* untrue : {"0 ns", "ongest", "p50", "in all"})
                QVERIFY2(!texts.contains(untrue), texts.constData());
            const auto table = tree->table();
            for (const auto& row : table.rows)
                QVERIFY(row.at(4).empty() && row.at(5).empty());
            for (const auto& item : figure.items)
                for (const auto& [name, value] : item.data)
                    QVERIFY2(name != "duration-ns", value.c_str());
            const auto changed = kind.compare(store, store);
            const auto rows = changed->table().rows;
            QCOMPARE(rows.size(), std::size_t{2});
            for (const auto& row : rows)
                QVERIFY(row.at(5).empty() && row.at(6).empty() && row.at(7).empty());
        }
    }
    /// Events of a file are no aggregations, and one can be chosen.
    void otherEventsSayHowToChooseThem()
    {
        QByteArray text;
        for (const auto* event : {"cycles", "cycles", "page-faults", "branches"})
            text += QByteArray("app 7/7 [000] 1.000000: 5 ") + event + ":\n\t401000 main+0x1 (/bin/app)\n\n";
        auto imported = read("perf", text);
        QVERIFY(imported);
        graph::Store store;
        store.take(imported->program);
        for (auto& record : imported->records)
            store.take(record);
        for (const auto& kind : graph::kinds()) {
            if (kind.name != "flame") continue;
            QByteArray texts;
            for (const auto& item : kind.make(store)->figure({}).items)
                if (const auto* t = std::get_if<graph::Text>(&item.shape)) texts += QByteArray::fromStdString(t->text) + '\n';
            QVERIFY2(texts.contains("2 other events not shown: choose one with --event NAME"), texts.constData());
        }
    }
    void aFlameGraphOfForeignStacksLooksOnlyWhereItIsSeen()
    {
        QByteArray text;
        for (int i = 0; i < 5000; ++i)
            text += "app;wide;leaf" + QByteArray::number(i) + " 1\n";
        text += "app;other 5000\n";
        auto imported = read("folded", text);
        QVERIFY(imported);
        graph::Store store;
        store.take(imported->program);
        for (const auto& record : imported->records)
            store.take(record);
        for (const auto& kind : graph::kinds()) {
            QCOMPARE(
                kind.fits(store), kind.name == "flame" || kind.name == "icicle" || kind.name == "sandwich" || kind.name == "call-graph");
            if (kind.name != "flame") continue;
            const auto figure = kind.make(store)->figure({});
            int bars = 0, runs = 0;
            for (const auto& item : figure.items) {
                if (!std::holds_alternative<graph::Box>(item.shape) || item.key.empty()) continue;
                ++bars;
                runs += item.tip.starts_with("5,000 frames");
            }
            QCOMPARE(runs, 1);
            QCOMPARE(bars, 4); // app, wide, other and the run; the root has no path
        }
    }
};
QTEST_GUILESS_MAIN(TestImported)
#include "tst_imported.moc"
