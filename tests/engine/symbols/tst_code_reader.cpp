// Disassembled functions are what objdump -d says of the same file: each address, mnemonic, and where a jump or call leads.
#include "compiled_program.h"
#include "engine/symbols/code_reader.h"
#include "engine/symbols/elf_file.h"
#include "engine/symbols/file_root.h"
#include "tests/support/mixing.h"
#include "tests/support/programs_at_hand.h"
#include <QMap>
#include <QObject>
#include <QProcess>
#include <QRegularExpression>
#include <QTemporaryDir>
#include <QTest>
using namespace dscope;
using namespace dscope::symbols;
using dscope::tests::has;
namespace {
/// What objdump says of an instruction.
struct Dumped {
    QString mnemonic, target, symbol;
};
using Function = QMap<qulonglong, Dumped>;
QString printedBy(const QString& program, const QStringList& words)
{
    QProcess process;
    process.start(program, words);
    process.waitForFinished(120'000);
    return QString::fromUtf8(process.readAllStandardOutput());
}
/// Functions by their names, as objdump -d prints them.
QMap<QString, Function> dumped(const QString& file)
{
    static const QRegularExpression head("^[0-9a-f]+ <(.+)>:$"), line("^ *([0-9a-f]+):\t([a-z0-9().]+(?: [a-z0-9]+)*) *(?:([0-9a-f]+) <(.+)>)?");
    QMap<QString, Function> all;
    QString name;
    for (const auto& text : printedBy("objdump", {"-d", "--no-show-raw-insn", "-j", ".text", file}).split('\n')) {
        if (const auto match = head.match(text); match.hasMatch()) name = match.captured(1);
        if (const auto match = line.match(text); match.hasMatch())
            all[name].insert(match.captured(1).toULongLong(nullptr, 16), {match.captured(2), match.captured(3), match.captured(4)});
    }
    return all;
}
/// objdump leaves out the letter of an operand's size where a register says it, and tells prefixes as words.
bool isSame(QString ours, QString theirs)
{
    for (const auto* prefix : {"bnd ", "notrack ", "rep ", "repz ", "repnz ", "lock ", "data16 ", "cs ", "ds "})
        for (auto* text : {&ours, &theirs})
            while (text->startsWith(QLatin1String(prefix)))
                text->remove(0, qsizetype(qstrlen(prefix)));
    ours = ours.section(' ', 0, 0);
    theirs = theirs.section(' ', 0, 0);
    // Conditions have several names each. Source: Intel's manual, volume 2, appendix B.1.4.1
    static const QMap<QString, QString> kConditions{{"nz", "ne"}, {"z", "e"}, {"nb", "ae"}, {"nbe", "a"}, {"nl", "ge"}, {"nle", "g"}};
    for (const QString stem : {"j", "set", "cmov"})
        if (ours.startsWith(stem) && kConditions.contains(ours.mid(stem.size()))) ours = stem + kConditions[ours.mid(stem.size())];
    static const QMap<QString, QString> kExtensions{{"cdqe", "cltq"}, {"cdq", "cltd"}, {"cqo", "cqto"}, {"cwde", "cwtl"}};
    if (kExtensions.contains(ours)) return theirs == kExtensions[ours];
    // AT&T's names of moves that extend tell both sizes, Zydis' tell one.
    if (ours.startsWith("movsx") || ours.startsWith("movzx")) return theirs.startsWith(ours.first(4));
    return ours == theirs || ours.chopped(1) == theirs || ours == theirs.chopped(1);
}
} // namespace

class TestCodeReader : public QObject {
    Q_OBJECT
    QTemporaryDir m_dir;
    static record::CodeFile codeOf(const QString& path)
    {
        const auto file = ElfFile::open(openToRead(path.toStdString()));
        return {path.toStdString(), file ? file->buildId() : std::string()};
    }

private Q_SLOTS:
    void initTestCase()
    {
        if (!has("cc") || !has("objdump")) QSKIP("needs a C compiler and objdump");
    }
    void functionsAreWhatObjdumpSays_data()
    {
        QTest::addColumn<QStringList>("flags");
        QTest::newRow("-O2") << QStringList{"-O2"};
        QTest::newRow("-O0, at a fixed address") << QStringList{"-O0", "-no-pie"};
        QTest::newRow("-O3 for AVX2") << QStringList{"-O3", "-mavx2"};
    }
    void functionsAreWhatObjdumpSays()
    {
        QFETCH(QStringList, flags);
        const auto program = compiled(m_dir, "code",
            tests::kMixing + "int main(int argc, char** argv)\n{\n    unsigned v[64] = { 1 };\n    v[1] = (unsigned)atol(argv[argc - 1]);\n"
                             "    return (int)mix(v, 64);\n}\n",
            flags + QStringList{"-g", "-Wl,--build-id"});
        QVERIFY(!program.isEmpty());
        CodeReader reader;
        const auto all = dumped(program);
        for (const auto* name : {"mix", "main"}) {
            const auto& theirs = all[name];
            QVERIFY(theirs.size() > 10);
            const auto code = reader(codeOf(program), theirs.firstKey() + 3); // from any byte of it
            QVERIFY2(code.has_value(), code.has_value() ? "" : code.error().message.c_str());
            QCOMPARE(qulonglong(code->begin), theirs.firstKey());
            // Behind its end objdump prints what lies before the next function.
            for (auto rest = theirs.lowerBound(code->end); rest != theirs.end(); ++rest)
                QVERIFY2(rest->mnemonic.contains("nop") || rest->mnemonic.startsWith("xchg"), qPrintable(rest->mnemonic));
            QCOMPARE(qsizetype(code->instructions.size()), std::distance(theirs.begin(), theirs.lowerBound(code->end)));
            bool hasLines = false;
            for (const auto& one : code->instructions) {
                QVERIFY2(theirs.contains(one.address), QByteArray::number(qulonglong(one.address), 16).constData());
                const auto& said = theirs[one.address];
                QVERIFY2(isSame(QString::fromStdString(one.text), said.mnemonic), qPrintable(QString::fromStdString(one.text) + " / " + said.mnemonic));
                QCOMPARE(one.target ? QString::number(*one.target, 16) : QString(), said.mnemonic.contains("call") || said.mnemonic.startsWith('j') ? said.target : QString());
                if (!one.callee.empty()) QCOMPARE(QString::fromStdString(one.callee), said.symbol);
                hasLines = hasLines || one.line != 0;
            }
            QVERIFY(hasLines);
        }
        const auto calls = reader(codeOf(program), all["main"].firstKey());
        QVERIFY(std::any_of(calls->instructions.begin(), calls->instructions.end(), [](const auto& one) { return one.callee == "mix"; }));
    }
    void anotherFileIsRefused()
    {
        const auto program = compiled(m_dir, "other", "int main(void) { return 3; }\n", {"-Wl,--build-id"});
        auto code = codeOf(program);
        code.buildId = "00" + code.buildId.substr(2);
        CodeReader reader;
        QVERIFY(QString::fromStdString(reader(code, 0x1000).error().message).contains("another file"));
        QVERIFY(QString::fromStdString(reader({"/nowhere/at/all", "11"}, 0x1000).error().message).contains("is not here"));
        QVERIFY(QString::fromStdString(reader({program.toStdString(), ""}, 0x1000).error().message).contains("no build id"));
    }
};
QTEST_GUILESS_MAIN(TestCodeReader)
#include "tst_code_reader.moc"
