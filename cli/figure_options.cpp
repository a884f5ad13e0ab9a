#include "cli/figure_options.h"
#include "cli/moment.h"
#include "engine/base/input_file.h"
#include "graph/visual.h"
#include <algorithm>
#include <array>
#include <charconv>
#include <optional>
namespace dscope::cli {
namespace {
enum Which {
    kTheme = kFirstFigureOption,
    kSize,
    kScale,
    kTitle,
    kSubtitle,
    kFooter,
    kFocus,
    kTextSize,
    kTransparent,
    kTop,
    kSort,
    kLog,
    kUnit,
    kHighlight,
    kMark,
    kKeep,
    kDrop,
    kMine,
    kFold,
    kFrom,
    kTo,
    kSameScale,
    kPalette,
    kNotes
};
constexpr std::array<::option, 24> kOptions{{{"theme", required_argument, nullptr, kTheme}, {"size", required_argument, nullptr, kSize},
    {"scale", required_argument, nullptr, kScale}, {"title", required_argument, nullptr, kTitle},
    {"subtitle", required_argument, nullptr, kSubtitle}, {"footer", required_argument, nullptr, kFooter},
    {"focus", required_argument, nullptr, kFocus}, {"text-size", required_argument, nullptr, kTextSize},
    {"transparent", no_argument, nullptr, kTransparent}, {"top", required_argument, nullptr, kTop},
    {"sort", required_argument, nullptr, kSort}, {"log", no_argument, nullptr, kLog}, {"unit", required_argument, nullptr, kUnit},
    {"highlight", required_argument, nullptr, kHighlight}, {"mark", required_argument, nullptr, kMark},
    {"keep", required_argument, nullptr, kKeep}, {"drop", required_argument, nullptr, kDrop}, {"mine", optional_argument, nullptr, kMine},
    {"fold", required_argument, nullptr, kFold}, {"from", required_argument, nullptr, kFrom}, {"to", required_argument, nullptr, kTo},
    {"same-scale", no_argument, nullptr, kSameScale}, {"palette", required_argument, nullptr, kPalette},
    {"notes", required_argument, nullptr, kNotes}}};

/// A page, and the smallest text on it. Lengths are px; 0: by its size.
struct PageSize {
    double width, height, smallestText = 0;
};
constexpr double kPixelsOfPoint = 96.0 / 72; ///< at 96 to the inch
std::optional<PageSize> pageSize(std::string_view text)
{
    constexpr double kPrinted = 8 * kPixelsOfPoint;
    struct Named {
        std::string_view name;
        PageSize size;
    };
    static constexpr std::array<Named, 8> kNamed{{{"16:9", {1600, 900}}, {"slide", {1600, 900, 20}}, {"4:3", {1200, 900, 18}},
        {"square", {1200, 1200}}, {"poster", {3370, 2384}}, {"a4", {794, 1123, kPrinted}}, // 210 x 297 mm
        {"a4-landscape", {1123, 794, kPrinted}}, {"column", {325, 244, kPrinted}}}};       // of a printed page, 86 mm wide
    for (const auto& [name, size] : kNamed)
        if (text == name) return size;
    const auto x = text.find('x');
    if (x == text.npos) return {};
    int w = 0, h = 0;
    const auto* end = text.data() + text.size();
    if (std::from_chars(text.data(), text.data() + x, w).ptr != text.data() + x || std::from_chars(text.data() + x + 1, end, h).ptr != end)
        return {};
    if (w < 200 || h < 150 || w > 20'000 || h > 20'000) return {};
    return PageSize{double(w), double(h)};
}

/// "one of a, b or c" of the names that an option takes.
template <typename Value, std::size_t count> using Names = std::array<std::pair<std::string_view, Value>, count>;
template <typename Value, std::size_t count>
Result<Value> named(std::string_view option, const Names<Value, count>& names, std::string_view value)
{
    std::string all;
    for (std::size_t i = 0; i < count; ++i) {
        if (names[i].first == value) return names[i].second;
        all += (i == 0 ? "" : i + 1 < count ? ", " : " or ") + std::string(names[i].first);
    }
    return Error{0, std::string(option) + " is " + all + ", not \"" + std::string(value) + '"'};
}
constexpr Names<graph::Theme, 3> kThemes{{{"light", graph::Theme::Light}, {"dark", graph::Theme::Dark}, {"print", graph::Theme::Print}}};
using Footer = graph::LayoutOptions::Footer;
constexpr Names<Footer, 3> kFooters{{{"full", Footer::Full}, {"short", Footer::Short}, {"none", Footer::None}}};
constexpr Names<graph::Order, 2> kOrders{{{"value", graph::Order::Value}, {"name", graph::Order::Name}}};
using graph::Measure;
using graph::Unit;
constexpr Names<Measure, 10> kUnits{{{"ns", {Unit::Nanoseconds, 1}}, {"us", {Unit::Nanoseconds, 1e3}}, {"ms", {Unit::Nanoseconds, 1e6}},
    {"s", {Unit::Nanoseconds, 1e9}}, {"bytes", {Unit::Bytes, 1}}, {"KiB", {Unit::Bytes, 1024}}, {"MiB", {Unit::Bytes, 1024.0 * 1024}},
    {"GiB", {Unit::Bytes, 1024.0 * 1024 * 1024}}, {"percent", {Unit::Percent, 1}}, {"none", {Unit::None, 1}}}};

/// px; none when it is no size of text.
std::optional<double> textSize(std::string_view text)
{
    double size = 0, unit = 1;
    if (text.ends_with("pt")) unit = kPixelsOfPoint;
    if (text.ends_with("pt") || text.ends_with("px")) text.remove_suffix(2);
    const auto* end = text.data() + text.size();
    if (std::from_chars(text.data(), end, size).ptr != end) return {};
    size *= unit;
    return size >= 6 && size <= 200 ? std::optional(size) : std::nullopt;
}
Result<graph::NamePattern> pattern(std::string_view option, const std::string& value)
{
    if (value.empty()) return Error{0, std::string(option) + " takes a regular expression, and an empty one matches everything"};
    auto made = graph::NamePattern::of(value);
    if (!made) return std::move(made).error().in(option);
    return made;
}
template <typename Heed> std::string viewsThat(Heed heeds)
{
    std::string all;
    for (const auto& kind : graph::kinds())
        if (heeds(kind.heeds)) all += (all.empty() ? "" : ", ") + std::string(kind.name);
    return all;
}

/// Whether --palette has colours, and not the file that names them.
bool isColours(const std::string& value) { return value.starts_with('#'); }

/// A list of colours, or the file that has them.
Result<graph::OwnColours> coloursGiven(const std::string& value)
{
    if (value.empty()) return Error{0, "it is a list of colours, as #0057B8,#FFD700, or a file that names them"};
    if (isColours(value)) return graph::ownColoursOf(value, {});
    constexpr std::size_t kLongest = 64 * 1024;
    DSCOPE_TRY(const auto text, readWholeFile(value, kLongest));
    return graph::ownColoursOf(text, value);
}

Result<graph::Mark> markOf(const std::string& value)
{
    const auto equals = value.rfind('=');
    if (equals == std::string::npos || equals == 0 || equals + 1 == value.size())
        return Error{0, "--mark is NAME=TEXT, what is called NAME and what is said of it, not \"" + value + '"'};
    return graph::Mark{value.substr(0, equals), value.substr(equals + 1)};
}

/// A file of notes: options of the command line without their dashes, a line each, and comments.
Result<> takeNotes(const std::string& file, Arguments& a)
{
    constexpr std::size_t kLongest = 1024 * 1024;
    DSCOPE_TRY(const auto text, readWholeFile(file, kLongest));
    std::size_t number = 0;
    for (std::size_t at = 0; at < text.size(); ++number) {
        const auto end = std::min(text.find('\n', at), text.size());
        std::string line = text.substr(at, end - at);
        at = end + 1;
        if (line.ends_with('\r')) line.pop_back();
        const auto first = line.find_first_not_of(" \t");
        if (first == std::string::npos || line[first] == '#') continue;
        const auto blank = line.find_first_of(" \t", first), begin = std::min(line.find_first_not_of(" \t", blank), line.size());
        const auto word = line.substr(first, blank == std::string::npos ? blank : blank - first), value = line.substr(begin);
        const auto wrong = [&](std::string why) { return Error{0, file + ':' + std::to_string(number + 1) + ": " + std::move(why)}; };
        if (word == "mark") {
            auto mark = markOf(value);
            if (!mark) return wrong("a note is mark NAME=TEXT, not \"" + value + '"');
            mark->isKept = true;
            a.layout.marks.push_back(*std::move(mark));
        } else if (word == "highlight") {
            auto made = pattern("highlight", value);
            if (!made) return wrong(made.error().message);
            if (!a.layout.highlight) a.layout.highlight = *std::move(made);
        } else if (word == "title" || word == "subtitle") {
            auto& own = word == "title" ? a.layout.title : a.layout.subtitle;
            if (!own) own = value;
        } else {
            return wrong("a line is mark NAME=TEXT, highlight REGEX, title TEXT, subtitle TEXT or # and a comment, not \"" + line + '"');
        }
    }
    return {};
}

Result<> takePage(int option, const std::string& value, Arguments& a)
{
    auto& layout = a.layout;
    if (option == kSize) {
        const auto size = pageSize(value);
        if (!size)
            return Error{0,
                "--size is 16:9, slide, 4:3, square, poster, a4, a4-landscape, column or WxH in pixels (200x150 to 20000x20000), not \""
                    + value + '"'};
        layout.width = size->width;
        layout.height = size->height;
        a.pageText = size->smallestText;
        a.sized = true;
        a.isSlide = value == "slide";
    } else if (option == kScale) {
        const auto* end = value.data() + value.size();
        if (std::from_chars(value.data(), end, a.scale).ptr != end || !(a.scale >= 0.1 && a.scale <= 20))
            return Error{0, "--scale is how many pixels of a PNG a pixel of the figure becomes, 0.1 to 20, not \"" + value + '"'};
    } else if (option == kTextSize) {
        const auto size = textSize(value);
        if (!size)
            return Error{0, "--text-size is the smallest text in pixels or points (14, 14px, 11pt; 6px to 200px), not \"" + value + '"'};
        a.askedText = *size;
    } else {
        DSCOPE_TRY(const auto footer, named("--footer", kFooters, value));
        a.footer = footer;
    }
    return {};
}

Result<> takeRule(int option, const std::string& value, Arguments& a)
{
    if (option == kMine && value.empty()) {
        a.stackRules.mine(std::nullopt);
        return {};
    }
    if (option == kFold && value == "recursion") {
        a.stackRules.foldRecursion();
        return {};
    }
    const std::string_view name = option == kKeep ? "--keep" : option == kDrop ? "--drop" : option == kFold ? "--fold" : "--mine";
    DSCOPE_TRY(auto made, pattern(name, value));
    switch (option) {
    case kKeep: a.stackRules.keep(std::move(made)); break;
    case kDrop: a.stackRules.drop(std::move(made)); break;
    case kFold: a.stackRules.fold(std::move(made)); break;
    default: a.stackRules.mine(std::move(made)); break;
    }
    return {};
}
} // namespace

std::vector<::option> figureOptions() { return {kOptions.begin(), kOptions.end()}; }

Result<> takeFigureOption(int option, const std::string& value, Arguments& a)
{
    auto& layout = a.layout;
    switch (option) {
    case kTheme: {
        DSCOPE_TRY(a.theme, named("--theme", kThemes, value));
        break;
    }
    case kPalette: {
        auto colours = coloursGiven(value);
        if (!colours) return std::move(colours).error().in("--palette");
        a.colours = *std::move(colours);
        a.coloursFile = isColours(value) ? std::string() : value;
        break;
    }
    case kSize:
    case kScale:
    case kTextSize:
    case kFooter: return takePage(option, value, a);
    case kTitle: layout.title = value; break;
    case kSubtitle: layout.subtitle = value; break;
    case kFocus: layout.focus = value; break;
    case kNotes:
        if (value.empty()) return Error{0, "--notes takes the name of a file, not nothing"};
        a.notes = value;
        break;
    case kSameScale: a.sameScale = true; break;
    case kTransparent: layout.ground = graph::Ground::Transparent; break;
    case kTop: {
        const auto* end = value.data() + value.size();
        if (std::from_chars(value.data(), end, layout.top).ptr != end || layout.top == 0)
            return Error{0, "--top is how many rows, lines or panels are drawn, 1 or more, not \"" + value + '"'};
        break;
    }
    case kSort: {
        DSCOPE_TRY(layout.order, named("--sort", kOrders, value));
        break;
    }
    case kLog: layout.values = graph::ValueScale::Logarithmic; break;
    case kUnit: {
        DSCOPE_TRY(a.unit, named("--unit", kUnits, value));
        break;
    }
    case kHighlight: {
        DSCOPE_TRY(layout.highlight, pattern("--highlight", value));
        break;
    }
    case kMark: {
        DSCOPE_TRY(auto mark, markOf(value));
        layout.marks.push_back(std::move(mark));
        break;
    }
    case kFrom:
    case kTo: {
        auto moment = momentOf(value);
        if (!moment) return std::move(moment).error().in(option == kFrom ? "--from" : "--to");
        (option == kFrom ? a.stretch.from : a.stretch.to) = *moment;
        break;
    }
    default: return takeRule(option, value, a);
    }
    return {};
}

Result<> finishFigureOptions(Arguments& a)
{
    if (!a.notes.empty())
        if (auto taken = takeNotes(a.notes, a); !taken) return std::move(taken).error().in("--notes");
    a.palette = a.theme;
    if (a.colours) {
        auto palette = graph::Palette::of(a.theme, *a.colours);
        if (!palette) return std::move(palette).error().in("--palette");
        a.palette = *std::move(palette);
    }
    a.layout.text = a.askedText.value_or(a.pageText);
    a.layout.footer = a.footer.value_or(a.isSlide ? Footer::Short : Footer::Full);
    return {};
}

Result<> checkOptions(const Arguments& a, const graph::ViewFacts& view)
{
    struct Check {
        bool isGiven;
        std::string_view options;
        bool (*heeds)(const graph::Heeds&);
    };
    using graph::Heeds;
    const std::array<Check, 4> checks{{{a.layout.top > 0, "--top is", [](const Heeds& h) { return h.top; }},
        {a.layout.order != graph::Order::Own, "--sort is", [](const Heeds& h) { return h.order; }},
        {a.layout.values != graph::ValueScale::Linear, "--log is", [](const Heeds& h) { return h.log; }},
        {!a.stackRules.empty(), "--keep, --drop, --mine and --fold are",
            [](const Heeds& h) { return h.amounts == Heeds::Amounts::Stacks; }}}};
    for (const auto& check : checks)
        if (check.isGiven && !check.heeds(view.heeds))
            return Error{0, std::string(check.options) + " for " + viewsThat(check.heeds) + ", not for " + std::string(view.name)};
    return {};
}
} // namespace dscope::cli
