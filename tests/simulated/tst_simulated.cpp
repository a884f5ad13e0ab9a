// needs: engine/syntax engine/sema engine/codegen engine/decode engine/format engine/bpf providers
#include "case_run.h"
#include <QDirIterator>
#include <QObject>
#include <QTest>
using namespace dscope;
using namespace dscope::tests;
/// Every tests/data/simulated/*.d: a D program, what happens, and the text that dtrace prints for it.
class TestSimulated : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void printsWhatDtracePrints_data()
    {
        QTest::addColumn<QString>("path");
        QTest::addColumn<bool>("isOld");
        const auto folder
            = qEnvironmentVariable("DSCOPE_SIMULATED", QStringLiteral(TEST_DATA "/simulated")); // another folder: to try programs
        QDirIterator it(folder, {QStringLiteral("*.d")}, QDir::Files);
        while (it.hasNext()) {
            const auto path = it.next();
            QTest::newRow(qPrintable(QFileInfo(path).baseName())) << path << false;
            QTest::newRow(qPrintable(QFileInfo(path).baseName() + QStringLiteral(", on an old kernel"))) << path << true;
        }
    }
    void printsWhatDtracePrints()
    {
        QFETCH(QString, path);
        QFETCH(bool, isOld);
        QFile data(path);
        QVERIFY(data.open(QIODevice::ReadOnly));
        const auto file = caseFile(data.readAll().toStdString());
        for (const auto& d : file.directives)
            if (d.word == "needs" && !QFile::exists(QStringLiteral("/sys/kernel/btf/vmlinux")))
                QSKIP("this kernel describes no types (BTF)");
        SimulatedRun run;
        // What Linux 5.10 has not, as far as the simulated machine tells: its threads keep variables, and have registers.
        if (isOld)
            for (const auto ability : {object::Ability::CurrentTask, object::Ability::AtomicExchange, object::Ability::Loop})
                run.abilities.remove(ability);
        const auto done = perform(file, run);
        if (isOld && !done && done.error().message.find("this kernel is too old for ") != std::string::npos) {
            QVERIFY2(done.error().message.find(", which came with Linux 5.1") != std::string::npos, done.error().message.c_str());
            return;
        }
        QVERIFY2(done, done ? "" : done.error().message.c_str());
        if (run.output() != file.output) {
            const auto shown = "expected:\n" + file.output + "----\nprinted:\n" + run.output() + "----\n" + run.messages();
            QFAIL(shown.c_str());
        }
        if (file.messages && run.messages() != *file.messages) {
            const auto shown = "expected messages:\n" + *file.messages + "----\ntold:\n" + run.messages() + "----\n";
            QFAIL(shown.c_str());
        }
        const auto replayed = run.replayed();
        QVERIFY2(replayed, replayed ? "" : replayed.error().message.c_str());
        QCOMPARE(QString::fromStdString(*replayed), QString::fromStdString(run.output()));
    }
};
QTEST_GUILESS_MAIN(TestSimulated)
#include "tst_simulated.moc"
