#pragma once
#include <QString>
#include <QStringList>
namespace dscope::gui {
/// What there is on this machine to become root with.
struct WaysToRoot {
    bool isRoot = false;
    QString pkexec;  ///< its path; empty: not installed
    bool hasBus = false; ///< the system's message bus, without which pkexec asks nobody
    QString sudo;
    QString askpass; ///< a program that asks for sudo's password in a window; empty: none
    bool sudoAsksNobody = false; ///< it needs no password of this user
    static WaysToRoot here();
};
/// How to start the helper as root.
struct Rights {
    QStringList prefix;      ///< goes before the helper's own words
    QStringList environment; ///< NAME=value, to be set for it
    QString how;             ///< "through pkexec"
    bool isPossible = false;
};
Rights rightsBy(const WaysToRoot& ways);
/// A command for a shell that traces the same and keeps a recording: what to do where no window can ask for a password.
/// `arguments`: $1 ...
QString commandByHand(const QString& program, const QString& command, const QString& recording, const QStringList& arguments = {});
} // namespace dscope::gui
