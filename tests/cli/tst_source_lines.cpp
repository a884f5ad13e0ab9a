// needs-programs: dscope
// -x ustacklines: what is printed of each sampled frame is what addr2line says of its address, live and from a recording.
#include "tests/support/mixing.h"
#include "tests/support/programs_at_hand.h"
#include "tests/support/run_dscope.h"
#include <QFile>
#include <QObject>
#include <QProcess>
#include <QRegularExpression>
#include <QTemporaryDir>
#include <QTest>
#include <map>
#include <set>
using namespace dscope::tests;
namespace {
const QByteArray kSource = kMixing +
    "static inline unsigned twice(unsigned* v)\n"
    "{\n"
    "    v[0] += mix(v, 64);\n"
    "    return mix(v, 63);\n"
    "}\n"
    "int main(int argc, char** argv)\n"
    "{\n"
    "    unsigned v[64] = { 1, 2, 3 };\n"
    "    for (long i = 0; i < atol(argv[argc - 1]); ++i)\n"
    "        v[i % 64] ^= twice(v);\n"
    "    return v[0] == 1;\n"
    "}\n";
const QString kProgram = "profile-997 /pid == $target && arg1 != 0/ { @[ustack()] = count(); }", kRounds = " 3000000";

/// A frame as it is printed, or as addr2line says it: "rotl source.c:5", "mix source.c:16".
struct Printed {
    QString function, place;
    qulonglong offset = 0;
    bool inlined = false;
    bool calls = false; ///< it is not where the thread was
};
/// The stacks of `text`, from the innermost frame out; a frame of another module ends a part.
QList<QList<Printed>> stacksOf(const QByteArray& text, const QString& module)
{
    static const QRegularExpression line("^ +(.+)`([^+ ]+)(?:\\+0x([0-9a-f]+))?(?: \\(([^ ()]+:[0-9]+)\\))?( \\(inlined\\))?$");
    QList<QList<Printed>> stacks{{}};
    bool calls = false;
    for (const auto& one : QString::fromUtf8(text).split('\n')) {
        const auto match = line.match(one);
        const bool inlined = !match.captured(5).isEmpty();
        if (!match.hasMatch() || match.captured(1) != module)
            stacks.append(QList<Printed>());
        else
            stacks.back().append({match.captured(2), match.captured(4), match.captured(3).toULongLong(nullptr, 16), inlined, calls});
        calls = one.contains('`') && (calls || !inlined); // what was inlined is where the function behind it is
    }
    stacks.removeIf([](const auto& stack) { return stack.isEmpty(); });
    return stacks;
}
} // namespace

class TestSourceLines : public QObject {
    Q_OBJECT
    QTemporaryDir m_dir;
    QString path(const QString& name) { return m_dir.filePath(name); }
    int m_inlined = 0; ///< frames that were compared

