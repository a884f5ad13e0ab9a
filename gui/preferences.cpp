#include "gui/preferences.h"
#include "gui/style.h"
#include "gui/texts.h"
#include <QSettings>
#include <QVariant>
#include <algorithm>
#include <array>
#include <iterator>
#include <utility>
namespace dscope::gui {
namespace {
constexpr auto kTheme = "window/theme", kColours = "figures/colours", kOwnColours = "figures/own-colours", kNumbers = "tables/numbers",
               kTextSize = "window/text-size", kProgramFont = "window/program-font", kDebugFolders = "symbols/debug-folders",
               kServers = "symbols/servers", kSources = "symbols/sources";
template <typename Value, std::size_t Count> using Words = std::array<std::pair<Value, const char*>, Count>;
constexpr Words<Preferences::Ground, 4> kGrounds{{{Preferences::Ground::AsTheSystem, "system"}, {Preferences::Ground::Light, "light"},
    {Preferences::Ground::Dark, "dark"}, {Preferences::Ground::Print, "print"}}};
constexpr Words<Preferences::Colours, 3> kChoices{
    {{Preferences::Colours::Theme, "theme"}, {Preferences::Colours::Distinct, "distinct"}, {Preferences::Colours::Own, "own"}}};
constexpr Words<Preferences::Numbers, 2> kWays{{{Preferences::Numbers::Exact, "exact"}, {Preferences::Numbers::Readable, "readable"}}};

/// What a word stands for; the first of the table where it is none of its words.
template <typename Value, std::size_t Count> Value meant(const Words<Value, Count>& table, const QVariant& word)
{
    const auto found
        = std::find_if(table.begin(), table.end(), [&](const auto& row) { return word.toString() == QLatin1String(row.second); });
    return found == table.end() ? table.front().first : found->first;
}
template <typename Value, std::size_t Count> QString wordOf(const Words<Value, Count>& table, Value value)
{
    const auto found = std::find_if(table.begin(), table.end(), [&](const auto& row) { return row.first == value; });
    return QLatin1String(found->second);
}
/// "/build/x" of "/build/x/": folders are compared with what follows them.
std::string folderOf(const QString& text)
{
    auto folder = text.toStdString();
    while (folder.size() > 1 && folder.back() == '/')
        folder.pop_back();
    return folder;
}
} // namespace

Preferences Preferences::kept()
{
    const QSettings settings;
    Preferences all;
    all.ground = meant(kGrounds, settings.value(key(kTheme)));
    all.colours = meant(kChoices, settings.value(key(kColours)));
    all.ownColours = settings.value(key(kOwnColours)).toString();
    all.numbers = meant(kWays, settings.value(key(kNumbers)));
    all.textSize = settings.value(key(kTextSize)).toDouble();
    all.programFont = settings.value(key(kProgramFont)).toString();
    all.debugFolders = settings.value(key(kDebugFolders)).toStringList();
    all.asksServers = settings.value(key(kServers)).toBool();
    const auto sources = settings.value(key(kSources)).toStringList();
    for (qsizetype i = 0; i + 1 < sources.size(); i += 2)
        all.sources.push_back({sources[i], sources[i + 1]});
    return all;
}

void Preferences::keep() const
{
    QSettings settings;
    settings.setValue(key(kTheme), wordOf(kGrounds, ground));
    settings.setValue(key(kColours), wordOf(kChoices, colours));
    settings.setValue(key(kOwnColours), ownColours);
    settings.setValue(key(kNumbers), wordOf(kWays, numbers));
    settings.setValue(key(kTextSize), textSize);
    settings.setValue(key(kProgramFont), programFont);
    settings.setValue(key(kDebugFolders), debugFolders);
    settings.setValue(key(kServers), asksServers);
    QStringList places;
    for (const auto& place : sources)
        places << place.named << place.here;
    settings.setValue(key(kSources), places);
}

graph::Theme Preferences::theme() const
{
    switch (ground) {
    case Ground::AsTheSystem: break;
    case Ground::Light: return graph::Theme::Light;
    case Ground::Dark: return graph::Theme::Dark;
    case Ground::Print: return graph::Theme::Print;
    }
    return systemTheme();
}

Result<graph::Palette> Preferences::palette() const
{
    if (colours == Colours::Theme) return graph::Palette(theme());
    const auto text = colours == Colours::Distinct ? std::string(distinctColours()) : ownColours.trimmed().toStdString();
    if (text.empty()) return graph::Palette(theme());
    // Lines as in a file where it looks like one; else a list.
    const bool isFile = text.find('=') != std::string::npos;
    DSCOPE_TRY(const auto own, graph::ownColoursOf(text, isFile ? "colours" : ""));
    return graph::Palette::of(theme(), own);
}

graph::Palette Preferences::paletteOrTheme() const
{
    const auto made = palette();
    return made ? *made : graph::Palette(theme());
}

QString Preferences::debugPath() const
{
    QStringList folders;
    std::copy_if(debugFolders.begin(), debugFolders.end(), std::back_inserter(folders),
        [](const QString& folder) { return !folder.contains(QChar(':')); });
    if (folders.isEmpty()) return {};
    return (folders << QStringLiteral("/usr/lib/debug")).join(QChar(':'));
}

QStringList Preferences::helperOptions() const
{
    QStringList options;
    if (const auto path = debugPath(); !path.isEmpty()) options << QStringLiteral("-x") << QStringLiteral("debugpath=") + path;
    if (asksServers) options << QStringLiteral("-x") << QStringLiteral("debuginfod");
    return options;
}

std::string Preferences::sourceHere(const std::string& named) const
{
    std::size_t longest = 0;
    auto here = named;
    for (const auto& place : sources) {
        const auto folder = folderOf(place.named);
        const bool fits = !folder.empty() && named.starts_with(folder) && named.size() > folder.size()
            && (named[folder.size()] == '/' || folder == "/");
        if (!fits || folder.size() <= longest) continue;
        longest = folder.size();
        here = folderOf(place.here) + named.substr(folder == "/" ? 0 : folder.size());
    }
    return here;
}

// Found by search: the least distance of two of them (CIE 1976) to those with all cones and to those without one kind is 67, where text is
// read on each and each is seen on light and dark ground. tests/gui/tst_preferences.cpp measures it anew.
const char* distinctColours() { return "user = #FFD316\nlibrary = #97EED2\nkernel = #0000FF\njit = #860D03\nsystem = #482F76\n"; }
} // namespace dscope::gui
