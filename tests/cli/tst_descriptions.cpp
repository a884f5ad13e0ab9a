// needs-programs: dscope
// What -n, -f, -m, -P and -i make of their words, enabling and listing. Expected words: dtrace's own.
#include "tests/support/run_dscope.h"
#include <QObject>
#include <QTest>
using namespace dscope::tests;

class TestDescriptions : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void wrongDescriptionsAreToldAsTheyWereWritten_data()
    {
        QTest::addColumn<QStringList>("words");
        QTest::addColumn<QString>("message");
        const auto row = [](const char* name, const QStringList& words, const char* message) { QTest::newRow(name) << words << message; };
        row("function", {"-f", "BEGIN"}, "invalid probe specifier BEGIN: probe description ::BEGIN: does not match any probes");
        row("function with a module before it", {"-f", "read:"}, "invalid probe specifier read:: probe description :read:: does not match any probes");
        row("a leading colon says nothing", {"-f", "::read:"}, "invalid probe specifier ::read:: probe description :read:: does not match any probes");
        row("a name too many for a function", {"-f", "a:b:c:d"}, "invalid probe specifier a:b:c:d: invalid probe description \"a:b:c:d\": Overspecified probe description");
        row("module", {"-m", "nosuch"}, "invalid probe specifier nosuch: probe description :nosuch:: does not match any probes");
        row("a name too many for a module", {"-m", "a::"}, "invalid probe specifier a::: invalid probe description \"a::\": Overspecified probe description");
        row("provider", {"-P", "nosuch"}, "invalid probe specifier nosuch: probe description nosuch::: does not match any probes");
        row("a name too many for a provider", {"-P", "profile:::"}, "invalid probe specifier profile:::: invalid probe description \"profile:::\": Overspecified probe description");
        row("a number for a function", {"-f", "4.56"}, "invalid probe specifier 4.56: probe identifier 4 not permitted when specifying functions");
        row("no such number", {"-i", "0"}, "invalid probe specifier 0: invalid probe identifier 0: Unknown probe identifier");
        row("a number ends where its digits end", {"-i", "4-2"}, "invalid probe specifier 4-2: probe description :::-2 does not match any probes");
        row("a wrong description before an unused argument", {"-i", "0", "x"}, "invalid probe specifier 0: invalid probe identifier 0: Unknown probe identifier");
        row("the last unused argument", {"-i", "1", "2", "3", "4"}, "invalid probe specifier 1: extraneous argument '4' ($3 is not referenced)");
        row("listing too", {"-l", "-m", ":genunix::"}, "invalid probe specifier :genunix::: invalid probe description \":genunix::\": Overspecified probe description");
        row("what is listed must be right D", {"-l", "-n", "BEGIN { trace(nosuch); }"}, "invalid probe specifier BEGIN { trace(nosuch); }: in action list: failed to resolve nosuch: Unknown variable name");
    }
    void wrongDescriptionsAreToldAsTheyWereWritten()
    {
        QFETCH(QStringList, words);
        QFETCH(QString, message);
        const auto run = runDscope(words);
        QCOMPARE(run.status, 1);
        QCOMPARE(run.out, QByteArray());
        QCOMPARE(QString::fromUtf8(run.err).section('\n', 0, 0), "dtrace: " + message);
    }
    void listingShowsWhatMatches_data()
    {
        QTest::addColumn<QStringList>("words");
        QTest::addColumn<QStringList>("names"); // function and name of each row
        QTest::addColumn<QString>("message");
        QTest::newRow("clauses count for nothing") << QStringList{"-ln", "BEGIN /pid == 1/ { trace(1); }"} << QStringList{"BEGIN"} << "";
        QTest::newRow("each of a list") << QStringList{"-ln", "BEGIN, END"} << QStringList{"BEGIN", "END"} << "";
        QTest::newRow("function") << QStringList{"-lf", "syscall::getppid"} << QStringList{"getppid entry", "getppid return"} << "";
        QTest::newRow("number and no name") << QStringList{"-li", "2-2"} << QStringList{"END"} << "dtrace: failed to match :::-2: No probe matches description\n";
        QTest::newRow("nothing, with a body") << QStringList{"-ln", "nosuch { trace(1); }"} << QStringList{} << "dtrace: failed to match :::nosuch: No probe matches description\n";
    }
    void listingShowsWhatMatches()
    {
        QFETCH(QStringList, words);
        QFETCH(QStringList, names);
        QFETCH(QString, message);
        const auto run = runDscope(words);
        QCOMPARE(run.status, 0);
        auto lines = QString::fromUtf8(run.out).split('\n', Qt::SkipEmptyParts);
        QVERIFY(!lines.isEmpty() && lines.takeFirst().startsWith("   ID   PROVIDER"));
        QStringList found;
        for (const auto& line : lines) found << line.mid(35).simplified();
        for (auto& f : found) f = f.section("vmlinux ", -1);
        QCOMPARE(found, names);
        QCOMPARE(QString::fromUtf8(run.err), message);
    }
};
QTEST_GUILESS_MAIN(TestDescriptions)
#include "tst_descriptions.moc"
