// needs-programs: dscope
#include "gui/drill_down.h"
#include "gui/editor.h"
#include "tests/support/run_dscope.h"
#include <QObject>
#include <QTemporaryFile>
#include <QTest>
using namespace dscope;
using namespace dscope::tests;
using gui::Subject;
namespace {
graph::Table table(std::vector<std::string> columns, std::vector<std::string> row)
{
    graph::Table t;
    for (auto& title : columns)
        t.columns.push_back({graph::Column::Unit::None, std::move(title), false});
    t.rows = {std::move(row)};
    return t;
}
} // namespace

class TestDrillDown : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void aRowTellsWhatItIsAbout_data()
    {
        QTest::addColumn<QStringList>("columns");
        QTest::addColumn<QStringList>("row");
        QTest::addColumn<QString>("source");
        QTest::addColumn<QString>("predicate");
        const auto list = [](const char* words) { return QString::fromLatin1(words).split(QChar(' ')); };
        QTest::newRow("program") << list("execname count") << list("sed 14") << QStringLiteral("proc:::exit { }")
                                 << QStringLiteral("execname == \"sed\"");
        QTest::newRow("system call") << list("execname probefunc value") << list("sed openat 14") << QStringLiteral("syscall:::entry { }")
                                     << QStringLiteral("probefunc == \"openat\"");
        QTest::newRow("function") << list("probefunc value") << list("tcp_sendmsg 14") << QStringLiteral("fbt:::entry { }") << QString();
        QTest::newRow("process") << list("id pid command") << list("1 4101 /usr/lib/gcc/x86_64-linux-gnu/12/collect2-very-long")
                                 << QString() << QStringLiteral("execname == \"collect2-very-l\"");
        QTest::newRow("numbers") << list("arg0 value") << list("3 14") << QStringLiteral("syscall:::entry { }") << QString();
    }
    void aRowTellsWhatItIsAbout()
    {
        QFETCH(QStringList, columns);
        QFETCH(QStringList, row);
        QFETCH(QString, source);
        QFETCH(QString, predicate);
        const auto plain = [](const QStringList& all) {
            std::vector<std::string> out;
            for (const auto& one : all)
                out.push_back(one.toStdString());
            return out;
        };
        const auto subject = gui::subjectOf(table(plain(columns), plain(row)), 0, source);
        QCOMPARE(subject.predicate(), predicate);
        QCOMPARE(gui::questionsAbout(subject).empty(), predicate.isEmpty());
    }
    void aRowThatIsNotThereIsAboutNothing() { QVERIFY(gui::subjectOf({}, 3, {}).kind == Subject::Kind::None); }
    void tracedTextStaysData()
    {
        const Subject subject{Subject::Kind::Program, QStringLiteral("a\"/ { system(\"rm\"); } \\\n")};
        QCOMPARE(subject.predicate(), QStringLiteral("execname == \"a\\\"/ { system(\\\"rm\\\"); } \\\\\\012\""));
        for (const auto& question : gui::questionsAbout(subject)) {
            gui::Editor editor;
            editor.setProgram(question.program);
            editor.check();
            QCOMPARE(editor.markedLine(), 0);
            QCOMPARE(question.program.count(QStringLiteral("system(\\\"rm\\\")")), 1);
        }
    }
    void everyAnswerCompiles_data()
    {
        QTest::addColumn<QString>("program");
        for (const auto& subject :
            {Subject{Subject::Kind::Program, QStringLiteral("we\"ird")}, Subject{Subject::Kind::SystemCall, QStringLiteral("openat")}})
            for (const auto& question : gui::questionsAbout(subject))
                QTest::newRow(qPrintable(question.text)) << question.program;
    }
    void everyAnswerCompiles()
    {
        if (const auto why = whyNoTracing(); !why.isEmpty()) QSKIP(why.constData());
        QFETCH(QString, program);
        const auto outcome = runDscope({QStringLiteral("-e"), QStringLiteral("-n"), program});
        QVERIFY2(outcome.status == 0, outcome.err.constData());
    }
};
QTEST_MAIN(TestDrillDown)
#include "tst_drill_down.moc"
