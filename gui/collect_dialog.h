#pragma once
#include <QDialog>
#include <QString>
#include <QStringList>
class QComboBox;
class QLabel;
class QLineEdit;
class QSpinBox;
namespace dscope::gui {
/// Asks where the runs of many hosts are, and how to show them.
class CollectDialog : public QDialog {
    Q_OBJECT
public:
    explicit CollectDialog(QWidget* parent = nullptr);
    QLineEdit& address() { return *m_address; }
    QComboBox& by() { return *m_by; }
    QSpinBox& hosts() { return *m_hosts; }
    QLineEdit& settings() { return *m_settings; }
    /// For `dscope --collect`, besides the address.
    QStringList arguments() const;

Q_SIGNALS:
    void chosen(const QString& address, const QStringList& arguments);

private:
    void choose();
    QLineEdit* m_address;
    QComboBox* m_by;
    QSpinBox* m_hosts;
    QLineEdit* m_settings;
};
} // namespace dscope::gui
