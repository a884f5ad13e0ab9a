#include "engine/text/lines.h"
#include "tests/support/standard_input.h"
#include <QByteArray>
#include <QFile>
#include <QObject>
#include <QTemporaryDir>
#include <QTest>
#include <csignal>
#include <fcntl.h>
#include <sstream>
#include <string>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>
#include <vector>
using namespace dscope;
using text::Lines;
using tests::StandardInput;
namespace {
/// The lines of a text by std::getline, without the carriage return at their end.
std::vector<std::string> linesByGetline(const std::string& text)
{
    std::istringstream in(text);
    std::vector<std::string> lines;
    for (std::string line; std::getline(in, line);) {
        if (line.ends_with('\r')) line.pop_back();
        lines.push_back(line);
    }
    return lines;
}
std::vector<std::string> linesOf(Lines& lines)
{
    std::vector<std::string> all;
    std::string_view line;
    while (lines.next(line)) {
        all.emplace_back(line);
        if (lines.number() != all.size()) all.emplace_back("the number of a line is wrong");
    }
    return all;
}

/// A file that is gone with this.
struct File {
    explicit File(const std::string& text)
    {
        QFile file(path());
        if (!file.open(QIODevice::WriteOnly) || file.write(text.data(), static_cast<qint64>(text.size())) < 0)
            qFatal("cannot write into a temporary folder");
    }
    QString path() const { return dir.filePath(QStringLiteral("text")); }
    std::string name() const { return path().toStdString(); }
    QTemporaryDir dir;
};
} // namespace

