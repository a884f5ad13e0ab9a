#include "gui/parameter_form.h"
#include "gui/editor.h"
#include <QCoreApplication>
#include <QGridLayout>
#include <QLabel>
#include <QLineEdit>
#include <QTextCursor>
#include <algorithm>
namespace dscope::gui {
namespace {
constexpr int kInRow = 2;
/// What recipes call their parameters is in the window's language; a name of one's own says what it says.
QString labelOf(const QString& name)
{
    return QCoreApplication::translate("Recipes", name.toUtf8().constData()).replace(QChar('_'), QChar(' '));
}
bool areAlike(const std::vector<Parameter>& a, const std::vector<Parameter>& b)
{
    return std::equal(a.begin(), a.end(), b.begin(), b.end(),
        [](const Parameter& x, const Parameter& y) { return x.name == y.name && x.kind == y.kind; });
}
} // namespace

ParameterForm::ParameterForm(QWidget* parent) : QWidget(parent), m_grid(new QGridLayout(this))
{
    m_grid->setContentsMargins(16, 2, 12, 2);
    m_grid->setHorizontalSpacing(8);
    m_grid->setVerticalSpacing(4);
    setAccessibleName(tr("Parameters of the program"));
    hide();
}

QLineEdit* ParameterForm::field(const QString& name) const
{
    for (std::size_t i = 0; i < m_fields.size(); ++i)
        if (m_shown[i].name == name) return m_fields[i];
    return nullptr;
}

void ParameterForm::build(const std::vector<Parameter>& parameters)
{
    while (auto* item = m_grid->takeAt(0)) {
        delete item->widget();
        delete item;
    }
    m_fields.clear();
    for (const auto& one : parameters) {
        const int place = static_cast<int>(m_fields.size());
        auto* field = new QLineEdit;
        auto* label = new QLabel(labelOf(one.name));
        label->setTextFormat(Qt::PlainText);
        label->setBuddy(field);
        label->setForegroundRole(QPalette::PlaceholderText);
        field->setAccessibleName(labelOf(one.name));
        field->setToolTip(one.kind == Parameter::Kind::Number ? tr("A whole number of the program; Enter runs it")
                : one.kind == Parameter::Kind::Text           ? tr("A text of the program; Enter runs it")
                                                              : tr("What the program is given as %1; Enter runs it").arg(one.name));
        for (auto* widget : {static_cast<QWidget*>(label), static_cast<QWidget*>(field)})
            widget->setPalette(palette());
        m_grid->addWidget(label, place / kInRow, place % kInRow * 2);
        m_grid->addWidget(field, place / kInRow, place % kInRow * 2 + 1);
        connect(field, &QLineEdit::textEdited, this, [this, name = one.name](const QString& value) { write(name, value); });
        connect(field, &QLineEdit::returnPressed, this, &ParameterForm::runAsked);
        m_fields.push_back(field);
    }
}

void ParameterForm::show(Editor& editor)
{
    m_editor = &editor;
    auto parameters = parametersOf(editor.toPlainText());
    for (auto& one : parameters)
        if (one.kind == Parameter::Kind::Argument) one.value = editor.arguments().value(one.name.mid(1).toInt() - 1);
    if (parameters.size() > kMost) parameters.resize(kMost);
    if (!areAlike(parameters, m_shown)) build(parameters);
    m_shown = std::move(parameters);
    for (std::size_t i = 0; i < m_fields.size(); ++i) {
        // Somebody who is typing a number has not finished it.
        if (m_fields[i]->hasFocus() && !fits(m_shown[i].kind, m_fields[i]->text())) continue;
        if (m_fields[i]->text() != m_shown[i].value) m_fields[i]->setText(m_shown[i].value);
    }
    setVisible(!m_fields.empty());
}

void ParameterForm::write(const QString& name, const QString& value)
{
    if (!m_editor) return;
    const auto shown = std::find_if(m_shown.begin(), m_shown.end(), [&](const Parameter& p) { return p.name == name; });
    if (shown != m_shown.end() && shown->kind == Parameter::Kind::Argument) {
        m_editor->setArgument(name.mid(1).toInt(), value);
        return;
    }
    // Where it stands now: the program may have been changed meanwhile.
    const auto now = parametersOf(m_editor->toPlainText());
    const auto one = std::find_if(now.begin(), now.end(), [&](const Parameter& p) { return p.name == name; });
    if (one == now.end() || one->value == value || !fits(one->kind, value)) return;
    QTextCursor at(m_editor->document());
    at.setPosition(static_cast<int>(one->at));
    at.setPosition(static_cast<int>(one->at + one->size), QTextCursor::KeepAnchor);
    at.insertText(literalOf(one->kind, value));
}
} // namespace dscope::gui
