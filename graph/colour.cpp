#include "graph/colour.h"
#include <algorithm>
#include <array>
#include <cmath>
namespace dscope::graph {
namespace {
using Triple = std::array<double, 3>;
using Matrix = std::array<Triple, 3>;
constexpr Matrix kProtan{{{0.152286, 1.052583, -0.204868}, {0.114503, 0.786281, 0.099216}, {-0.003882, -0.048116, 1.051998}}},
    kDeutan{{{0.367322, 0.860646, -0.227968}, {0.280085, 0.672501, 0.047413}, {-0.011820, 0.042940, 0.968881}}},
    kTritan{{{1.255528, -0.076749, -0.178779}, {-0.078411, 0.930809, 0.147602}, {0.004733, 0.691367, 0.303900}}};
// Source: IEC 61966-2-1, sRGB, D65.
constexpr Matrix kToXyz{{{0.4124564, 0.3575761, 0.1804375}, {0.2126729, 0.7151522, 0.0721750}, {0.0193339, 0.1191920, 0.9503041}}},
    kFromXyz{{{3.2404542, -1.5371385, -0.4985314}, {-0.9692660, 1.8760108, 0.0415560}, {0.0556434, -0.2040259, 1.0572252}}};
constexpr Triple kWhite{0.95047, 1, 1.08883};
constexpr std::int32_t kBlackInk = 0x1A1A1A, kWhiteInk = 0xFFFFFF;

Triple times(const Matrix& m, const Triple& v)
{
    Triple out{};
    for (std::size_t i = 0; i < 3; ++i)
        out[i] = m[i][0] * v[0] + m[i][1] * v[1] + m[i][2] * v[2];
    return out;
}
Triple linearOf(std::int32_t rgb)
{
    Triple out{};
    for (std::size_t i = 0; i < 3; ++i) {
        const double v = ((rgb >> (16 - 8 * static_cast<int>(i))) & 255) / 255.0;
        out[i] = v <= 0.04045 ? v / 12.92 : std::pow((v + 0.055) / 1.055, 2.4);
    }
    return out;
}
double luminance(std::int32_t rgb)
{
    const auto c = linearOf(rgb);
    return 0.2126 * c[0] + 0.7152 * c[1] + 0.0722 * c[2];
}
Triple labOf(const Triple& linear)
{
    const auto xyz = times(kToXyz, linear);
    Triple f{};
    for (std::size_t i = 0; i < 3; ++i) {
        const double t = xyz[i] / kWhite[i];
        f[i] = t > 216.0 / 24389 ? std::cbrt(t) : (24389.0 / 27 * t + 16) / 116;
    }
    return {116 * f[1] - 16, 500 * (f[0] - f[1]), 200 * (f[1] - f[2])};
}
Triple linearOfLab(const Triple& lab)
{
    const double y = (lab[0] + 16) / 116;
    const Triple f{y + lab[1] / 500, y, y - lab[2] / 200};
    Triple xyz{};
    for (std::size_t i = 0; i < 3; ++i) {
        const double cube = f[i] * f[i] * f[i];
        xyz[i] = kWhite[i] * (cube > 216.0 / 24389 ? cube : (116 * f[i] - 16) * 27 / 24389);
    }
    return times(kFromXyz, xyz);
}
Triple seenBy(const Triple& linear, Sight sight)
{
    if (sight == Sight::Full || sight == Sight::Gray) return linear;
    auto out = times(sight == Sight::Protan ? kProtan : sight == Sight::Deutan ? kDeutan : kTritan, linear);
    for (auto& part : out)
        part = std::clamp(part, 0.0, 1.0);
    return out;
}
} // namespace

std::optional<std::int32_t> colourOf(std::string_view text)
{
    if ((text.size() != 7 && text.size() != 4) || text.front() != '#') return std::nullopt;
    std::int32_t rgb = 0;
    for (const char c : text.substr(1)) {
        const auto digit = std::string_view("0123456789abcdef").find(static_cast<char>(c >= 'A' && c <= 'F' ? c - 'A' + 'a' : c));
        if (digit == std::string_view::npos) return std::nullopt;
        rgb = rgb * 16 + static_cast<std::int32_t>(digit);
        if (text.size() == 4) rgb = rgb * 16 + static_cast<std::int32_t>(digit);
    }
    return rgb;
}
std::string colourText(std::int32_t rgb)
{
    if (rgb < 0) return "none";
    std::string out = "#";
    for (int shift = 20; shift >= 0; shift -= 4)
        out += "0123456789ABCDEF"[(rgb >> shift) & 15];
    return out;
}
double contrast(std::int32_t a, std::int32_t b)
{
    const double x = luminance(a), y = luminance(b);
    return (std::max(x, y) + 0.05) / (std::min(x, y) + 0.05);
}
std::int32_t readableOn(std::int32_t fill) { return contrast(kBlackInk, fill) >= contrast(kWhiteInk, fill) ? kBlackInk : kWhiteInk; }
double lightness(std::int32_t rgb) { return labOf(linearOf(rgb))[0]; }
std::int32_t withLightness(std::int32_t rgb, double wanted)
{
    const auto lab = labOf(linearOf(rgb));
    // The most of its colour that sRGB has: by halving, since what is within stays within when it gets paler.
    double low = 0, high = 1;
    const auto at = [&](double part) { return linearOfLab({wanted, lab[1] * part, lab[2] * part}); };
    const auto isWithin
        = [](const Triple& c) { return std::all_of(c.begin(), c.end(), [](double v) { return v >= -0.0005 && v <= 1.0005; }); };
    if (isWithin(at(1)))
        low = 1;
    else
        for (int i = 0; i < 20; ++i) {
            const double middle = (low + high) / 2;
            (isWithin(at(middle)) ? low : high) = middle;
        }
    std::int32_t out = 0;
    for (const double part : at(low)) {
        const double v = std::clamp(part, 0.0, 1.0);
        const double coded = v <= 0.0031308 ? 12.92 * v : 1.055 * std::pow(v, 1 / 2.4) - 0.055;
        out = out * 256 + static_cast<std::int32_t>(std::lround(coded * 255));
    }
    return out;
}
std::string_view sightText(Sight sight)
{
    switch (sight) {
    case Sight::Protan: return "without red cones (protanopia)";
    case Sight::Deutan: return "without green cones (deuteranopia)";
    case Sight::Tritan: return "without blue cones (tritanopia)";
    case Sight::Gray: return "in gray";
    default: return "with all colours";
    }
}
double distance(std::int32_t a, std::int32_t b, Sight sight)
{
    const auto x = labOf(seenBy(linearOf(a), sight)), y = labOf(seenBy(linearOf(b), sight));
    return sight == Sight::Gray ? std::abs(x[0] - y[0]) : std::hypot(x[0] - y[0], x[1] - y[1], x[2] - y[2]);
}
} // namespace dscope::graph
