#include "gui/preferences_dialog.h"
#include <QCheckBox>
#include <QComboBox>
#include <QCoreApplication>
#include <QDialogButtonBox>
#include <QDoubleSpinBox>
#include <QFileDialog>
#include <QFileInfo>
#include <QFontDatabase>
#include <QFormLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPainter>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QScreen>
#include <QScrollArea>
#include <QScrollBar>
#include <QShowEvent>
#include <QVBoxLayout>
#include <algorithm>
#include <cmath>
#include <utility>
namespace dscope::gui {
namespace {
constexpr int kRowGap = 4, kSampleRows = 3, kLinesEdited = 3;
constexpr int kDialogWidth = 620, kSampleWidth = 200, kShortest = 12; ///< of the dialog; of a choice, in letters
constexpr double kLeastText = 7, kMostText = 28, kOfTheScreen = 0.9;

struct Sample {
    graph::Shade shade;
    const char* name;
};
constexpr Sample kFrames[] = {{graph::Shade::User, QT_TRANSLATE_NOOP("PaletteSample", "program")},
    {graph::Shade::Library, QT_TRANSLATE_NOOP("PaletteSample", "library")},
    {graph::Shade::Kernel, QT_TRANSLATE_NOOP("PaletteSample", "kernel")},
    {graph::Shade::Jit, QT_TRANSLATE_NOOP("PaletteSample", "generated")},
    {graph::Shade::System, QT_TRANSLATE_NOOP("PaletteSample", "system")},
    {graph::Shade::Inlined, QT_TRANSLATE_NOOP("PaletteSample", "inlined")}};
QColor colour(std::int32_t rgb) { return rgb < 0 ? QColor(Qt::transparent) : QColor::fromRgb(static_cast<QRgb>(rgb)); }
/// By the relative luminance of WCAG 2.1, where black and white are equally far.
QColor readableOn(const QColor& fill)
{
    const auto linear = [](double c) { return c <= 0.04045 ? c / 12.92 : std::pow((c + 0.055) / 1.055, 2.4); };
    constexpr double kMiddle = 0.179;
    const double luminance = 0.2126 * linear(fill.redF()) + 0.7152 * linear(fill.greenF()) + 0.0722 * linear(fill.blueF());
    return luminance > kMiddle ? QColor(0x1A, 0x1A, 0x1A) : QColor(Qt::white);
}
/// A text of a few lines.
QPlainTextEdit* lines(const QString& name, const QString& placeholder)
{
    auto* edit = new QPlainTextEdit;
    edit->setAccessibleName(name);
    edit->setPlaceholderText(placeholder);
    edit->setTabChangesFocus(true);
    edit->setLineWrapMode(QPlainTextEdit::NoWrap);
    edit->setFrameShape(QFrame::StyledPanel);
    edit->setFixedHeight(edit->fontMetrics().lineSpacing() * kLinesEdited + 16);
    return edit;
}
QLabel* heading(const QString& text)
{
    auto* label = new QLabel(text);
    auto font = label->font();
    font.setWeight(QFont::DemiBold);
    label->setFont(font);
    label->setContentsMargins(0, 8, 0, 0);
    return label;
}
QLabel* sentence(const QString& text)
{
    auto* label = new QLabel(text);
    label->setWordWrap(true);
    label->setForegroundRole(QPalette::PlaceholderText);
    return label;
}
QStringList linesOf(const QPlainTextEdit& edit)
{
    QStringList all;
    for (const auto& line : edit.toPlainText().split(QChar('\n')))
        if (const auto text = line.trimmed(); !text.isEmpty()) all << text;
    return all;
}
} // namespace

PaletteSample::PaletteSample(QWidget* parent) : QWidget(parent)
{
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    setAccessibleName(tr("The colours as figures have them"));
}

void PaletteSample::show(const graph::Palette& palette)
{
    m_palette = palette;
    update();
}

int PaletteSample::rowHeight() const { return fontMetrics().height() + 8; }
QSize PaletteSample::sizeHint() const { return {kSampleWidth, kSampleRows * (rowHeight() + kRowGap) + kRowGap}; }

void PaletteSample::paintEvent(QPaintEvent*)
{
    QPainter p(this);
    p.fillRect(rect(), colour(graph::ground(m_palette)));
    constexpr int kInRow = 3;
    const int row = rowHeight();
    const int width = (this->width() - kRowGap) / kInRow;
    int place = 0;
    for (const auto& [shade, name] : kFrames) {
        const QRect box(kRowGap + place % kInRow * width, kRowGap + place / kInRow * (row + kRowGap), width - kRowGap, row);
        graph::Item item{graph::Role::Frame, graph::Box{0, 0, 10, 10, 0}};
        item.shade = shade;
        const auto style = graph::style(item, m_palette);
        p.setPen(style.stroke < 0 ? QPen(Qt::NoPen) : QPen(colour(style.stroke), style.strokeWidth));
        p.setBrush(colour(style.fill));
        p.drawRect(box);
        p.setPen(readableOn(colour(style.fill)));
        p.drawText(box, Qt::AlignCenter, QCoreApplication::translate("PaletteSample", name));
        ++place;
    }

    // Lines of series, below the frames.
    const int top = kRowGap + 2 * (row + kRowGap) + row / 2;
    const int step = (this->width() - kRowGap) / static_cast<int>(graph::kSeriesHues);
    for (std::size_t hue = 0; hue < graph::kSeriesHues; ++hue) {
        graph::Item item{graph::Role::Series, graph::Path{{{0, 0}, {1, 1}}}};
        item.level = static_cast<double>(hue);
        p.setPen(QPen(colour(graph::style(item, m_palette).stroke), 3));
        const int left = kRowGap + static_cast<int>(hue) * step;
        p.drawLine(left, top, left + step - 2 * kRowGap, top);
    }
}

PreferencesDialog::PreferencesDialog(const Preferences& now, Servers servers, QWidget* parent) : QDialog(parent), m_now(now)
{
    setWindowTitle(tr("Preferences"));
    m_ground = new QComboBox;
    m_ground->addItems({tr("As the system"), tr("Light"), tr("Dark"), tr("For print")});
    m_colours = new QComboBox;
    m_colours->addItems({tr("As the theme has them"), tr("Farthest apart, also for the colour-blind"), tr("My own")});
    m_own = new QLineEdit;
    m_own->setPlaceholderText(tr("#0B5FA5, #F2A900, #C8102E"));
    m_own->setAccessibleName(tr("My own colours"));
    m_own->setToolTip(
        tr("Of your program, libraries, the kernel, generated code and the system, in this order; the first is that of bars"));
    m_sample = new PaletteSample;
    m_size = new QDoubleSpinBox;
    m_size->setRange(kLeastText - 1, kMostText);
    m_size->setSpecialValueText(tr("As the desktop"));
    m_size->setSuffix(tr(" pt"));
    m_size->setDecimals(1);
    m_size->setSingleStep(1);
    m_font = new QComboBox;
    m_font->addItem(tr("dscope's choice"));
    for (const auto& family : QFontDatabase::families())
        if (QFontDatabase::isFixedPitch(family) && !QFontDatabase::isPrivateFamily(family)) m_font->addItem(family);
    m_numbers = new QComboBox;
    m_numbers->addItems({tr("Every digit: 4,100 ns"), tr("As people read them: 4.1 µs")});
    m_folders = lines(tr("Debug files"), tr("A folder a line, with .build-id in it or laid out as /usr/lib/debug"));
    m_servers = new QCheckBox(tr("Fetch what is missing from the servers of DEBUGINFOD_URLS"));
    m_sources = lines(tr("Source files"), tr("A line each: /build/package = /home/me/package"));
    m_trouble = new QLabel;
    m_trouble->setWordWrap(true);
    m_trouble->setTextFormat(Qt::PlainText);
    m_trouble->setForegroundRole(QPalette::BrightText);
    auto* add = new QPushButton(tr("&Add a folder…"));
    add->setAutoDefault(false); // Enter in a line is not a click on it
    connect(add, &QPushButton::clicked, this, &PreferencesDialog::addFolder);

    auto* form = new QFormLayout;
    form->setFieldGrowthPolicy(QFormLayout::AllNonFixedFieldsGrow);
    form->setRowWrapPolicy(QFormLayout::WrapLongRows);
    for (auto* box : {m_ground, m_colours, m_numbers, m_font}) {
        box->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
        box->setMinimumContentsLength(kShortest);
    }
    form->addRow(heading(tr("Look")));
    form->addRow(tr("&Theme"), m_ground);
    form->addRow(tr("&Colours of figures"), m_colours);
    form->addRow(QString(), m_own);
    form->addRow(QString(), m_sample);
    form->addRow(tr("Text &size"), m_size);
    form->addRow(tr("&Font of programs"), m_font);
    form->addRow(tr("&Numbers in tables"), m_numbers);
    form->addRow(heading(tr("Names and sources")));
    form->addRow(tr("&Debug files"), m_folders);
    form->addRow(QString(), add);
    form->addRow(QString(), m_servers);
    m_servers->setEnabled(servers == Servers::Reached);
    if (servers == Servers::OutOfReach)
        form->addRow(QString(),
            sentence(
                tr("Only where dscope-gui runs as root: pkexec and sudo take DEBUGINFOD_URLS from what traces. The servers are asked in "
                   "a terminal by sudo --preserve-env=DEBUGINFOD_URLS dscope -x debuginfod.")));
    form->addRow(tr("S&ource files"), m_sources);
    form->addRow(QString(), sentence(tr("Debug files and servers are asked in the next run; all else holds at once.")));
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close | QDialogButtonBox::RestoreDefaults);
    // The buttons stay in sight on a small screen, and where the text is large.
    auto* page = new QWidget;
    page->setObjectName(QStringLiteral("start"));
    page->setLayout(form);
    m_scrolled = new QScrollArea;
    m_scrolled->setFrameShape(QFrame::NoFrame);
    m_scrolled->setWidgetResizable(true);
    m_scrolled->setFocusPolicy(Qt::NoFocus);
    m_scrolled->setWidget(page);
    auto* all = new QVBoxLayout(this);
    all->addWidget(m_scrolled, 1);
    all->addWidget(m_trouble);
    all->addWidget(buttons);

