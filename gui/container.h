#pragma once
#include <QString>
namespace dscope::host {
class Host;
}
namespace dscope::gui {
/// The container that a process runs in, by its control groups.
struct Container {
    QString name;  ///< what its engine calls it, where its files may be read; else the beginning of its id. Empty: the process is in none
    QString group; ///< its path in the control groups v2, as D's `cgroup` has it; empty where they don't tell
    bool operator==(const Container&) const = default;
};
Container containerOf(const host::Host& host, int pid);
} // namespace dscope::gui
