#include "engine/base/result.h"
#include <QByteArray>
#include <QObject>
#include <QTest>
#include <csignal>
#include <fcntl.h>
#include <functional>
#include <memory>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>
using namespace dscope;
namespace {
Result<int> half(int number)
{
    if (number % 2 != 0) return Error{EINVAL, std::to_string(number) + " is odd"};
    return number / 2;
}
Result<int> quarter(int number)
{
    DSCOPE_TRY(const int once, half(number));
    DSCOPE_TRY(const int twice, half(once));
    return twice;
}
Result<> isEven(int number)
{
    DSCOPE_CHECK(half(number));
    return {};
}

/// How a child ended that did `what`, and what it printed to standard error.
struct End {
    int signal = 0;
    QByteArray told;
};
End endOf(const std::function<void()>& what)
{
    int ends[2];
    if (::pipe(ends) != 0) return {};
    const auto child = ::fork();
    if (child == 0) {
        ::dup2(ends[1], STDERR_FILENO);
        const rlimit noCore{0, 0};
        ::setrlimit(RLIMIT_CORE, &noCore);
        std::signal(SIGABRT, SIG_DFL); // not Qt Test's handler
        what();
        ::_exit(0);
    }

    ::close(ends[1]);
    End end;
    char buffer[256];
    for (ssize_t n = 0; (n = ::read(ends[0], buffer, sizeof buffer)) > 0;)
        end.told.append(buffer, n);
    ::close(ends[0]);
    int status = 0;
    ::waitpid(child, &status, 0);
    if (WIFSIGNALED(status)) end.signal = WTERMSIG(status);
    return end;
}
} // namespace

class TestResult : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void aResultHasAValueOrAnError_data()
    {
        QTest::addColumn<int>("number");
        QTest::addColumn<int>("value"); // -1: none
        QTest::addColumn<QString>("message");
        QTest::newRow("value") << 12 << 3 << QString();
        QTest::newRow("error of the first step") << 7 << -1 << QStringLiteral("7 is odd");
        QTest::newRow("error of the second step") << 6 << -1 << QStringLiteral("3 is odd");
    }
    void aResultHasAValueOrAnError()
    {
        QFETCH(int, number);
        QFETCH(int, value);
        QFETCH(QString, message);

        const auto result = quarter(number);
        QCOMPARE(result.has_value(), value >= 0);
        QCOMPARE(bool(result), value >= 0);
        if (result)
            QCOMPARE(*result, value);
        else {
            QCOMPARE(QString::fromStdString(result.error().message), message);
            QCOMPARE(result.error().code, EINVAL);
        }
    }
    void checksHandOnTheErrorAlone()
    {
        QVERIFY(isEven(4));
        const auto odd = isEven(5);
        QVERIFY(!odd);
        QCOMPARE(odd.error().message, std::string("5 is odd"));
    }
    void aValueThatCannotBeCopiedIsMoved()
    {
        Result<std::unique_ptr<int>> result = std::make_unique<int>(3);
        const std::unique_ptr<int> taken = *std::move(result);
        QCOMPARE(*taken, 3);
    }
    void whatWasBeingDoneStandsInFront()
    {
        const auto error = Error{ENOENT, "no such file"}.in("reading the maps").in("attaching");
        QCOMPARE(error.message, std::string("attaching: reading the maps: no such file"));
        QCOMPARE(error.code, ENOENT);
    }
    void anErrorKnowsTheLineThatMadeIt()
    {
        const Error error{0, "x"};
        QCOMPARE(error.where.line, unsigned(__LINE__ - 1));
        QVERIFY(QByteArray(error.where.file).endsWith("tst_result.cpp"));
    }

    void aBugEndsTheProgramAndNamesThePlace_data()
    {
        QTest::addColumn<int>("which");
        QTest::addColumn<QByteArray>("told");
        QTest::newRow("stated") << 0 << QByteArray("bug: three legs");
        QTest::newRow("assertion") << 1 << QByteArray("bug: 1 + 1 == 3");
        QTest::newRow("the value of an error") << 2 << QByteArray("bug: value");
        QTest::newRow("the error of a value") << 3 << QByteArray("bug: error");
    }
    void aBugEndsTheProgramAndNamesThePlace()
    {
        QFETCH(int, which);
        QFETCH(QByteArray, told);
        const auto end = endOf([which] {
            if (which == 0) DSCOPE_BUG("three legs");
            if (which == 1) DSCOPE_ASSERT(1 + 1 == 3);
            if (which == 2) std::fprintf(stdout, "%d", *half(1));
            if (which == 3) std::fprintf(stdout, "%d", half(2).error().code);
        });
        QCOMPARE(end.signal, SIGABRT);
        QVERIFY2(end.told.contains(told), end.told.constData());
        QVERIFY2(end.told.contains(".cpp:") || end.told.contains(".h:"), end.told.constData());
    }
};
QTEST_GUILESS_MAIN(TestResult)
#include "tst_result.moc"