    fill();
    buttons->button(QDialogButtonBox::RestoreDefaults)->setAutoDefault(false);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    connect(buttons->button(QDialogButtonBox::RestoreDefaults), &QPushButton::clicked, this, [this] {
        // Where things are is no matter of taste.
        const Preferences were = std::exchange(m_now, {});
        m_now.debugFolders = were.debugFolders;
        m_now.sources = were.sources;
        fill();
        Q_EMIT changed(m_now);
    });

    for (auto* box : {m_ground, m_colours, m_numbers, m_font})
        connect(box, &QComboBox::currentIndexChanged, this, &PreferencesDialog::read);
    connect(m_own, &QLineEdit::textChanged, this, &PreferencesDialog::read);
    connect(m_size, &QDoubleSpinBox::valueChanged, this, &PreferencesDialog::read);
    connect(m_servers, &QCheckBox::toggled, this, &PreferencesDialog::read);
    for (auto* edit : {m_folders, m_sources})
        connect(edit, &QPlainTextEdit::textChanged, this, &PreferencesDialog::read);
}

/// As large as it has to be, now that its fonts are known, and no larger than the screen.
void PreferencesDialog::showEvent(QShowEvent* e)
{
    QDialog::showEvent(e);
    if (e->spontaneous()) return;
    const QSize room = screen()->availableSize() * kOfTheScreen;
    auto* page = m_scrolled->widget();
    const auto around = layout()->contentsMargins();
    const int width = std::min(std::max(kDialogWidth, page->sizeHint().width() + around.left() + around.right()), room.width());
    const int inside = width - around.left() - around.right();
    const int height = std::max(page->sizeHint().height(), page->layout()->heightForWidth(inside));
    resize(width, std::min(height + layout()->sizeHint().height() - m_scrolled->sizeHint().height(), room.height()));
    layout()->activate();
    const int hidden = m_scrolled->verticalScrollBar()->maximum(); // what the form's sentences need where they are wrapped
    if (hidden > 0) resize(width, std::min(this->height() + hidden, room.height()));
}