    static int ran(const QString& program, const QStringList& arguments) { return runDscope(arguments, {}, program).status; }
    /// addr2line's chain for an address: "function file:line", innermost first.
    static QStringList addr2line(const QString& file, qulonglong address)
    {
        const auto out = runDscope({"-if", "-e", file, QString::number(address, 16)}, {}, "addr2line").out;
        auto lines = QString::fromUtf8(out).split('\n', Qt::SkipEmptyParts);
        QStringList chain;
        for (qsizetype i = 0; i + 1 < lines.size(); i += 2)
            chain << lines[i] + ' ' + lines[i + 1].section('/', -1).section(" (disc", 0, 0);
        return chain;
    }
    /// Every frame of the module in the text against addr2line on `file`, which has symbols and lines.
    void compare(const QByteArray& text, const QString& module, const QString& file)
    {
        std::map<QString, qulonglong> starts;
        for (const auto& line : QString::fromUtf8(runDscope({file}, {}, "nm").out).split('\n'))
            starts[line.section(' ', 2)] = line.section(' ', 0, 0).toULongLong(nullptr, 16);
        m_inlined = 0;
        std::map<qulonglong, QStringList> asked;
        for (const auto& stack : stacksOf(text, module)) {
            QStringList chain;
            for (const auto& frame : stack) {
                chain << frame.function + ' ' + frame.place;
                m_inlined += frame.inlined;
                if (frame.inlined) continue;
                if (frame.function.endsWith("@plt")) { // a stub is no function of the program's
                    chain.clear();
                    continue;
                }
                QVERIFY2(starts.count(frame.function), qPrintable(frame.function));
                const auto address = starts[frame.function] + frame.offset - (frame.calls ? 1 : 0);
                auto& theirs = asked[address];
                if (theirs.isEmpty()) theirs = addr2line(file, address);
                // What is of the compiler's own start files has no lines.
                if (frame.function != "_start" && !theirs.last().endsWith(":?")) QCOMPARE(chain, theirs);
                chain.clear();
            }
            QVERIFY(chain.isEmpty());
        }
        QVERIFY(asked.size() > 5);
    }

private Q_SLOTS:
    void initTestCase()
    {
        if (!has("cc") || !has("addr2line") || !has("objcopy")) QSKIP("needs a C compiler and binutils");
        if (const auto why = whyNoTracing(); !why.isEmpty()) QSKIP(why.constData());
        QFile source(path("source.c"));
        QVERIFY(source.open(QIODevice::WriteOnly));
        source.write(kSource);
        source.close();
    }
    void stacksSayWhatAddr2lineSays_data()
    {
        QTest::addColumn<QStringList>("flags");
        QTest::addColumn<bool>("apart");
        QTest::newRow("in the program, DWARF 5") << QStringList{"-gdwarf-5"} << false;
        QTest::newRow("in the program, DWARF 4") << QStringList{"-gdwarf-4"} << false;
        QTest::newRow("at a fixed address") << QStringList{"-g", "-no-pie"} << false;
        QTest::newRow("in a debug file beside it") << QStringList{"-g"} << true;
    }
    void stacksSayWhatAddr2lineSays()
    {
        QFETCH(QStringList, flags);
        QFETCH(bool, apart);
        QCOMPARE(ran("cc", QStringList{"-O2", path("source.c"), "-o", path("whole")} + flags), 0);
        QFile::remove(path("program"));
        QFile::remove(path("program.debug"));
        if (apart) {
            QCOMPARE(ran("objcopy", {"--only-keep-debug", path("whole"), path("program.debug")}), 0);
            QCOMPARE(ran("objcopy", {"--strip-all", "--add-gnu-debuglink=" + path("program.debug"), path("whole"), path("program")}), 0);
        } else
            QVERIFY(QFile::copy(path("whole"), path("program")));
        const auto run = runApart({"-x", "ustacklines", "-qn", kProgram, "-c", path("program") + kRounds});
        QCOMPARE(run.err, QByteArray());
        compare(run.out, "program", path("whole"));
        QVERIFY(m_inlined > 5);
    }
    void withoutTheOptionNothingIsAdded()
    {
        QCOMPARE(ran("cc", {"-O2", "-g", path("source.c"), "-o", path("program")}), 0);
        const auto run = runApart({"-qn", kProgram, "-c", path("program") + kRounds});
        QCOMPARE(run.status, 0);
        QVERIFY(run.out.contains("program`mix+0x") && !run.out.contains("source.c") && !run.out.contains("inlined"));
    }
    void aRecordingThatWasNotToBeNamedIsNamedLater()
    {
        QCOMPARE(ran("cc", {"-O2", "-g", path("source.c"), "-o", path("whole")}), 0);
        QFile::remove(path("program"));
        QVERIFY(QFile::copy(path("whole"), path("program")));
        const auto run = runApart({"-x", "noresolve", "-qn", kProgram, "-c", path("program") + kRounds, "--record", path("unnamed.dscope")});
        QCOMPARE(run.err, QByteArray());
        QVERIFY(!run.out.contains("mix"));
        const auto replay = runDscope({"--replay", path("unnamed.dscope"), "-x", "ustacklines"});
        QCOMPARE(replay.status, 0);
        compare(replay.out, "program", path("whole"));
        QVERIFY(m_inlined > 5);
    }
    void aRecordingWithLinesLacksNoDebugInformation()
    {
        QCOMPARE(ran("cc", {"-O2", "-g", path("source.c"), "-o", path("program")}), 0);
        const auto run
            = runApart({"-x", "ustacklines", "-qn", kProgram, "-c", path("program") + kRounds, "--record", path("lines.dscope")});
        QCOMPARE(run.err, QByteArray());
        QVERIFY(run.out.contains("source.c:"));
        // Where the program is gone its stacks still have the lines they were recorded with.
        QVERIFY(QFile::remove(path("program")));
        const auto replay = runDscope({"--replay", path("lines.dscope"), "-x", "ustacklines"});
        QCOMPARE(replay.out.trimmed(), run.out.trimmed());
        QVERIFY2(!replay.err.contains("program"), replay.err.constData());
    }
    void aRecordingIsNamedWhenDebugFilesAreFound()
    {
        QFile::remove(path("program.debug"));
        QCOMPARE(ran("cc", {"-O2", "-g", path("source.c"), "-o", path("whole")}), 0);
        QCOMPARE(ran("objcopy", {"--only-keep-debug", path("whole"), path("program.debug")}), 0);
        QCOMPARE(ran("objcopy", {"--strip-all", "--add-gnu-debuglink=" + path("program.debug"), path("whole"), path("program")}), 0);
        QVERIFY(QFile::rename(path("program.debug"), path("elsewhere")));
        const auto run = runApart({"-qn", kProgram, "-c", path("program") + kRounds, "--record", path("r.dscope")});
        QCOMPARE(run.err, QByteArray());
        QVERIFY(run.out.contains("program`0x") && !run.out.contains("mix"));
        const auto before = runDscope({"--replay", path("r.dscope"), "-x", "ustacklines"});
        QVERIFY2(before.err.contains("no debug information was found of ") && before.err.contains("program"), before.err.constData());
        QVERIFY(!before.out.contains("mix"));

        QVERIFY(QFile::rename(path("elsewhere"), path("program.debug")));
        const auto replay = runDscope({"--replay", path("r.dscope"), "-x", "ustacklines"});
        QCOMPARE(replay.status, 0);
        compare(replay.out, "program", path("whole"));
        QVERIFY(m_inlined > 5);
        QCOMPARE(runDscope({"--replay", path("r.dscope")}).out.trimmed(), run.out.trimmed());

        // Figures and files of other tools have it, and a second recording needs no debug file any more.
        const auto made = runDscope({"--replay", path("r.dscope"), "-x", "ustacklines", "--record", path("named.dscope"), "--export",
            path("stacks.json"), "--export", path("stacks.folded"), "--export", path("flame.svg")});
        QCOMPARE(made.status, 0);
        QVERIFY(QFile::remove(path("program.debug")));
        QCOMPARE(runDscope({"--replay", path("named.dscope")}).out, replay.out);
        const auto contents = [&](const char* name) {
            QFile file(path(name));
            return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
        };
        QVERIFY(contents("stacks.folded").contains("program`mix;program`step_[i]"));
        const auto source = path("source.c").toUtf8();
        QVERIFY(QRegularExpression("\"program`mix\",\"file\":\"" + source + "\",\"line\":1[0-9]").match(contents("stacks.json")).hasMatch());
        QVERIFY(contents("flame.svg").contains("\nsource.c:"));

        QCOMPARE(runDscope({"--replay", path("named.dscope"), "--export", "source=" + path("source.txt"), "--export", "source=" + path("source.svg"), "--focus", "mix"}).status, 0);
        QVERIFY(QRegularExpression("program`mix +" + source + " +16 +[0-9]+ +[1-9][0-9]* +x = step\\(x, v\\[i\\]\\);").match(contents("source.txt")).hasMatch());
        QVERIFY(contents("source.svg").contains("x = step(x, v[i]);"));

        // Who is not to know of files does not.
        const auto redacted = runDscope({"--replay", path("named.dscope"), "--redact", "--record", path("redacted.dscope"), "--export",
            path("redacted.svg"), "--export", path("redacted.json")});
        QCOMPARE(redacted.status, 0);
        QVERIFY(!runDscope({"--replay", path("redacted.dscope")}).out.contains("source.c"));
        QVERIFY(!contents("redacted.svg").contains("source.c") && !contents("redacted.json").contains("source.c"));
        QVERIFY(contents("redacted.json").contains("program`step\""));
    }
};
QTEST_GUILESS_MAIN(TestSourceLines)
#include "tst_source_lines.moc"
