// needs: graph graph/models engine/host
// needs-programs: dscope
// The window takes what hosts publish: real dscopes send recordings through a real nats-server.
#include "graph/store.h"
#include "gui/collect_dialog.h"
#include "tests/support/host_runs.h"
#include "tests/support/run_dscope.h"
#include "window_fixture.h"
#include <QAction>
#include <QComboBox>
#include <QDir>
#include <QJsonArray>
#include <QJsonDocument>
#include <QLineEdit>
#include <QPushButton>
#include <QSpinBox>
#include <QStandardPaths>
#include <QToolButton>
using namespace dscope;
using namespace dscope::tests;
using gui::CollectDialog;
using gui::MainWindow;
namespace {
constexpr int kWait = 100'000; // ms: a machine with much else to do
double bytesOf(const MainWindow& window)
{
    const auto& snapshot = window.snapshot();
    if (!snapshot) return -1;
    for (const auto& view : snapshot->views)
        if (view.facts.isTable) return columnSum(view.visual->table(), "who");
    return -1;
}
QString saidOf(const MainWindow& window)
{
    return window.snapshot() && !window.snapshot()->said.empty() ? QString::fromStdString(window.snapshot()->said.front()) : QString();
}
} // namespace

class TestCollecting : public QObject {
    Q_OBJECT
    Desk m_desk;
    QProcess m_server;
    QString m_url;
    static QString fileOf(const Desk& desk, const QString& host, int seed)
    {
        return desk.recording(host + ".dscope", test::runOf(host.toStdString(), 5, static_cast<std::uint64_t>(seed)));
    }
private Q_SLOTS:
    void initTestCase()
    {
        if (!QFile::exists(DSCOPE_BIN "/dscope-nats.so")) QSKIP("this build has no NATS: libnats-dev was not there");
        if (QStandardPaths::findExecutable("nats-server").isEmpty()) QSKIP("nats-server is not installed");
        QDir().mkpath(m_desk.path("nats"));
        m_server.start("nats-server", {"-a", "127.0.0.1", "-p", "-1", "-js", "-sd", m_desk.path("nats"), "--ports_file_dir", m_desk.path("nats")});
        // Source: nats-server's --ports_file_dir: a file of JSON that names where it listens.
        QDir folder(m_desk.path("nats"));
        QJsonArray places;
        const auto look = [&] {
            folder.refresh();
            for (const auto& name : folder.entryList({"*.ports"}))
                places = QJsonDocument::fromJson(contents(folder.filePath(name)))["nats"].toArray();
            return !places.isEmpty();
        };
        QTRY_VERIFY_WITH_TIMEOUT(look(), kWait);
        m_url = places[0].toString() + "/window";
    }

    void cleanupTestCase()
    {
        m_server.terminate();
        m_server.waitForFinished();
    }

    void hostsComeWhileItGoesOn()
    {
        const auto one = fileOf(m_desk, "web1", 1), two = fileOf(m_desk, "web2", 8), three = fileOf(m_desk, "web3", 15);
        MainWindow window;
        window.setHelper(QStringLiteral(DSCOPE_BIN "/dscope"));
        window.resize(1100, 760);
        window.show();
        QSignalSpy finished(&window, &MainWindow::runFinished);
        window.collect(m_url, {"--by", "host", "--broker", "hosts=3", "--broker", "every=100ms"});
        QVERIFY(window.isRunning());
        QCOMPARE(runDscope({"--replay", one, "--publish", m_url}).status, 0);
        QTRY_COMPARE_WITH_TIMEOUT(saidOf(window), QStringLiteral("1 of 3 hosts"), kWait);
        QCOMPARE(bytesOf(window), columnSumOf(one));
        picture(window, "collecting-one");
        QCOMPARE(runDscope({"--replay", two, "--publish", m_url}).status, 0);
        QTRY_COMPARE_WITH_TIMEOUT(saidOf(window), QStringLiteral("2 of 3 hosts"), kWait);
        QCOMPARE(finished.count(), 0);
        QVERIFY2(window.message().contains("2 of 3 hosts"), qPrintable(window.message()));
        QCOMPARE(window.views().current().caveat(), QStringLiteral("2 of 3 hosts"));
        picture(window, "collecting-two");
        QCOMPARE(runDscope({"--replay", three, "--publish", m_url}).status, 0);
        QTRY_COMPARE_WITH_TIMEOUT(finished.count(), 1, kWait);
        QVERIFY(!window.isRunning());
        QCOMPARE(bytesOf(window), columnSumOf(one) + columnSumOf(two) + columnSumOf(three));
        QCOMPARE(saidOf(window), QString());
        QVERIFY2(!window.message().contains("hosts"), qPrintable(window.message()));
        QCOMPARE(window.views().current().caveat(), QString());
        QVERIFY(window.snapshot()->run);
        QCOMPARE(window.runs().count(), 1);
        picture(window, "collecting-three");
    }

