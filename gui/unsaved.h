#pragma once
#include <QObject>
#include <QString>
#include <QTimer>
#include <functional>
#include <map>
#include <vector>
namespace dscope::gui {
/// Keeps programs that are not saved in files of their own, so that a crash or a lost session does not take them. The files lie beside the
/// window's settings, readable by its user alone, named by the process, and go with the need for them.
class Unsaved : public QObject {
    Q_OBJECT
public:
    struct Program {
        quintptr id = 0; ///< the same as long as it is open, no other's
        QString path;    ///< of the file that it will be saved in; empty: it has none
        QString text;
    };
    /// `programs`: those that are to be kept now; the others are saved.
    explicit Unsaved(std::function<std::vector<Program>()> programs, QObject* parent = nullptr);
    /// Something has changed: it is written soon.
    void touch() { m_soon.start(); }
    /// Writes them now, or takes their files away.
    void settle();
    /// What windows of this user that are gone left behind, in the order of its writing; each program is found once. Ids are 0.
    static std::vector<Program> found();

private:
    struct Kept {
        QString file; ///< in full
        Program program;
    };
    std::function<std::vector<Program>()> m_programs;
    std::map<quintptr, Kept> m_kept;
    QTimer m_soon;
};
} // namespace dscope::gui
