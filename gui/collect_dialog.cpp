#include "gui/collect_dialog.h"
#include <QComboBox>
#include <QDialogButtonBox>
#include <QFormLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QSettings>
#include <QSpinBox>
#include <QVBoxLayout>
namespace dscope::gui {
namespace {
constexpr auto kAddress = "collect/address";
constexpr int kMostHosts = 1'000'000, kWidth = 520;
} // namespace

CollectDialog::CollectDialog(QWidget* parent)
    : QDialog(parent), m_address(new QLineEdit), m_by(new QComboBox), m_hosts(new QSpinBox), m_settings(new QLineEdit)
{
    setWindowTitle(tr("Collect from hosts"));
    setMinimumWidth(kWidth);
    auto* what = new QLabel(tr("Hosts that run dscope --publish send what they count to a broker. Here all of them are one run."));
    what->setWordWrap(true);
    m_address->setPlaceholderText(QStringLiteral("nats://broker:4222/run"));
    m_address->setText(QSettings().value(QLatin1String(kAddress)).toString());
    m_by->addItem(tr("Each host by itself"), QStringLiteral("host"));
    m_by->addItem(tr("All hosts together"), QStringLiteral("none"));
    m_hosts->setRange(0, kMostHosts);
    m_hosts->setSpecialValueText(tr("those that come"));
    m_settings->setPlaceholderText(QStringLiteral("ca=/etc/broker/ca.pem creds=me.creds"));
    m_settings->setToolTip(tr("What --broker of the command line takes: NAME=VALUE, with blanks between them"));
    auto* form = new QFormLayout;
    form->addRow(tr("&Address"), m_address);
    form->addRow(tr("&Show"), m_by);
    form->addRow(tr("E&xpected hosts"), m_hosts);
    form->addRow(tr("&Connection"), m_settings);
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Ok | QDialogButtonBox::Cancel);
    buttons->button(QDialogButtonBox::Ok)->setText(tr("Collect"));
    auto* all = new QVBoxLayout(this);
    all->addWidget(what);
    all->addLayout(form);
    all->addWidget(buttons);
    const auto check = [this, ok = buttons->button(QDialogButtonBox::Ok)] { ok->setEnabled(!m_address->text().trimmed().isEmpty()); };
    connect(m_address, &QLineEdit::textChanged, this, check);
    check();
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    connect(buttons, &QDialogButtonBox::accepted, this, &CollectDialog::choose);
}

QStringList CollectDialog::arguments() const
{
    QStringList words{QStringLiteral("--by"), m_by->currentData().toString()};
    if (m_hosts->value() > 0) words << QStringLiteral("--broker") << QStringLiteral("hosts=%1").arg(m_hosts->value());
    for (const auto& setting : m_settings->text().split(QChar(' '), Qt::SkipEmptyParts))
        words << QStringLiteral("--broker") << setting;
    return words;
}

void CollectDialog::choose()
{
    const auto address = m_address->text().trimmed();
    // A password is not for a file of settings.
    if (!address.contains(QChar('@'))) QSettings().setValue(QLatin1String(kAddress), address);
    Q_EMIT chosen(address, arguments());
    accept();
}
} // namespace dscope::gui
