#include "graph/palette_colours.h"
#include "graph/units.h"
#include <algorithm>
#include <array>
namespace dscope::graph {
namespace {
struct NamedColour {
    std::string_view name;
    Colour Colours::*colour;
};
constexpr std::array<NamedColour, 7> kKinds{{{"user", &Colours::user}, {"library", &Colours::library}, {"kernel", &Colours::kernel},
    {"jit", &Colours::jit}, {"system", &Colours::system}, {"inlined", &Colours::inlined}, {"unknown", &Colours::unknown}}};
constexpr std::string_view kLines = "lines"; // what a file calls the colours of series
constexpr std::size_t kKindsInOrder = 5;     // of kKinds, that a list gives
constexpr std::array<std::string_view, 6> kOthers{"bar", "accent", "ramp", "heat", "grew", "shrank"};
constexpr double kText = 4.5, kFillSeen = 1.2, kLineSeen = 2, kLineWellSeen = 3, kApart = 9, kApartOnPaper = 4, kApartFromOurs = 20,
                 kSidesApart = 20;

std::string_view trimmed(std::string_view text)
{
    const auto from = text.find_first_not_of(" \t\r"), to = text.find_last_not_of(" \t\r");
    return from == text.npos ? std::string_view() : text.substr(from, to - from + 1);
}
std::string knownNames()
{
    std::string all;
    for (const auto& kind : kKinds)
        all += std::string(kind.name) + ", ";
    for (const auto other : kOthers)
        all += std::string(other) + ", ";
    return all + "or lines";
}
bool isKnown(std::string_view name)
{
    return std::any_of(kKinds.begin(), kKinds.end(), [&](const NamedColour& k) { return k.name == name; })
        || std::find(kOthers.begin(), kOthers.end(), name) != kOthers.end();
}
Result<std::vector<Colour>> coloursIn(std::string_view text, const std::string& place)
{
    std::vector<Colour> out;
    for (std::size_t at = 0; at < text.size();) {
        const auto from = text.find_first_not_of(" \t,", at);
        if (from == text.npos) break;
        at = std::min(text.find_first_of(" \t,", from), text.size());
        const auto word = text.substr(from, at - from);
        const auto colour = colourOf(word);
        if (!colour) return Error{0, place + '"' + std::string(word) + "\" is no colour: write #RRGGBB, as #0057B8"};
        out.push_back(*colour);
    }
    return out;
}
Result<OwnColours> ofList(std::string_view text)
{
    DSCOPE_TRY(auto all, coloursIn(text, {}));
    if (all.size() > kSeriesHues)
        return Error{0, std::to_string(all.size()) + " colours are given, and figures have a use for " + std::to_string(kSeriesHues)};
    OwnColours own;
    for (std::size_t i = 0; i < std::min(all.size(), kKindsInOrder); ++i)
        own.named.emplace_back(kKinds[i].name, all[i]);
    for (const auto name : {"bar", "ramp", "heat"})
        own.named.emplace_back(name, all.front());
    own.lines = std::move(all);
    return own;
}

/// Makes a palette of a theme and what somebody gave, and finds what can't be read or told apart.
class Dyer {
public:
    Dyer(Theme theme, const OwnColours& own) : m_theme(theme), m_own(own), m_colours(coloursOf(theme)) { }

    Result<Colours> dye()
    {
        dyeKinds();
        dyeRamps();
        dyeLines();
        dyeDifference();
        if (const auto* accent = given("accent")) m_colours.accent = *accent;
        if (const auto* bar = given("bar")) m_colours.bar = *bar;
        DSCOPE_CHECK(checkKinds());
        DSCOPE_CHECK(checkLines());
        DSCOPE_CHECK(checkSides());
        warn();
        return m_colours;
    }

    std::vector<std::string> takeWarnings() { return std::move(m_warnings); }

private:
    const Colour* given(std::string_view name) const
    {
        const auto found = std::find_if(m_own.named.begin(), m_own.named.end(), [&](const auto& n) { return n.first == name; });
        return found == m_own.named.end() ? nullptr : &found->second;
    }

