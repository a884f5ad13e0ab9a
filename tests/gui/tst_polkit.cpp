// needs: graph graph/models
// needs-programs: dscope
// alone: it runs itself
// The window of an ordinary user, polkit, and an administrator's password, all of them real: tests/support/polkit_room starts Debian's
// polkitd where nobody else sees it, and this program once more as a user in there. pkexec need not be installed: DSCOPE_PKEXEC names one.
#include "tests/support/run_dscope.h"
#include "window_fixture.h"
#include <QElapsedTimer>
#include <QProcess>
#include <QSocketNotifier>
#include <QStandardPaths>
#include <QTimer>
#include <csignal>
#include <poll.h>
#include <pty.h>
#include <sys/wait.h>
#include <termios.h>
using namespace dscope;
using namespace dscope::tests;
using gui::MainWindow;
namespace {
/// The agent of polkit for terminals, at a terminal where somebody types a password when they are asked. It is for this process.
class Agent {
public:
    Agent()
    {
        int told[2]{-1, -1};
        if (::pipe(told) != 0) qFatal("no pipe");
        const auto self = QByteArray::number(::getpid()), tells = QByteArray::number(told[1]);
        m_pid = ::forkpty(&m_terminal, nullptr, nullptr, nullptr);
        if (m_pid == 0) {
            ::execlp("pkttyagent", "pkttyagent", "--process", self.constData(), "--notify-fd", tells.constData(), nullptr);
            ::_exit(127);
        }
        ::close(told[1]);
        m_told = told[0];
        m_listener = std::make_unique<QSocketNotifier>(m_terminal, QSocketNotifier::Read);
        QObject::connect(m_listener.get(), &QSocketNotifier::activated, m_listener.get(), [this] { hear(); });
        // What is typed before the terminal has stopped to show it is thrown away.
        QObject::connect(&m_typist, &QTimer::timeout, &m_typist, [this] {
            termios how{};
            if (!m_isAsked || ::tcgetattr(m_terminal, &how) != 0 || (how.c_lflag & ECHO) != 0) return;
            m_isAsked = false;
            ++m_answers;
            const auto line = m_password + '\n';
            if (::write(m_terminal, line.constData(), static_cast<std::size_t>(line.size())) != line.size())
                qWarning("nobody reads the password");
        });
        m_typist.start(100);
    }
    ~Agent()
    {
        ::kill(m_pid, SIGTERM);
        ::waitpid(m_pid, nullptr, 0);
        m_listener.reset();
        ::close(m_terminal);
        ::close(m_told);
    }
    /// Whether polkitd knows of it: it closes what it was given then.
    bool isKnown() const
    {
        pollfd end{m_told, POLLIN, 0};
        return ::poll(&end, 1, 0) == 1;
    }
    void setPassword(const QByteArray& password) { m_password = password; }
    int answers() const { return m_answers; }
    const QByteArray& text() const { return m_text; }

private:
    void hear()
    {
        char some[4096];
        const auto n = ::read(m_terminal, some, sizeof some);
        if (n <= 0) return m_listener->setEnabled(false); // it has ended
        m_text.append(some, n);
        if (QByteArrayView(some, n).contains("Password:")) m_isAsked = true;
    }
    pid_t m_pid = -1;
    int m_terminal = -1, m_told = -1, m_answers = 0;
    bool m_isAsked = false;
    QByteArray m_text, m_password;
    std::unique_ptr<QSocketNotifier> m_listener;
    QTimer m_typist;
};
const QString kProgram = QStringLiteral("syscall::write:entry /pid == $target/ { @writes[execname] = count(); }\n");
double counted(MainWindow& window)
{
    if (!window.snapshot()) return -1;
    for (const auto& view : window.snapshot()->views)
        if (view.facts.isTable) return columnSum(view.visual->table(), "writes");
    return -1;
}
} // namespace

class TestPolkit : public QObject {
    Q_OBJECT
    Desk m_desk;
    bool m_isInside = qEnvironmentVariableIsSet("DSCOPE_ROOM");
private Q_SLOTS:
    void thereIsARoom()
    {
        if (m_isInside) return;
        if (const auto why = whyNoTracing(); !why.isEmpty()) QSKIP(why.constData());
        const auto pkexec = qEnvironmentVariable("DSCOPE_PKEXEC", QStandardPaths::findExecutable(QStringLiteral("pkexec")));
        if (pkexec.isEmpty()) QSKIP("needs pkexec");
        if (!QFile::exists(QStringLiteral("/usr/lib/polkit-1/polkitd"))) QSKIP("needs polkitd");
        for (const auto* name : {"dbus-daemon", "dbus-send", "pkttyagent", "setpriv", "unshare"})
            if (QStandardPaths::findExecutable(QLatin1String(name)).isEmpty()) QSKIP("needs dbus and polkitd");
        auto policy = contents(QStringLiteral(DSCOPE_SOURCE "/packaging/dscope.policy.in"));
        policy.replace("@CMAKE_INSTALL_FULL_BINDIR@", DSCOPE_BIN);
        QProcess room;
        room.setProcessChannelMode(QProcess::MergedChannels);
        room.start(QStringLiteral(DSCOPE_SOURCE "/tests/support/polkit_room"),
            {m_desk.text(QStringLiteral("dscope.policy"), policy), pkexec, QCoreApplication::applicationFilePath()});
        QVERIFY(room.waitForFinished(kPatience * 4));
        const auto said = room.readAll();
        QVERIFY2(room.exitStatus() == QProcess::NormalExit && room.exitCode() == 0, said.constData());
        QVERIFY2(said.contains("PASS   : TestPolkit::anAdministratorIsAskedOnce"), said.constData());
    }

    void anAdministratorIsAskedOnce()
    {
        if (!m_isInside) return;
        QVERIFY(::geteuid() != 0);
        MainWindow window;
        window.setHelper(QStringLiteral(DSCOPE_BIN "/dscope"));
        window.show();
        window.editor().setProgram(kProgram);
        window.command().setText(QStringLiteral(DSCOPE_PROGRAMS "/known_writes 4096 7"));
        Agent agent;
        QTRY_VERIFY_WITH_TIMEOUT(agent.isKnown(), kPatience);
        QSignalSpy finished(&window, &MainWindow::runFinished);

        agent.setPassword("a wrong one");
        window.run();
        QTRY_VERIFY_WITH_TIMEOUT(window.message().contains(QStringLiteral("sudo dscope --record")), kPatience);
        QVERIFY2(window.message().contains(QStringLiteral("Not authorized")), qPrintable(window.message()));
        QCOMPARE(agent.answers(), 1);
        QVERIFY2(agent.text().contains("Tracing the system needs an administrator"), agent.text().constData());

        agent.setPassword("secret");
        finished.clear();
        window.run();
        QTRY_VERIFY2_WITH_TIMEOUT(finished.count() > 0, qPrintable(window.message()), kPatience);
        QCOMPARE(counted(window), 7.0);
        QCOMPARE(agent.answers(), 2);

        // Once a session: polkit remembers the answer for this window.
        finished.clear();
        window.run();
        QTRY_VERIFY2_WITH_TIMEOUT(finished.count() > 0, qPrintable(window.message()), kPatience);
        QCOMPARE(counted(window), 7.0);
        QCOMPARE(agent.answers(), 2);
    }
};
DSCOPE_WINDOW_TEST(TestPolkit)
#include "tst_polkit.moc"
