// needs: providers
#include "engine/sema/stability.h"
#include "engine/syntax/parser.h"
#include "tests/support/fake_host.h"
#include <QObject>
#include <QTest>
using namespace dscope;

/// What `dtrace -v` tells of a program, from the tables of the Solaris Dynamic Tracing Guide.
class StabilityTest : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void takesTheLeastOfWhatIsNamed_data();
    void takesTheLeastOfWhatIsNamed();
    void readsWhatItSpells();
};

void StabilityTest::takesTheLeastOfWhatIsNamed_data()
{
    QTest::addColumn<QString>("text");
    QTest::addColumn<QString>("description");
    QTest::addColumn<QString>("statement");
    const auto row = [](const char* text, const char* description, const char* statement) {
        QTest::newRow(text) << QString::fromUtf8(text) << QString::fromUtf8(description) << QString::fromUtf8(statement);
    };
    row("BEGIN { trace(2); }", "Unstable/Unstable/Common", "Stable/Stable/Common");
    row("dtrace:::BEGIN { trace(2); }", "Stable/Stable/Common", "Stable/Stable/Common");
    row("syscall:::entry { }", "Evolving/Evolving/Common", "Stable/Stable/Common");
    row("syscall::read:entry { trace(args[0]); }", "Private/Private/ISA", "Private/Private/ISA");
    row("fbt:vmlinux:: { trace(`jiffies); }", "Private/Private/Unknown", "Private/Private/Unknown");
    row("io:::start { trace(args[0]->b_bcount); }", "Evolving/Evolving/ISA", "Evolving/Evolving/ISA");
    row("pid123:::entry { }", "Evolving/Evolving/ISA", "Stable/Stable/Common");
    row("pid$target::main:entry { trace(args[0]); }", "Private/Private/Unknown", "Private/Private/Unknown");
    row("mysql$1:::query { }", "Evolving/Evolving/ISA", "Stable/Stable/Common");
    row("cpc:::cycles-all-1000000 { trace(arg0); }", "Evolving/Evolving/Common", "Stable/Stable/Common");
    row("nobody:::knows { }", "Evolving/Evolving/ISA", "Stable/Stable/Common");
    row("rawtp:sched::sched_switch { }", "Private/Private/Unknown", "Stable/Stable/Common");
    row("profile:::tick-1s { trace(htons(1)); }", "Evolving/Evolving/Common", "Evolving/Evolving/Common");
    row("dtrace:::BEGIN /curthread/ { }", "Stable/Stable/Common", "Stable/Private/Common");
    row("dtrace:::BEGIN { trace(sizeof (int)); }", "Stable/Stable/Common", "Stable/Stable/Common");
    row("dtrace:::BEGIN { trace(sizeof (struct task_struct)); }", "Stable/Stable/Common", "Private/Private/Unknown");
    row("dtrace:::BEGIN { } fbt::read:entry { }", "Private/Private/ISA", "Stable/Stable/Common");
}
void StabilityTest::takesTheLeastOfWhatIsNamed()
{
    QFETCH(QString, text);
    QFETCH(QString, description);
    QFETCH(QString, statement);
    syntax::Sources sources;
    Diagnostics diagnostics;
    const auto file = sources.add({"s.d", text.toStdString()});
    syntax::Macros macros;
    macros.numbers = {{"target", 77}};
    macros.arguments = {"s.d", "42"};
    macros.used.resize(2);
    const auto program = syntax::parse(sources, file, macros, diagnostics);
    QVERIFY(diagnostics.ok());
    const auto part = [](const QString& three, int n) { return three.section(QLatin1Char('/'), n, n); };
    const auto block = [&](const char* what, const QString& is) {
        return QStringLiteral("\n\tMinimum %1 Attributes\n\t\tIdentifier Names: %2\n\t\tData Semantics:   %3\n\t\tDependency Class: %4\n")
            .arg(QString::fromUtf8(what), part(is, 0), part(is, 1), part(is, 2));
    };
    const tests::FakeHost host;
    const probe::Registry registry(host, providers::all());
    QCOMPARE(QString::fromStdString(sema::stabilityReport(registry, program, 4, "script s.d")),
        QStringLiteral("\nStability attributes for script s.d:\n") + block("Probe Description", description) + block("Statement", statement)
            + QLatin1Char('\n'));
}

void StabilityTest::readsWhatItSpells()
{
    for (const std::string text : {"Standard/Evolving/Common", "Internal/External/CPU", "Obsolete/Private/Unknown"})
        QCOMPARE(sema::spelled(sema::attributesFromText(text)), text);
    const auto evolving = sema::attributesFromText("Evolving/Evolving/Common");
    QVERIFY(sema::isLess(sema::attributesFromText("Stable/Unstable/Common"), evolving));
    QVERIFY(!sema::isLess(sema::attributesFromText("Stable/Standard/Common"), evolving));
}

QTEST_GUILESS_MAIN(StabilityTest)
#include "tst_stability.moc"
