// needs-programs: dscope
// workqueue against a terminal: what is written to one is handed on by a function of the kernel that is queued for it.
#include "tests/support/run_dscope.h"
#include <QObject>
#include <QStandardPaths>
#include <QTemporaryFile>
#include <QTest>
using namespace dscope::tests;
class TestWorkqueue : public QObject {
    Q_OBJECT
    QTemporaryFile m_writer; ///< writes a hundred times to a terminal of its own
    QString writer() const { return QStringLiteral("python3 ") + m_writer.fileName(); }

private Q_SLOTS:
    void initTestCase()
    {
        if (const auto why = whyNoTracing(); !why.isEmpty()) QSKIP(why.constData());
        if (QStandardPaths::findExecutable(QStringLiteral("python3")).isEmpty()) QSKIP("python3 is not installed");
        QVERIFY(m_writer.open());
        m_writer.write("import os\nmine, its = os.openpty()\nfor i in range(100):\n    os.write(its, b'x\\n')\n    os.read(mine, 9)\n");
        QVERIFY(m_writer.flush());
    }
    /// Source: drivers/tty/tty_buffer.c, tty_flip_buffer_push().
    void whatATerminalTakesIsQueuedStartedAndDone()
    {
        const auto run = runDscope({"-qn",
            "workqueue:::queue /pid == $target/ { @q[func(args[0]->wi_func), args[1]->wq_name] = count(); mine[args[0]->wi_addr] = 1; }"
            " workqueue:::start /mine[args[0]->wi_addr]/ { self->work = args[0]->wi_addr; self->func = args[0]->wi_func; }"
            " workqueue:::done /self->work == arg0 && self->func == arg1/ { @d[func(arg1)] = count(); self->work = 0; self->func = 0; }"
            " END { printa(\"q %a %s %@d\\n\", @q); printa(\"d %a %@d\\n\", @d); }",
            "-c", writer()});
        QVERIFY2(run.status == 0, run.err.constData());
        QByteArrayList found;
        qint64 done = 0;
        for (const auto& line : run.out.split('\n')) {
            const auto words = line.simplified().split(' ');
            if (!line.contains("`flush_to_ldisc")) continue;
            found << words.first();
            if (words.first() == "q") QCOMPARE(words.at(2), QByteArray("events_unbound"));
            if (words.first() == "d") done = words.last().toLongLong();
        }
        QCOMPARE(found, QByteArrayList({"q", "d"}));
        // Each read waits for what was written before, so that no two writes are handed on at once.
        QVERIFY2(done >= 100, run.out.constData());
    }
    void beginsAreThoseThatTheTracepointTells()
    {
        const auto run = runDscope({"-qn",
            "workqueue:::start { @[\"a\"] = count(); } sdt:workqueue::workqueue_execute_start { @[\"b\"] = count(); }", "-c",
            writer()});
        QVERIFY2(run.status == 0, run.err.constData());
        QByteArrayList counts;
        for (const auto& line : run.out.split('\n'))
            if (!line.trimmed().isEmpty()) counts << line.simplified().split(' ').last();
        QCOMPARE(counts.size(), 2);
        QCOMPARE(counts[0], counts[1]);
    }
};
QTEST_GUILESS_MAIN(TestWorkqueue)
#include "tst_workqueue.moc"
