#pragma once
#include "gui/parameters.h"
#include <QPointer>
#include <QWidget>
class QGridLayout;
class QLineEdit;
namespace dscope::gui {
class Editor;
/// A field for each parameter of the program on show. What is typed there is an edit of the program like any other: undo takes it back.
class ParameterForm : public QWidget {
    Q_OBJECT
public:
    explicit ParameterForm(QWidget* parent = nullptr);
    /// Shows the fields of a program, or what has become of them; hidden where there are none.
    void show(Editor& editor);
    /// The field of a parameter by its name, or null.
    QLineEdit* field(const QString& name) const;
    static constexpr std::size_t kMost = 6; ///< fields; further ones are changed in the program

Q_SIGNALS:
    void runAsked(); ///< Enter in a field

private:
    void build(const std::vector<Parameter>& parameters);
    void write(const QString& name, const QString& value);
    QPointer<Editor> m_editor;
    std::vector<Parameter> m_shown;
    std::vector<QLineEdit*> m_fields;
    QGridLayout* m_grid;
};
} // namespace dscope::gui
