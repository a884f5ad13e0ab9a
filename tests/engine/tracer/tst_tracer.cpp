#include "engine/tracer/tracer.h"
#include <QObject>
#include <QTemporaryFile>
#include <QTest>
#include <cstdio>
#include <unistd.h>
using namespace dscope;
using std::chrono::milliseconds;
namespace {
/// What is written to standard error while this lives.
class StandardError {
public:
    StandardError() : m_before(::dup(STDERR_FILENO))
    {
        m_file.open();
        ::dup2(m_file.handle(), STDERR_FILENO);
    }
    ~StandardError()
    {
        ::dup2(m_before, STDERR_FILENO);
        ::close(m_before);
    }
    QByteArray text()
    {
        std::fflush(stderr);
        QFile copy(m_file.fileName());
        return copy.open(QIODevice::ReadOnly) ? copy.readAll() : QByteArray("unreadable");
    }

private:
    QTemporaryFile m_file;
    int m_before;
};

tracer::Request requestOf(std::string text, std::vector<std::string> commands = {})
{
    tracer::Request request;
    request.programs = {{std::move(text), "test.d"}};
    request.commands = std::move(commands);
    return request;
}
} // namespace

class TracerTest : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void whatIsWrongHasItsPlace_data()
    {
        QTest::addColumn<QString>("text");
        QTest::addColumn<QString>("tag");
        QTest::addColumn<unsigned>("line");
        QTest::addColumn<unsigned>("column");
        QTest::newRow("no expression") << "BEGIN\n{\n  x = ;\n}\n" << "D_SYNTAX" << 3U << 7U;
        QTest::newRow("no such function") << "BEGIN { nosuch(1); }\n" << "D_FUNC_UNDEF" << 1U << 9U;
        QTest::newRow("no such probe") << "BEGIN { }\n\nsyscall::nosuch:entry { }\n" << "D_PDESC_ZERO" << 3U << 1U;
    }
    void whatIsWrongHasItsPlace()
    {
        QFETCH(QString, text);
        QFETCH(QString, tag);
        QFETCH(unsigned, line);
        QFETCH(unsigned, column);
        StandardError written;
        auto tracer = tracer::Tracer::open(requestOf(text.toStdString()));
        QVERIFY(tracer);
        const auto compilation = (*tracer)->compile();
        QVERIFY(!compilation.program);
        QVERIFY(!compilation.diagnostics.empty());
        const auto& d = compilation.diagnostics.front();
        QCOMPARE(QString::fromStdString(d.tag), tag);
        QCOMPARE(QString::fromStdString(d.file), QString("test.d"));
        QCOMPARE(d.line, line);
        QCOMPARE(d.column, column);
        QVERIFY(d.severity == record::Diagnostic::Severity::Error);
        QVERIFY2(d.text.find(d.message.substr(0, d.message.find('\n'))) != d.text.npos, d.text.c_str());
        QCOMPARE(written.text(), QByteArray());
    }

    void aCommandThatIsNotThereIsAnError()
    {
        const auto tracer = tracer::Tracer::open(requestOf("BEGIN { }", {"/nonexistent/command"}));
        QVERIFY(!tracer);
        QVERIFY2(tracer.error().message.find("/nonexistent/command") != std::string::npos, tracer.error().message.c_str());
    }

    void aProgramBecomesARunOfRecords()
    {
        if (::geteuid() != 0) QSKIP("needs root to trace");
        // true(1) enters exit_group(2) once.
        auto tracer = tracer::Tracer::open(
            requestOf("syscall::exit_group:entry /pid == $target/ { @ = count(); } BEGIN { printf(\"%d\", $target); }", {"true"}));
        QVERIFY(tracer);
        auto compilation = (*tracer)->compile();
        QVERIFY(compilation.program);
        QCOMPARE(compilation.program->schema().aggregations.size(), std::size_t{1});
        auto run = (*tracer)->start(*std::move(compilation.program));
        QVERIFY2(run, run ? "" : run.error().message.c_str());
        std::vector<record::Record> records;
        for (bool more = true; more;) {
            const auto polled = (*run)->poll(milliseconds(100), [&](const record::Record& r) { records.push_back(r); });
            QVERIFY2(polled, polled ? "" : polled.error().message.c_str());
            more = *polled;
        }
        QVERIFY(std::holds_alternative<record::Program>(records.front()));
        QVERIFY(std::holds_alternative<record::Exit>(records.back()));
        std::int64_t calls = 0;
        for (const auto& r : records)
            if (const auto* rows = std::get_if<record::AggregationRows>(&r); rows && !rows->rows.empty())
                calls = rows->rows.front().data.front();
        QCOMPARE(calls, std::int64_t{1});
    }

    // libc is not mapped when the command waits for its exec: it has to advance before functions are looked for.
    void librariesOfACommandAreThereWhenProbesAreLookedFor()
    {
        if (::geteuid() != 0) QSKIP("needs root to trace");
        auto tracer = tracer::Tracer::open(requestOf("pid$target:libc:exit:entry { }", {"true"}));
        QVERIFY(tracer);
        const auto compilation = (*tracer)->compile();
        QVERIFY2(compilation.program, compilation.diagnostics.empty() ? "" : compilation.diagnostics.front().text.c_str());
        QVERIFY(compilation.program->matchesProbes());
    }
};
QTEST_GUILESS_MAIN(TracerTest)
#include "tst_tracer.moc"
