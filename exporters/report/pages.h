#pragma once
#include "graph/figure.h"
#include "graph/visual.h"
#include <string>
#include <vector>
/// A report on paper: texts, tables and figures one below the other, on pages of A4 that are figures themselves.
namespace dscope::report {
/// Fills pages from top to bottom, and begins a new one when the next part does not fit.
class Pages {
public:
    static constexpr double kWidth = 794, kHeight = 1123; ///< px: 210 by 297 mm
    static constexpr double kMargin = 64, kFoot = 44;     ///< px
    static constexpr double kSmallest = 8 * 96.0 / 72;    ///< px of text: 8 pt
    static constexpr double kRoomWidth = kWidth - 2 * kMargin, kRoomHeight = kHeight - kMargin - kMargin - kFoot;

    explicit Pages(std::string footer) : m_footer(std::move(footer)) { newPage(); }
    enum class Style : std::uint8_t { Title, Heading, Caption, Strong, Plain, Pale, Code };
    /// In as many lines as it needs. `follows`: px of what must stand on the same page.
    void text(const std::string& words, Style style, double follows = 0);
    void bullet(const std::string& words);
    void fact(const std::string& name, const std::string& value);
    /// The marks of a figure that is at most kRoomWidth wide and kRoomHeight high.
    void figure(const graph::Figure& figure);
    /// Columns are cut where there is no room for all that they say; its head stands on each of its pages.
    void table(const graph::Digest& digest);
    void gap(double px) { m_y += px; }
    void newPage();
    /// px of height that `text()` would take.
    double heightOf(const std::string& words, Style style) const;
    /// The page that is being filled begins something: its entry in the contents.
    void mark(std::string outline);
    struct Sheet {
        graph::Figure figure;
        std::string outline;
    };
    /// All pages, each with its number.
    std::vector<Sheet> take();

private:
    void makeRoom(double height);
    void line(const std::string& words, double x, double size, graph::Role role, graph::TextFont font, graph::Anchor anchor);
    std::string m_footer;
    std::vector<Sheet> m_pages;
    double m_y = 0;
};
} // namespace dscope::report
