#include "gui/completion.h"
#include "engine/language/language.h"
#include "gui/member_question.h"
#include "gui/texts.h"
#include <QAbstractItemView>
#include <QAbstractListModel>
#include <QPlainTextEdit>
#include <QRegularExpression>
#include <QScrollBar>
#include <QTextBlock>
#include <QTextCursor>
#include <algorithm>
namespace dscope::gui {
namespace {
constexpr int kFewest = 3; ///< letters before anything is proposed unasked
constexpr int kRows = 10;

QStringList language()
{
    QStringList all{QStringLiteral("self"), QStringLiteral("this"), QStringLiteral("sizeof"), QStringLiteral("offsetof"),
        QStringLiteral("stringof"), QStringLiteral("xlate"), QStringLiteral("$target")};
    for (const auto name : language::wordNames())
        all << fromView(name);
    all.sort();
    all.removeDuplicates();
    return all;
}
/// Those that may stand there.
QStringList snippetsOf(Snippet::Place place)
{
    QStringList all;
    for (const auto& one : snippets())
        if (one.place == place) all << QString::fromLatin1(one.name);
    return all;
}
const Snippet* snippetOf(Snippet::Place place, const QString& name)
{
    for (const auto& one : snippets())
        if (one.place == place && name == QLatin1String(one.name)) return &one;
    return nullptr;
}
/// What they do, behind their names.
QStringList summaries(const QStringList& names, bool isBetweenClauses)
{
    QStringList all;
    for (const auto& name : names)
        all << summaryOf(*snippetOf(isBetweenClauses ? Snippet::Place::Clauses : Snippet::Place::Body, name));
    return all;
}
/// What stands between braces is a clause; comments and strings that hold single braces are rare.
bool isInClause(const QString& before) { return before.count(QChar('{')) > before.count(QChar('}')); }
} // namespace

/// Names, and beside members their types, which are shown and not inserted.
class Completion::Names final : public QAbstractListModel {
public:
    using QAbstractListModel::QAbstractListModel;

    void set(const QStringList& names, const QStringList& types)
    {
        beginResetModel();
        m_names = names;
        m_types = types;
        endResetModel();
    }

    int rowCount(const QModelIndex& parent = {}) const override { return parent.isValid() ? 0 : static_cast<int>(m_names.size()); }

