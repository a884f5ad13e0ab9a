#pragma once
#include <QCompleter>
#include <QObject>
#include <QStringList>
class QPlainTextEdit;
namespace dscope::gui {
/// Proposes how a word of a D program goes on: between braces variables and functions, outside of them probes. Asked by
/// Ctrl+Space, or by itself from the third letter on; Enter or Tab takes the proposal.
class Completion : public QObject {
    Q_OBJECT
public:
    explicit Completion(QPlainTextEdit* editor);
    /// Descriptions to propose, "syscall::read:entry".
    void setProbes(const QStringList& probes) { m_probes = probes; }
    /// What may be proposed within a clause.
    const QStringList& words() const { return m_words; }
    /// After a key press: shows, narrows or hides the proposals.
    void propose(bool asked);
    bool isOpen() const;
    /// What is proposed now, best first.
    QStringList proposals() const;

Q_SIGNALS:
    void probesWanted(); ///< there is a probe to write and none is known

private:
    void insert(const QString& whole);
    QPlainTextEdit* m_editor;
    QCompleter* m_completer;
    QStringList m_words, m_probes;
    QString m_prefix;
    bool m_showsProbes = false, m_filled = false;
};
} // namespace dscope::gui