    /// The least distance that anybody sees who sees some colours.
    static std::pair<double, Sight> least(Colour a, Colour b)
    {
        std::pair<double, Sight> out{1000, Sight::Full};
        for (const auto sight : {Sight::Full, Sight::Protan, Sight::Deutan, Sight::Tritan})
            if (const double far = distance(a, b, sight); far < out.first) out = {far, sight};
        return out;
    }

    void dyeKinds()
    {
        std::vector<Colour> taken;
        for (const auto& kind : kKinds)
            if (const auto* colour = given(kind.name)) taken.push_back(m_colours.*kind.colour = *colour);
        if (taken.empty()) return;
        // What is left keeps the theme's, unless one of those given looks like it: then one of the theme's that is free.
        const auto& ours = coloursOf(m_theme);
        const auto isFree = [&](Colour colour) {
            return std::all_of(taken.begin(), taken.end(), [&](Colour t) { return least(t, colour).first >= kApart; });
        };
        for (const auto& kind : kKinds) {
            if (given(kind.name)) continue;
            auto& colour = m_colours.*kind.colour;
            if (m_theme != Theme::Print && !isFree(colour))
                for (const auto& other : kKinds)
                    if (isFree(ours.*other.colour)) {
                        colour = ours.*other.colour;
                        break;
                    }
            taken.push_back(colour);
        }
    }

    /// As light as the theme's own steps, so that they are read in gray as those are, in one's own hue.
    void dyeRamps()
    {
        const auto dyed = [&](std::string_view name, std::array<Colour, 6>& ramp) {
            if (const auto* colour = given(name))
                for (auto& step : ramp)
                    step = withLightness(*colour, lightness(step));
        };
        dyed("ramp", m_colours.ramp);
        dyed("heat", m_colours.heat);
    }

    void dyeLines()
    {
        if (m_own.lines.empty()) return;
        std::vector<Colour> lines(m_own.lines.begin(), m_own.lines.end());
        const auto& ours = coloursOf(m_theme).lines;
        for (const double apart : {kApartFromOurs, 0.0})
            for (const auto colour : ours)
                if (lines.size() < kSeriesHues && std::all_of(lines.begin(), lines.end(), [&](Colour l) {
                        return l != colour && distance(l, colour, Sight::Full) >= apart;
                    }))
                    lines.push_back(colour);
        while (lines.size() < kSeriesHues) // of paper's, which are alike
            lines.push_back(ours[lines.size()]);
        std::copy_n(lines.begin(), kSeriesHues, m_colours.lines.begin());
    }

    void dyeDifference()
    {
        constexpr std::array<double, 2> kPaler{66, 90}; // L* of the theme's
        auto& steps = m_colours.difference;
        if (const auto* shrank = given("shrank"))
            steps[0] = *shrank, steps[1] = withLightness(*shrank, kPaler[0]), steps[2] = withLightness(*shrank, kPaler[1]);
        if (const auto* grew = given("grew"))
            steps[6] = *grew, steps[5] = withLightness(*grew, kPaler[0]), steps[4] = withLightness(*grew, kPaler[1]);
    }

    /// The nearest colour of that hue that will do, as "; #2B6CA5 would do"; empty where none will.
    template <typename Test> static std::string instead(Colour colour, Test willDo)
    {
        const double from = lightness(colour);
        for (double step = 1; step <= 100; ++step)
            for (const double to : {from - step, from + step}) {
                if (to < 0 || to > 100) continue;
                const auto other = withLightness(colour, to);
                if (willDo(other)) return "; " + colourText(other) + " would do";
            }
        return {};
    }

    Result<> checkText(std::string_view name, Colour fill) const
    {
        const auto readable = [](Colour c) { return contrast(c, readableOn(c)) >= kText; };
        if (readable(fill)) return {};
        return Error{0,
            "text on " + std::string(name) + ", " + colourText(fill) + ", is read neither in " + colourText(0x1A1A1A) + " nor in "
                + colourText(0xFFFFFF) + " (" + formatDecimal(contrast(fill, readableOn(fill)), 1)
                + " to 1, and it takes 4.5): make it lighter or darker" + instead(fill, readable)};
    }