    QVariant data(const QModelIndex& index, int role) const override
    {
        if (role != Qt::DisplayRole && role != Qt::EditRole) return {};
        const auto& name = m_names[index.row()];
        const auto type = m_types.value(index.row());
        return role == Qt::DisplayRole && !type.isEmpty() ? name + QStringLiteral("   ") + type : name;
    }

private:
    QStringList m_names, m_types;
};

Completion::Completion(QPlainTextEdit* editor) : QObject(editor), m_editor(editor), m_completer(new QCompleter(this)), m_words(language())
{
    m_names = new Names(m_completer);
    m_completer->setWidget(editor);
    m_completer->setModel(m_names);
    m_completer->setCompletionRole(Qt::EditRole);
    m_completer->setCompletionMode(QCompleter::PopupCompletion);
    m_completer->setCaseSensitivity(Qt::CaseInsensitive);
    m_completer->setMaxVisibleItems(kRows);
    connect(m_completer, qOverload<const QString&>(&QCompleter::activated), this, &Completion::insert);
}

bool Completion::isOpen() const { return m_completer->popup()->isVisible(); }

bool Completion::hasChosen() const { return isOpen() && m_completer->popup()->currentIndex().isValid(); }

void Completion::close() { m_completer->popup()->hide(); }

void Completion::takeFirst()
{
    close();
    const auto all = proposals();
    const auto first = std::find_if(all.begin(), all.end(), [this](const QString& one) { return one != m_prefix; });
    if (first != all.end()) insert(*first);
}

QStringList Completion::proposals() const
{
    QStringList all;
    const auto* model = m_completer->completionModel();
    for (int row = 0; row < model->rowCount(); ++row)
        all << model->index(row, 0).data(Qt::EditRole).toString();
    return all;
}

bool Completion::isComplete() const
{
    const auto all = proposals();
    if (snippetOf(m_filled == Kind::Probes ? Snippet::Place::Clauses : Snippet::Place::Body, m_prefix)) return false;
    if (m_filled != Kind::Probes) return all == QStringList{m_prefix};

    // A provider makes a probe of any rate that is asked for: profile-99 is not the beginning of profile-997.
    static const QRegularExpression kRate(QStringLiteral(R"((^|:)[a-z]+-\d+[a-z]*$)"));
    if (kRate.match(m_prefix).hasMatch()) return true;

    // "BEGIN" names dtrace:::BEGIN.
    return std::any_of(all.begin(), all.end(),
        [this](const QString& probe) { return probe == m_prefix || probe.endsWith(QStringLiteral(":::") + m_prefix); });
}

void Completion::setMembers(const QString& program, const std::vector<Choice>& members)
{
    if (program != m_membersOf) return;
    m_members.clear();
    m_memberTypes.clear();
    for (const auto& member : members) {
        m_members << QString::fromStdString(member.name);
        m_memberTypes << QString::fromStdString(member.type);
    }
    m_filled = Kind::Nothing;
    show(m_asked ? Because::Asked : Because::Typed);
}

void Completion::proposeAll() { show(Because::Asked); }
void Completion::propose() { show(Because::Typed); }
void Completion::show(Because why)
{
    const bool asked = why == Because::Asked;
    m_asked = asked || (m_asked && isOpen());
    const auto cursor = m_editor->textCursor();
    const auto before = m_editor->toPlainText().left(cursor.position());
    const auto member = memberQuestion(before);
    const auto kind = member ? Kind::Members : isInClause(before) ? Kind::Words : Kind::Probes;
    if (member) {
        m_prefix = member->prefix;
        if (m_membersOf != member->program) {
            m_membersOf = member->program;
            m_members.clear();
            m_asked = asked;
            close();
            Q_EMIT membersWanted(member->program);
            return;
        }
    } else {
        // Names that the program makes up itself follow @, -> and `: no word of the language goes on there.
        static const QRegularExpression kWord(QStringLiteral(R"((?<![@`\w]|->)[$\w]*$)")), kProbe(QStringLiteral(R"([^\s,/{};()&|=]*$)"));
        const auto word = (kind == Kind::Probes ? kProbe : kWord).match(before);
        m_prefix = word.captured();
        if (kind == Kind::Probes && m_probes.isEmpty() && (asked || m_prefix.size() >= kFewest)) Q_EMIT probesWanted();
        if (!word.hasMatch() || (!asked && m_prefix.size() < kFewest)) return close();
    }

    const auto snippetNames
        = kind == Kind::Members ? QStringList() : snippetsOf(kind == Kind::Probes ? Snippet::Place::Clauses : Snippet::Place::Body);
    const auto all = snippetNames + (kind == Kind::Probes ? m_probes : kind == Kind::Members ? m_members : m_words);
    if (all.isEmpty() || cursor.hasSelection()) return close();
    if (m_filled != kind || m_names->rowCount() != all.size())
        m_names->set(all, kind == Kind::Members ? m_memberTypes : summaries(snippetNames, kind == Kind::Probes));
    m_filled = kind;

    // Anywhere within a probe's description: people know the function, seldom its provider.
    m_completer->setFilterMode(kind == Kind::Probes ? Qt::MatchContains : Qt::MatchStartsWith);
    m_completer->setCompletionPrefix(m_prefix);
    if (m_completer->completionCount() == 0 || isComplete()) return close();
    auto place = m_editor->cursorRect();
    place.translate(m_editor->viewport()->x() - m_editor->fontMetrics().horizontalAdvance(m_prefix), 4);
    place.setWidth(m_completer->popup()->sizeHintForColumn(0) + m_completer->popup()->verticalScrollBar()->sizeHint().width() + 24);
    m_completer->complete(place);
    m_completer->popup()->setCurrentIndex(m_asked ? m_completer->completionModel()->index(0, 0) : QModelIndex());
}

void Completion::write(const Snippet& snippet)
{
    auto cursor = m_editor->textCursor();
    const auto line = cursor.block().text();
    const auto indent = line.left(std::find_if_not(line.begin(), line.end(), [](QChar c) { return c.isSpace(); }) - line.begin());
    const auto text = [&](const char* part) { return QString::fromLatin1(part).replace(QChar('\n'), QChar('\n') + indent); };
    cursor.beginEditBlock();
    cursor.movePosition(QTextCursor::Left, QTextCursor::KeepAnchor, static_cast<int>(m_prefix.size()));
    cursor.insertText(text(snippet.before));
    const int place = cursor.position();
    cursor.insertText(text(snippet.after));
    cursor.setPosition(place);
    cursor.endEditBlock();
    m_editor->setTextCursor(cursor);
}

void Completion::insert(const QString& whole)
{
    const auto* snippet
        = m_filled == Kind::Members ? nullptr : snippetOf(m_filled == Kind::Probes ? Snippet::Place::Clauses : Snippet::Place::Body, whole);
    if (snippet) return write(*snippet);
    auto cursor = m_editor->textCursor();
    cursor.movePosition(QTextCursor::Left, QTextCursor::KeepAnchor, static_cast<int>(m_prefix.size()));
    cursor.insertText(whole);
    m_editor->setTextCursor(cursor);
}
} // namespace dscope::gui
