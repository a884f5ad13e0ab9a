#include "engine/options/options.h"
#include <QObject>
#include <QTest>
#include <set>
using namespace dscope;
using namespace dscope::options;

class TestOptions : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void everyOptionOfDtraceIsThere_data()
    {
        QTest::addColumn<QString>("name");
        const auto names = QStringLiteral("aggpercpu aggrate aggsize aggsortkey aggsortkeypos aggsortpos aggsortrev aggpack agghist "
                                          "aggzoom btfpath bufpolicy bufresize bufsize cleanrate "
                                          "cpp cppargs cpphdrs cpppath cpu ctypes debug define defaultargs argref destructive disasm "
                                          "droptags dtypes dynvarsize empty errtags "
                                          "evaltime flowindent incdir iregs jstackframes jstackstrsize kdefs knodefs late lazyload ldpath "
                                          "libdir linkmode linktype lockmem "
                                          "maxframes modpath noresolve nspec pcapsize preallocate printsize pspec quiet quietresize "
                                          "rawbytes scratchsize specsize stackframes "
                                          "stackindent statusrate stdc strip strsize switchrate syslibdir tick tree tregs udefs undef "
                                          "unodefs ustackframes verbose version zdefs zone");
        for (const auto& name : names.split(QLatin1Char(' ')))
            QTest::newRow(qPrintable(name)) << name;
    }
    void everyOptionOfDtraceIsThere()
    {
        QFETCH(QString, name);
        QVERIFY(find(name.toStdString()));
    }
    void namesAreUniqueAndDefaultsAreValues()
    {
        std::set<std::string_view> seen;
        for (const auto& row : rows()) {
            QVERIFY(seen.insert(row.name).second);
            QVERIFY(!row.summary.empty());
            Options options;
            const auto label = std::string(row.name);
            if (!row.unset.empty()) QVERIFY2(options.set(row.name, row.unset), label.c_str());
            QVERIFY2(!options.isSet(row.name) || options.text(row.name) == row.unset, label.c_str());
        }
    }

    void defaultsAreDtraces_data()
    {
        QTest::addColumn<QString>("name");
        QTest::addColumn<quint64>("value");
        const auto row = [](const char* name, quint64 value) { QTest::newRow(name) << QString::fromLatin1(name) << value; };
        row("bufsize", 4 << 20);
        row("aggsize", 4 << 20);
        row("strsize", 256);
        row("switchrate", 1'000'000'000);
        row("aggrate", 1'000'000'000);
        row("statusrate", 1'000'000'000);
        row("cleanrate", 1'000'000'000 / 101);
        row("dynvarsize", 1 << 20);
        row("nspec", 1);
        row("specsize", 32 << 10);
        row("stackframes", 20);
        row("ustackframes", 100);
        row("jstackframes", 50);
        row("jstackstrsize", 512);
        row("stackindent", 14);
        row("quiet", 0);
        row("cpu", 0);
    }
    void everyExampleIsOneThatIsTaken_data()
    {
        QTest::addColumn<QString>("example");
        for (const auto& row : rows())
            QTest::newRow(std::string(row.name).c_str()) << QString::fromStdString(exampleOf(row));
    }
    void everyExampleIsOneThatIsTaken()
    {
        QFETCH(const QString, example);
        const auto setting = example.section(QChar(' '), -1);
        const auto* row = find(setting.section(QChar('='), 0, 0).toStdString());
        QVERIFY(row);
        QCOMPARE(example.startsWith(QStringLiteral("dscope -x ")), row->notInPrograms);
        Options options;
        const auto set = options.set(row->name, setting.section(QChar('='), 1).toStdString());
        QVERIFY2(set, set ? "" : set.error().message.c_str());
    }
    void defaultsAreDtraces()
    {
        QFETCH(QString, name);
        QFETCH(quint64, value);
        const Options options;
        QCOMPARE(quint64(options.number(name.toStdString())), value);
        QVERIFY(!options.isSet(name.toStdString()));
    }

    void valuesAreReadByType_data()
    {
        QTest::addColumn<QByteArray>("name");
        QTest::addColumn<QByteArray>("value");
        QTest::addColumn<bool>("accepted");
        QTest::addColumn<quint64>("number");
        const auto row = [](const char* name, const char* value, quint64 number) {
            QTest::newRow(qPrintable(QString::fromLatin1("%1=%2").arg(QLatin1String(name), QLatin1String(value))))
                << QByteArray(name) << QByteArray(value) << true << number;
        };
        const auto bad = [](const char* name, const char* value) {
            QTest::newRow(qPrintable(QString::fromLatin1("%1=%2").arg(QLatin1String(name), QLatin1String(value))))
                << QByteArray(name) << QByteArray(value) << false << quint64(0);
        };
        for (const char* yes : {"", "yes", "YES", "enable", "enabled", "true", "on", "On", "set", "1"})
            row("quiet", yes, 1);
        for (const char* no : {"no", "disable", "disabled", "False", "off", "unset", "0"})
            row("quiet", no, 0);
        bad("quiet", "maybe");
        bad("quiet", "-1");
        row("bufsize", "4096", 4096);
        row("bufsize", "0x10", 16);
        row("bufsize", "010", 8);
        row("bufsize", "4k", 4 << 10);
        row("bufsize", "4K", 4 << 10);
        row("bufsize", "2m", 2 << 20);
        row("bufsize", "1g", 1 << 30);
        row("bufsize", "100t", quint64(100) << 40);
        row("bufsize", "0", 0);
        bad("bufsize", "");
        bad("bufsize", "1b");
        bad("bufsize", "k");
        bad("bufsize", "-40");
        bad("bufsize", "4kk");
        bad("bufsize", "99999999t");
        bad("bufsize", "245566729809009887663");
        bad("strsize", "0");
        bad("strsize", "1");
        row("strsize", "2", 2);
        row("strsize", "4k", 4096);
        row("iregs", "8", 8);
        bad("iregs", "9");
        row("switchrate", "10hz", 100'000'000);
        row("switchrate", "997", 1'000'000'000 / 997);
        row("switchrate", "997hz", 1'000'000'000 / 997);
        row("switchrate", "0hz", 0);
        row("switchrate", "5ns", 5);
        row("switchrate", "5nsec", 5);
        row("switchrate", "5us", 5'000);
        row("switchrate", "5usec", 5'000);
        row("switchrate", "5ms", 5'000'000);
        row("switchrate", "5MSEC", 5'000'000);
        row("switchrate", "5s", 5'000'000'000);
        row("switchrate", "5sec", 5'000'000'000);
        row("switchrate", "2m", 120'000'000'000);
        row("switchrate", "2min", 120'000'000'000);
        row("switchrate", "1h", 3'600'000'000'000);
        row("switchrate", "1hour", 3'600'000'000'000);
        row("switchrate", "1d", 86'400'000'000'000);
        row("switchrate", "1day", 86'400'000'000'000);
        bad("switchrate", "");
        bad("switchrate", "fast");
        bad("switchrate", "10 hz");
        bad("switchrate", "-1s");
        bad("switchrate", "9999999999d");
        row("nspec", "8", 8);
        row("nspec", "on", 1);
        row("nspec", "unset", 1);
        bad("nspec", "245566729809009887663");
        bad("nspec", "-1");
        bad("nspec", "8x");
        row("cpu", "0", 0);
        row("lockmem", "unlimited", UINT64_MAX);
        row("lockmem", "64k", 64 << 10);
    }
    void valuesAreReadByType()
    {
        QFETCH(QByteArray, name);
        QFETCH(QByteArray, value);
        QFETCH(bool, accepted);
        QFETCH(quint64, number);
        Options options;
        const auto done = options.set(name.toStdString(), value.toStdString());
        QCOMPARE(bool(done), accepted);
        if (!accepted) {
            QCOMPARE(QString::fromStdString(done.error().message), QStringLiteral("Invalid value for specified option"));
            QVERIFY(!options.isSet(name.toStdString()));
            return;
        }
        QVERIFY(options.isSet(name.toStdString()));
        QCOMPARE(quint64(options.number(name.toStdString())), number);
    }

    void wordsAreChecked_data()
    {
        QTest::addColumn<QByteArray>("name");
        QTest::addColumn<QByteArray>("value");
        QTest::addColumn<bool>("accepted");
        const auto row = [](const char* name, const char* value, bool accepted) {
            QTest::newRow(qPrintable(QString::fromLatin1("%1=%2").arg(QLatin1String(name), QLatin1String(value))))
                << QByteArray(name) << QByteArray(value) << accepted;
        };
        row("bufpolicy", "ring", true);
        row("bufpolicy", "fill", true);
        row("bufpolicy", "rin", false);
        row("bufpolicy", "ring fill", false);
        row("bufpolicy", "", false);
        row("bufresize", "manual", true);
        row("bufresize", "never", false);
        row("stdc", "a", true);
        row("stdc", "X", false);
        row("linkmode", "dynamic", true);
        row("linkmode", "foo", false);
        row("linktype", "dof", true);
        row("evaltime", "main", true);
        row("evaltime", "later", false);
        row("cpppath", "/bin/cat", true);
        row("cpppath", "", false);
        row("ustackcache", "", true); // no folder: nothing is kept
    }
    void wordsAreChecked()
    {
        QFETCH(QByteArray, name);
        QFETCH(QByteArray, value);
        QFETCH(bool, accepted);
        Options options;
        QCOMPARE(bool(options.set(name.toStdString(), value.toStdString())), accepted);
        if (accepted) QCOMPARE(QByteArray::fromStdString(options.text(name.toStdString())), value);
    }

    void unknownNamesAreRefused()
    {
        Options options;
        const auto done = options.set("nonsense", "1");
        QVERIFY(!done);
        QCOMPARE(QString::fromStdString(done.error().message), QStringLiteral("Invalid option name"));
        QVERIFY(!options.set("Quiet", ""));
        QVERIFY(options.all().empty());
    }
    void aRefusedValueLeavesTheOldOne()
    {
        Options options;
        QVERIFY(options.set("bufsize", "8k"));
        QVERIFY(!options.set("bufsize", "nonsense"));
        QCOMPARE(quint64(options.number("bufsize")), quint64(8192));
    }
    void repeatedOptionsAddUp()
    {
        Options options;
        QVERIFY(options.set("define", "A=1"));
        QVERIFY(options.set("define", "B"));
        QCOMPARE(QString::fromStdString(options.text("define")), QStringLiteral("A=1\nB"));
        QVERIFY(options.set("strsize", "8"));
        QVERIFY(options.set("strsize", "16"));
        QCOMPARE(quint64(options.number("strsize")), quint64(16));
    }
    void theEnvironmentMaySetOptions()
    {
        const char* environment[]{"HOME=/", "DTRACE_OPT_STRSIZE=64", "DTRACE_OPT_QUIET=", "DTRACE_OPT_NONSENSE=1", "DTRACE_OPT_BUFSIZE=bad",
            "DTRACE_OPT_X", nullptr};
        Options options;
        QVERIFY(options.takeEnvironment(environment));
        QCOMPARE(options.all().size(), std::size_t(2));
        QCOMPARE(quint64(options.number("strsize")), quint64(64));
        QVERIFY(options.flag("quiet"));
        QVERIFY(options.takeEnvironment(nullptr));
    }
    void theEnvironmentIsToldWhatCannotBeHad()
    {
        const char* environment[]{"DTRACE_OPT_STRSIZE=1m", nullptr};
        Options options;
        const auto taken = options.takeEnvironment(environment);
        QVERIFY(!taken);
        QCOMPARE(QString::fromStdString(taken.error().message).section(QStringLiteral(" is"), 0, 0), QStringLiteral("failed to set DTRACE_OPT_STRSIZE: 65536 (64k)"));
    }
};
QTEST_GUILESS_MAIN(TestOptions)
#include "tst_options.moc"
