#pragma once
#include <QThread>
#include <QTreeWidget>
#include <QWidget>
#include <memory>
#include <vector>
class QLineEdit;
namespace dscope::gui {
/// The left column: questions with the programs that answer them, and the probes of this machine.
class Sidebar : public QWidget {
    Q_OBJECT
public:
    explicit Sidebar(QWidget* parent = nullptr);
    ~Sidebar() override;
    QTreeWidget& recipes() { return *m_recipes; }
    QTreeWidget& probes() { return *m_probes; }
    /// Its tabs, for a title bar to take; they stand above until then.
    QWidget* head() { return m_head; }
    /// Recipes were saved or removed.
    void refreshRecipes();
    /// Lists the probes, on a thread of its own; once.
    void listProbes();

Q_SIGNALS:
    void recipeChosen(const QString& program);
    void removeAsked(const QString& question); ///< a recipe of one's own
    void probeChosen(const QString& description);
    void probesListed(const QStringList& descriptions);

private:
    struct Listing {
        QString provider, summary;
        std::vector<std::pair<QString, QString>> probes; ///< as shown, as inserted
    };
    void askAboutRecipe(const QPoint& at);
    void fillProbes(const std::vector<Listing>& all);
    void filterProbes(const QString& text);
    QTreeWidget *m_recipes, *m_probes;
    QWidget* m_head;
    QLineEdit* m_filter;
    std::unique_ptr<QThread> m_lister;
};
} // namespace dscope::gui
