// Time zones held against the C library's, with the zone files of the machine where it has them.
#include "engine/format/zone.h"
#include <QFileInfo>
#include <QObject>
#include <QTest>
#include <cstdlib>
#include <ctime>
using namespace dscope::format;

namespace {
/// What the C library thinks, in a zone that only this function sets.
Zone::Local libraryAt(const char* tz, std::time_t t)
{
    ::setenv("TZ", tz, 1);
    ::tzset();
    std::tm tm{};
    ::localtime_r(&t, &tm);
    Zone::Local local{std::int32_t(tm.tm_gmtoff), tm.tm_zone};
    ::setenv("TZ", "UTC", 1);
    ::tzset();
    return local;
}
} // namespace

class TestZone : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void zonesAgreeWithTheLibrary_data()
    {
        QTest::addColumn<QByteArray>("tz");
        for (const char* tz :
            {"UTC0", "CET-1CEST,M3.5.0,M10.5.0/3", "PST8PDT,M3.2.0,M11.1.0", "<+0530>-5:30", "AEST-10AEDT,M10.1.0,M4.1.0/3",
                "IST-1GMT0,M10.5.0,M3.5.0/1", "<-03>3<-02>,M3.5.0/-2,M10.5.0/-1", "EST5EDT,J60/0,J300", "EST5EDT4,59,299/1:30:15"})
            QTest::newRow(tz) << QByteArray(tz);
    }
    void zonesAgreeWithTheLibrary()
    {
        QFETCH(QByteArray, tz);
        const auto zone = Zone::parse(tz.constData());
        QVERIFY(zone.has_value());
        const auto agrees = [&](std::time_t t) {
            const auto ours = zone->at(t), theirs = libraryAt(tz.constData(), t);
            if (!(ours == theirs))
                qWarning("at %lld: %d %s, the library %d %s", static_cast<long long>(t), ours.offset, ours.name.c_str(), theirs.offset,
                    theirs.name.c_str());
            return ours == theirs;
        };
        for (std::time_t t = 0; t < std::time_t(0x7fffffff) * 2; t += 86400 * 9 + 12345)
            QVERIFY(agrees(t));
        for (std::time_t hour = 1'700'000'000; hour < 1'700'000'000 + 366 * 86400; hour += 1800)
            QVERIFY(agrees(hour));
    }
    void whatIsNoZoneIsRefused_data()
    {
        QTest::addColumn<QByteArray>("tz");
        for (const char* tz : {"", "5", "CET", "Europe/Berlin", "CET-1CEST,M13.1.0,M10.5.0", "CET-1CEST,M3.5.0",
                 "CET-1CEST,M3.5.0,M10.5.0x", "<+05-5", "UTC999999999999"})
            QTest::newRow(*tz ? tz : "empty") << QByteArray(tz);
    }
    void whatIsNoZoneIsRefused()
    {
        QFETCH(QByteArray, tz);
        QVERIFY(!Zone::parse(tz.constData()));
    }
    void aZoneWithoutRulesIsAnOffset()
    {
        QVERIFY(Zone().at(0) == (Zone::Local{0, "UTC"}));
        QVERIFY(Zone(3600).at(0) == (Zone::Local{3600, ""}));
    }
    void theMachinesZoneComesFromItsFiles()
    {
        QCOMPARE(machineZone("PST8PDT,M3.2.0,M11.1.0"), std::string("PST8PDT,M3.2.0,M11.1.0"));
        QCOMPARE(machineZone(""), std::string("UTC0"));
        QCOMPARE(machineZone(":/no/such/zone"), std::string());
        QCOMPARE(machineZone(nullptr, "", "/no/such/zone"), std::string());
        if (!QFileInfo::exists(QStringLiteral("/usr/share/zoneinfo/Europe/Berlin"))) QSKIP("needs tzdata");
        QCOMPARE(machineZone("Europe/Berlin"), std::string("CET-1CEST,M3.5.0,M10.5.0/3"));
        QCOMPARE(machineZone(":America/Los_Angeles"), std::string("PST8PDT,M3.2.0,M11.1.0"));
        QCOMPARE(machineZone(nullptr, "", "/usr/share/zoneinfo/Asia/Kolkata"), std::string("IST-5:30"));
    }
};
QTEST_GUILESS_MAIN(TestZone)
#include "tst_zone.moc"
