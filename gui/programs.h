#pragma once
#include "gui/editor.h"
#include "gui/flat_tabs.h"
#include "gui/parameter_form.h"
#include <QWidget>
#include <optional>
#include <vector>
class QStackedWidget;
namespace dscope::gui {
/// The programs that are open: an editor each, chosen by tabs. There is always one.
class Programs : public QWidget {
    Q_OBJECT
public:
    /// Where a program comes from.
    struct Origin {
        QString path; ///< of its file; empty: it has none
        QString name; ///< what it is called without a file; empty: it gets a number
    };
    enum class Where : std::uint8_t { InFront, Behind };
    explicit Programs(QWidget* parent = nullptr);
    /// Its tabs, for a title bar to take; they stand above until then.
    QWidget* head() { return m_head; }
    int count() const { return static_cast<int>(m_all.size()); }
    /// The place of the one on show.
    int current() const { return m_tabs->currentIndex(); }
    /// The one on show.
    Editor& editor() const { return editor(current()); }
    Editor& editor(int place) const { return *m_all[static_cast<std::size_t>(place)].editor; }
    const Origin& origin(int place) const { return m_all[static_cast<std::size_t>(place)].origin; }
    void setOrigin(int place, const Origin& origin);
    /// What its tab says, without the mark of changes.
    QString title(int place) const;
    /// Changes that are not saved: of an empty program without a file none.
    bool isModified(int place) const;
    /// Whether nobody has work in it: it is unchanged, and without a file.
    bool isDisposable(int place) const;
    /// The program of a file, or of an editor.
    std::optional<int> placeOfFile(const QString& path) const;
    std::optional<int> placeOf(const Editor* editor) const;
    /// A new tab behind that on show; gives its place. The text counts as saved.
    int add(const QString& text, const Origin& origin, Where where = Where::InFront);
    void show(int place);
    /// The next tab, or by -1 the one before; behind the last comes the first.
    void step(int by);
    /// Takes one away, whatever is in it; the last leaves an empty program.
    void close(int place);
    /// Brings back the one that was closed last; false where there is none.
    bool reopen();
    /// Descriptions of probes, for completion in all of them.
    void setProbes(const QStringList& probes);
    FlatTabs& tabs() { return *m_tabs; }
    /// Of the one on show.
    ParameterForm& parameters() { return *m_parameters; }
    /// Of all of them, and those to come.
    void setProgramFont(const QFont& font);

Q_SIGNALS:
    void shown();                              ///< another program is on show
    void changed();                            ///< a text, a name, or whether it is saved
    void mistaken(const QString& message);     ///< of the one on show, as the two below
    void parsed(const QString& program);
    void membersWanted(const QString& program);
    void probesWanted();
    void newAsked();
    void closeAsked(int place);
    void runAsked(); ///< Enter in a parameter

private:
    struct Tab {
        Editor* editor = nullptr;
        Origin origin;
        int number = 0; ///< of those without a name, from 1
    };
    struct Closed {
        QString text;
        Origin origin;
    };
    /// The least that no program without a name has; 0 for one with a name.
    int numberFor(const Origin& origin) const;
    Tab tab(const QString& text, const Origin& origin);
    void refresh();
    void askAboutTab(const QPoint& at);
    QWidget* m_head;
    FlatTabs* m_tabs;
    ParameterForm* m_parameters;
    QStackedWidget* m_pages;
    std::vector<Tab> m_all;
    std::vector<Closed> m_closed; ///< the newest last
    QStringList m_probes;
};
} // namespace dscope::gui
