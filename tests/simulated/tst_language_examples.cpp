// needs: engine/language engine/syntax engine/sema engine/codegen engine/decode engine/format engine/bpf providers
// The examples that the table of the language gives are programs.
#include "engine/language/help.h"
#include "engine/language/language.h"
#include "simulated_run.h"
#include <QObject>
#include <QTest>
using namespace dscope;
using namespace dscope::tests;

class TestLanguageExamples : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void everyWordHasAnExampleThatCompiles_data()
    {
        QTest::addColumn<QString>("word");
        for (const auto word : language::wordNames())
            QTest::newRow(std::string(word).c_str()) << QString::fromUtf8(word.data(), qsizetype(word.size()));
    }
    void everyWordHasAnExampleThatCompiles()
    {
        QFETCH(const QString, word);
        const auto help = language::helpOf(word.toStdString());
        QVERIFY(help);
        QVERIFY(!help->prototype.empty() && !help->summary.empty());
        if (!help->refusal.empty()) return;
        QVERIFY2(QString::fromStdString(help->example).contains(word), help->example.c_str());
        SimulatedRun run;
        if (!run.host().read("/sys/kernel/btf/vmlinux")) QSKIP("the kernel describes no types (BTF)");
        QVERIFY(run.options.set("destructive", ""));
        const auto compiled = run.compile("syscall::write:entry { @calls[execname] = count(); self->trail = speculation(); }\n"
                                          "syscall::write:entry { " + help->example + " }\n");
        QVERIFY2(compiled, compiled ? "" : compiled.error().message.c_str());
    }
    void whatIsInternalHasNone()
    {
        QVERIFY(!language::helpOf("__with_letter"));
        QVERIFY(!language::helpOf("no_such_word"));
        QCOMPARE(language::helpOf("basename")->value, std::string_view("ls"));
    }
};
QTEST_GUILESS_MAIN(TestLanguageExamples)
#include "tst_language_examples.moc"
