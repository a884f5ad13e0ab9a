#pragma once
#include <QString>
#include <vector>
namespace dscope::gui {
/// What a window worked at when it was closed: kept in the settings, to go on with it.
struct Session {
    struct Program {
        QString path; ///< its file; empty: it has none
        QString text; ///< where it has no file
        bool operator==(const Program&) const = default;
    };
    std::vector<Program> programs; ///< in the order of their tabs; at least one
    std::size_t current = 0;       ///< of them: the one on show
    QString command;               ///< that was traced; may be empty
    /// What it is found again by: the file or the program's beginning, how many there are besides, and the command.
    QString name() const;
};
/// Newest first.
std::vector<Session> sessions();
/// Becomes the newest; one of the same name is replaced, the oldest go.
void keepSession(const Session& session);
} // namespace dscope::gui
