// needs-programs: dscope
// --doctor against what the machine says of itself, and against what programs meet that really run.
#include "tests/support/run_dscope.h"
#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QObject>
#include <QSysInfo>
#include <QTest>
#include <unistd.h>
using namespace dscope::tests;

class TestDoctor : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void itIsOneScreen()
    {
        const auto run = runDscope({"--doctor"});
        QCOMPARE(run.status, 0);
        QCOMPARE(run.err, QByteArray());
        const auto lines = run.out.trimmed().split('\n');
        QVERIFY2(lines.size() < 60, run.out.constData());
        for (const auto& line : lines) QVERIFY2(line.size() <= 120, line.constData());
        QVERIFY2(run.out.contains("Linux " + QSysInfo::kernelVersion().toUtf8()), run.out.constData());
    }
    void everyProviderThatWorksRuns_data()
    {
        QTest::addColumn<QString>("provider");
        for (const auto* name : {"dtrace", "syscall", "proc", "sched", "profile", "io", "cpc", "fbt", "rawtp", "sdt"}) QTest::newRow(name) << name;
    }
    void everyProviderThatWorksRuns()
    {
        QFETCH(QString, provider);
        if (const auto why = whyNoTracing(); !why.isEmpty()) QSKIP(why.constData());
        const auto one = json()["providers"].toObject()[provider].toObject();
        const auto listed = runDscope({"-l", "-P", provider}).out.trimmed().split('\n');
        QCOMPARE(one["probes"].toInt(), static_cast<int>(listed.size()) - 1);
        QVERIFY(one["outcome"] == "works" || !one["why"].toString().isEmpty());
        if (listed.size() < 2) {
            QCOMPARE(one["outcome"].toString(), QString("fails"));
            const auto refused = runDscope({"-qn", provider + ":::"});
            QVERIFY2(QString::fromUtf8(refused.err).contains(one["why"].toString()), refused.err.constData());
            return;
        }
        const auto words = QString::fromUtf8(listed.at(1)).split(QChar(' '), Qt::SkipEmptyParts);
        const auto run = runDscope({"-qn", "BEGIN { exit(0); } " + provider + ":::" + words.last() + " /0/ { }"});
        QCOMPARE(run.status == 0, one["outcome"] == "works");
    }
    void anOrdinaryUserIsToldWhatRootWouldAdd()
    {
        if (::geteuid() != 0) QSKIP("only root can become another user");
        const auto run = runDscope({"--reuid=65534", "--clear-groups", DSCOPE_BIN "/dscope", "--doctor"}, {}, "setpriv");
        if (run.status == 127 || run.err.contains("ermission denied")) QSKIP("nobody may not run what stands here");
        QVERIFY2(run.status == 0, run.err.constData());
        QVERIFY2(run.out.contains("an ordinary user: may list, compile, replay and draw."), run.out.constData());
        QVERIFY2(run.out.simplified().contains("not tried: needs root"), run.out.constData());
        QVERIFY(!run.out.contains(", works"));

        // tracefs is there, and not for this user: nobody has to mount it.
        if (!QFile::exists("/sys/kernel/tracing/available_events")) QSKIP("tracefs is not mounted");
        const auto told = runDscope({"--reuid=65534", "--clear-groups", DSCOPE_BIN "/dscope", "--doctor", "--json"}, {}, "setpriv");
        const auto sdt = QJsonDocument::fromJson(told.out).object()["providers"].toObject()["sdt"].toObject();
        QCOMPARE(sdt["outcome"].toString(), QString("not tried"));
        QVERIFY2(sdt["why"].toString().startsWith("needs root") && !sdt["why"].toString().contains("mount"), told.out.constData());
    }
    void typesAreThoseOfTheKernel()
    {
        QFile types("/sys/kernel/btf/vmlinux");
        QCOMPARE(static_cast<qint64>(json()["types"].toObject()["bytes"].toDouble()), types.open(QIODevice::ReadOnly) ? types.readAll().size() : 0);
    }

private:
    /// What it says, asked once: it tries every provider.
    static const QJsonObject& json()
    {
        static const QJsonObject said = asked();
        return said;
    }
    static QJsonObject asked()
    {
        const auto run = runDscope({"--doctor", "--json"});
        QJsonParseError error{};
        const auto document = QJsonDocument::fromJson(run.out, &error);
        if (error.error != QJsonParseError::NoError) qWarning("%s: %s", qPrintable(error.errorString()), run.out.constData());
        return document.object();
    }
};
QTEST_GUILESS_MAIN(TestDoctor)
#include "tst_doctor.moc"
