// needs-programs: dscope
// uses: nlohmann_json::nlohmann_json
// -x oformat: what other programs read of a run, live and of its recording, held against the text of the same run.
#include "tests/support/run_dscope.h"
#include <QFile>
#include <QObject>
#include <QProcess>
#include <QRegularExpression>
#include <QStandardPaths>
#include <QTemporaryDir>
#include <QTest>
#include <csignal>
#include <cstdio>
#include <nlohmann/json.hpp>
using namespace dscope::tests;
using Json = nlohmann::json;
namespace {
/// Tells them if they differ.
bool equal(const Json& found, const Json& expected)
{
    if (found != expected) std::fprintf(stderr, "found    %s\nexpected %s\n", found.dump().c_str(), expected.dump().c_str());
    return found == expected;
}
} // namespace

class TestOformat : public QObject {
    Q_OBJECT
    QTemporaryDir m_folder;

    static Json parsed(const QByteArray& text) { return Json::parse(text.toStdString(), nullptr, false); }
    static bool isXml(const QByteArray& text)
    {
        QProcess xmllint;
        xmllint.start(QStringLiteral("xmllint"), {QStringLiteral("--noout"), QStringLiteral("-")});
        xmllint.write(text);
        xmllint.closeWriteChannel();
        return xmllint.waitForFinished(60'000) && xmllint.exitCode() == 0;
    }
    QString recording() const { return m_folder.filePath(QStringLiteral("run.dscope")); }

private Q_SLOTS:
    void initTestCase()
    {
        if (const auto why = whyNoTracing(); !why.isEmpty()) QSKIP(why.constData());
        if (QStandardPaths::findExecutable(QStringLiteral("xmllint")).isEmpty()) QSKIP("xmllint is not installed");
    }

    void aRunIsOneDocument()
    {
        const auto program = "syscall:::entry /pid == $target/ { @calls[probefunc, pid] = count(); @sizes[execname] = quantize(arg2); }"
                             "syscall::write:entry /pid == $target/ { trace(arg0); stack(3); ustack(3); printf(\"%s wrote %d\", execname, arg2);"
                             "  sym(caller); usym(ucaller); tracemem(copyin(arg1, 6), 5); print(*curthread->fs); @where[stack(2)] = sum(arg2); }"
                             "END { printa(@sizes); printa(\"%s %d %@d\\n\", @calls); }";
        const auto run = runApart({"--record", recording(), "--text", "-x", "oformat=json", "-n", program, "-c", "/bin/echo hello"});
        QCOMPARE(run.status, 0);
        // Behind what echo prints.
        const auto text = run.out.mid(run.out.indexOf("{\"dtrace\""));
        const auto json = parsed(text);
        QVERIFY2(!json.is_discarded(), run.out + run.err);
        const auto probes = json["dtrace"]["probes"];

        const auto write = std::find_if(probes.begin(), probes.end(), [](const Json& p) { return p["function"] == "write"; });
        QVERIFY2(write != probes.end(), text);
        const auto& output = (*write)["output"];
        QVERIFY(equal((*write)["provider"], Json("syscall")));
        QVERIFY(equal(output.at(0), Json({{"value", 1}})));
        QVERIFY(output.at(1)["stack-frames"].size() == 3 && output.at(2)["ustack-frames"].size() >= 1);
        QVERIFY(output.at(2)["ustack-frames"].at(0)["symbol"].get<std::string>().find("libc.so.6`") == 0);
        QVERIFY(equal(output.at(3), Json({{"message", "echo wrote 6"}})));
        QVERIFY(equal(output.at(4), Json({{"value", "echo"}})));
        QVERIFY(equal(output.at(5), Json({{"value", 6}})));
        QVERIFY(output.at(6).contains("sym") && output.at(7).contains("usym"));
        QVERIFY(equal(output.at(8), Json({{"tracemem", "0x68656c6c6f"}}))); // "hello"
        QVERIFY(equal(output.at(9)["type"].at(0)["name"], Json("struct fs_struct")));

        // All that text says of the same run, which its recording tells.
        const auto told = runDscope({"--replay", recording(), "-x", "oformat=text"});
        QCOMPARE(told.status, 0);
        const auto end = std::find_if(probes.begin(), probes.end(), [](const Json& p) { return p["name"] == "END"; });
        QVERIFY(end != probes.end());
        qsizetype at = 0;
        for (const auto& row : (*end)["output"].at(1)["aggregation-data"]) {
            const auto message = QByteArray::fromStdString(row["message"].get<std::string>());
            at = told.out.indexOf(message, at);
            QVERIFY2(at >= 0, message + " is not in\n" + told.out);
            const auto& keys = row["keys"];
            QCOMPARE(message, QByteArray::fromStdString(keys.at(0)["value"].get<std::string>()) + ' '
                    + QByteArray::number(keys.at(1)["value"].get<int>()) + ' ' + QByteArray::number(row["count"].get<int>()) + '\n');
        }
        for (const auto& row : (*end)["output"].at(0)["aggregation-data"])
            for (const auto& bucket : row["buckets"]) {
                const QRegularExpression line(QStringLiteral("^ +%1 \\|@* +%2 *$").arg(bucket["value"].get<qint64>()).arg(bucket["count"].get<qint64>()),
                    QRegularExpression::MultilineOption);
                QVERIFY2(line.match(QString::fromUtf8(told.out)).hasMatch(), told.out);
            }
        const auto& last = probes.back();
        QVERIFY(equal(last["name"], Json("AGGREGATIONS")));
        QVERIFY(equal(last["output"].at(0)["aggregation-name"], Json("where")));
        QVERIFY(equal(last["output"].at(0)["aggregation-data"].at(0)["sum"], Json(6)));
        QCOMPARE(last["output"].at(0)["aggregation-data"].at(0)["keys"].at(0)["stack-frames"].size(), std::size_t{2});
    }

    void itsRecordingIsTheSameDocument()
    {
        const auto replayed = runDscope({"--replay", recording()}), json = runDscope({"--replay", recording(), "--libxo", "json,pretty"});
        QVERIFY(!parsed(replayed.out).is_discarded());
        QVERIFY(equal(parsed(replayed.out), parsed(json.out)));
        for (const char* style : {"xml", "xml,pretty"}) {
            const auto xml = runDscope({"--replay", recording(), "-x", QString("oformat=%1").arg(style)});
            QVERIFY2(isXml(xml.out), xml.out);
            QVERIFY(xml.out.startsWith("<?xml version=\"1.0\"?>\n<dtrace>"));
        }
    }

    /// As the scripts of FreeBSD's tests ask, in files and as pragma.
    void intoAFileByAPragma()
    {
        const auto file = m_folder.filePath("out.json"), script = m_folder.filePath("x.d");
        QFile text(script);
        QVERIFY(text.open(QIODevice::WriteOnly));
        text.write("#pragma D option oformat=json\nBEGIN { @[\"a\"] = count(); exit(3); }\n");
        text.close();
        const auto run = runDscope({"-O", "-o", file, "-s", script});
        QCOMPARE(run.status, 3);
        QCOMPARE(run.out, QByteArray());
        QFile written(file);
        QVERIFY(written.open(QIODevice::ReadOnly));
        const auto json = parsed(written.readAll());
        QVERIFY(equal(json["dtrace"]["probes"].back()["output"].at(0)["aggregation-data"].at(0)["count"], Json(1)));
        QVERIFY(equal(json["dtrace"]["probes"].back()["output"].at(0)["aggregation-name"], Json("_")));
    }

    void anInterruptedRunIsWhole()
    {
        QProcess process;
        process.start(QStringLiteral(DSCOPE_BIN "/dscope"), {"-x", "oformat=xml", "-n", "BEGIN { printf(\"<up> & running\"); }"});
        QVERIFY(process.waitForStarted());
        while (!process.readAllStandardOutput().contains("running"))
            QVERIFY(process.waitForReadyRead(60'000));
        ::kill(static_cast<pid_t>(process.processId()), SIGINT);
        QVERIFY(process.waitForFinished(60'000));
        QVERIFY(process.readAllStandardOutput().endsWith("</dtrace>\n"));
        QCOMPARE(process.exitCode(), 0);
    }

    void commandsAndReportsStayOutside()
    {
        const auto run = runDscope({"-v", "-w", "-x", "oformat=json", "-n", "BEGIN { system(\"echo outside\"); exit(0); }"});
        QVERIFY2(!parsed(run.out).is_discarded(), run.out);
        QVERIFY2(run.err.contains("\noutside\n") || run.err.startsWith("outside\n"), run.err);
        QVERIFY2(run.err.contains("Stability"), run.err);
        QVERIFY(equal(parsed(run.out)["dtrace"]["probes"].at(0)["output"].at(0), Json({{"system", "echo outside"}})));
    }

    void otherFormatsAreRefused()
    {
        const auto run = runDscope({"-x", "oformat=html", "-n", "BEGIN"});
        QCOMPARE(run.status, 1);
        QVERIFY2(run.err.contains("failed to set -x oformat: Invalid value for specified option"), run.err);
    }
};
QTEST_GUILESS_MAIN(TestOformat)
#include "tst_oformat.moc"
