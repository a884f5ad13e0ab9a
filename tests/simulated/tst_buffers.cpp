// needs: engine/syntax engine/sema engine/codegen engine/decode engine/format engine/bpf providers
// How much memory a program's buffers take, by what it records.
#include "simulated_run.h"
#include <QObject>
#include <QTest>
using namespace dscope;
using namespace dscope::tests;

class TestBuffers : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void theRingIsAsLargeAsStacksMayCome_data()
    {
        QTest::addColumn<QString>("program");
        QTest::addColumn<int>("most");
        const auto row = [](const char* name, const char* program, int most) { QTest::newRow(name) << QString(program) << most; };
        constexpr int kMiB = 1 << 20;
        row("no stacks", "syscall:::entry { @[probefunc] = count(); }", 4 * kMiB);
        row("one stack, at the beginning", "BEGIN { ustack(); }", 4 * kMiB);
        row("one stack, at the end", "syscall::read:entry { @ = count(); } END { ustack(); }", 4 * kMiB);
        row("one stack, then the end", "syscall::read:entry { ustack(); exit(0); }", 4 * kMiB);
        row("a hundred a second", "profile-97 { @[ustack()] = count(); } tick-1s { trunc(@); }", 4 * kMiB);
        row("a thousand a second", "profile-997 { @[ustack()] = count(); }", 16 * kMiB);
        row("walked, as many as there are calls", "syscall::read:entry { @[ustack()] = count(); }", 16 * kMiB);
        const auto copied = "#pragma D option ustackwalk=copy\n";
        row("as many as there are calls", (std::string(copied) + "syscall::read:entry { @[ustack()] = count(); }").c_str(), 32 * kMiB);
        row("not always the end", (std::string(copied) + "syscall::read:entry { ustack(); if (errno) { exit(0); } }").c_str(), 32 * kMiB);
    }
    void theRingIsAsLargeAsStacksMayCome()
    {
        QFETCH(const QString, program);
        QFETCH(const int, most);
        SimulatedRun run;
        const auto made = run.compile(program.toStdString());
        QVERIFY2(made, made ? "" : made.error().message.c_str());
        const auto ring = run.object().maps.at(run.object().ring.value).maxEntries;
        QVERIFY2(ring <= std::uint32_t(most), QByteArray::number(ring));
        if (most > 16 << 20 && program.contains("copy")) QCOMPARE(ring, std::uint32_t(most));
    }
    void aggsizeIsObeyedInBothDirections_data()
    {
        QTest::addColumn<QString>("size");
        QTest::addColumn<int>("least");
        QTest::addColumn<int>("most");
        QTest::newRow("unset") << "" << 65'536 << 65'536;
        QTest::newRow("1k") << "1k" << 30 << 64;
        QTest::newRow("256 MiB") << "256m" << 400'000 << 4'194'304;
        QTest::newRow("1 TiB") << "1t" << 4'194'304 << 4'194'304;
    }
    void aggsizeIsObeyedInBothDirections()
    {
        QFETCH(const QString, size);
        QFETCH(const int, least);
        QFETCH(const int, most);
        SimulatedRun run;
        if (!size.isEmpty()) QVERIFY(run.options.set("aggsize", size.toStdString()));
        QVERIFY(run.compile("syscall::read:entry { @[arg0] = count(); }"));
        const auto keys = run.object().maps.at(run.object().aggregationMaps.at(0).value).maxEntries;
        QVERIFY2(keys >= std::uint32_t(least) && keys <= std::uint32_t(most), QByteArray::number(keys));
    }
};
QTEST_GUILESS_MAIN(TestBuffers)
#include "tst_buffers.moc"