    Result<> checkSeen(std::string_view name, Colour colour, double least) const
    {
        const auto isSeen = [&](Colour c) { return contrast(c, m_colours.ground) >= least; };
        if (isSeen(colour)) return {};
        const bool isDark = m_theme == Theme::Dark;
        return Error{0,
            std::string(name) + ", " + colourText(colour) + ", is hardly seen on the ground, " + colourText(m_colours.ground) + " ("
                + formatDecimal(contrast(colour, m_colours.ground), 1) + " to 1, and it takes " + formatDecimal(least, 1) + "): make it "
                + (isDark ? "lighter" : "darker") + instead(colour, isSeen) + ", or take another --theme"};
    }

    void warnSeen(const std::string& name, Colour colour)
    {
        if (contrast(colour, m_colours.ground) >= kLineWellSeen) return;
        m_pale.push_back(name + ", " + colourText(colour) + " (" + formatDecimal(contrast(colour, m_colours.ground), 1) + " to 1"
            + instead(colour, [&](Colour c) { return contrast(c, m_colours.ground) >= kLineWellSeen; }) + ')');
    }

    static std::string joined(const std::vector<std::string>& all)
    {
        std::string out;
        for (const auto& one : all)
            out += (out.empty() ? "" : "; ") + one;
        return out;
    }

    void warn()
    {
        if (!m_pale.empty())
            m_warnings.push_back("pale on the ground, " + colourText(m_colours.ground) + ", where 3 to 1 is good: " + joined(m_pale));
        if (!m_grays.empty())
            m_warnings.push_back("alike on a printer without colours, for which --theme print has hatches: " + joined(m_grays));
    }

    static std::string alike(std::string_view a, Colour colourA, std::string_view b, Colour colourB, Sight sight)
    {
        return std::string(a) + ", " + colourText(colourA) + ", and " + std::string(b) + ", " + colourText(colourB) + ", look alike "
            + std::string(sightText(sight));
    }

    bool toldByInk(std::string_view a, std::string_view b) const
    {
        // As frameHatch() and the outline of inlined ones have it.
        static constexpr std::array<std::string_view, 4> kWithInk{"kernel", "system", "jit", "inlined"};
        const auto has = [](std::string_view name) { return std::find(kWithInk.begin(), kWithInk.end(), name) != kWithInk.end(); };
        return m_theme == Theme::Print && (has(a) || has(b));
    }

    Result<> checkKinds()
    {
        for (const auto& kind : kKinds) {
            const auto colour = m_colours.*kind.colour;
            if (!given(kind.name)) continue;
            DSCOPE_CHECK(checkText(kind.name, colour));
            if (m_theme != Theme::Print) DSCOPE_CHECK(checkSeen(kind.name, colour, kFillSeen));
        }
        for (std::size_t i = 0; i < kKinds.size(); ++i)
            for (std::size_t k = i + 1; k < kKinds.size(); ++k)
                if (given(kKinds[i].name) || given(kKinds[k].name)) DSCOPE_CHECK(checkPair(kKinds[i], kKinds[k]));
        return {};
    }

    Result<> checkPair(const NamedColour& a, const NamedColour& b)
    {
        const auto x = m_colours.*a.colour, y = m_colours.*b.colour;
        if (toldByInk(a.name, b.name)) return {};
        const bool isPaper = m_theme == Theme::Print;
        const auto [far, sight] = isPaper ? std::pair(distance(x, y, Sight::Gray), Sight::Gray) : least(x, y);
        const auto& changed = given(b.name) ? b : a;
        const auto stays = given(b.name) ? x : y;
        const auto willDo = [&](Colour c) {
            return contrast(c, readableOn(c)) >= kText
                && (isPaper ? distance(c, stays, Sight::Gray) >= kApartOnPaper : least(c, stays).first >= kApart);
        };
        if (far < (isPaper ? kApartOnPaper : kApart))
            return Error{0,
                alike(a.name, x, b.name, y, sight) + ": make one lighter" + instead(m_colours.*changed.colour, willDo) + " for "
                    + std::string(changed.name)};
        const bool bothGiven = given(a.name) && given(b.name);
        if (!isPaper && bothGiven && distance(x, y, Sight::Gray) < kApartOnPaper)
            m_grays.push_back(std::string(a.name) + ", " + colourText(x) + ", and " + std::string(b.name) + ", " + colourText(y));
        return {};
    }

