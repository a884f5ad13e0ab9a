// needs: graph graph/models
#include "graph/noun.h"
#include "graph/store.h"
#include "graph/visual.h"
#include "gui/sidebar.h"
#include "gui/tongue.h"
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
/// Texts that a source in graph/ says: the literals of what said() and toSay() get first, and of the two that saidOf() chooses from.
QStringList saidIn(const QString& source)
{
    static const QRegularExpression kSays(QStringLiteral("\\b(said|saidOf|toSay)\\("));
    QStringList all;
    for (auto m = kSays.globalMatch(source); m.hasNext();) {
        const auto call = m.next();
        const bool chooses = call.captured(1) == QStringLiteral("saidOf");
        int depth = 0, argument = 0;
        bool follows = false; // upon another literal, which it goes on
        for (auto at = call.capturedEnd(); at < source.size() && depth >= 0; ++at) {
            const auto c = source[at];
            if (c == QChar('"')) {
                QString words;
                for (++at; source[at] != QChar('"'); ++at)
                    if (source[at] != QChar('\\'))
                        words += source[at];
                    else if (source[++at] != QChar('u'))
                        words += source[at];
                    else
                        words += QChar(source.mid(std::exchange(at, at + 4) + 1, 4).toUInt(nullptr, 16));
                const bool isSaid = depth == 0 && (chooses ? argument == 1 || argument == 2 : argument == 0);
                if (isSaid && follows)
                    all.back() += words;
                else if (isSaid)
                    all << words;
                follows = true;
                continue;
            }
            if (!c.isSpace()) follows = false;
            if (QStringLiteral("([{").contains(c)) ++depth;
            if (QStringLiteral(")]}").contains(c)) --depth;
            if (c == QChar(',') && depth == 0) ++argument;
        }
    }
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

    /// A comma ends the whole in German, and a point groups digits: the other way round.
    void quantitiesAreWrittenAsInGermany()
    {
        static const QRegularExpression kQuantity(QStringLiteral("([0-9]+)([.,])([0-9]+) (ns|\u00b5s|ms|s|%|[KMG]iB)"));
        int seen = 0;
        for (const auto& one : messagesOf(kGerman)) {
            for (auto all = kQuantity.globalMatch(one.source); all.hasNext(); ++seen) {
                const auto match = all.next();
                const auto mark = match.captured(2) == QStringLiteral(".") ? QStringLiteral(",") : QStringLiteral(".");
                QVERIFY2(one.translation.contains(match.captured(1) + mark + match.captured(3)), qPrintable(one.translation));
            }
        }
        QVERIFY(seen > 0);
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
        QSet<QString> found;
        QDirIterator files(QStringLiteral(DSCOPE_SOURCE "/graph"), {QStringLiteral("*.cpp"), QStringLiteral("*.h")}, QDir::Files,
            QDirIterator::Subdirectories);
        while (files.hasNext())
            for (const auto& words : saidIn(QString::fromUtf8(tests::contents(files.next())))) {
                QVERIFY2(!german->translate("Figures", words.toUtf8().constData(), nullptr, -1).isEmpty(), qPrintable(words));
                found.insert(words);
            }
        for (const auto& one : messagesOf(kGerman))
            if (one.context == QStringLiteral("Figures"))
                QVERIFY2(found.contains(one.source), qPrintable(one.source + QStringLiteral(": nobody says it any more")));
        QVERIFY(found.size() > 400);
    }

    /// Numbers, nouns and sentences together.
    void aFigureSpeaksGerman()
    {
        const auto german = gui::Translation::of(QLocale());
        QVERIFY(german && QCoreApplication::installTranslator(german.get()));
        const auto tongue = gui::tongueOfWindow();
        graph::Store before, after;
        for (const auto& r : test::written({"dd"}))
            before.take(r);
        for (const auto& r : test::written({"dd", "cc"}))
            after.take(r);
        for (const auto& kind : graph::kinds()) {
            if (kind.name != "bars") continue;
            const auto one = kind.make(after)->figure({}), both = kind.compare(before, after)->figure({});
            QCOMPARE(QString::fromStdString(one.words.subtitle),
                QStringLiteral("Bytes nach execname \u00b7 sum(arg2) nach execname \u00b7 zusammen 161 MiB \u00b7 in 3,00 s"));
            QCOMPARE(QString::fromStdString(one.description),
                QStringLiteral("Bytes nach execname. dd: 94,2 MiB \u00b7 58,3 %. cc: 67,3 MiB \u00b7 41,7 %."));
            QCOMPARE(QString::fromStdString(both.words.title),
                QStringLiteral("Was sich ge\u00e4ndert hat: Bytes nach execname (zusammen +71 %)"));
        }
        QCOMPARE(QString::fromStdString(graph::Noun("samples").with("1")), QStringLiteral("1 Stichprobe"));
        QCOMPARE(QString::fromStdString(graph::Noun("events").partOf("3", "1.000")), QStringLiteral("3 von 1.000 Ereignissen"));
        QCoreApplication::removeTranslator(german.get());
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
DSCOPE_WINDOW_TEST(TestTranslation)
#include "tst_translation.moc"
