// Folded text: frames, and the marks that stand for their facts.
#include "engine/record/folded.h"
#include <QObject>
#include <QTest>
using namespace dscope::record;
namespace {
QStringList words(std::string_view stack)
{
    QStringList out;
    eachFrame(stack, [&](std::string_view word) { out << QString::fromUtf8(word.data(), static_cast<qsizetype>(word.size())); });
    return out;
}
} // namespace

class FoldedTest : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void aStackIsTakenApartAndPutTogether()
    {
        QCOMPARE(words("a;b c;d"), QStringList({"a", "b c", "d"}));
        QCOMPARE(words("a;"), QStringList({"a", ""}));
        QCOMPARE(words(""), QStringList({""}));
        QVERIFY(framesOf("").empty());
        std::string path;
        for (const auto word : framesOf("a;b c;d"))
            appendFrame(path, word);
        QCOMPARE(path, std::string("a;b c;d"));
        QVERIFY(lastFrame("a;b") == "b" && lastFrame("a") == "a");
    }
    void aMarkSaysWhatKindOfCodeAFrameIs_data()
    {
        QTest::addColumn<QByteArray>("word");
        QTest::addColumn<QByteArray>("module");
        QTest::addColumn<QByteArray>("name");
        QTest::addColumn<int>("kind");
        QTest::addColumn<bool>("inlined");
        using Kind = Frame::Kind;
        const auto row = [](const char* word, const char* module, const char* name, Kind kind, bool inlined) {
            QTest::newRow(word) << QByteArray(word) << QByteArray(module) << QByteArray(name) << int(kind) << inlined;
        };
        row("read_[k]", "", "read", Kind::Kernel, false);
        row("run_[j]", "", "run", Kind::Jit, false);
        row("run_[i]", "", "run", Kind::Unknown, true);
        row("a[3]", "", "a[3]", Kind::Unknown, false);
        row("libc.so.6`read", "libc.so.6", "read", Kind::Unknown, false);
        row("vmlinux`read", "vmlinux", "read", Kind::Kernel, false);
        row("ext4.ko`read", "ext4.ko", "read", Kind::Kernel, false);
        row("a.out`run_[i]", "a.out", "run", Kind::Unknown, true);
        row("`anonymous namespace'::f", "", "`anonymous namespace'::f", Kind::Unknown, false);
        row("n::f::`lambda'", "", "n::f::`lambda'", Kind::Unknown, false);
        row("std::function<void (int)>::operator()", "", "std::function<void (int)>::operator()", Kind::Unknown, false);
    }
    void aMarkSaysWhatKindOfCodeAFrameIs()
    {
        QFETCH(QByteArray, word);
        QFETCH(QByteArray, module);
        QFETCH(QByteArray, name);
        QFETCH(int, kind);
        QFETCH(bool, inlined);
        const std::string given = word.toStdString();
        const auto frame = namedFrame(given);
        QCOMPARE(std::string(frame.module), module.toStdString());
        QCOMPARE(std::string(frame.name), name.toStdString());
        QCOMPARE(int(frame.kind), kind);
        QCOMPARE(frame.inlined, inlined);
        QCOMPARE(foldedWord(frame), given);
    }
    void aSeparatorWithinANameIsWrittenAsAColon()
    {
        QCOMPARE(foldedWord({.name = "a;b", .kind = Frame::Kind::Kernel}), std::string("a:b_[k]"));
    }
};
QTEST_GUILESS_MAIN(FoldedTest)
#include "tst_folded.moc"
