// needs: graph graph/models
#include "graph/visual.h"
#include "gui/sidebar.h"
#include "gui/translation.h"
#include "window_fixture.h"
#include <QAction>
#include <QBuffer>
#include <QDirIterator>
#include <QLabel>
#include <QLocale>
#include <QMenu>
#include <QMenuBar>
#include <QProcess>
#include <QRegularExpression>
#include <QStandardPaths>
#include <QTreeWidget>
#include <QXmlStreamReader>
using namespace dscope;
namespace {
struct Message { QString context, source, translation; };
/// Read without the program's own reader.
std::vector<Message> messagesOf(const QString& path)
{
    std::vector<Message> all;
    QFile file(path);
    if (!file.open(QIODevice::ReadOnly)) return all;
    QXmlStreamReader xml(&file);
    Message one;
    while (!xml.atEnd()) {
        if (xml.readNext() != QXmlStreamReader::StartElement) continue;
        if (xml.name() == QLatin1String("name")) one.context = xml.readElementText();
        if (xml.name() == QLatin1String("source")) one.source = xml.readElementText();
        if (xml.name() == QLatin1String("translation")) {
            one.translation = xml.attributes().hasAttribute(QStringLiteral("type")) ? QString() : xml.readElementText();
            all.push_back(one);
        }
    }
    return all;
}
const QString kGerman = QStringLiteral(DSCOPE_SOURCE "/gui/translations/dscope_de.ts");
/// "%1", "%2", ... of a text, each once, in order.
QStringList placesIn(const QString& text)
{
    QStringList all;
    static const QRegularExpression kPlace(QStringLiteral("%\\d"));
    for (auto m = kPlace.globalMatch(text); m.hasNext();)
        all << m.next().captured();
    all.sort();
    all.removeDuplicates();
    return all;
}
} // namespace

