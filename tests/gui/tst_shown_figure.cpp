// needs: graph graph/models
// What a figure view does with the visuals that it is given, and in which language.
#include "graph/store.h"
#include "gui/figure_view.h"
#include "tests/support/streams.h"
#include <QCoreApplication>
#include <QSignalSpy>
#include <QTest>
#include <QTranslator>
using namespace dscope;
using gui::FigureView;
namespace {
/// 100 samples of one function.
std::shared_ptr<const graph::Visual> flameGraph()
{
    test::Stream s;
    auto p = test::program("profile-997 { @[ustack()] = count(); }", {"profile:::profile-997"});
    p.aggregations = {test::aggregation("", test::Aggregator::Count, "", {test::stackKey(test::FieldKind::UserStack)})};
    test::begin(s, p);
    s.emplace_back(test::stack(1, {test::frame("app", "main", record::Frame::Kind::User)}));
    s.emplace_back(test::rows(0, {{test::Key().stack(1).bytes(), {100}}}));
    s.emplace_back(test::end(test::kSecond));
    graph::Store store;
    for (const auto& record : s)
        store.take(record);
    for (const auto& kind : graph::kinds())
        if (kind.name == "flame") return kind.make(store);
    return nullptr;
}
} // namespace

class TestShownFigure : public QObject {
    Q_OBJECT
private Q_SLOTS:
    /// A visual never changes: shown again, it is not laid out again, unless there is more to be said.
    void theSameVisualIsNotLaidOutAgain()
    {
        FigureView view;
        view.resize(800, 500);
        view.show();
        const auto flame = flameGraph();
        QSignalSpy drawn(&view, &FigureView::drawn);
        view.setVisual(flame);
        QTRY_VERIFY(view.isSettled() && drawn.count() > 0);
        const auto drawing = view.drawing();
        view.setVisual(flame);
        QVERIFY(view.isSettled());
        QCOMPARE(view.drawing(), drawing);
        view.setSaid({"of two hosts"});
        view.setVisual(flame);
        QVERIFY(!view.isSettled());
        QTRY_VERIFY(view.isSettled());
        QVERIFY(view.drawing() != drawing);
    }
    /// Words of the figure are in the window's language, names of functions are not.
    void aFigureSpeaksTheLanguageOfTheWindow()
    {
        class Dutch final : public QTranslator {
        public:
            bool isEmpty() const override { return false; }
            QString translate(const char* context, const char* source, const char*, int) const override
            {
                return std::string_view(context) == "Figures" && std::string_view(source) == "all: %1" ? QStringLiteral("alles: %1")
                                                                                                       : QString();
            }
        } dutch;
        QVERIFY(QCoreApplication::installTranslator(&dutch));
        FigureView view;
        view.resize(800, 500);
        view.show();
        view.setVisual(flameGraph());
        QTRY_VERIFY(view.isSettled() && !view.figure().items.empty());
        QCoreApplication::removeTranslator(&dutch);
        QStringList texts;
        for (const auto& item : view.figure().items)
            if (const auto* text = std::get_if<graph::Text>(&item.shape)) texts << QString::fromStdString(text->text);
        QVERIFY2(texts.contains(QStringLiteral("alles: 100 samples")), qPrintable(texts.join(QChar('|'))));
    }
};
QTEST_MAIN(TestShownFigure)
#include "tst_shown_figure.moc"
