#include "gui/doctor_dialog.h"
#include <QClipboard>
#include <QDialogButtonBox>
#include <QFontDatabase>
#include <QGuiApplication>
#include <QStandardPaths>
#include <QVBoxLayout>
#include <unistd.h>
namespace dscope::gui {
DoctorDialog::DoctorDialog(const QString& dscope, QWidget* parent) : QDialog(parent), m_dscope(dscope)
{
    setWindowTitle(tr("What can be traced here"));
    m_text = new QPlainTextEdit;
    m_text->setReadOnly(true);
    m_text->setLineWrapMode(QPlainTextEdit::NoWrap);
    m_text->setFont(QFontDatabase::systemFont(QFontDatabase::FixedFont));
    m_state = new QLabel;
    m_state->setWordWrap(true);
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close);
    m_copy = buttons->addButton(tr("&Copy"), QDialogButtonBox::ActionRole);
    m_asRoot = buttons->addButton(tr("&Try as root"), QDialogButtonBox::ActionRole);
    m_asRoot->setVisible(::geteuid() != 0);
    auto* column = new QVBoxLayout(this);
    column->addWidget(m_text, 1);
    column->addWidget(m_state);
    column->addWidget(buttons);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    connect(m_copy, &QPushButton::clicked, this, [this] { QGuiApplication::clipboard()->setText(m_text->toPlainText()); });
    connect(m_asRoot, &QPushButton::clicked, this, [this] { lookAsRoot(); });
    connect(&m_process, &QProcess::finished, this,
        [this](int code, QProcess::ExitStatus how) { present(how == QProcess::NormalExit ? code : -1); });
    connect(&m_process, &QProcess::errorOccurred, this, [this](QProcess::ProcessError error) {
        if (error == QProcess::FailedToStart) present(-1);
    });
    const QFontMetrics metrics(m_text->font());
    resize(metrics.horizontalAdvance(QChar('0')) * 132, metrics.height() * 42);
    look();
}

DoctorDialog::~DoctorDialog()
{
    m_process.disconnect(this);
    if (m_process.state() == QProcess::NotRunning) return;
    m_process.kill(); // one that became root ends by itself, within seconds
    m_process.waitForFinished(1'000);
}

void DoctorDialog::look()
{
    m_state->setText(tr("Looking…"));
    ask({});
}

void DoctorDialog::lookAsRoot()
{
    const auto pkexec = QStandardPaths::findExecutable(QStringLiteral("pkexec"));
    if (pkexec.isEmpty()) {
        m_state->setText(tr("pkexec is not here: run this in a terminal: sudo dscope --doctor"));
        return;
    }
    m_state->setText(tr("Trying each provider as root…"));
    ask({pkexec});
}

/// `before`: words in front of our command.
void DoctorDialog::ask(QStringList before)
{
    if (m_dscope.isEmpty()) {
        m_state->setText(tr("The command line dscope was not found beside this program nor in PATH: install it to trace."));
        m_asRoot->setEnabled(false);
        m_copy->setEnabled(false);
        return;
    }
    m_asRoot->setEnabled(false);
    auto words = std::move(before) << m_dscope << QStringLiteral("--doctor");
    m_process.start(words.takeFirst(), words);
}

void DoctorDialog::present(int status)
{
    m_asRoot->setEnabled(true);
    const auto out = QString::fromUtf8(m_process.readAllStandardOutput());
    const auto trouble = QString::fromUtf8(m_process.readAllStandardError()).trimmed();
    if (status == 0) {
        m_text->setPlainText(out);
        m_state->setText(trouble);
    } else
        m_state->setText(trouble.isEmpty() ? tr("dscope --doctor could not be run: %1").arg(m_process.errorString()) : trouble);
    Q_EMIT finishedLooking();
}
} // namespace dscope::gui
