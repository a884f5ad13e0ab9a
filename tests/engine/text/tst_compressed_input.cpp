// needs: engine/importers
// What gzip, zstd and xz write is read as what they were given, or refused with the place: never a part of it as all of it.
#include "engine/record/wire.h"
#include "engine/text/byte_source.h"
#include "tests/support/imported.h"
#include "tests/support/programs_at_hand.h"
#include "tests/support/standard_input.h"
#include <QDir>
#include <QFile>
#include <QObject>
#include <QProcess>
#include <QTemporaryDir>
#include <QTest>
#include <QtEndian>
#include <random>
#include <sys/mman.h>
#include <sys/resource.h>
using namespace dscope;
using namespace dscope::tests;
using text::Lines;

namespace {
/// What a program of a shell prints of this input; empty if it fails.
QByteArray through(const QByteArray& command, const QByteArray& input)
{
    QProcess shell;
    shell.start("sh", {"-c", QString::fromUtf8(command)});
    if (!shell.waitForStarted()) return {};
    shell.write(input);
    shell.closeWriteChannel();
    if (!shell.waitForFinished(120'000) || shell.exitCode() != 0) return {};
    return shell.readAllStandardOutput();
}
/// What reading to the end gives.
struct Text {
    QByteArray bytes; ///< each line with a line feed behind it
    std::string trouble;
};
Text textOf(Result<Lines> lines)
{
    if (!lines) return {{}, lines.error().message};
    Text all;
    std::string_view line;
    while (lines->next(line)) {
        all.bytes.append(line.data(), static_cast<qsizetype>(line.size()));
        all.bytes += '\n';
    }
    if (lines->failure()) all.trouble = lines->failure()->message;
    return all;
}
/// A file in memory with these bytes.
Fd fileOf(const QByteArray& bytes)
{
    Fd file(::memfd_create("test", MFD_CLOEXEC));
    if (::pwrite(file.get(), bytes.data(), static_cast<std::size_t>(bytes.size()), 0) != bytes.size()) qFatal("no file in memory");
    return file;
}
Text textOf(const QByteArray& bytes) { return textOf(Lines::from(fileOf(bytes), "test")); }
QByteArray lines(int count)
{
    QByteArray text;
    std::mt19937 chance(5);
    for (int i = 0; i < count; ++i)
        text += QByteArray::number(i) + " main;" + QByteArray::number(static_cast<quint32>(chance())) + QByteArray(i % 61, '.') + '\n';
    return text;
}
/// Those of the three tools that write a file as they do without options.
constexpr std::array kTools{"gzip", "zstd", "xz"};
} // namespace

class TestCompressedInput : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void initTestCase()
    {
        for (const auto* tool : kTools)
            if (!has(tool)) QSKIP("gzip, zstd or xz is not installed");
    }
    void everyWayOfToolsGivesTheText_data()
    {
        QTest::addColumn<QByteArray>("command");
        for (const auto* command : {"gzip", "gzip -1", "gzip -9", "zstd", "zstd -1", "zstd -19", "zstd --ultra -22", "zstd --fast=5", "zstd --long=27",
                 "zstd --no-check", "zstd -T2 -B1M", "zstd --format=gzip", "xz", "xz -0", "xz -9e", "xz -T2 --block-size=300KiB",
                 "xz --check=none", "xz --check=sha256", "xz --x86 --lzma2=dict=128MiB"})
            QTest::newRow(command) << QByteArray(command) + " -c";
        // With the content's size in the frame, which standard input does not tell.
        QTest::newRow("zstd of a file") << QByteArray("cat >$DSCOPE_TEST_FILE; zstd -c $DSCOPE_TEST_FILE");
        QTest::newRow("gzip of a file, with its name") << QByteArray("cat >$DSCOPE_TEST_FILE; gzip -cN $DSCOPE_TEST_FILE");
        QTest::newRow("xz of a file") << QByteArray("cat >$DSCOPE_TEST_FILE; xz -c $DSCOPE_TEST_FILE");
        QTest::newRow("zstd, split by --rsyncable") << QByteArray("zstd -T2 --rsyncable -c");
        if (has("pzstd")) QTest::newRow("pzstd") << QByteArray("cat >$DSCOPE_TEST_FILE; pzstd -q -p 2 -c $DSCOPE_TEST_FILE");
        if (has("pigz")) QTest::newRow("pigz") << QByteArray("pigz -p 2 -c");
        if (has("bgzip")) QTest::newRow("bgzip") << QByteArray("bgzip -c");
        QTest::newRow("gzip in gzip") << QByteArray("gzip -c | gzip -c");
        QTest::newRow("gzip in xz") << QByteArray("gzip -c | xz -c");
    }
    void everyWayOfToolsGivesTheText()
    {
        QFETCH(QByteArray, command);
        qputenv("DSCOPE_TEST_FILE", at("given").toUtf8());
        for (const auto& text : {QByteArray("one line\n"), QByteArray("a\n\nno end"), lines(25'000)}) {
            const auto packed = through(command, text);
            QVERIFY(!packed.isEmpty());
            auto expected = text;
            if (!expected.endsWith('\n')) expected += '\n';
            put("any name", packed);
            for (const auto by : {Lines::By::Mapping, Lines::By::Pieces}) {
                auto opened = Lines::open(at("any name").toStdString(), by);
                QVERIFY2(opened, opened ? "" : opened.error().message.c_str());
                QVERIFY(opened->compression() != text::Compression::None);
                QVERIFY(!opened->lasting() && !opened->mapped() && opened->size() == 0);
                QVERIFY(expected.startsWith(QByteArray(opened->head().data(), static_cast<qsizetype>(std::min<std::size_t>(opened->head().size(), 9)))));
                const auto got = textOf(std::move(opened));
                QCOMPARE(got.trouble, std::string());
                QVERIFY(got.bytes == expected);
            }
            const StandardInput input(packed.toStdString());
            const auto piped = textOf(Lines::open("-"));
            QCOMPARE(piped.trouble, std::string());
            QVERIFY(piped.bytes == expected);
        }
    }
    void nothingIsUnpackedToNothing()
    {
        for (const auto* tool : kTools) {
            const auto got = textOf(through(QByteArray(tool) + " -c", {}));
            QCOMPARE(got.trouble, std::string());
            QVERIFY(got.bytes.isEmpty());
        }
    }

    void membersBehindOneAnotherAreOneText_data()
    {
        QTest::addColumn<QByteArray>("first");
        QTest::addColumn<QByteArray>("between");
        QTest::addColumn<QByteArray>("second");
        for (const auto* tool : kTools)
            QTest::newRow(tool) << through(QByteArray(tool) + " -c", "a\nb") << QByteArray() << through(QByteArray(tool) + " -c", "c\nd\n");
        for (const auto* tool : kTools)
            QTest::addRow("%s, an empty one between", tool) << through(QByteArray(tool) + " -c", "a\nb") << through(QByteArray(tool) + " -c", {})
                                                            << through(QByteArray(tool) + " -c", "c\nd\n");
        QTest::newRow("zstd, with the content's size in one") << through("zstd -c --stream-size=3", "a\nb") << QByteArray() << through("zstd -c", "c\nd\n");
        // RFC 8878, 3.1.2: a magic number, a size, and so many bytes.
        const QByteArray skipped("\x57\x2a\x4d\x18\5\0\0\0any 5", 13);
        QTest::newRow("zstd, with frames to skip") << skipped + through("zstd -c", "a\nb") << skipped + skipped << through("zstd -c", "c\nd\n") + skipped;
        QTest::newRow("xz, with padding") << through("xz -c", "a\nb") << QByteArray(8, '\0') << through("xz -c", "c\nd\n") + QByteArray(4, '\0');
        QTest::newRow("gzip, with zeros behind, as on tapes") << through("gzip -c", "a\nb") << QByteArray() << through("gzip -c", "c\nd\n") + QByteArray(700, '\0');
    }
    void membersBehindOneAnotherAreOneText()
    {
        QFETCH(QByteArray, first);
        QFETCH(QByteArray, between);
        QFETCH(QByteArray, second);
        const auto got = textOf(first + between + second);
        QCOMPARE(got.trouble, std::string());
        QCOMPARE(got.bytes, QByteArray("a\nbc\nd\n"));
    }
    /// More than a piece is read of: members end anywhere in pieces.
    void manyMembersAreOneText()
    {
        QByteArray packed;
        for (const auto* tool : kTools) {
            const auto one = through(QByteArray(tool) + " -c", lines(40));
            const auto many = textOf(one.repeated(3000));
            QCOMPARE(many.trouble, std::string());
            QVERIFY(many.bytes == lines(40).repeated(3000));
        }
    }

    void whatIsCutAnywhereSaysSo_data()
    {
        QTest::addColumn<QByteArray>("command");
        QTest::addColumn<int>("count");
        for (const QByteArray command : {"gzip -c", "zstd -c", "zstd -c --no-check", "xz -c", "xz -c --check=none", "gzip -c | gzip -c"}) {
            QTest::newRow("small: " + command) << command << 12;
            QTest::newRow("large: " + command) << command << 25'000;
        }
    }
    void whatIsCutAnywhereSaysSo()
    {
        QFETCH(QByteArray, command);
        QFETCH(int, count);
        const auto text = lines(count);
        const auto packed = through(command, text);
        const qsizetype step = count < 100 ? 1 : packed.size() / 13; // at each byte of a small one
        std::vector<qsizetype> cuts;
        for (qsizetype length = text::kMagicOfCompression; length < packed.size(); length += step)
            cuts.push_back(length);
        for (qsizetype behind = 1; behind < 20; ++behind) // where checksums and sizes are
            cuts.push_back(packed.size() - behind);
        for (const auto length : cuts) {
            const auto got = textOf(packed.left(length));
            const auto told = QByteArray::number(length) + ": " + got.trouble.c_str();
            QVERIFY2(got.trouble.find("its compressed data is cut near byte ") != std::string::npos, told);
            QVERIFY2(text.startsWith(got.bytes), told);
        }
    }
    /// A few bits of headers say nothing: then the text is the same. Checksums find the rest.
    void whatIsDamagedAnywhereIsRefusedOrHarmless()
    {
        for (const auto* tool : kTools) {
            const auto text = lines(30);
            const auto packed = through(QByteArray(tool) + " -c", text);
            int refused = 0;
            for (qsizetype at = text::kMagicOfCompression; at < packed.size(); ++at) {
                auto damaged = packed;
                damaged[at] = static_cast<char>(damaged[at] ^ (1 << (at % 8)));
                const auto got = textOf(damaged);
                QVERIFY2(!got.trouble.empty() || got.bytes == text, tool + QByteArray::number(at));
                refused += !got.trouble.empty();
            }
            QVERIFY2(refused > packed.size() / 2, tool);
        }
    }
    void whatFollowsIsNotPassedOver_data()
    {
        QTest::addColumn<QByteArray>("packed");
        QTest::addColumn<QByteArray>("says");
        QTest::newRow("gzip") << through("gzip -c", "a\n") + "more" << QByteArray("is followed by something else near byte 22: unpack it with \"gzip -dc\"");
        QTest::newRow("zstd") << through("zstd -c", "a\n") + "more" << QByteArray("is followed by something else near byte");
        QTest::newRow("xz") << through("xz -c", "a\n") + "more" << QByteArray("is cut near byte");
        QTest::newRow("xz, longer") << through("xz -c", "a\n") + "more and more" << QByteArray("is damaged near byte");
        QTest::newRow("xz, padding of a wrong length") << through("xz -c", "a\n") + QByteArray(3, '\0') << QByteArray("is damaged near byte");
    }
    void whatFollowsIsNotPassedOver()
    {
        QFETCH(QByteArray, packed);
        QFETCH(QByteArray, says);
        const auto got = textOf(packed);
        QVERIFY2(got.trouble.find(says.toStdString()) != std::string::npos, got.trouble.c_str());
    }

    void whatAsksForMuchIsRefused_data()
    {
        QTest::addColumn<QByteArray>("packed");
        QTest::addColumn<QByteArray>("says");
        QTest::newRow("zstd's window") << through("zstd -c --long=28", "a\n")
                                       << QByteArray("refers back by more than 128 MiB (zstd --long) near byte 0: unpack it with \"zstd -dc --long=31\"");
        QTest::newRow("xz's window") << through("xz -c --lzma2=dict=192MiB", "a\n")
                                     << QByteArray("refers back by more than 128 MiB (xz --lzma2=dict) near byte 24: unpack it with \"xz -dc\"");
        QTest::newRow("three times") << through("gzip -c | xz -c | zstd -c", "a\n") << QByteArray("compressed more than twice, one in another: unpack it with \"zstd -dc\"");
    }
    void whatAsksForMuchIsRefused()
    {
        QFETCH(QByteArray, packed);
        QFETCH(QByteArray, says);
        QVERIFY(!packed.isEmpty());
        const auto got = textOf(packed);
        QVERIFY2(got.trouble.find(says.toStdString()) != std::string::npos, got.trouble.c_str());
        QVERIFY(got.bytes.isEmpty());
    }
    void whatNeedsADictionarySaysSo()
    {
        QDir(m_dir.path()).mkdir("samples");
        for (int i = 0; i < 200; ++i)
            put("samples/" + QString::number(i), lines(40).mid(7 * i));
        const auto dictionary = at("dictionary").toUtf8();
        const auto packed = through("zstd -q --train --maxdict=2000 " + at("samples").toUtf8() + "/* -o " + dictionary + " >&2 && zstd -c -D " + dictionary, lines(100));
        QVERIFY(!packed.isEmpty());
        const auto got = textOf(packed);
        QVERIFY2(got.trouble.find("was made with a dictionary") != std::string::npos, got.trouble.c_str());
    }
    /// 1 GB in 100 kB: the reader takes no more memory for it than for any other text.
    void aBombTakesNoMemory()
    {
        const auto packed = through("yes $(seq 1000) | head -c 1000000000 | zstd -c", {});
        QVERIFY(!packed.isEmpty() && packed.size() < 500'000);
        auto lines = Lines::from(fileOf(packed), "test");
        QVERIFY(lines);
        std::string_view line;
        for (int i = 0; i < 10'000; ++i)
            QVERIFY(lines->next(line));
        rusage before{}, after{};
        ::getrusage(RUSAGE_SELF, &before);
        for (int i = 0; i < 200'000; ++i)
            if (!lines->next(line)) QFAIL("the text ended");
        ::getrusage(RUSAGE_SELF, &after);
        QVERIFY2(after.ru_maxrss - before.ru_maxrss < 4096, qPrintable(QString::number(after.ru_maxrss - before.ru_maxrss)));
    }
    void whatUnpacksWithoutEndIsRefused()
    {
        const auto packed = through("head -c 300000000 /dev/zero | zstd -c", {});
        text::UnpackedBytes bytes(std::make_unique<text::FileBytes>(fileOf(packed), 0), text::Compression::Zstd, {}, 100'000'000);
        std::vector<char> room(1 << 20);
        std::uint64_t all = 0;
        Result<std::size_t> got = std::size_t{1};
        while (got && *got > 0) {
            got = bytes.read(room.data(), room.size());
            if (got) all += *got;
        }
        QVERIFY(!got && all < 102'000'000);
        QVERIFY2(got.error().message.find("over 200 times its size") != std::string::npos, got.error().message.c_str());
    }

    void whoWatchesIsToldOfTheCompressedBytes()
    {
        put("packed", through("xz -c -0", lines(200'000)));
        const auto size = static_cast<std::uint64_t>(QFile(at("packed")).size());
        std::vector<std::uint64_t> told;
        const auto watch = [&](std::uint64_t bytes, std::uint64_t all) {
            told.push_back(bytes);
            QCOMPARE(all, size);
        };
        QVERIFY(textOf(Lines::open(at("packed").toStdString(), Lines::By::Pieces, watch)).trouble.empty());
        QVERIFY(told.size() > 10 && std::is_sorted(told.begin(), told.end()) && told.front() < size / 10);
        QCOMPARE(told.back(), size);
    }

    void everyKindOfFormatIsFoundAndReadInside_data()
    {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<QByteArray>("says");
        QTest::newRow("many stacks") << QByteArray("main;parse;allocate 7\n").repeated(50'000) << QByteArray("main;parse;allocate 350000\n");
        QTest::newRow("lines") << QByteArray("app 1 1.5: 5 cycles:\n\t400000 main (/bin/app)\n\n") << QByteArray("app;app`main 5\n");
        QTest::newRow("JSON") << contents("sampled.speedscope.json") << QByteArray();
        QTest::newRow("JSON of another format") << contents("events.chrome.json") << QByteArray();
        QTest::newRow("what is compressed by itself") << contents("go-cpu.pb.gz") << QByteArray();
        QTest::newRow("what is else compressed by itself") << through("gzip -dc", contents("go-cpu.pb.gz")) << QByteArray();
    }
    void everyKindOfFormatIsFoundAndReadInside()
    {
        QFETCH(QByteArray, text);
        QFETCH(QByteArray, says);
        const auto formats = importers::all();
        put("plain", text);
        const auto plain = text::import(formats, at("plain").toStdString(), "");
        QVERIFY2(plain, plain ? "" : plain.error().message.c_str());
        if (says.isEmpty()) says = said(*plain);
        QVERIFY(!says.isEmpty());
        for (const auto* tool : kTools) {
            const auto packed = through(QByteArray(tool) + " -c", text);
            put("packed", packed);
            const auto imported = text::import(formats, at("packed").toStdString(), "");
            QVERIFY2(imported, imported ? "" : imported.error().message.c_str());
            QCOMPARE(imported->program.source, plain->program.source);
            QVERIFY2(said(*imported) == says, tool);
            const StandardInput input(packed.toStdString());
            const auto piped = text::import(formats, "-", "");
            QVERIFY2(piped, piped ? "" : piped.error().message.c_str());
            QVERIFY(said(*piped) == says);
        }
    }
    void whatIsNotWholeIsNotImported_data()
    {
        QTest::addColumn<QByteArray>("format");
        QTest::addColumn<QByteArray>("text");
        QTest::newRow("folded") << QByteArray("folded") << lines(30'000);
        QTest::newRow("perf") << QByteArray("perf") << QByteArray("app 1 1.5: 5 cycles:\n\t400000 main (/bin/app)\n\n").repeated(100'000);
        QTest::newRow("pprof") << QByteArray("") << through("gzip -dc", contents("go-cpu.pb.gz"));
    }
    void whatIsNotWholeIsNotImported()
    {
        QFETCH(QByteArray, format);
        QFETCH(QByteArray, text);
        const auto formats = importers::all();
        for (const auto* tool : kTools) {
            const auto packed = through(QByteArray(tool) + " -c", text);
            put("cut", packed.chopped(3));
            const auto imported = text::import(formats, at("cut").toStdString(), format.toStdString());
            QVERIFY(!imported);
            const auto& message = imported.error().message;
            QVERIFY2(message.find(at("cut").toStdString() + ": its compressed data is cut near byte ") != std::string::npos, message.c_str());
        }
    }
    void whatOthersReadIsNamedWithTheCommand_data()
    {
        QTest::addColumn<QByteArray>("bytes");
        QTest::addColumn<QByteArray>("says");
        if (has("bzip2")) QTest::newRow("bzip2") << through("bzip2 -c", "a;b 1\n") << QByteArray(": bzip2 -dc FILE | dscope --import -");
        if (has("lz4")) QTest::newRow("lz4") << through("lz4 -c", "a;b 1\n") << QByteArray(": lz4 -dc FILE | dscope --import -");
        QTest::newRow("lzma, before xz") << through("xz -c --format=lzma", "a;b 1\n") << QByteArray(": xz -dc FILE | dscope --import -");
        QTest::newRow("a recording") << through("zstd -c", QByteArray(record::kMagic.data(), record::kMagic.size()) + "\1\2\3")
                                     << QByteArray("it is a compressed recording: zstd -dc FILE | dscope --replay -");
        QTest::newRow("perf.data") << through("zstd -c", "PERFILE2 and so on") << QByteArray("which is compressed: unpack it with \"zstd -d\", and import that");
        QTest::newRow("nothing") << through("gzip -c", {}) << QByteArray("FILE: it is empty");
        QTest::newRow("no text") << through("gzip -c", QByteArray("a;b 1\nc;d 2\n\0\n", 14)) << QByteArray("it is no text, line 3 has a byte of value 0");
    }
    void whatOthersReadIsNamedWithTheCommand()
    {
        QFETCH(QByteArray, bytes);
        QFETCH(QByteArray, says);
        QVERIFY(!bytes.isEmpty());
        put("packed", bytes);
        const auto imported = text::import(importers::all(), at("packed").toStdString(), "");
        QVERIFY(!imported);
        const auto& message = imported.error().message;
        QVERIFY2(message.find(says.replace("FILE", at("packed").toUtf8()).toStdString()) != std::string::npos, message.c_str());
    }
    /// Text that begins like the name of a compressed format is text.
    void whatOnlyLooksCompressedIsRead()
    {
        for (const QByteArray text : {"BZh9;b 1\n", "PK;b 1\n", "LZIP;b 1\n", "(main;b 1\n", "P;b 1\n", "7zXZ;a 1\n"}) {
            put("plain", text);
            const auto imported = text::import(importers::all(), at("plain").toStdString(), "folded");
            QVERIFY2(imported, text);
            QCOMPARE(said(*imported), text);
        }
    }

private:
    static QByteArray contents(const QString& name)
    {
        QFile file(QStringLiteral(TEST_DATA "/imports/") + name);
        return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
    }
    void put(const QString& name, const QByteArray& bytes)
    {
        QFile file(at(name));
        QVERIFY(file.open(QIODevice::WriteOnly));
        QCOMPARE(file.write(bytes), bytes.size());
    }
    QString at(const QString& name) const { return m_dir.filePath(name); }
    QTemporaryDir m_dir;
};
QTEST_GUILESS_MAIN(TestCompressedInput)
#include "tst_compressed_input.moc"
