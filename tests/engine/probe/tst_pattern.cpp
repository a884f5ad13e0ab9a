#include "engine/probe/pattern.h"
#include <QObject>
#include <QTest>
#include <fnmatch.h>
using namespace dscope;
class TestPattern : public QObject {
    Q_OBJECT
private Q_SLOTS:
    /// fnmatch(3) is the oracle: the same globs, but for the empty one, which dtrace lets match all.
    void globsMatchAsFnmatchDoes_data()
    {
        QTest::addColumn<QByteArray>("glob");
        QTest::addColumn<QByteArray>("text");
        const char* globs[] = {"read", "r*", "*d", "*e*d", "re?d", "[a-r]ead", "[!a-q]ead", "[^r]ead", "[]]x", "r\\*d", "**", "a*b*c", "[",
            "x[", "*[0-9]", "?", "[a-]z"};
        const char* texts[] = {"read", "readv", "pread", "r*d", "", "abc", "aXbYc", "]x", "[", "x[", "x7", "-z", "rd", "aabbcc"};
        for (const auto* g : globs)
            for (const auto* t : texts)
                QTest::addRow("%s ~ %s", g, t) << QByteArray(g) << QByteArray(t);
    }
    void globsMatchAsFnmatchDoes()
    {
        QFETCH(QByteArray, glob);
        QFETCH(QByteArray, text);
        QCOMPARE(probe::matches(glob.toStdString(), text.toStdString()), ::fnmatch(glob.constData(), text.constData(), 0) == 0);
    }
    void anEmptyGlobMatchesAll() { QVERIFY(probe::matches("", "anything")); }
    void manyStarsTakeNoTime()
    {
        // Backtracking over every star would take longer than the universe has.
        const std::string text(5'000, 'a');
        std::string glob;
        for (int i = 0; i < 60; ++i)
            glob += "*a";
        QVERIFY(!probe::matches(glob + "b", text));
    }
    void descriptionsBindFromTheRight_data()
    {
        QTest::addColumn<QString>("text");
        QTest::addColumn<QString>("spelled");
        QTest::newRow("name") << "BEGIN"
                              << ":::BEGIN";
        QTest::newRow("function and name") << "read:entry"
                                           << "::read:entry";
        QTest::newRow("three") << "libc:malloc:entry"
                               << ":libc:malloc:entry";
        QTest::newRow("four") << "syscall::read:entry"
                              << "syscall::read:entry";
        QTest::newRow("provider only") << "syscall:::"
                                       << "syscall:::";
        QTest::newRow("empty name") << "syscall::read:"
                                    << "syscall::read:";
        QTest::newRow("nothing") << ""
                                 << ":::";
    }
    void descriptionsBindFromTheRight()
    {
        QFETCH(QString, text);
        QFETCH(QString, spelled);
        const auto p = probe::parsePattern(text.toStdString());
        QVERIFY(p);
        QCOMPARE(QString::fromStdString(p->provider + ":" + p->module + ":" + p->function + ":" + p->name), spelled);
    }
    void fewerPartsBindToOthers_data()
    {
        QTest::addColumn<QString>("text");
        QTest::addColumn<int>("parts");
        QTest::addColumn<QString>("spelled"); // empty: refused
        QTest::newRow("provider") << "syscall" << 1 << "syscall:::";
        QTest::newRow("module") << "unix" << 2 << ":unix::";
        QTest::newRow("provider and module") << "fbt:unix" << 2 << "fbt:unix::";
        QTest::newRow("function") << "read" << 3 << "::read:";
        QTest::newRow("empty function") << "read:" << 3 << ":read::";
        QTest::newRow("leading colons") << "::read:" << 3 << ":read::";
        QTest::newRow("leading colon before a provider") << ":unix::" << 3 << "unix:::";
        QTest::newRow("too many for a provider") << "a:b" << 1 << "";
        QTest::newRow("too many, empty") << "a::" << 2 << "";
        QTest::newRow("too many for a function") << "a:b:c:d" << 3 << "";
    }
    void fewerPartsBindToOthers()
    {
        QFETCH(QString, text);
        QFETCH(int, parts);
        QFETCH(QString, spelled);
        const auto p = probe::parsePattern(text.toStdString(), static_cast<std::size_t>(parts));
        QCOMPARE(bool(p), !spelled.isEmpty());
        if (p) QCOMPARE(QString::fromStdString(p->provider + ":" + p->module + ":" + p->function + ":" + p->name), spelled);
    }
    void fiveFieldsAreRefused() { QVERIFY(!probe::parsePattern("a:b:c:d:e")); }
};
QTEST_GUILESS_MAIN(TestPattern)
#include "tst_pattern.moc"
