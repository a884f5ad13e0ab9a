// Names of hosts become words of subjects, and only such words become names of hosts.
#include "engine/remote/subject.h"
#include <QObject>
#include <QTest>
using namespace dscope::remote;
class TestSubject : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void everyPlaceHasOneSubject_data()
    {
        QTest::addColumn<QByteArray>("host");
        QTest::addColumn<int>("topic");
        QTest::addColumn<bool>("isPart");
        QTest::addColumn<QByteArray>("subject");
        const auto row = [](const char* name, const QByteArray& host, Topic topic, bool isPart, const QByteArray& subject) {
            QTest::newRow(name) << host << static_cast<int>(topic) << isPart << subject;
        };
        row("plain", "web1", Topic::Program, false, "dscope.r.web1.00000000000000ff.program");
        row("dots", "web1.example.com", Topic::Losses, false, "dscope.r.web1%2eexample%2ecom.00000000000000ff.losses");
        row("no host", "", Topic::End, false, "dscope.r.%.00000000000000ff.end");
        row("wildcards and control", QByteArray("*>\x01 %\xff", 6), Topic::Rows, false, "dscope.r.%2a%3e%01%20%25%ff.00000000000000ff.rows.7");
        row("printed", "db", Topic::Printed, false, "dscope.r.db.00000000000000ff.printed.7");
        row("part", "db", Topic::Stacks, true, "dscope.r.db.00000000000000ff.stacks.7.part.1.12");
    }
    void everyPlaceHasOneSubject()
    {
        QFETCH(QByteArray, host);
        QFETCH(int, topic);
        QFETCH(bool, isPart);
        QFETCH(QByteArray, subject);
        Place place{{host.toStdString(), 255}, static_cast<Topic>(topic), 0, {}};
        if (place.topic == Topic::Rows || place.topic == Topic::Stacks || place.topic == Topic::Printed) place.number = 7;
        if (isPart) place.part = {1, 12};
        QCOMPARE(QByteArray::fromStdString(subjectOf("r", place)), subject);
        const auto read = placeOf("r", subject.toStdString());
        QVERIFY(read && *read == place);
    }
    void otherSubjectsAreNone_data()
    {
        QTest::addColumn<QByteArray>("subject");
        for (const char* subject : {"", "dscope", "dscope.r.web1.00000000000000ff", "dscope.other.web1.00000000000000ff.program",
                 "dscope.r..00000000000000ff.program", "dscope.r.web1.ff.program", "dscope.r.web1.00000000000000fg.program",
                 "dscope.r.web1.00000000000000ff.programs", "dscope.r.web1.00000000000000ff.program.1", "dscope.r.web1.00000000000000ff.rows",
                 "dscope.r.web1.00000000000000ff.rows.-1", "dscope.r.web1.00000000000000ff.rows.01", "dscope.r.web1.00000000000000ff.rows.99999999999",
                 "dscope.r.web1.00000000000000ff.rows.1.part.0", "dscope.r.w%65b.00000000000000ff.program", "dscope.r.w%2.00000000000000ff.program",
                 "dscope.r.w%2E.00000000000000ff.program", "dscope.r.w/b.00000000000000ff.program"})
            QTest::newRow(subject) << QByteArray(subject);
        QTest::newRow("long host") << "dscope.r." + QByteArray(256, 'a') + ".00000000000000ff.program";
    }
    void otherSubjectsAreNone()
    {
        QFETCH(QByteArray, subject);
        QVERIFY(!placeOf("r", subject.toStdString()));
    }
};
QTEST_GUILESS_MAIN(TestSubject)
#include "tst_subject.moc"
