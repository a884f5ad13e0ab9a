// needs: graph graph/models
// needs-programs: dscope
// Runs are named, gone back and on through, end where another begins, and what is run next is shown as a difference.
#include "gui/container.h"
#include "gui/line_difference.h"
#include "gui/narrowing.h"
#include "gui/process_picker.h"
#ifndef Q_MOC_RUN // moc stumbles over <concepts>
#include "tests/support/fake_host.h"
#endif
#include "window_fixture.h"
#include <QLineEdit>
#include <QPushButton>
#include <QToolButton>
#include <unistd.h>
using namespace dscope;
using namespace dscope::tests;
using gui::LineChange;
using gui::MainWindow;
namespace {
void openAndWait(MainWindow& window, const QString& file)
{
    QSignalSpy finished(&window, &MainWindow::runFinished);
    window.open(file);
    QTRY_COMPARE_WITH_TIMEOUT(finished.count(), 1, kPatience);
}
bool isHere(const MainWindow& window, const gui::Selection& selection) { return window.selection() == selection && window.snapshot()->selection == selection; }
} // namespace

class TestSeveralRuns : public QObject {
    Q_OBJECT
    Desk m_desk;

    /// Stands for dscope: it writes what a run records but its end, which comes when it is told to stop.
    QString helper(const QString& name, const test::Stream& stream) const
    {
        const auto recording = m_desk.path(name + QStringLiteral(".dscope"));
        const int fd = ::open(QFile::encodeName(recording).constData(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
        record::Writer writer(fd);
        for (const auto& r : stream)
            if (&r != &stream.back()) writer.take(r);
        writer.flush();
        const auto whole = QFile(recording).size();
        writer.take(stream.back());
        if (!writer.finish()) qFatal("cannot write %s", qPrintable(recording));
        ::close(fd);
        const auto file = '\'' + recording.toUtf8() + '\'';
        return m_desk.text(name,
            "#!/bin/sh\nout=1\nwhile [ $# -gt 0 ]; do [ \"$1\" = --stream ] && out=${2%%:*}; shift; done\n"
            "exec >/dev/fd/$out\nhead -c "
                + QByteArray::number(whole) + ' ' + file + "\ncat >/dev/null\ntail -c +" + QByteArray::number(whole + 1) + ' ' + file
                + '\n',
            true);
    }
private Q_SLOTS:
    void init() { QSettings().clear(); }

    void oneGoesBackAndForward()
    {
        MainWindow window;
        window.show();
        openAndWait(window, m_desk.recording(QStringLiteral("back.dscope"), test::profile(200, 40, 12)));
        const auto& rows = window.snapshot()->functions->rows;
        gui::Selection first, second, all;
        first.functions << QString::fromStdString(rows[1][0]);
        second.without << QString::fromStdString(rows[5][0]);
        window.select(first);
        QTRY_VERIFY_WITH_TIMEOUT(isHere(window, first), kPatience);
        window.select(second);
        QTRY_VERIFY_WITH_TIMEOUT(isHere(window, second), kPatience);
        QTest::keyClick(&window, Qt::Key_Left, Qt::AltModifier);
        QTRY_VERIFY_WITH_TIMEOUT(isHere(window, first), kPatience);
        QTest::keyClick(&window, Qt::Key_Left, Qt::AltModifier);
        QTRY_VERIFY_WITH_TIMEOUT(isHere(window, all), kPatience);
        QTest::keyClick(&window, Qt::Key_Right, Qt::AltModifier);
        QTRY_VERIFY_WITH_TIMEOUT(isHere(window, first), kPatience);
        QTest::keyClick(&window, Qt::Key_Right, Qt::AltModifier);
        QTRY_VERIFY_WITH_TIMEOUT(isHere(window, second), kPatience);
        // What is chosen anew ends the way on, as in a browser.
        QTest::keyClick(&window, Qt::Key_Left, Qt::AltModifier);
        QTRY_VERIFY_WITH_TIMEOUT(isHere(window, first), kPatience);
        window.select(all);
        QTRY_VERIFY_WITH_TIMEOUT(isHere(window, all), kPatience);
        window.goForward();
        QVERIFY(window.selection() == all);
    }
    void aRunIsNamedAndKeepsItsName()
    {
        MainWindow window;
        window.show();
        openAndWait(window, m_desk.recording(QStringLiteral("named.dscope"), test::profile(50, 20, 6)));
        auto& runs = window.runs();
        runs.setFocus();
        runs.setCurrentItem(runs.item(0));
        QTest::keyClick(&runs, Qt::Key_F2);
        auto* line = runs.findChild<QLineEdit*>();
        QVERIFY(line);
        QTest::keyClicks(line, QStringLiteral("before the fix"));
        QTest::keyClick(line, Qt::Key_Return);
        QTRY_COMPARE(runs.at(0).title, QStringLiteral("before the fix"));
        QVERIFY(runs.item(0)->text(0).endsWith(QStringLiteral("before the fix")));
        picture(window, QStringLiteral("named-run"));

        const auto saved = m_desk.path(QStringLiteral("saved.dscope"));
        QVERIFY(window.keepRunIn(saved, 0));
        MainWindow other;
        openAndWait(other, saved);
        QVERIFY(other.runs().item(0)->text(0).endsWith(QStringLiteral("before the fix")));
        QCOMPARE(other.snapshot()->records, window.snapshot()->records);
        for (std::size_t view = 0; view < other.snapshot()->views.size(); ++view)
            QVERIFY(other.snapshot()->views[view].visual->table().rows == window.snapshot()->views[view].visual->table().rows);
        // An empty name is none.
        runs.rename(0, {});
        QVERIFY(!runs.item(0)->text(0).contains(QStringLiteral("before the fix")));
    }
    void linesThatDiffer_data()
    {
        using Kind = LineChange::Kind;
        QTest::addColumn<QString>("before");
        QTest::addColumn<QString>("after");
        QTest::addColumn<QString>("all");
        (void)Kind::Same;
        QTest::newRow("none") << "a\nb\n" << "a\nb" << " a b";
        QTest::newRow("one changed") << "a\nb\nc" << "a\nx\nc" << " a-b+x c";
        QTest::newRow("one more") << "a\nc" << "a\nb\nc" << " a+b c";
        QTest::newRow("from nothing") << "" << "a" << "+a";
        QTest::newRow("all gone") << "a\nb" << "" << "-a-b";
        QTest::newRow("moved") << "a\nb\nc" << "b\nc\na" << "-a b c+a";
    }
    void linesThatDiffer()
    {
        QFETCH(const QString, before);
        QFETCH(const QString, after);
        QFETCH(const QString, all);
        QString is;
        for (const auto& [kind, line] : gui::lineDifference(before, after))
            is += (kind == LineChange::Kind::Same ? " " : kind == LineChange::Kind::Gone ? "-" : "+") + line;
        QCOMPARE(is, all);
    }
    void theNextProgramIsShownAsADifference()
    {
        MainWindow window;
        window.resize(1366, 728);
        window.show();
        openAndWait(window, QStringLiteral(DSCOPE_SOURCE "/examples/recordings/write-sizes.dscope"));
        QTest::keyClick(&window, Qt::Key_I, Qt::ControlModifier);
        window.results().rowCurrent(0);
        const auto offers = window.details().offers();
        QVERIFY(!offers.isEmpty());
        const auto before = window.editor().toPlainText();
        for (int i = 0; i < int(offers.size()) && window.editor().toPlainText() == before; ++i)
            if (!offers[i].contains(QStringLiteral("in all views"))) window.details().choose(i);
        QVERIFY(window.editor().toPlainText() != before);
        auto& proposal = window.proposal();
        QVERIFY(proposal.isVisible());
        const auto text = proposal.text();
        QVERIFY2(text.contains(QStringLiteral("+ ")), qPrintable(text));
        for (const auto& line : text.split(QChar('\n'))) {
            const auto& where = line.startsWith(QStringLiteral("+ ")) ? window.editor().toPlainText() : before;
            QVERIFY2(where.split(QChar('\n')).contains(line.mid(2)), qPrintable(line));
        }
        picture(window, QStringLiteral("proposal"));
        QTest::mouseClick(&proposal.backButton(), Qt::LeftButton);
        QCOMPARE(window.editor().toPlainText(), before);
        QVERIFY(!proposal.isVisible());
    }
    void aRunEndsWhereAnotherBegins_data()
    {
        QTest::addColumn<QString>("begun");
        QTest::newRow("by F5") << QStringLiteral("key");
        QTest::newRow("by Record now") << QStringLiteral("record");
    }
    void aRunEndsWhereAnotherBegins()
    {
        if (::geteuid() != 0) QSKIP("the window asks for root's rights before it starts what stands for dscope");
        MainWindow window;
        window.resize(1366, 728);
        window.show();
        window.editor().setProgram(QStringLiteral("profile-997 { @[ustack()] = count(); }\n"));
        window.setHelper(helper(QStringLiteral("first"), test::profile(50, 20, 6)));
        window.run();
        QTRY_VERIFY_WITH_TIMEOUT(window.snapshot() && window.snapshot()->records > 0, kPatience);
        const auto first = window.snapshot()->source;
        QCOMPARE(window.runs().live().size(), std::size_t{1});

        // The end of the first one comes to the history with all that it has recorded, whatever is done to begin the second.
        QSignalSpy ended(&window, &MainWindow::parkedEnded), finished(&window, &MainWindow::runFinished);
        window.setHelper(helper(QStringLiteral("second"), test::writeTimes({"tar"})));
        const auto program = QStringLiteral("syscall::write:entry { @[execname] = count(); }\n");
        QFETCH(const QString, begun);
        if (begun == QStringLiteral("key")) {
            window.programs().add(program, {});
            QTest::keyClick(&window, Qt::Key_F5);
        } else
            Q_EMIT window.startPage().recordAsked(program, QString());
        QTRY_COMPARE_WITH_TIMEOUT(ended.count(), 1, kPatience);
        QTRY_VERIFY_WITH_TIMEOUT(window.snapshot() && window.snapshot()->records > 0, kPatience);
        QVERIFY(window.isRunning());
        QCOMPARE(window.runs().live().size(), std::size_t{1});
        QCOMPARE(window.runs().live()[0].name, QStringLiteral("syscall::write:entry"));
        QCOMPARE(window.runs().count(), 1);
        QCOMPARE(window.runs().at(0).snapshot->source, first);
        QVERIFY(window.runs().at(0).snapshot->finished && !window.runs().at(0).snapshot->cut);
        QVERIFY(window.runs().currentItem() != window.runs().item(0)); // another is on show
        picture(window, QStringLiteral("two-runs"));

        // A run that is looked at again leaves the other going on behind it, until one more begins.
        Q_EMIT window.runs().chosen(0);
        QCOMPARE(window.snapshot()->source, first);
        QCOMPARE(window.runs().live().size(), std::size_t{1});
        window.setHelper(helper(QStringLiteral("third"), test::profile(50, 20, 6)));
        window.run();
        QTRY_COMPARE_WITH_TIMEOUT(ended.count(), 2, kPatience);
        QCOMPARE(window.runs().live().size(), std::size_t{1});
        QCOMPARE(window.runs().count(), 2);
        QCOMPARE(finished.count(), 0);
        window.stop();
        QTRY_COMPARE_WITH_TIMEOUT(finished.count(), 1, kPatience);
        QCOMPARE(window.runs().count(), 3);
        QVERIFY(window.runs().live().empty());
    }
    void aRunThatGoesOnUnseenComesBackAndEndsAlone()
    {
        if (::geteuid() != 0) QSKIP("the window asks for root's rights before it starts what stands for dscope");
        MainWindow window;
        window.show();
        openAndWait(window, m_desk.recording(QStringLiteral("ended.dscope"), test::writeTimes({"tar"})));
        window.editor().setProgram(QStringLiteral("profile-997 { @[ustack()] = count(); }\n"));
        window.setHelper(helper(QStringLiteral("unseen"), test::profile(50, 20, 6)));
        window.run();
        QTRY_VERIFY_WITH_TIMEOUT(window.snapshot() && window.snapshot()->records > 0, kPatience);
        const auto source = window.snapshot()->source;
        Q_EMIT window.runs().chosen(0);
        QVERIFY(window.snapshot()->source != source && !window.isRunning());

        // A click on its line shows it, as it goes on.
        Q_EMIT window.runs().itemClicked(window.runs().liveItem(0), 0);
        QTRY_VERIFY_WITH_TIMEOUT(window.snapshot() && window.snapshot()->source == source, kPatience);
        QVERIFY(window.isRunning() && window.runs().live()[0].isShown);

        // Del on its line ends it, seen or not.
        Q_EMIT window.runs().chosen(0);
        QSignalSpy ended(&window, &MainWindow::parkedEnded);
        window.runs().setFocus();
        window.runs().setCurrentItem(window.runs().liveItem(0));
        QTest::keyClick(&window.runs(), Qt::Key_Delete);
        QTRY_COMPARE_WITH_TIMEOUT(ended.count(), 1, kPatience);
        QCOMPARE(window.runs().count(), 2);
        QCOMPARE(window.runs().at(0).snapshot->source, source);
    }
    /// A run goes with what it has traced, not with what stands in the window when it is looked at again.
    void aRunIsShownWithItsOwnCommand()
    {
        if (::geteuid() != 0) QSKIP("the window asks for root's rights before it starts what stands for dscope");
        auto stream = test::profile(50, 20, 6);
        auto& program = std::get<record::Program>(stream.front());
        program.command = "busy 3";
        const auto text = QString::fromStdString(program.source);
        MainWindow window;
        window.show();
        window.editor().setProgram(text);
        window.command().setText(QStringLiteral("busy 3"));
        QSignalSpy finished(&window, &MainWindow::runFinished);
        window.setHelper(helper(QStringLiteral("busy"), stream));
        window.run();
        QTRY_VERIFY_WITH_TIMEOUT(window.snapshot() && window.snapshot()->records > 0, kPatience);
        const auto began = window.runs().live().at(0).when;
        QCOMPARE(window.runs().currentItem(), window.runs().liveItem(0));
        window.stop();
        QTRY_COMPARE_WITH_TIMEOUT(finished.count(), 1, kPatience);
        QCOMPARE(window.runs().at(0).when, began); // it is listed under one time
        QCOMPARE(window.runs().currentItem(), window.runs().item(0));

        window.command().setText(QStringLiteral("/no/such/cmd"));
        window.setHelper(m_desk.text(QStringLiteral("refuses"), "#!/bin/sh\necho failed to execute /no/such/cmd >&2\nexit 1\n", true));
        window.run();
        QCOMPARE(window.runs().currentItem(), window.runs().liveItem(0));
        QTRY_COMPARE_WITH_TIMEOUT(finished.count(), 2, kPatience);
        QCOMPARE(window.runs().count(), 1);
        QVERIFY(!window.runs().currentItem()); // what has failed is not in the list, and another run is not on show
        const auto tabs = window.programs().count();
        for (int i = 0; i < 3; ++i) {
            Q_EMIT window.runs().chosen(0);
            QCOMPARE(window.command().text(), QStringLiteral("busy 3"));
            QCOMPARE(window.editor().toPlainText(), text);
            QCOMPARE(window.programs().count(), tabs);
            QCOMPARE(window.runs().currentItem(), window.runs().item(0));
            QVERIFY2(!window.message().contains(QStringLiteral("failed to execute")), qPrintable(window.message()));
            window.command().setText(QStringLiteral("another"));
        }
        // Of a process that is traced by its number the stream has no command.
        window.command().setText(QStringLiteral("-p 1"));
        program.command.clear();
        window.setHelper(helper(QStringLiteral("process"), stream));
        window.run();
        QTRY_VERIFY_WITH_TIMEOUT(window.snapshot() && window.snapshot()->records > 0, kPatience);
        window.stop();
        QTRY_COMPARE_WITH_TIMEOUT(finished.count(), 3, kPatience);
        Q_EMIT window.runs().chosen(1);
        QCOMPARE(window.command().text(), QStringLiteral("busy 3"));
        Q_EMIT window.runs().chosen(0);
        QCOMPARE(window.command().text(), QStringLiteral("-p 1"));
    }
    void argumentsHaveFields()
    {
        if (::geteuid() != 0) QSKIP("the window asks for root's rights before it starts what stands for dscope");
        MainWindow window;
        window.show();
        window.editor().setProgram(QStringLiteral("BEGIN { printf(\"%d %s\", $1, $$2); exit(0); }\n"));
        window.editor().check();
        auto& form = window.programs().parameters();
        auto *one = form.field(QStringLiteral("$1")), *two = form.field(QStringLiteral("$2"));
        QVERIFY(one && two && !form.field(QStringLiteral("$3")));
        QTest::keyClicks(one, QStringLiteral("-42"));
        QTest::keyClicks(two, QStringLiteral("a \"b\""));
        QCOMPARE(window.editor().arguments(), (QStringList{QStringLiteral("-42"), QStringLiteral("a \"b\"")}));
        // What dscope is started with.
        const auto told = m_desk.path(QStringLiteral("arguments"));
        window.setHelper(m_desk.text(QStringLiteral("teller"), "#!/bin/sh\nfor word; do printf '%s\\n' \"$word\"; done >'" + told.toUtf8() + ".new'\nmv '" + told.toUtf8() + ".new' '" + told.toUtf8() + "'\n", true));
        QTest::keyClick(two, Qt::Key_Return);
        QTRY_VERIFY_WITH_TIMEOUT(QFile::exists(told), kPatience);
        const auto words = contents(told).split('\n');
        const auto from = words.indexOf("--");
        QVERIFY(from > 0);
        QCOMPARE(words.mid(from + 1, 2), (QByteArrayList{"-42", "a \"b\""}));
        picture(window, QStringLiteral("arguments"));
    }
    void containersAreKnownByTheirGroups_data()
    {
        const QString id(64, QChar('a')), other(64, QChar('b')), named(64, QChar('c'));
        QTest::addColumn<QString>("groups");
        QTest::addColumn<QString>("name");
        QTest::addColumn<QString>("group");
        const auto is = [](const char* row, const QString& group, const QString& name, const QString& below = {}) {
            QTest::newRow(row) << QStringLiteral("0::") + group + below + QChar('\n') << name << group;
        };
        QTest::newRow("none") << QStringLiteral("0::/user.slice/user-1000.slice/session-2.scope\n") << QString() << QString();
        is("docker by systemd", QStringLiteral("/system.slice/docker-%1.scope").arg(id), QStringLiteral("web"));
        is("docker by cgroupfs", QStringLiteral("/docker/%1").arg(id), QStringLiteral("web"));
        is("podman, unnamed", QStringLiteral("/machine.slice/libpod-%1.scope").arg(other), other.left(12), QStringLiteral("/container"));
        is("podman", QStringLiteral("/machine.slice/libpod-%1.scope").arg(named), QStringLiteral("db"));
        is("kubernetes", QStringLiteral("/kubepods.slice/cri-containerd-%1.scope").arg(id), QStringLiteral("web"));
        is("nspawn", QStringLiteral("/machine.slice/machine-build\\x2dbox.scope"), QStringLiteral("build-box"), QStringLiteral("/payload"));
        is("lxc", QStringLiteral("/lxc.payload.mail"), QStringLiteral("mail"), QStringLiteral("/system.slice"));
        QTest::newRow("version 1 alone") << QStringLiteral("5:memory:/docker/%1\n0::/\n").arg(id) << QStringLiteral("web") << QString();
    }
    void containersAreKnownByTheirGroups()
    {
        QFETCH(const QString, groups);
        QFETCH(const QString, name);
        QFETCH(const QString, group);
        FakeHost host;
        host.files["/proc/7/cgroup"] = groups.toStdString();
        host.files["/var/lib/docker/containers/" + std::string(64, 'a') + "/config.v2.json"] = "{\"ID\": \"a\", \"Name\": \"/web\"}";
        host.files["/var/lib/containers/storage/overlay-containers/containers.json"] = "[{\"id\": \"" + std::string(64, 'c') + "\", \"names\": [\"db\"]}]";
        const auto is = gui::containerOf(host, 7);
        QCOMPARE(is.name, name);
        QCOMPARE(is.group, group);
    }
    void allOfAContainerIsTraced()
    {
        gui::ProcessPicker picker({{70001, QStringLiteral("nginx"), QStringLiteral("nginx -g"), {QStringLiteral("web"), QStringLiteral("/docker/w")}},
            {70002, QStringLiteral("bash"), QStringLiteral("bash"), {}}});
        picker.show();
        QVERIFY(!picker.list().isColumnHidden(2));
        QSignalSpy chosen(&picker, &gui::ProcessPicker::containerChosen);
        QTest::keyClicks(&picker.filter(), QStringLiteral("bash"));
        QVERIFY(!picker.wholeButton().isEnabled());
        picker.filter().clear();
        QTest::keyClicks(&picker.filter(), QStringLiteral("web"));
        QCOMPARE(picker.list().currentItem()->text(0), QStringLiteral("70001"));
        picture(picker, QStringLiteral("containers"));
        QTest::mouseClick(&picker.wholeButton(), Qt::LeftButton);
        QCOMPARE(chosen.count(), 1);
        QCOMPARE(chosen[0][1].toString(), QStringLiteral("/docker/w"));
        // The predicate comes to what fires in the container's processes, and stands beside what is asked already.
        const auto program = QStringLiteral("BEGIN { n = 0; }\nsyscall::read:entry, syscall::write:entry /pid > 1/ { n++; }\nio:::start { n++; }\ntick-1s { trace(n); }\n");
        const auto restricted = gui::restrictedTo(program, QStringLiteral("cgroup == \"/docker/w\""));
        QCOMPARE(*restricted, QStringLiteral("BEGIN { n = 0; }\nsyscall::read:entry, syscall::write:entry /(pid > 1) && cgroup == \"/docker/w\"/ { n++; }\n"
                                             "io:::start\n/cgroup == \"/docker/w\"/ { n++; }\ntick-1s { trace(n); }\n"));
        QVERIFY(!gui::restrictedTo(QStringLiteral("BEGIN { trace(1); }"), QStringLiteral("cgroup == \"/x\"")));
    }
    void snippetsAreWrittenByTheirNames()
    {
        MainWindow window;
        window.show();
        auto& editor = window.editor();
        editor.setFocus();
        editor.completion().setProbes({QStringLiteral("syscall::read:entry")});
        QTest::keyClicks(&editor, QStringLiteral("lat"));
        QVERIFY(editor.completion().isOpen());
        picture(window, QStringLiteral("snippets"));
        QTest::keyClick(&editor, Qt::Key_Tab);
        QVERIFY2(editor.toPlainText().contains(QStringLiteral("self->start = timestamp;")), qPrintable(editor.toPlainText()));
        QCOMPARE(editor.toPlainText().mid(editor.textCursor().position(), 8), QStringLiteral("execname"));
        editor.undo();
        QCOMPARE(editor.toPlainText(), QStringLiteral("lat"));
        // Enter begins a new line: nothing was chosen.
        QTest::keyClicks(&editor, QStringLiteral("e"));
        QTest::keyClick(&editor, Qt::Key_Return);
        QCOMPARE(editor.toPlainText(), QStringLiteral("late\n"));
    }
    void theMenuFormatsAndUndoTakesItBack()
    {
        MainWindow window;
        window.show();
        QVERIFY(QTest::qWaitForWindowActive(&window));
        auto& editor = window.editor();
        editor.setProgram(QStringLiteral("BEGIN\n{\ntrace(1);\n}\n"));
        QTest::keyClick(&window, Qt::Key_I, Qt::ControlModifier | Qt::ShiftModifier);
        QCOMPARE(editor.toPlainText(), QStringLiteral("BEGIN\n{\n\ttrace(1);\n}\n"));
        editor.undo();
        QCOMPARE(editor.toPlainText(), QStringLiteral("BEGIN\n{\ntrace(1);\n}\n"));
    }
};
DSCOPE_WINDOW_TEST(TestSeveralRuns)
#include "tst_several_runs.moc"