void PreferencesDialog::setPreferences(const Preferences& now)
{
    if (now == m_now) return;
    m_now = now;
    fill();
}

void PreferencesDialog::fill()
{
    m_isFilling = true;
    m_ground->setCurrentIndex(static_cast<int>(m_now.ground));
    m_colours->setCurrentIndex(static_cast<int>(m_now.colours));
    m_own->setText(m_now.ownColours);
    m_size->setValue(m_now.textSize > 0 ? m_now.textSize : m_size->minimum());
    // One that is not installed here stays chosen, too.
    if (!m_now.programFont.isEmpty() && m_font->findText(m_now.programFont) < 0) m_font->addItem(m_now.programFont);
    m_font->setCurrentIndex(m_now.programFont.isEmpty() ? 0 : m_font->findText(m_now.programFont));
    m_numbers->setCurrentIndex(static_cast<int>(m_now.numbers));
    m_folders->setPlainText(m_now.debugFolders.join(QChar('\n')));
    m_servers->setChecked(m_now.asksServers);
    QStringList places;
    for (const auto& place : m_now.sources)
        places << place.named + QStringLiteral(" = ") + place.here;
    m_sources->setPlainText(places.join(QChar('\n')));
    m_isFilling = false;
    refresh();
}

void PreferencesDialog::read()
{
    if (m_isFilling) return;
    Preferences next;
    next.ground = static_cast<Preferences::Ground>(m_ground->currentIndex());
    next.colours = static_cast<Preferences::Colours>(m_colours->currentIndex());
    next.ownColours = m_own->text();
    next.numbers = static_cast<Preferences::Numbers>(m_numbers->currentIndex());
    next.textSize = m_size->value() > m_size->minimum() ? m_size->value() : 0;
    next.programFont = m_font->currentIndex() > 0 ? m_font->currentText() : QString();
    next.debugFolders = linesOf(*m_folders);
    next.asksServers = m_servers->isChecked();
    for (const auto& line : linesOf(*m_sources)) {
        const auto equals = line.indexOf(QChar('='));
        if (equals <= 0) continue;
        const auto here = line.mid(equals + 1).trimmed();
        if (!here.isEmpty()) next.sources.push_back({line.left(equals).trimmed(), here});
    }
    const bool isSame = next == m_now;
    m_now = next;
    refresh();
    if (!isSame) Q_EMIT changed(m_now);
}

