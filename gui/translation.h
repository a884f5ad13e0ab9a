#pragma once
#include <QHash>
#include <QTranslator>
#include <memory>
class QIODevice;
class QLocale;
namespace dscope::gui {
/// The window's words in one language, read from a .ts file as Qt's Linguist and lupdate write it (TS 2.1,
/// https://doc.qt.io/qt-6/linguist-ts-file-format.html). The file itself is in the program: no lrelease, and with it no LLVM, is
/// needed to build. What a file has no finished translation for stays English.
class Translation final : public QTranslator {
public:
    /// Reads a .ts file. Null when it is none, with the reason in `why` ("line 12: ...") where that is asked for.
    static std::unique_ptr<Translation> read(QIODevice& file, QString* why = nullptr);
    /// The first of a locale's languages that there are words for, null where English comes first or nothing fits.
    static std::unique_ptr<Translation> of(const QLocale& locale);
    QString translate(const char* context, const char* source, const char* disambiguation, int n) const override;
    bool isEmpty() const override { return m_words.isEmpty(); }

private:
    QHash<QByteArray, QString> m_words; ///< by context and source, '\0' between them
};
} // namespace dscope::gui
