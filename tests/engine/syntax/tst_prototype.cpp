#include "engine/syntax/parser.h"
#include <QObject>
#include <QTest>
using namespace dscope;
using namespace dscope::syntax;

class TestPrototype : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void prototypesAreTakenApart_data()
    {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<QByteArray>("result");
        QTest::addColumn<QByteArray>("parameters");
        QTest::addColumn<int>("required");
        QTest::addColumn<bool>("variadic");
        const auto row = [](const char* text, const char* result, const char* parameters, int required, bool variadic = false) {
            QTest::newRow(text) << QByteArray(text) << QByteArray(result) << QByteArray(parameters) << required << variadic;
        };
        row("size_t strlen(string)", "size_t", "string", 1);
        row("string substr(string, int, [int])", "string", "string|int|int", 2);
        row("void *alloca(size_t)", "void *", "size_t", 1);
        row("void bcopy(void *, void *, size_t)", "void", "void *|void *|size_t", 3);
        row("int rand()", "int", "", 0);
        row("int speculation(void)", "int", "", 0);
        row("void printf(string, ...)", "void", "string", 1, true);
        row("void trunc(@, [int])", "void", "@|int", 1);
        row("stack stack([uint32_t])", "stack", "uint32_t", 0);
        row("char *f(const char *name, [int, [int]])", "char *", "const char *|int|int", 1);
        row("struct file *getf(int)", "struct file *", "int", 1);
    }
    void prototypesAreTakenApart()
    {
        QFETCH(QByteArray, text);
        QFETCH(QByteArray, result);
        QFETCH(QByteArray, parameters);
        QFETCH(int, required);
        QFETCH(bool, variadic);
        const auto made = parsePrototype(text.toStdString());
        QVERIFY(text.contains(QByteArray::fromStdString(made.name) + "("));
        QCOMPARE(QByteArray::fromStdString(print(made.result)), result);
        QByteArray found;
        for (const auto& p : made.parameters)
            found += (found.isEmpty() ? "" : "|") + QByteArray::fromStdString(print(p));
        QCOMPARE(found, parameters);
        QCOMPARE(int(made.required), required);
        QCOMPARE(made.variadic, variadic);
    }
};
QTEST_GUILESS_MAIN(TestPrototype)
#include "tst_prototype.moc"
