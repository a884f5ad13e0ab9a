#include "graph/font_metrics.h"
#include <algorithm>
#include <array>
namespace dscope::graph {
namespace {
// Which of its fonts a reader of an SVG has is not known here. Each code point therefore gets the widest advance among the fonts that
// figures name or that browsers take for sans-serif: then no text is wider than what the layout reserved for it.
// Source: the hmtx tables of DejaVu Sans 2.37, Inter 3.19 (Debian 12) and 4.1 (npm, inter-ui 4.1.1) with proportional and tabular digits,
// and Liberation Sans 1.07.4, which has the widths of Arial and Helvetica; made by tests/support/font_widths.py. In DejaVu Sans Mono 2.37
// all are 1233 wide, in JetBrains Mono 2.242 and in Liberation Mono 1.07.4, which has the widths of Courier New, 1229.
constexpr int kAscii = 0x20, kAsciiEnd = 0x7F, kLatin = 0xA0, kLatinEnd = 0x100;
constexpr int kMeasured = (kAsciiEnd - kAscii) + (kLatinEnd - kLatin);
constexpr int kMono = 1233;
constexpr std::array<short, kMeasured> kSans{651, 821, 954, 1716, 1314, 2011, 1597, 614, 799, 799, 1026, 1716, 651, 943, 651, 738, 1328,
    1328, 1328, 1328, 1328, 1328, 1328, 1328, 1328, 1328, 690, 690, 1716, 1716, 1716, 1139, 2079, 1413, 1405, 1496, 1577, 1366, 1251, 1593,
    1540, 604, 1169, 1376, 1158, 1850, 1543, 1612, 1366, 1612, 1479, 1366, 1322, 1524, 1413, 2025, 1403, 1390, 1403, 799, 738, 799, 1716,
    1139, 1024, 1255, 1300, 1170, 1300, 1260, 758, 1300, 1298, 569, 569, 1186, 569, 1995, 1298, 1253, 1300, 1300, 842, 1081, 803, 1298,
    1212, 1676, 1212, 1212, 1131, 1303, 690, 1303, 1716, 651, 821, 1303, 1303, 1484, 1303, 690, 1164, 1211, 2048, 965, 1253, 1716, 943,
    2048, 1131, 1024, 1716, 905, 913, 1024, 1303, 1303, 651, 1024, 821, 988, 1253, 1985, 1985, 1985, 1251, 1413, 1413, 1413, 1413, 1413,
    1413, 2048, 1496, 1366, 1366, 1366, 1366, 604, 604, 604, 604, 1587, 1543, 1612, 1612, 1612, 1612, 1612, 1716, 1612, 1524, 1524, 1524,
    1524, 1390, 1366, 1290, 1255, 1255, 1255, 1255, 1255, 1255, 2011, 1170, 1260, 1260, 1260, 1260, 569, 569, 569, 569, 1253, 1298, 1253,
    1253, 1253, 1253, 1253, 1716, 1253, 1298, 1298, 1298, 1298, 1212, 1300, 1212};
constexpr std::array<short, kMeasured> kBold{713, 934, 1130, 1716, 1425, 2080, 1786, 694, 936, 936, 1157, 1716, 778, 960, 778, 799, 1425,
    1425, 1425, 1425, 1425, 1425, 1425, 1425, 1425, 1425, 819, 819, 1716, 1716, 1716, 1251, 2111, 1585, 1561, 1541, 1700, 1399, 1399, 1681,
    1714, 762, 1197, 1587, 1305, 2038, 1714, 1741, 1501, 1741, 1577, 1475, 1397, 1663, 1585, 2259, 1579, 1497, 1485, 936, 799, 936, 1716,
    1139, 1024, 1382, 1466, 1214, 1466, 1389, 891, 1466, 1458, 702, 702, 1362, 702, 2134, 1458, 1407, 1466, 1466, 1010, 1219, 979, 1458,
    1335, 1892, 1321, 1335, 1192, 1458, 766, 1458, 1716, 713, 934, 1425, 1425, 1567, 1425, 748, 1215, 1275, 2048, 1155, 1352, 1716, 960,
    2048, 1157, 1024, 1716, 942, 966, 1024, 1507, 1303, 778, 1024, 897, 1155, 1352, 2120, 2120, 2120, 1251, 1585, 1585, 1585, 1585, 1585,
    1585, 2222, 1541, 1399, 1399, 1399, 1399, 762, 762, 762, 762, 1716, 1714, 1741, 1741, 1741, 1741, 1741, 1716, 1741, 1663, 1663, 1663,
    1663, 1497, 1511, 1473, 1382, 1382, 1382, 1382, 1382, 1382, 2146, 1214, 1389, 1389, 1389, 1389, 702, 702, 702, 702, 1407, 1458, 1407,
    1407, 1407, 1407, 1407, 1716, 1407, 1458, 1458, 1458, 1458, 1335, 1466, 1335};
struct Sign {
    char32_t codePoint;
    short sans, bold;
};
constexpr std::array<Sign, 27> kSigns{{
    {0x03BC, 1303, 1507}, // micro as a Greek letter
    {0x2009, 409, 409},
    {0x2013, 1139, 1139},
    {0x2014, 2048, 2048},
    {0x2018, 651, 778},
    {0x2019, 651, 778},
    {0x201C, 1061, 1346},
    {0x201D, 1061, 1346},
    {0x2022, 1208, 1309},
    {0x2026, 2048, 2052},
    {0x202F, 409, 409},
    {0x2190, 2048, 2048},
    {0x2191, 1955, 1955},
    {0x2192, 2048, 2048},
    {0x2193, 1955, 1955},
    {0x2212, 1716, 1716},
    {0x221A, 1305, 1381},
    {0x2248, 1716, 1716},
    {0x2264, 1716, 1716},
    {0x2265, 1716, 1716},
    {0x22EE, 2048, 2048},
    {0x258F, 1575, 1575},
    {0x25B2, 2070, 2146},
    {0x25B8, 1028, 1028},
    {0x25BC, 2070, 2146},
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
