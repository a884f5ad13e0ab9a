#pragma once
#include <QString>
namespace dscope::gui {
/// The kind of a file, by its first bytes. The name decides only between D programs and text of other tools.
enum class FileKind { Program, Recording, Foreign, Refused };
/// A file that somebody wants to open, and what it is.
struct OpenedFile {
    FileKind kind = FileKind::Refused;
    QString why; ///< of Refused: a sentence that names the file, the cause and the way out
};
OpenedFile lookAt(const QString& path);
} // namespace dscope::gui
