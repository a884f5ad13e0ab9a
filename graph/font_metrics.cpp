#include "graph/font_metrics.h"
#include <algorithm>
#include <array>
namespace dscope::graph {
namespace {
// Source: the hmtx tables of DejaVu Sans, DejaVu Sans Bold and DejaVu Sans Mono 2.37 (2048 units per em).
constexpr int kAscii = 0x20, kAsciiEnd = 0x7F, kLatin = 0xA0, kLatinEnd = 0x100;
constexpr int kMeasured = (kAsciiEnd - kAscii) + (kLatinEnd - kLatin);
constexpr int kMono = 1233;
constexpr std::array<short, kMeasured> kSans{651, 821, 942, 1716, 1303, 1946, 1597, 563, 799, 799, 1024, 1716, 651, 739, 651, 690, 1303,
    1303, 1303, 1303, 1303, 1303, 1303, 1303, 1303, 1303, 690, 690, 1716, 1716, 1716, 1087, 2048, 1401, 1405, 1430, 1577, 1294, 1178, 1587,
    1540, 604, 604, 1343, 1141, 1767, 1532, 1612, 1235, 1612, 1423, 1300, 1251, 1499, 1401, 2025, 1403, 1251, 1403, 799, 690, 799, 1716,
    1024, 1024, 1255, 1300, 1126, 1300, 1260, 721, 1300, 1298, 569, 569, 1186, 569, 1995, 1298, 1253, 1300, 1300, 842, 1067, 803, 1298,
    1212, 1675, 1212, 1212, 1075, 1303, 690, 1303, 1716, 651, 821, 1303, 1303, 1303, 1303, 690, 1024, 1024, 2048, 965, 1253, 1716, 739,
    2048, 1024, 1024, 1716, 821, 821, 1024, 1303, 1303, 651, 1024, 821, 965, 1253, 1985, 1985, 1985, 1087, 1401, 1401, 1401, 1401, 1401,
    1401, 1995, 1430, 1294, 1294, 1294, 1294, 604, 604, 604, 604, 1587, 1532, 1612, 1612, 1612, 1612, 1612, 1716, 1612, 1499, 1499, 1499,
    1499, 1251, 1239, 1290, 1255, 1255, 1255, 1255, 1255, 1255, 2011, 1126, 1260, 1260, 1260, 1260, 569, 569, 569, 569, 1253, 1298, 1253,
    1253, 1253, 1253, 1253, 1716, 1253, 1298, 1298, 1298, 1298, 1212, 1300, 1212};
constexpr std::array<short, kMeasured> kBold{713, 934, 1067, 1716, 1425, 2052, 1786, 627, 936, 936, 1071, 1716, 778, 850, 778, 748, 1425,
    1425, 1425, 1425, 1425, 1425, 1425, 1425, 1425, 1425, 819, 819, 1716, 1716, 1716, 1188, 2048, 1585, 1561, 1503, 1700, 1399, 1399, 1681,
    1714, 762, 762, 1587, 1305, 2038, 1714, 1741, 1501, 1741, 1577, 1475, 1397, 1663, 1585, 2259, 1579, 1483, 1485, 936, 748, 936, 1716,
    1024, 1024, 1382, 1466, 1214, 1466, 1389, 891, 1466, 1458, 702, 702, 1362, 702, 2134, 1458, 1407, 1466, 1466, 1010, 1219, 979, 1458,
    1335, 1892, 1321, 1335, 1192, 1458, 748, 1458, 1716, 713, 934, 1425, 1425, 1303, 1425, 748, 1024, 1024, 2048, 1155, 1323, 1716, 850,
    2048, 1024, 1024, 1716, 897, 897, 1024, 1507, 1303, 778, 1024, 897, 1155, 1323, 2120, 2120, 2120, 1188, 1585, 1585, 1585, 1585, 1585,
    1585, 2222, 1503, 1399, 1399, 1399, 1399, 762, 762, 762, 762, 1716, 1714, 1741, 1741, 1741, 1741, 1741, 1716, 1741, 1663, 1663, 1663,
    1663, 1483, 1511, 1473, 1382, 1382, 1382, 1382, 1382, 1382, 2146, 1214, 1389, 1389, 1389, 1389, 702, 702, 702, 702, 1407, 1458, 1407,
    1407, 1407, 1407, 1407, 1716, 1407, 1458, 1458, 1458, 1458, 1335, 1466, 1335};
struct Sign {
    char32_t codePoint;
    short sans, bold;
};
constexpr std::array<Sign, 22> kSigns{{
    {0x03BC, 1303, 1507}, // micro as a Greek letter
    {0x2009, 409, 409},
    {0x2013, 1024, 1024},
    {0x2014, 2048, 2048},
    {0x2018, 651, 778},
    {0x2019, 651, 778},
    {0x201C, 1061, 1346},
    {0x201D, 1061, 1346},
    {0x2022, 1208, 1309},
    {0x2026, 2048, 2048},
    {0x202F, 409, 409},
    {0x2190, 1716, 1716},
    {0x2192, 1716, 1716},
    {0x2212, 1716, 1716},
    {0x2248, 1716, 1716},
    {0x2264, 1716, 1716},
    {0x2265, 1716, 1716},
    {0x25B2, 1575, 1575},
    {0x25B8, 1028, 1028},
    {0x25BC, 1575, 1575},
    {0xFFFD, 2100, 2280},
    {0xFEFF, 0, 0},
}};

bool isCombining(char32_t c)
{
    return (c >= 0x0300 && c < 0x0370) || (c >= 0x1AB0 && c < 0x1B00) || (c >= 0x1DC0 && c < 0x1E00) || (c >= 0x200B && c <= 0x200F)
        || (c >= 0x20D0 && c < 0x2100) || (c >= 0xFE00 && c <= 0xFE0F) || (c >= 0xFE20 && c <= 0xFE2F);
}
// Source: Unicode Standard Annex #11, East Asian Width W and F, in blocks.
bool isWide(char32_t c)
{
    return (c >= 0x1100 && c < 0x1160) || (c >= 0x2E80 && c < 0xA4D0) || (c >= 0xAC00 && c < 0xD7A4) || (c >= 0xF900 && c < 0xFB00)
        || (c >= 0xFE30 && c < 0xFE70) || (c >= 0xFF00 && c < 0xFF61) || (c >= 0xFFE0 && c < 0xFFE7) || (c >= 0x1F300 && c < 0x1FB00)
        || (c >= 0x20000 && c < 0x40000);
}
} // namespace

bool isMeasured(char32_t c)
{
    return (c >= kAscii && c < kAsciiEnd) || (c >= kLatin && c < kLatinEnd) || isCombining(c) || isWide(c)
        || std::any_of(kSigns.begin(), kSigns.end(), [&](const Sign& s) { return s.codePoint == c; });
}
int advance(char32_t c, Face face)
{
    if (isCombining(c)) return 0;
    if (isWide(c)) return face == Face::Mono ? 2 * kMono : 2300;
    if (face == Face::Mono) return kMono;
    const auto& table = face == Face::Bold ? kBold : kSans;
    if (c >= kAscii && c < kAsciiEnd) return table[c - kAscii];
    if (c >= kLatin && c < kLatinEnd) return table[c - kLatin + (kAsciiEnd - kAscii)];
    const auto sign = std::find_if(kSigns.begin(), kSigns.end(), [&](const Sign& s) { return s.codePoint == c; });
    if (sign != kSigns.end()) return face == Face::Bold ? sign->bold : sign->sans;
    if (c >= 0x2400 && c < 0x2440) return 1229;
    if (c >= 0x0400 && c < 0x0530) return face == Face::Bold ? 1620 : 1450;
    return face == Face::Bold ? 1520 : 1360;
}
} // namespace dscope::graph
