#pragma once
#ifndef Q_MOC_RUN // moc 6.4 stumbles over <concepts>
#include "graph/palette.h"
#include <vector>
#endif
#include <QString>
#include <QStringList>
namespace dscope::gui {
/// What a person has set for all windows of this program.
struct Preferences {
    enum class Ground : std::uint8_t { AsTheSystem, Light, Dark, Print };
    /// Of figures: the theme's, one whose kinds and lines differ most without red or green, or one's own.
    enum class Colours : std::uint8_t { Theme, Distinct, Own };
    /// In tables: as people read them (4.1 µs, 12.3 MiB), or every digit.
    enum class Numbers : std::uint8_t { Exact, Readable };
    /// Where a folder of source that debug information names is here.
    struct Place {
        QString named, here;
        bool operator==(const Place&) const = default;
    };
    Ground ground = Ground::AsTheSystem;
    Colours colours = Colours::Theme;
    QString ownColours;       ///< as --palette takes them: a list of #RRGGBB, or lines "bar = #0057B8"
    Numbers numbers = Numbers::Exact;
    double textSize = 0;      ///< points, of the window; 0: the desktop's
    QString programFont;      ///< a family for programs and output; empty: the first of ours that is there
    QStringList debugFolders; ///< besides /usr/lib/debug; those with a ':' can't be handed on, and are left out
    bool asksServers = false; ///< debug files that are not here are fetched from those of DEBUGINFOD_URLS
    std::vector<Place> sources;
    bool operator==(const Preferences&) const = default;

    /// What is kept in the settings.
    static Preferences kept();
    void keep() const;
    graph::Theme theme() const;
    /// Error: what is wrong with one's own colours, for this theme.
    Result<graph::Palette> palette() const;
    /// palette(), or the theme's colours where one's own are wrong.
    graph::Palette paletteOrTheme() const;
    /// For dscope: "-x", "debugpath=...".
    QStringList helperOptions() const;
    /// The folders of debug files as option debugpath takes them; empty: its default.
    QString debugPath() const;
    /// Where a file of source is here, by the longest folder that fits.
    std::string sourceHere(const std::string& named) const;
};
/// For --palette: kinds of frames and lines that are far apart for everybody.
const char* distinctColours();
} // namespace dscope::gui
