#pragma once
#include "engine/base/result.h"
#include "exporters/report/report.h"
/// A report as slides, for formats of offices: texts stay texts, so that they can be edited there.
namespace dscope::report {
/// The geometry of all slides, in px of a slide of 1600 by 900; a point is 1/0.6 px, as on a slide of 13.33 by 7.5 inches.
constexpr double kSlideWidth = 1600, kSlideHeight = 900, kSlideMargin = 48, kPointsOfPixel = 0.6;
constexpr graph::Box kTitleBox{kSlideMargin, 28, 1504, 96, 0}, kCaptionBox{kSlideMargin, 124, 1504, 78, 0},
    kBodyBox{kSlideMargin, 206, 1504, 636, 0}, kFootBox{kSlideMargin, 850, 1504, 34, 0};
/// One slide: its texts, and the figure, table or program that it shows.
struct Slide {
    enum class Kind : std::uint8_t { Cover, Figure, Table, Code } kind = Kind::Figure;
    std::string title, caption, footer;
    double titleSize = 0;             ///< px
    std::vector<std::string> bullets; ///< of the cover
    /// Both forms of the figure, in kBodyBox: offices draw the vectors, and older ones the picture.
    std::string svg, png, inWords;
    graph::Table table;
    std::vector<double> columns; ///< px, their widths
    std::vector<std::string> code; ///< lines of a D program
};
constexpr double kTableRow = 38, kTableText = 20, kCaptionText = 70.0 / 3, kBulletText = 100.0 / 3, kCodeText = 20, kFootText = 20; // px
/// Error: the figures can't be painted (the module of PNG is not there).
Result<std::vector<Slide>> slidesOf(const Report& report);
} // namespace dscope::report
