#include "gui/main_window.h"
#include <QApplication>
#include <QCommandLineParser>
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
    QCommandLineParser line;
    line.setApplicationDescription(
        QCoreApplication::translate("main", "Runs D programs and shows their process trees, histograms and flame graphs."));
    line.addPositionalArgument(QStringLiteral("file"),
        QCoreApplication::translate("main", "programs (.d), recordings (.dscope), figures (.svg, .html) and other tools' trace text to open"),
        QStringLiteral("[file...]"));
    line.addHelpOption();
    line.addVersionOption();
    line.process(app);
    dscope::gui::MainWindow window(dscope::gui::askAboutChanges);
    for (const auto& path : line.positionalArguments())
        window.open(path);
    window.show();
    return QApplication::exec();
}
