#include "gui/main_window.h"
#include <QApplication>
#include <QFontDatabase>
#include <QLibraryInfo>
#include <QLocale>
#include <QTranslator>
#include <csignal>
int main(int argc, char** argv)
{
    QApplication app(argc, argv);
    QApplication::setApplicationName(QStringLiteral("dscope"));
    QApplication::setOrganizationName(QStringLiteral("dscope"));
    QApplication::setApplicationVersion(QStringLiteral(DSCOPE_VERSION));
    QApplication::setApplicationDisplayName(QStringLiteral("dscope"));
    QGuiApplication::setDesktopFileName(QStringLiteral("dscope"));
    QApplication::setStyle(QStringLiteral("Fusion")); // what the style sheet is drawn upon
    ::signal(SIGPIPE, SIG_IGN);                       // a front end outlives the programs it listens to
    QTranslator qtWords;
    if (qtWords.load(QLocale(), QStringLiteral("qtbase"), QStringLiteral("_"), QLibraryInfo::path(QLibraryInfo::TranslationsPath)))
        QApplication::installTranslator(&qtWords);
    dscope::gui::MainWindow window;
    for (const auto& path : QApplication::arguments().mid(1))
        window.open(path);
    window.show();
    return QApplication::exec();
}