    Result<> checkLines()
    {
        if (const auto* bar = given("bar")) {
            if (m_theme != Theme::Print) DSCOPE_CHECK(checkSeen("bar", *bar, kLineSeen));
            if (m_theme != Theme::Print) warnSeen("bar", *bar);
        }
        if (const auto* accent = given("accent")) { DSCOPE_CHECK(checkSeen("accent", *accent, kText)); }
        for (std::size_t i = 0; i < m_own.lines.size(); ++i) {
            const auto name = "line " + std::to_string(i + 1);
            DSCOPE_CHECK(checkSeen(name, m_own.lines[i], kLineSeen));
            if (m_own.lines[i] != m_colours.bar) warnSeen(name, m_own.lines[i]);
            for (std::size_t k = 0; k < i; ++k) {
                const auto other = "line " + std::to_string(k + 1);
                if (distance(m_own.lines[k], m_own.lines[i], Sight::Full) < kApart)
                    return Error{0, alike(other, m_own.lines[k], name, m_own.lines[i], Sight::Full) + ": change one of them"};
                const auto [far, sight] = least(m_own.lines[k], m_own.lines[i]);
                if (far < kApart)
                    m_warnings.push_back(alike(other, m_own.lines[k], name, m_own.lines[i], sight)
                        + ", where their dashes alone tell them apart: make one lighter");
            }
        }
        return {};
    }

    Result<> checkSides() const
    {
        if ((!given("grew") && !given("shrank")) || m_theme == Theme::Print) return {};
        const auto shrank = m_colours.difference.front(), grew = m_colours.difference.back();
        DSCOPE_CHECK(checkText("grew", grew));
        DSCOPE_CHECK(checkText("shrank", shrank));
        const auto [far, sight] = least(shrank, grew);
        if (far < kSidesApart)
            return Error{0, alike("shrank", shrank, "grew", grew, sight) + ": take another hue for one, as blue beside red"};
        return {};
    }

    Theme m_theme;
    const OwnColours& m_own;
    Colours m_colours;
    std::vector<std::string> m_warnings, m_pale, m_grays;
};
} // namespace

Result<OwnColours> ownColoursOf(std::string_view text, const std::string& where)
{
    if (where.empty()) return ofList(text);
    OwnColours own;
    int number = 0;
    while (!text.empty()) {
        const auto end = std::min(text.find('\n'), text.size());
        auto line = text.substr(0, end);
        text.remove_prefix(std::min(end + 1, text.size()));
        ++number;
        line = trimmed(line.substr(0, line.find("//")));
        if (line.empty()) continue;
        const std::string place = where + ':' + std::to_string(number) + ": ";
        const auto equals = line.find('=');
        const auto name = trimmed(line.substr(0, equals));
        if (equals == line.npos) return Error{0, place + "expected NAME = #RRGGBB, not \"" + std::string(line) + '"'};
        DSCOPE_TRY(auto colours, coloursIn(line.substr(equals + 1), place));
        if (name == kLines) {
            if (colours.empty() || colours.size() > kSeriesHues)
                return Error{
                    0, place + "lines have 1 to " + std::to_string(kSeriesHues) + " colours, not " + std::to_string(colours.size())};
            own.lines = std::move(colours);
            continue;
        }
        if (!isKnown(name)) return Error{0, place + "nothing is called \"" + std::string(name) + "\", but " + knownNames()};
        if (colours.size() != 1) return Error{0, place + std::string(name) + " has one colour, not " + std::to_string(colours.size())};
        own.named.emplace_back(name, colours.front());
    }
    if (own.named.empty() && own.lines.empty()) return Error{0, where + ": it gives no colour: write lines as bar = #0057B8"};
    return own;
}

Result<Palette> Palette::of(Theme theme, const OwnColours& own)
{
    Dyer dyer(theme, own);
    DSCOPE_TRY(const auto colours, dyer.dye());
    Palette palette(theme);
    palette.m_own = std::make_shared<const Colours>(colours);
    palette.m_warnings = dyer.takeWarnings();
    return palette;
}
} // namespace dscope::graph
