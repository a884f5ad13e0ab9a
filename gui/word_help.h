#pragma once
#include <QObject>
#include <QString>
#include <optional>
class QPlainTextEdit;
class QPoint;
namespace dscope::gui {
/// What the tables of the language, of the options and of the providers say of a word of a D program.
struct WordHelp {
    int begin = 0, length = 0; ///< of the word, in the program
    QString prototype;         ///< "string execname", "void quantize(int64_t, [int64_t])", "#pragma D option bufsize=4m"
    QString summary;           ///< sentences
    QString example;           ///< D
    QString value;             ///< what the example prints, where that is always the same
    QString html() const;
    QString plain() const;
};
/// Of the word at a place of a program; none where there is no word, or one that the program makes up itself.
std::optional<WordHelp> helpAt(const QString& program, int position);

/// Shows what helpAt() finds: as a tool tip of the word that the mouse points to, with F1 of that at the cursor, and as the
/// editor's accessible description, which screen readers tell, of that at the cursor.
class HelpOnWords : public QObject {
    Q_OBJECT
public:
    explicit HelpOnWords(QPlainTextEdit* editor);
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    /// The place of the letter at a point of the viewport; -1 beside the text.
    int placeAt(const QPoint& point) const;
    bool show(int position) const;
    void describe() const;
    QPlainTextEdit* m_editor;
};
} // namespace dscope::gui
