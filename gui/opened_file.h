#pragma once
#include <QString>
namespace dscope::gui {
/// What somebody wants to open, by what it begins with; its name decides only between programs and other tools' text.
enum class FileKind { Program, Recording, Foreign, Refused };
/// A file that somebody wants to open, and what it is.
struct OpenedFile {
    FileKind kind = FileKind::Refused;
    QString why; ///< of Refused: a sentence that names the file, the cause and the way out
};
OpenedFile lookAt(const QString& path);
} // namespace dscope::gui
