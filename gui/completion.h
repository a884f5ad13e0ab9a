#pragma once
#ifndef Q_MOC_RUN // moc 6.4 stumbles over <concepts>
#include "engine/base/choice.h"
#include <vector>
#endif
#include "gui/snippets.h"
#include <QCompleter>
#include <QObject>
#include <QStringList>
class QPlainTextEdit;
namespace dscope::gui {
/// Proposes how a word of a D program goes on: between braces variables and functions, outside of them probes, behind -> and . the
/// members of what stands there; and snippets, whose text comes for their name. Asked by Ctrl+Space, or by itself from the third letter on, members at once.
///
/// Tab takes the first proposal. Enter takes a proposal only after the arrow keys or Ctrl+Space have chosen one; otherwise it
/// begins a new line, as it does without proposals. Nothing is proposed for a word that is already complete (BEGIN,
/// profile-99), so completion never changes what was typed in full.
class Completion : public QObject {
    Q_OBJECT
public:
    explicit Completion(QPlainTextEdit* editor);
    /// Descriptions to propose, "syscall::read:entry".
    void setProbes(const QStringList& probes) { m_probes = probes; }
    /// What may be proposed within a clause.
    const QStringList& words() const { return m_words; }
    /// What membersWanted() asked for: the members that may stand at the end of that program's question, with their types.
    void setMembers(const QString& program, const std::vector<Choice>& members);
    /// After a key press: shows, narrows or hides the proposals.
    void propose();
    /// The person asks for proposals.
    void proposeAll();
    bool isOpen() const;
    /// Whether one of the proposals has been chosen, so that Enter takes it.
    bool hasChosen() const;
    /// Takes the first proposal that is not what was typed already, and closes the list.
    void takeFirst();
    void close();
    /// What is proposed now, best first.
    QStringList proposals() const;

Q_SIGNALS:
    void probesWanted(); ///< there is a probe to write and none is known
    void membersWanted(const QString& program); ///< a MemberQuestion, for the compiler to answer

private:
    enum class Because : std::uint8_t { Typed, Asked };
    enum class Kind : std::uint8_t { Nothing, Words, Probes, Members };
    class Names;
    void show(Because why);
    void insert(const QString& whole);
    void write(const Snippet& snippet);
    /// Whether `m_prefix` needs nothing more to be a name of what is proposed.
    bool isComplete() const;
    QPlainTextEdit* m_editor;
    QCompleter* m_completer;
    Names* m_names;
    QStringList m_words, m_probes, m_members;
    QStringList m_memberTypes;  ///< of m_members
    QString m_membersOf;        ///< the program that they are the answer to
    QString m_prefix;
    Kind m_filled = Kind::Nothing; ///< what the list holds
    bool m_asked = false; ///< by Ctrl+Space: the first proposal is chosen from the start
};
} // namespace dscope::gui
