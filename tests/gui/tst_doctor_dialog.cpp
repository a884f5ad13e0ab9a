// needs-programs: dscope
#include "gui/doctor_dialog.h"
#include "tests/support/run_dscope.h"
#include "window_fixture.h"
#include <QClipboard>
#include <QMenuBar>
#include <QPushButton>
using namespace dscope;
using namespace dscope::tests;

/// What the window shows of --doctor.
class TestDoctorDialog : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void itShowsWhatTheCommandLineSays()
    {
        gui::DoctorDialog dialog(QStringLiteral(DSCOPE_BIN "/dscope"));
        QSignalSpy looked(&dialog, &gui::DoctorDialog::finishedLooking);
        dialog.show();
        QVERIFY(looked.wait(120'000));
        const auto run = runDscope({"--doctor"});
        const auto shown = dialog.text().toPlainText();
        QCOMPARE(shown.section(QChar('\n'), 0, 2), QString::fromUtf8(run.out).section(QChar('\n'), 0, 2));
        QVERIFY(shown.contains("syscall"));
        picture(dialog, "doctor");
        for (auto* button : dialog.findChildren<QPushButton*>())
            if (button->text().contains("Copy")) button->click();
        QCOMPARE(QGuiApplication::clipboard()->text(), shown);
    }
    void withoutTheCommandLineItSaysSo()
    {
        gui::DoctorDialog dialog({});
        QVERIFY(dialog.text().toPlainText().isEmpty());
        bool isSaid = false;
        for (const auto* label : dialog.findChildren<QLabel*>()) isSaid |= label->text().contains("was not found");
        QVERIFY(isSaid);
    }
    void theWindowHasItUnderHelp()
    {
        const Desk desk;
        gui::MainWindow window;
        window.setHelper(QStringLiteral(DSCOPE_BIN "/dscope"));
        QAction* help = nullptr;
        for (auto* menu : window.menuBar()->actions())
            if (menu->text() == "&Help")
                for (auto* action : menu->menu()->actions())
                    if (action->text().contains("traced here")) help = action;
        QVERIFY(help);
        help->trigger();
        auto* dialog = window.findChild<gui::DoctorDialog*>();
        QVERIFY(dialog);
        QSignalSpy looked(dialog, &gui::DoctorDialog::finishedLooking);
        QVERIFY(looked.wait(120'000));
        QVERIFY(dialog->text().toPlainText().contains("Linux"));
    }
};
DSCOPE_WINDOW_TEST(TestDoctorDialog)
#include "tst_doctor_dialog.moc"
