// Rules that are found out from instructions, held against those that compilers wrote of the same code.
#include "engine/symbols/code_rules.h"
#include "engine/symbols/frame_parts.h"
#include <QMap>
#include <QObject>
#include <QProcess>
#include <QTemporaryDir>
#include <QTest>
#include <fcntl.h>
#include <random>
using namespace dscope;
using namespace dscope::symbols;
using Cfa = FrameRule::Cfa;
using Kind = ColumnRule::Kind;

class TestCodeRules : public QObject {
    Q_OBJECT
    static FrameRows found(const ElfFile& file)
    {
        const auto section = codeRules(file, {});
        return {section, 0, FrameRows::Format::DebugFrame};
    }
    static std::optional<ElfFile> opened(const QString& path)
    {
        auto file = ElfFile::open(Fd(::open(path.toLocal8Bit().constData(), O_RDONLY | O_CLOEXEC)));
        if (!file) return {};
        return *std::move(file);
    }
    static bool isSimple(const FrameRule* rule)
    {
        return rule != nullptr && rule->cfa == Cfa::Register && (*rule)[Column::ReturnAddress].kind == Kind::AtOffset && rule->signal == 0;
    }
private Q_SLOTS:
    void initTestCase()
    {
#if !defined(__x86_64__)
        QSKIP("instructions of amd64 are followed, no others");
#endif
    }
    void equalTheCompilersTables_data()
    {
        QTest::addColumn<QString>("path");
        QTest::addColumn<double>("least"); // per cent of the code with tables that something is found of
        const auto row = [](const char* path, double least) { QTest::newRow(path) << QString(path) << least; };
        row("/usr/lib/x86_64-linux-gnu/libc.so.6", 60);
        row("/usr/lib/x86_64-linux-gnu/libm.so.6", 40);
        row("/usr/lib/x86_64-linux-gnu/libz.so.1", 60);
        row("/usr/lib/x86_64-linux-gnu/libstdc++.so.6", 60);
        row("/usr/bin/ls", 30);
        row("/usr/bin/perl", 40);
        row("/usr/bin/git", 15);
    }
    void equalTheCompilersTables()
    {
        QFETCH(QString, path);
        QFETCH(double, least);
        const auto file = opened(path);
        if (!file) QSKIP("it is not installed");
        FrameParts tables(*file);
        const auto ours = found(*file);
        // Assembly by hand whose author told no table of its pushes (glibc's arithmetic of long numbers): one row, as at its beginning.
        const auto isBare = [&](std::uint64_t at, const FrameRule& rule) {
            const auto function = tables.around(at).function(at);
            for (std::uint64_t i = 0; function && i < function->size; ++i)
                if (const auto* other = tables.around(at).find(function->start + i); other == nullptr || *other != rule) return false;
            return rule.cfaValue == kCfaAtEntry;
        };
        qint64 compared = 0, differ = 0, bare = 0, code = 0, told = 0;
        QByteArray first;
        for (const auto& segment : file->segments()) {
            if (!segment.executable) continue;
            for (auto at = segment.address; at < segment.address + segment.fileSize; ++at) {
                const auto* theirs = tables.around(at).find(at);
                if (!isSimple(theirs)) continue;
                ++code;
                const auto* rule = ours.find(at);
                if (rule == nullptr) continue;
                ++told;
                if (rule->cfaRegister != theirs->cfaRegister) continue; // the frame by rbp and by rsp
                ++compared;
                const auto& mine = (*rule)[Column::Rbp];
                const auto& their = (*theirs)[Column::Rbp];
                // Behind a pop compilers let the saved value stand, which is still there.
                const bool isRbpTrue = mine.kind != Kind::AtOffset || mine == their;
                if (rule->cfaValue == theirs->cfaValue && isRbpTrue) continue;
                if (isBare(at, *theirs)) {
                    ++bare;
                    continue;
                }
                if (first.isEmpty())
                    first = QByteArray::number(qulonglong(at), 16) + ": " + QByteArray::number(rule->cfaValue) + ", the table has " + QByteArray::number(theirs->cfaValue)
                        + "; rbp " + QByteArray::number(int(mine.kind)) + ' ' + QByteArray::number(mine.value) + ", the table has " + QByteArray::number(int(their.kind)) + ' '
                        + QByteArray::number(their.value);
                ++differ;
            }
        }
        qInfo("%lld bytes of code with tables, %.1f %% found, %lld compared, %lld differ, %lld that the table does not tell %s", code, 100.0 * double(told) / double(std::max<qint64>(1, code)), compared, differ, bare, first.constData());
        QVERIFY2(1000 * bare < std::max<qint64>(compared, 1), "too much is said to be the table's fault");
        QVERIFY2(differ == 0, first.constData());
        QVERIFY2(100 * double(told) >= least * double(code), "too little is found");
    }
    void garbageDoesNoHarm()
    {
        QFile library("/usr/lib/x86_64-linux-gnu/libz.so.1");
        if (!library.open(QIODevice::ReadOnly)) QSKIP("libz is not installed");
        const auto whole = library.readAll();
        const QTemporaryDir folder;
        std::mt19937 random(42);
        constexpr int kRuns = 10, kBytes = 3000, kHead = 4096; // headers stay
        for (int run = 0; run < kRuns; ++run) {
            auto bytes = whole;
            for (int i = 0; i < kBytes; ++i)
                bytes[qsizetype(kHead + random() % std::uint32_t(bytes.size() - kHead))] = char(random());
            QFile spoilt(folder.filePath("spoilt"));
            QVERIFY(spoilt.open(QIODevice::WriteOnly | QIODevice::Truncate));
            spoilt.write(bytes);
            spoilt.close();
            const auto file = opened(folder.filePath("spoilt"));
            if (!file) continue;
            const auto rows = found(*file);
            for (const auto& function : rows.functions())
                QVERIFY(function.size > 0);
        }
    }
    /// Nothing is told of ways whose returns go elsewhere, nor of what comes behind a call that may never return and proves nothing.
    void whatDoesNotAddUpIsNotTold()
    {
        const QTemporaryDir folder;
        QFile source(folder.filePath("tricks.c"));
        QVERIFY(source.open(QIODevice::WriteOnly));
        source.write("__asm__(\".text\\n\"\n"
                     "\".globl plain\\n.type plain,@function\\nplain: push %rbx\\nsub $16,%rsp\\nplain_at: nop\\nadd $16,%rsp\\npop %rbx\\nret\\n.globl plain_at\\n\"\n"
                     "\".globl tricky\\n.type tricky,@function\\ntricky: push %rbx\\ntricky_at: nop\\nret\\n.globl tricky_at\\n\"\n"
                     "\".globl stuck\\n.type stuck,@function\\nstuck: push %rbx\\ncall stuck\\nbehind: nop\\npop %rbx\\npop %rbx\\nhlt\\n.globl behind\\n\");\n");
        source.close();
        const auto library = folder.filePath("tricks.so");
        if (QProcess::execute("cc", {"-shared", "-nostdlib", "-fno-asynchronous-unwind-tables", "-o", library, source.fileName()}) != 0) QSKIP("needs cc");
        const auto file = opened(library);
        QVERIFY(file);
        QProcess nm;
        nm.start("nm", {library});
        QVERIFY(nm.waitForFinished());
        QMap<QByteArray, std::uint64_t> places;
        for (const auto& line : nm.readAllStandardOutput().split('\n'))
            if (const auto words = line.split(' '); words.size() == 3) places[words[2]] = words[0].toULongLong(nullptr, 16);
        const auto ours = found(*file);
        const auto* plain = ours.find(places["plain_at"]);
        QVERIFY(plain);
        QCOMPARE(plain->cfaRegister, std::uint32_t{kDwarfRsp});
        QCOMPARE(plain->cfaValue, 32);
        QCOMPARE((*plain)[Column::Rbx], (ColumnRule{Kind::AtOffset, -16}));
        QVERIFY(!ours.find(places["tricky_at"]));
        QVERIFY(!ours.find(places["behind"]));
    }
};
QTEST_GUILESS_MAIN(TestCodeRules)
#include "tst_code_rules.moc"
