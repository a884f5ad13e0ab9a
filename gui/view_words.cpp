// Tabs of views and columns of their tables are data of graph/models, in English. What translators are to see of them stands here.
#include <QCoreApplication>
namespace dscope::gui {
// Never read: lupdate finds them by the macro. tst_translation holds them against the views.
[[maybe_unused]] constexpr const char* kTabs[]{
    QT_TRANSLATE_NOOP("dscope::gui::ViewPanel", "Bars"),
    QT_TRANSLATE_NOOP("dscope::gui::ViewPanel", "Call graph"),
    QT_TRANSLATE_NOOP("dscope::gui::ViewPanel", "Disassembly"),
    QT_TRANSLATE_NOOP("dscope::gui::ViewPanel", "Flame chart"),
    QT_TRANSLATE_NOOP("dscope::gui::ViewPanel", "Flame graph"),
    QT_TRANSLATE_NOOP("dscope::gui::ViewPanel", "Graph"),
    QT_TRANSLATE_NOOP("dscope::gui::ViewPanel", "Heat map"),
    QT_TRANSLATE_NOOP("dscope::gui::ViewPanel", "Histogram"),
    QT_TRANSLATE_NOOP("dscope::gui::ViewPanel", "Icicle"),
    QT_TRANSLATE_NOOP("dscope::gui::ViewPanel", "Lines"),
    QT_TRANSLATE_NOOP("dscope::gui::ViewPanel", "Process tree"),
    QT_TRANSLATE_NOOP("dscope::gui::ViewPanel", "Sandwich"),
    QT_TRANSLATE_NOOP("dscope::gui::ViewPanel", "Series"),
    QT_TRANSLATE_NOOP("dscope::gui::ViewPanel", "Shares"),
    QT_TRANSLATE_NOOP("dscope::gui::ViewPanel", "Source"),
    QT_TRANSLATE_NOOP("dscope::gui::ViewPanel", "Table"),
    QT_TRANSLATE_NOOP("dscope::gui::ViewPanel", "Timeline"),
};
} // namespace dscope::gui
