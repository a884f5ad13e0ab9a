#pragma once
#include <QFile>
#include <QFileInfo>
#include <QList>
#include <QPair>
#include <QString>
#include <QTemporaryDir>
namespace dscope::tests {
/// The fonts that somebody has who looks at a figure, and no others.
struct ReaderFonts {
    QString sans, mono;                   ///< what sans-serif and monospace are
    QList<QPair<QString, QString>> files; ///< one of each folder, and the Debian package that brings it
    double letter = 0;                    ///< px of a bold "m" of 100 px, from the font's table hmtx

    /// The package that is not installed; empty if all are.
    QString missing() const
    {
        for (const auto& [path, package] : files)
            if (!QFile::exists(path)) return package;
        return {};
    }
    /// The value of FONTCONFIG_FILE with which a program sees these fonts; the file and fontconfig's cache are in `dir`.
    QString configuration(const QTemporaryDir& dir) const
    {
        QString text = QStringLiteral("<?xml version=\"1.0\"?><!DOCTYPE fontconfig SYSTEM \"urn:fontconfig:fonts.dtd\"><fontconfig>");
        for (const auto& [path, package] : files)
            text += "<dir>" + QFileInfo(path).path() + "</dir>";
        for (const auto& [generic, family] : {QPair(QStringLiteral("sans-serif"), sans), QPair(QStringLiteral("monospace"), mono)})
            text += "<alias binding=\"same\"><family>" + generic + "</family><prefer><family>" + family + "</family></prefer></alias>";
        text += "<cachedir>" + dir.filePath("fontcache") + "</cachedir></fontconfig>";
        QFile out(dir.filePath(sans + ".conf"));
        if (!out.open(QIODevice::WriteOnly) || out.write(text.toUtf8()) < 0) return {};
        return out.fileName();
    }
};
inline ReaderFonts interAndJetBrainsMono()
{
    return {"Inter", "JetBrains Mono",
        {{"/usr/share/fonts/opentype/inter/Inter-Bold.otf", "fonts-inter"},
            {"/usr/share/fonts/truetype/jetbrains-mono/JetBrainsMono-Regular.ttf", "fonts-jetbrains-mono"}},
        91.2};
}
/// With the widths of Arial, Helvetica and Courier New.
inline ReaderFonts liberationFonts()
{
    return {"Liberation Sans", "Liberation Mono", {{"/usr/share/fonts/truetype/liberation/LiberationSans-Bold.ttf", "fonts-liberation"}}, 88.9};
}
inline ReaderFonts dejaVuFonts()
{
    return {"DejaVu Sans", "DejaVu Sans Mono", {{"/usr/share/fonts/truetype/dejavu/DejaVuSans-Bold.ttf", "fonts-dejavu-core"}}, 104.2};
}
} // namespace dscope::tests
