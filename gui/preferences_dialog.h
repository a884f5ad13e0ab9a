#pragma once
#include "gui/preferences.h"
#include <QDialog>
class QCheckBox;
class QComboBox;
class QDoubleSpinBox;
class QLabel;
class QLineEdit;
class QPlainTextEdit;
class QScrollArea;
namespace dscope::gui {
/// Kinds of frames and lines of series as a palette paints them, each with its name.
class PaletteSample : public QWidget {
    Q_OBJECT
public:
    explicit PaletteSample(QWidget* parent = nullptr);
    void show(const graph::Palette& palette);
    QSize sizeHint() const override;

protected:
    void paintEvent(QPaintEvent*) override;

private:
    int rowHeight() const;
    graph::Palette m_palette;
};

/// Asks for preferences. What is changed holds at once: changed() tells each.
class PreferencesDialog : public QDialog {
    Q_OBJECT
public:
    /// Whether what traces sees DEBUGINFOD_URLS: pkexec and sudo take it away.
    enum class Servers : std::uint8_t { Reached, OutOfReach };
    PreferencesDialog(const Preferences& now, Servers servers, QWidget* parent = nullptr);
    const Preferences& preferences() const { return m_now; }
    /// What was changed elsewhere, as in a menu.
    void setPreferences(const Preferences& now);
    /// What is said to be wrong; empty: nothing.
    QString trouble() const;

Q_SIGNALS:
    void changed(const dscope::gui::Preferences& preferences);

protected:
    void showEvent(QShowEvent*) override;

private:
    void fill();
    void read();
    void refresh();
    void addFolder();
    Preferences m_now;
    bool m_isFilling = false;
    QComboBox *m_ground, *m_colours, *m_numbers, *m_font;
    QLineEdit* m_own;
    QDoubleSpinBox* m_size;
    QCheckBox* m_servers;
    QPlainTextEdit *m_folders, *m_sources;
    QScrollArea* m_scrolled;
    QLabel* m_trouble;
    PaletteSample* m_sample;
};
} // namespace dscope::gui
