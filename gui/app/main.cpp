#include "engine/base/standard_descriptors.h"
#include "gui/main_window.h"
#include "gui/translation.h"
#include <QApplication>
#include <QCommandLineParser>
#include <QFontDatabase>
#include <QLibraryInfo>
#include <QLocale>
#include <QTranslator>
#include <algorithm>
#include <csignal>
#include <cstdio>
#include <string_view>
namespace {
void describe(QCommandLineParser& line)
{
    line.setApplicationDescription(
        QCoreApplication::translate("main", "Runs D programs and shows their process trees, histograms and flame graphs."));
    line.addPositionalArgument(QStringLiteral("file"),
        QCoreApplication::translate(
            "main", "programs (.d), recordings (.dscope), figures (.svg, .html) and other tools' trace text to open"),
        QStringLiteral("[file...]"));
    line.addHelpOption();
    line.addVersionOption();
}
/// The names that Qt has for us, and the words of the user's language: Qt's and ours.
void introduce(QTranslator& qtWords)
{
    QCoreApplication::setApplicationName(QStringLiteral("dscope"));
    QCoreApplication::setOrganizationName(QStringLiteral("dscope"));
    QCoreApplication::setApplicationVersion(QStringLiteral(DSCOPE_VERSION));
    if (qtWords.load(QLocale(), QStringLiteral("qtbase"), QStringLiteral("_"), QLibraryInfo::path(QLibraryInfo::TranslationsPath)))
        QCoreApplication::installTranslator(&qtWords);
    static const auto ours = dscope::gui::Translation::of(QLocale());
    if (ours) QCoreApplication::installTranslator(ours.get());
}
/// Whether --help or --version is asked for, which need no display.
bool asksForWords(int argc, char** argv)
{
    QStringList words;
    for (int i = 0; i < argc; ++i)
        words << QString::fromLocal8Bit(argv[i]);
    QCommandLineParser line;
    const auto help = line.addHelpOption(), version = line.addVersionOption();
    line.parse(words);
    return line.isSet(help) || line.isSet(QStringLiteral("help-all")) || line.isSet(version);
}
/// Whether Qt has somewhere to show a window, or was told by -platform where.
bool hasDisplay(int argc, char** argv)
{
    for (const auto* name : {"DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM"})
        if (!qEnvironmentVariableIsEmpty(name)) return true;
    return std::any_of(
        argv, argv + argc, [](const char* word) { return std::string_view(word).find("-platform") != std::string_view::npos; });
}
} // namespace

int main(int argc, char** argv)
{
    dscope::occupyStandardDescriptors();
    QTranslator qtWords;
    QCommandLineParser line;
    if (asksForWords(argc, argv)) {
        const QCoreApplication app(argc, argv);
        introduce(qtWords);
        describe(line);
        line.process(app);
        return 0;
    }

    if (!hasDisplay(argc, argv)) {
        std::fputs("dscope-gui: there is no display: start it in a desktop session, or draw with dscope --export\n", stderr);
        return 1;
    }

    QApplication app(argc, argv);
    introduce(qtWords);
    QApplication::setApplicationDisplayName(QStringLiteral("dscope"));
    QGuiApplication::setDesktopFileName(QStringLiteral("dscope"));
    QApplication::setStyle(QStringLiteral("Fusion")); // what the style sheet is drawn upon
    ::signal(SIGPIPE, SIG_IGN);                       // a front end outlives the programs it listens to
    describe(line);
    line.process(app);
    dscope::gui::MainWindow window(dscope::gui::askAboutChanges);
    for (const auto& path : line.positionalArguments())
        window.open(path);
    window.show();
    return QApplication::exec();
}