    void stoppingShowsWhatIsThere()
    {
        const auto url = m_url + "-stopped";
        const auto one = fileOf(m_desk, "db1", 3);
        MainWindow window;
        window.setHelper(QStringLiteral(DSCOPE_BIN "/dscope"));
        window.show();
        QSignalSpy finished(&window, &MainWindow::runFinished);
        window.collect(url, {"--by", "none", "--broker", "hosts=200", "--broker", "every=100ms"});
        QCOMPARE(runDscope({"--replay", one, "--publish", url}).status, 0);
        QTRY_COMPARE_WITH_TIMEOUT(saidOf(window), QStringLiteral("1 of 200 hosts"), kWait);
        window.stop();
        QTRY_COMPARE_WITH_TIMEOUT(finished.count(), 1, kWait);
        QCOMPARE(saidOf(window), QStringLiteral("1 of 200 hosts"));
        // An export of the window says it, too.
        const auto visual = window.views().current().shown();
        QVERIFY(visual);
        QVERIFY(window.exportView(*visual, m_desk.path("shown.svg")));
        QVERIFY(contents(m_desk.path("shown.svg")).contains("1 of 200 hosts"));
    }

    void aBrokerThatIsAwayIsTold()
    {
        MainWindow window;
        window.setHelper(QStringLiteral(DSCOPE_BIN "/dscope"));
        window.show();
        window.collect("nats://127.0.0.1:1/away", {"--by", "none"});
        QTRY_VERIFY_WITH_TIMEOUT(window.message().contains("waiting for nats://127.0.0.1:1/away"), kWait);
        QSignalSpy finished(&window, &MainWindow::runFinished);
        window.stop();
        QTRY_COMPARE_WITH_TIMEOUT(finished.count(), 1, kWait);
        QTRY_VERIFY_WITH_TIMEOUT(window.message().contains("no host has published anything of run away"), kWait);
    }

    void badWordsAreTold()
    {
        MainWindow window;
        window.setHelper(QStringLiteral(DSCOPE_BIN "/dscope"));
        window.show();
        window.collect("http://broker", {"--by", "none"});
        QTRY_VERIFY_WITH_TIMEOUT(window.message().contains("is no address of a broker"), kWait);
    }

    void theDialogAsksForAll()
    {
        MainWindow window;
        window.show();
        QAction* action = nullptr;
        for (auto* one : window.findChildren<QAction*>())
            if (one->text() == QStringLiteral("Collect from &hosts…")) action = one;
        QVERIFY(action);
        action->trigger();
        auto* dialog = window.findChild<CollectDialog*>();
        QVERIFY(dialog);
        picture(*dialog, "collect-dialog");
        auto* ok = dialog->findChildren<QPushButton*>().first();
        QVERIFY(!ok->isEnabled());
        dialog->address().setText(" nats://a/run ");
        QVERIFY(ok->isEnabled());
        dialog->by().setCurrentIndex(1);
        dialog->hosts().setValue(12);
        dialog->settings().setText("ca=a.pem  creds=me");
        QCOMPARE(dialog->arguments(), (QStringList{"--by", "none", "--broker", "hosts=12", "--broker", "ca=a.pem", "--broker", "creds=me"}));
        dialog->disconnect(&window);
        QSignalSpy chosen(dialog, &CollectDialog::chosen);
        ok->click();
        QCOMPARE(chosen.count(), 1);
        QCOMPARE(chosen[0][0].toString(), QStringLiteral("nats://a/run"));
        QCOMPARE(CollectDialog().address().text(), QStringLiteral("nats://a/run"));
        // A password is not kept.
        CollectDialog secret;
        secret.address().setText("nats://me:word@b/run");
        secret.findChildren<QPushButton*>().first()->click();
        QCOMPARE(CollectDialog().address().text(), QStringLiteral("nats://a/run"));
    }

private:
    /// What the table of one recording sums up to.
    double columnSumOf(const QString& file) const
    {
        graph::Store store;
        const int fd = ::open(QFile::encodeName(file).constData(), O_RDONLY | O_CLOEXEC);
        record::Reader reader(fd);
        for (bool more = true; more;)
            more = *reader.poll({}, [&](const record::Record& r) { store.take(r); });
        ::close(fd);
        for (const auto& kind : graph::kinds())
            if (kind.isTable && kind.fits(store)) return columnSum(kind.make(store)->table(), "who");
        return -2;
    }
};
DSCOPE_WINDOW_TEST(TestCollecting)
#include "tst_collecting.moc"
