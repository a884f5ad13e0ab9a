#include "engine/decode/process_record.h"
#include "raw_records.h"
#include <QObject>
#include <QTest>
using namespace dscope;
using namespace dscope::decode::test;
using record::ProcessEvent;
using Kind = ProcessEvent::Kind;

class TestProcessRecord : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void readsAnExec()
    {
        auto raw = process(Kind::Exec, std::string_view("sh\0-c\0\0a b\0", 11), "/bin/sh", std::string_view("src\0work\0/\0", 11));
        const auto event = decode::processEvent(raw);
        QVERIFY(event);
        QCOMPARE(event->pid, 7U);
        QCOMPARE(event->tid, 8U);
        QCOMPARE(event->parent, 3U);
        QCOMPARE(event->uid, 1000U);
        QCOMPARE(event->when.count(), 1000);
        QVERIFY((event->args == std::vector<std::string>{"sh", "-c", "", "a b"}));
        QCOMPARE(event->path, std::string("/bin/sh"));
        QCOMPARE(event->cwd, std::string("/work/src"));
        QCOMPARE(event->execname, std::string("make"));
        QVERIFY(!event->vfork && !event->argsCut);
    }
    void aForkIsOfTheChildAndByTheCurrentProcess()
    {
        auto raw = process(Kind::Fork, "make", "", "");
        raw[offsetof(object::RawProcess, flags)] = std::byte{3};
        const auto event = decode::processEvent(raw);
        QVERIFY(event);
        QCOMPARE(event->pid, 99U);
        QCOMPARE(event->parent, 7U);
        QCOMPARE(event->tid, 8U);
        QVERIFY(event->vfork && event->argsCut);
        QVERIFY((event->args == std::vector<std::string>{"make"})); // cut before its NUL
        QVERIFY(event->cwd.empty());
    }
    void anExitHasItsStatusAndTime()
    {
        const auto event = decode::processEvent(process(Kind::Exit, "", "", ""));
        QVERIFY(event);
        QVERIFY(event->kind == Kind::Exit);
        QCOMPARE(event->status, -5);
        QCOMPARE(event->cpuTime, 12345U);
        QCOMPARE(event->pid, 7U);
        QVERIFY(event->args.empty());
    }
    void spellsDirectories_data()
    {
        QTest::addColumn<QByteArray>("raw");
        QTest::addColumn<QByteArray>("path");
        QTest::newRow("root") << QByteArray("/", 2) << QByteArray("/");
        QTest::newRow("root's name left out") << QByteArray("b\0a\0", 4) << QByteArray("/a/b");
        QTest::newRow("across a mount") << QByteArray("b\0/\0mnt\0/\0", 10) << QByteArray("/mnt/b");
        QTest::newRow("last NUL missing") << QByteArray("b\0a", 3) << QByteArray("/a/b");
        QTest::newRow("not known") << QByteArray() << QByteArray();
    }
    void spellsDirectories()
    {
        QFETCH(QByteArray, raw);
        QFETCH(QByteArray, path);
        const auto event = decode::processEvent(process(Kind::Exec, "x", "y", {raw.constData(), std::size_t(raw.size())}));
        QVERIFY(event);
        QCOMPARE(event->cwd, path.toStdString());
    }
    void refusesWhatReachesPastItsEnd()
    {
        auto raw = process(Kind::Exec, "abc", "def", "ghi");
        raw.pop_back();
        QVERIFY(!decode::processEvent(raw));
        QVERIFY(!decode::processEvent(process(static_cast<Kind>(9), "", "", "")));
        auto huge = process(Kind::Exec, "", "", "");
        const std::uint32_t most = 0xffffffff;
        std::memcpy(huge.data() + offsetof(object::RawProcess, argsLength), &most, sizeof most);
        std::memcpy(huge.data() + offsetof(object::RawProcess, pathLength), &most, sizeof most);
        QVERIFY(!decode::processEvent(huge));
    }

private:
    static Bytes process(Kind kind, std::string_view args, std::string_view path, std::string_view cwd)
    {
        object::RawProcess head{};
        head.header = header(object::RawKind::Process, 0);
        head.event = static_cast<std::uint32_t>(kind);
        head.child = 99;
        head.parent = 3;
        head.uid = 1000;
        head.status = -5;
        head.cpuTime = 12345;
        std::memcpy(head.execname, "make", 5);
        head.argsLength = static_cast<std::uint32_t>(args.size());
        head.pathLength = static_cast<std::uint32_t>(path.size());
        head.cwdLength = static_cast<std::uint32_t>(cwd.size());
        auto raw = bytesOf(head);
        putText(raw, args);
        putText(raw, path);
        putText(raw, cwd);
        return raw;
    }
};
QTEST_GUILESS_MAIN(TestProcessRecord)
#include "tst_process_record.moc"