void PreferencesDialog::refresh()
{
    m_own->setVisible(m_now.colours == Preferences::Colours::Own);
    m_sample->show(m_now.paletteOrTheme());
    QStringList wrong;
    if (const auto palette = m_now.palette(); !palette)
        wrong << QString::fromStdString(palette.error().message);
    else if (m_now.colours == Preferences::Colours::Own)
        for (const auto& warning : palette->warnings())
            wrong << QString::fromStdString(warning);
    for (const auto& folder : m_now.debugFolders)
        if (folder.contains(QChar(':')))
            wrong << tr("%1 is left out: option debugpath has ':' between its folders. A symbolic link without one helps.").arg(folder);
        else if (!QFileInfo(folder).isDir())
            wrong << tr("There is no folder %1.").arg(folder);
    for (const auto& line : linesOf(*m_sources))
        if (const auto equals = line.indexOf(QChar('=')); equals <= 0 || line.mid(equals + 1).trimmed().isEmpty())
            wrong << tr("%1: write where that folder is here, behind \"=\".").arg(line);
    for (const auto& place : m_now.sources)
        if (!QFileInfo(place.here).isDir()) wrong << tr("There is no folder %1.").arg(place.here);
    m_trouble->setText(wrong.join(QChar('\n')));
    m_trouble->setVisible(!wrong.isEmpty());
}

QString PreferencesDialog::trouble() const { return m_trouble->isHidden() ? QString() : m_trouble->text(); }

void PreferencesDialog::addFolder()
{
    const auto folder = QFileDialog::getExistingDirectory(this, tr("Debug files"));
    if (!folder.isEmpty()) m_folders->appendPlainText(folder);
}
} // namespace dscope::gui