class TestTranslation : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void init() { QLocale::setDefault(QLocale(QLocale::German, QLocale::Germany)); }
    void cleanup() { QLocale::setDefault(QLocale::c()); }

    /// Qt's own tool finds no text in the sources that the file lacks, and none there that the sources lack.
    void nothingIsMissing()
    {
        QString lupdate = QStandardPaths::findExecutable(QStringLiteral("lupdate"), {QStringLiteral("/usr/lib/qt6/bin")});
        if (lupdate.isEmpty()) QSKIP("there is no lupdate: install qt6-l10n-tools");
        QTemporaryDir folder;
        const auto copy = folder.filePath(QStringLiteral("dscope_de.ts"));
        QVERIFY(QFile::copy(kGerman, copy));
        QProcess process;
        process.setWorkingDirectory(QStringLiteral(DSCOPE_SOURCE));
        process.start(lupdate,
            {QStringLiteral("-no-obsolete"), QStringLiteral("-locations"), QStringLiteral("none"), QStringLiteral("-I"), QStringLiteral("."),
                QStringLiteral("gui"), QStringLiteral("-ts"), copy});
        QVERIFY2(process.waitForFinished(tests::kPatience * 4), "lupdate does not end");
        QCOMPARE(process.exitCode(), 0);
        const auto now = messagesOf(copy), kept = messagesOf(kGerman);
        QVERIFY(!now.empty());
        QStringList gaps;
        for (const auto& one : now)
            if (one.translation.isEmpty()) gaps << one.context + QStringLiteral(": ") + one.source;
        QVERIFY2(gaps.isEmpty(), qPrintable(QStringLiteral("no German for\n") + gaps.join(QChar('\n'))));
        QVERIFY2(now.size() == kept.size(), "the file has words that nobody says any more: run lupdate -no-obsolete");
    }

    /// Each place that a number or a name goes to is there in both languages.
    void placesAreKept()
    {
        for (const auto& one : messagesOf(kGerman))
            QVERIFY2(placesIn(one.source) == placesIn(one.translation), qPrintable(one.source + QStringLiteral(" | ") + one.translation));
    }

    void everyViewHasAName()
    {
        const auto german = gui::Translation::of(QLocale());
        QVERIFY(german);
        for (const auto& kind : graph::kinds()) {
            if (kind.tab.empty()) continue;
            const std::string tab(kind.tab);
            QVERIFY2(!german->translate("dscope::gui::ViewPanel", tab.c_str(), nullptr, -1).isEmpty(), tab.c_str());
        }
    }

    /// What graph/ says in figures, by what stands in its files; each has its German.
    void figuresHaveTheirWords()
    {
        const auto german = gui::Translation::of(QLocale());
        QVERIFY(german);
        static const QRegularExpression kSaid(QStringLiteral("\\bsaid\\(\"((?:[^\"\\\\]|\\\\.)*)\""));
        int found = 0;
        QDirIterator files(QStringLiteral(DSCOPE_SOURCE "/graph"), {QStringLiteral("*.cpp")}, QDir::Files, QDirIterator::Subdirectories);
        while (files.hasNext()) {
            const auto text = QString::fromUtf8(tests::contents(files.next()));
            for (auto m = kSaid.globalMatch(text); m.hasNext(); ++found) {
                auto words = m.next().captured(1);
                words.replace(QStringLiteral("\\u2026"), QChar(0x2026)).replace(QStringLiteral("\\u00b7"), QChar(0xb7));
                QVERIFY2(!german->translate("Figures", words.toUtf8().constData(), nullptr, -1).isEmpty(), qPrintable(words));
            }
        }
        QVERIFY(found > 50);
    }

    void otherLanguagesStayEnglish_data()
    {
        QTest::addColumn<QString>("locale");
        QTest::addColumn<bool>("isGerman");
        QTest::newRow("Germany") << "de_DE" << true;
        QTest::newRow("Austria") << "de_AT" << true;
        QTest::newRow("Britain") << "en_GB" << false;
        QTest::newRow("none") << "C" << false;
        QTest::newRow("no words for it") << "fi_FI" << false;
    }
    void otherLanguagesStayEnglish()
    {
        QFETCH(QString, locale);
        QFETCH(bool, isGerman);
        QCOMPARE(gui::Translation::of(QLocale(locale)) != nullptr, isGerman);
    }

    void aWrongFileIsRefused_data()
    {
        QTest::addColumn<QByteArray>("text");
        QTest::newRow("empty") << QByteArray();
        QTest::newRow("cut") << QByteArray("<TS version=\"2.1\"><context><name>A</name><message><source>b");
        QTest::newRow("something else") << QByteArray("<svg/>");
    }
    void aWrongFileIsRefused()
    {
        QFETCH(QByteArray, text);
        QBuffer file(&text);
        QVERIFY(file.open(QIODevice::ReadOnly));
        QString why;
        QVERIFY(!gui::Translation::read(file, &why));
        QVERIFY2(why.startsWith(QStringLiteral("line ")), qPrintable(why));
    }

    /// The window says nothing in English that the file has words for, and each menu's keys are its own.
    void theWindowSpeaksGerman()
    {
        const auto german = gui::Translation::of(QLocale());
        QVERIFY(german);
        QVERIFY(QCoreApplication::installTranslator(german.get()));
        QHash<QString, QString> words;
        for (const auto& one : messagesOf(kGerman))
            if (one.translation != one.source) words.insert(one.source, one.translation);
        gui::MainWindow window([](QWidget&) { return gui::MainWindow::Answer::Discard; });
        window.resize(1440, 900);
        window.show();
        QVERIFY(QTest::qWaitForWindowExposed(&window));
        QStringList said;
        for (const auto* action : window.findChildren<QAction*>())
            said << action->text() << action->toolTip();
        for (const auto* label : window.findChildren<QLabel*>())
            said << label->text();
        for (const auto* widget : window.findChildren<QWidget*>())
            said << widget->toolTip() << widget->accessibleName() << widget->property("placeholderText").toString();
        int inGerman = 0;
        for (const auto& text : said) {
            QVERIFY2(!words.contains(text), qPrintable(text));
            inGerman += text.isEmpty() || words.key(text).isEmpty() ? 0 : 1;
        }
        QVERIFY2(inGerman > 50, qPrintable(QString::number(inGerman)));
        auto& recipes = window.findChild<gui::Sidebar*>()->recipes();
        for (int group = 0; group < recipes.topLevelItemCount(); ++group)
            for (int row = 0; row < recipes.topLevelItem(group)->childCount(); ++row) {
                auto* recipe = recipes.topLevelItem(group)->child(row);
                recipes.scrollToItem(recipe);
                const auto name = recipe->text(0);
                const auto place = recipes.visualItemRect(recipe);
                QVERIFY2(recipes.fontMetrics().horizontalAdvance(name) <= place.width(), qPrintable(name));
            }
        for (const auto* top : window.menuBar()->actions()) {
            QStringList keys;
            for (const auto* action : top->menu()->actions()) {
                const auto key = QKeySequence::mnemonic(action->text()).toString();
                if (key.isEmpty()) continue;
                QVERIFY2(!keys.contains(key), qPrintable(top->text() + QStringLiteral(": two have ") + key));
                keys << key;
            }
        }
        tests::picture(window, QStringLiteral("window-german"));
        QCoreApplication::removeTranslator(german.get());
    }

private:
    tests::Desk m_desk;
};
QTEST_MAIN(TestTranslation)
#include "tst_translation.moc"
