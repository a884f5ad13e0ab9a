#include "gui/figure_accessible.h"
#include "gui/figure_view.h"
#include <QPointer>
#include <algorithm>
#include <map>
namespace dscope::gui {
namespace {
/// A mark of the drawing that the view showed when it was asked for. Another drawing makes it invalid.
class Mark final : public QAccessibleInterface, public QAccessibleActionInterface {
public:
    Mark(FigureView& view, int index) : m_view(&view), m_drawing(view.drawing()), m_index(index) { }

    bool isValid() const override { return m_view && m_view->drawing() == m_drawing; }
    QObject* object() const override { return nullptr; }
    QAccessibleInterface* parent() const override { return m_view ? QAccessible::queryAccessibleInterface(m_view.data()) : nullptr; }
    QAccessibleInterface* child(int) const override { return nullptr; }
    QAccessibleInterface* childAt(int, int) const override { return nullptr; }
    int childCount() const override { return 0; }
    int indexOfChild(const QAccessibleInterface*) const override { return -1; }
    QAccessible::Role role() const override { return QAccessible::ListItem; }

    QRect rect() const override
    {
        if (!isValid()) return {};
        return m_view->placeOf(item()).toAlignedRect().translated(m_view->mapToGlobal(QPoint()));
    }

    /// The first line of what is told of a mark names it, the others are its numbers.
    QString text(QAccessible::Text what) const override
    {
        if (!isValid()) return {};
        const auto told = QString::fromStdString(m_drawing->figure().items[item()].tip);
        if (what == QAccessible::Name) return told.section(QChar('\n'), 0, 0);
        if (what == QAccessible::Description || what == QAccessible::Value) return told.section(QChar('\n'), 1);
        return {};
    }

    void setText(QAccessible::Text, const QString&) override { }

    QAccessible::State state() const override
    {
        QAccessible::State state;
        state.invalid = !isValid();
        if (state.invalid) return state;
        state.focusable = state.selectable = true;
        state.focused = m_view->hasFocus() && m_view->currentMark() == m_index;
        state.offscreen = !m_view->rect().intersects(m_view->placeOf(item()).toAlignedRect());
        return state;
    }

    void* interface_cast(QAccessible::InterfaceType type) override
    {
        return type == QAccessible::ActionInterface ? static_cast<QAccessibleActionInterface*>(this) : nullptr;
    }
    QStringList actionNames() const override { return {setFocusAction(), pressAction()}; }

    void doAction(const QString& action) override
    {
        if (!isValid()) return;
        m_view->setFocus();
        if (action == pressAction())
            m_view->press(m_index);
        else if (action == setFocusAction())
            m_view->goTo(m_index);
    }

    QStringList keyBindingsForAction(const QString&) const override { return {}; }

private:
    std::size_t item() const { return m_drawing->marks()[static_cast<std::size_t>(m_index)]; }
    QPointer<FigureView> m_view;
    std::shared_ptr<const Drawing> m_drawing;
    int m_index;
};

class Graphic final : public QAccessibleWidget {
public:
    explicit Graphic(FigureView& view) : QAccessibleWidget(&view, QAccessible::List), m_view(view) { }
    ~Graphic() override { forget(); }

    int childCount() const override { return static_cast<int>(m_view.drawing()->marks().size()); }

    QAccessibleInterface* child(int index) const override
    {
        if (index < 0 || index >= childCount()) return nullptr;
        if (m_of != m_view.drawing()) {
            forget();
            m_of = m_view.drawing();
        }
        const auto [known, isNew] = m_children.try_emplace(index, 0);
        if (isNew) known->second = QAccessible::registerAccessibleInterface(new Mark(m_view, index));
        return QAccessible::accessibleInterface(known->second);
    }

    int indexOfChild(const QAccessibleInterface* child) const override
    {
        const auto found = std::find_if(
            m_children.begin(), m_children.end(), [&](const auto& one) { return QAccessible::accessibleInterface(one.second) == child; });
        return found == m_children.end() || m_of != m_view.drawing() ? -1 : found->first;
    }

    QAccessibleInterface* childAt(int x, int y) const override
    {
        const auto mark = m_view.markAt(m_view.mapFromGlobal(QPoint(x, y)));
        return mark ? child(*mark) : nullptr;
    }

    QAccessibleInterface* focusChild() const override
    {
        const auto mark = m_view.currentMark();
        return m_view.hasFocus() && mark ? child(*mark) : nullptr;
    }

    QString text(QAccessible::Text what) const override
    {
        const auto& figure = m_view.figure();
        if (what == QAccessible::Name && !figure.title.empty()) return QString::fromStdString(figure.title);
        if (what == QAccessible::Description && !figure.description.empty()) return QString::fromStdString(figure.description);
        return QAccessibleWidget::text(what);
    }

private:
    void forget() const
    {
        for (const auto& [index, id] : m_children)
            QAccessible::deleteAccessibleInterface(id);
        m_children.clear();
    }

    FigureView& m_view;
    mutable std::map<int, QAccessible::Id> m_children; ///< those that were asked for
    mutable std::shared_ptr<const Drawing> m_of;       ///< whose they are
};

QAccessibleInterface* make(const QString&, QObject* object)
{
    auto* view = qobject_cast<FigureView*>(object);
    return view ? new Graphic(*view) : nullptr;
}
} // namespace

void makeFiguresAccessible()
{
    static const bool once = [] {
        QAccessible::installFactory(make);
        return true;
    }();
    Q_UNUSED(once)
}

void tellFocus(FigureView& view, int mark)
{
    if (!QAccessible::isActive()) return;
    QAccessibleEvent event(&view, QAccessible::Focus);
    event.setChild(mark);
    QAccessible::updateAccessibility(&event);
}

void tellNewMarks(FigureView& view)
{
    if (!QAccessible::isActive()) return;
    QAccessibleEvent event(&view, QAccessible::ObjectReorder);
    QAccessible::updateAccessibility(&event);
}
} // namespace dscope::gui
