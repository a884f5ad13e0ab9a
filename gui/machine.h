#pragma once
#include <QByteArray>
#include <QObject>
#include <QProcess>
#include <QString>
#include <vector>
namespace dscope::gui {
/// One thing that this machine can or can't trace.
struct MachineLine {
    enum class State : std::uint8_t { Works, Unknown, Fails };
    State state = State::Unknown;
    QString text; ///< a short sentence
    QString why;  ///< the reason and the way out, where there is one to tell
    bool operator==(const MachineLine&) const = default;
};
/// Of what `dscope --doctor --json` wrote; empty when it is no such text.
std::vector<MachineLine> machineLines(const QByteArray& json);

/// Asks the command line what this machine can trace, once a boot: the answer is kept in the settings, since the trials take seconds.
class MachineCheck : public QObject {
    Q_OBJECT
public:
    using QObject::QObject;
    ~MachineCheck() override;
    /// `dscope`: the command line's program. Tells known() at once when the answer is kept.
    void look(const QString& dscope);

Q_SIGNALS:
    void known(const std::vector<dscope::gui::MachineLine>& lines);
    void failed(const QString& why);

private:
    void take(int status);
    QProcess m_process;
    QString m_of; ///< whose answer it is: the boot, the user and the program
};
} // namespace dscope::gui