class TestLines : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void initTestCase() { ::signal(SIGBUS, SIG_DFL); } // not Qt Test's, which looks into a program that crashes
    void everySourceGivesTheSameLines_data()
    {
        QTest::addColumn<QByteArray>("text");
        QTest::newRow("one line") << QByteArray("a\n");
        QTest::newRow("no end of the last line") << QByteArray("a\nb");
        QTest::newRow("empty lines") << QByteArray("\n\na\n\n");
        QTest::newRow("carriage returns at the end of lines, and within") << QByteArray("a\r\nb\rc\r\n\r\n");
        QTest::newRow("bytes of value 0") << QByteArray("a\0b\nc\n", 6);
        QTest::newRow("a line longer than what is read at a time") << QByteArray(300'000, 'x') + "\ny\n";
        QTest::newRow("a line longer than what a guess is made on") << "y\n" + QByteArray(2'500'000, 'x') + "\nz";

        QByteArray many;
        for (int i = 0; i < 60'000; ++i)
            many += QByteArray::number(i * 7919) + QByteArray(i % 97, '.') + '\n';
        QTest::newRow("many lines of many lengths") << many;
    }
    void everySourceGivesTheSameLines()
    {
        QFETCH(QByteArray, text);
        const auto bytes = text.toStdString();
        const auto expected = linesByGetline(bytes);
        const File file(bytes);

        Lines inMemory(bytes);
        QVERIFY(linesOf(inMemory) == expected);

        for (const auto by : {Lines::By::Mapping, Lines::By::Pieces}) {
            auto lines = Lines::open(file.name(), by);
            QVERIFY(lines);
            QCOMPARE(lines->size(), std::uint64_t(bytes.size()));
            QVERIFY(linesOf(*lines) == expected);
            QCOMPARE(lines->position(), std::uint64_t(bytes.size()));
            QVERIFY(!lines->failure());
        }

        const StandardInput input(bytes);
        auto piped = Lines::open("-");
        QVERIFY(piped);
        QVERIFY(linesOf(*piped) == expected);
        QCOMPARE(piped->position(), std::uint64_t(bytes.size()));
    }
    void aByteOrderMarkIsNoText()
    {
        const std::string text = "\xef\xbb\xbf""first\nsecond\n";
        const File file(text);
        Lines inMemory(text);
        auto mapped = Lines::open(file.name(), Lines::By::Mapping), pieces = Lines::open(file.name(), Lines::By::Pieces);
        const StandardInput input(text);
        auto piped = Lines::open("-");
        QVERIFY(mapped && pieces && piped);
        for (auto* lines : {&inMemory, &*mapped, &*pieces, &*piped}) {
            QCOMPARE(lines->head(), std::string_view("first\nsecond\n"));
            QVERIFY(linesOf(*lines) == std::vector<std::string>({"first", "second"}));
            QCOMPARE(lines->position(), std::uint64_t(text.size()));
        }
    }
    void nothingHasNoLines()
    {
        const File file("");
        auto lines = Lines::open(file.name());
        QVERIFY(lines);
        QVERIFY(lines->head().empty());
        QVERIFY(linesOf(*lines).empty());
    }

    /// A guess is made on the beginning, which must still be read afterwards.
    void theHeadIsTheBeginningAndStaysToBeRead()
    {
        const std::string text = "first\nsecond\n";
        const StandardInput input(text);
        auto lines = Lines::open("-");
        QVERIFY(lines);
        QCOMPARE(lines->head(), std::string_view(text));
        QVERIFY(linesOf(*lines) == linesByGetline(text));
    }

    void aParagraphEndsAtAnEmptyLine()
    {
        const std::string text = "a\nbb\n\nc\n\n\nd\r\n\r\ne\n";
        Lines lines(text);
        const auto first = lines.paragraph();
        QCOMPARE(first.text, std::string_view("a\nbb"));
        QCOMPARE(first.lines, std::size_t{2});
        std::string_view line;
        QVERIFY(lines.next(line)); // nothing was consumed
        QCOMPARE(line, std::string_view("a"));
        const auto rest = lines.paragraph();
        QCOMPARE(rest.text, std::string_view("bb"));
        lines.skip(rest);
        QCOMPARE(lines.paragraph().lines, std::size_t{0});
        QVERIFY(lines.next(line) && line.empty());
        QCOMPARE(lines.number(), std::size_t{3});
        lines.skip(lines.paragraph());
        QCOMPARE(lines.number(), std::size_t{4});
        QVERIFY(lines.next(line) && lines.next(line) && line.empty());
        QCOMPARE(lines.paragraph().lines, std::size_t{0}); // no empty line behind it: a carriage return is in it
        QVERIFY(lines.next(line));
        QCOMPARE(line, std::string_view("d"));
        const auto far
            = QByteArray("x\n").repeated(2000).toStdString() + '\n'; // who looks at each line must not look at all lines each time
        QCOMPARE(Lines(far).paragraph().lines, std::size_t{0});
    }
    void aKnownLineIsTakenWhenItIsTheNext_data()
    {
        QTest::addColumn<int>("length");
        for (const int length : {0, 1, 7, 8, 62, 63, 64, 65, 100, 127, 128, 129, 1000})
            QTest::addRow("%d bytes", length) << length;
    }
    void aKnownLineIsTakenWhenItIsTheNext()
    {
        QFETCH(int, length);
        std::string line;
        for (int i = 0; i < length; ++i)
            line += static_cast<char>('!' + i % 90);
        const Lines::Sample sample(line);
        const std::string more(200, '-'); // take() leaves the end of what is read to next()

        const auto same = line + "\nbehind\n" + more;
        Lines lines(same);
        QVERIFY(lines.take(sample));
        QCOMPARE(lines.number(), std::size_t(1));
        std::string_view next;
        QVERIFY(lines.next(next));
        QCOMPARE(next, std::string_view("behind"));

        // Another byte anywhere, one more and one less: not this line, and it stays to be read.
        for (int at = 0; at < length; ++at) {
            auto other = same;
            other[static_cast<std::size_t>(at)] ^= 1;
            Lines different(other);
            QVERIFY2(!different.take(sample), qPrintable(QString::number(at)));
            QVERIFY(different.next(next));
            QVERIFY(next == std::string_view(other).substr(0, line.size()));
        }
        const auto longer = line + "x\n" + more, shorter = line.substr(0, line.size() - (length > 0)) + (length > 0 ? "\n" : "x\n") + more;
        QVERIFY(!Lines(longer).take(sample));
        QVERIFY(!Lines(shorter).take(sample));
    }

    void whatCannotBeReadIsNamedWithTheReason_data()
    {
        QTest::addColumn<QByteArray>("path");
        QTest::addColumn<int>("code");
        QTest::newRow("missing") << QByteArray("/nonexistent/text") << ENOENT;
        QTest::newRow("a directory") << QByteArray("/tmp") << EISDIR;
    }
    void whatCannotBeReadIsNamedWithTheReason()
    {
        QFETCH(QByteArray, path);
        QFETCH(int, code);
        for (const auto by : {Lines::By::Mapping, Lines::By::Pieces}) {
            const auto lines = Lines::open(path.toStdString(), by);
            QVERIFY(!lines);
            QCOMPARE(lines.error().code, code);
            QVERIFY2(lines.error().message.find(path.toStdString()) != std::string::npos, lines.error().message.c_str());
        }
    }
    /// As logs are rotated by copying and cutting them. Mapped pages that are gone would end us by SIGBUS.
    void aFileThatIsCutWhileItIsReadIsTold_data()
    {
        QTest::addColumn<bool>("isMapped");
        QTest::addColumn<int>("left");
        for (const bool isMapped : {true, false})
            for (const int left : {0, 5'000, 3'000'001})
                QTest::addRow("%s, cut to %d bytes", isMapped ? "mapped" : "in pieces", left) << isMapped << left;
    }
    void aFileThatIsCutWhileItIsReadIsTold()
    {
        QFETCH(bool, isMapped);
        QFETCH(int, left);
        std::string text;
        for (int i = 0; i < 400'000; ++i)
            text += "a line of text\n";
        const File file(text);
        auto lines = Lines::open(file.name(), isMapped ? Lines::By::Mapping : Lines::By::Pieces);
        QVERIFY(lines);
        QCOMPARE(bool(lines->mapped()), isMapped);
        QCOMPARE(::truncate(file.name().c_str(), left), 0);
        linesOf(*lines);
        const auto told = isMapped ? lines->mapped()->check() : lines->failure() ? Result<>(*lines->failure()) : Result<>();
        QVERIFY(!told);
        QVERIFY2(told.error().message.find("was cut while it was read") != std::string::npos, told.error().message.c_str());
    }
    void aFileThatGrowsIsReadAsItWas()
    {
        const std::string text = "first\nsecond\n";
        const File file(text);
        auto lines = Lines::open(file.name());
        QVERIFY(lines);
        QFile more(QString::fromStdString(file.name()));
        QVERIFY(more.open(QIODevice::Append) && more.write("third\n") == 6);
        more.close();
        QVERIFY(linesOf(*lines) == linesByGetline(text));
        QVERIFY(lines->mapped()->check());
    }
    /// SIGBUS of another's memory is as without us.
    void anothersBusErrorStillEndsAProgram()
    {
        const File file("text\n"), other(std::string(8192, 'x'));
        const auto lines = Lines::open(file.name());
        QVERIFY(lines && lines->mapped());
        const pid_t child = ::fork();
        if (child == 0) {
            const int fd = ::open(other.name().c_str(), O_RDWR | O_CLOEXEC);
            const auto* at = static_cast<const volatile char*>(::mmap(nullptr, 8192, PROT_READ, MAP_SHARED, fd, 0));
            if (::ftruncate(fd, 0) != 0) ::_exit(1);
            ::_exit(at[5000]);
        }
        int status = 0;
        QCOMPARE(::waitpid(child, &status, 0), child);
        QVERIFY(WIFSIGNALED(status) && WTERMSIG(status) == SIGBUS);
    }
    void whoWatchesIsToldOfEveryByteInOrder()
    {
        std::string text;
        for (int i = 0; i < 200'000; ++i)
            text += "a line of text\n";
        const File file(text);
        for (const auto by : {Lines::By::Mapping, Lines::By::Pieces}) {
            std::vector<std::uint64_t> told;
            std::uint64_t size = 0;
            auto lines = Lines::open(file.name(), by, [&](std::uint64_t bytes, std::uint64_t all) {
                told.push_back(bytes);
                size = all;
            });
            QVERIFY(lines);
            linesOf(*lines);
            QVERIFY(!told.empty() && std::is_sorted(told.begin(), told.end()));
            QVERIFY(told.back() <= text.size());
            QCOMPARE(size, std::uint64_t(text.size()));
        }
    }
};
QTEST_GUILESS_MAIN(TestLines)
#include "tst_lines.moc"
