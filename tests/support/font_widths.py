"""Prints the tables of graph/font_metrics.cpp: of each code point the widest advance among the fonts that figures are shown in.

usage: font_widths.py [FOLDER...]     a folder has Inter-Regular.woff2 and Inter-Bold.woff2 of another version of Inter: `web` of the npm
                                      package inter-ui
Needs the Debian packages python3-fonttools, python3-brotli, fonts-dejavu-core, fonts-inter and fonts-liberation. Digits count as
they are drawn in columns of numbers, too, where all are equally wide (the feature `tnum`).
"""
import sys

from fontTools.ttLib import TTFont

FOLDER = "/usr/share/fonts/"
FACES = {
    "kSans": ("truetype/dejavu/DejaVuSans.ttf", "opentype/inter/Inter-Regular.otf", "truetype/liberation/LiberationSans-Regular.ttf"),
    "kBold": ("truetype/dejavu/DejaVuSans-Bold.ttf", "opentype/inter/Inter-Bold.otf", "truetype/liberation/LiberationSans-Bold.ttf"),
}
ALPHABET = list(range(0x20, 0x7F)) + list(range(0xA0, 0x180)) + list(range(0x370, 0x460))
NOT_ASSIGNED = {"kSans": 1360, "kBold": 1520}  # what advance() gives
SIGNS = (0x2009, 0x2013, 0x2014, 0x2018, 0x2019, 0x201C, 0x201D, 0x2022, 0x2026, 0x202F, 0x2190, 0x2191, 0x2192, 0x2193, 0x2212,
         0x221A, 0x2248, 0x2264, 0x2265, 0x22EE, 0x258F, 0x25B2, 0x25B8, 0x25BC, 0xFFFD, 0xFEFF)


def widths(file):
    """The advance of a code point in 1/2048 em, or None where the font has no such glyph."""
    font = TTFont(file)
    glyphs, advances, tabular = font.getBestCmap(), font["hmtx"], {}
    table = font["GSUB"].table if "GSUB" in font else None
    for feature in table.FeatureList.FeatureRecord if table else ():
        if feature.FeatureTag == "tnum":
            for index in feature.Feature.LookupListIndex:
                for lookup in table.LookupList.Lookup[index].SubTable:
                    tabular.update(getattr(lookup, "ExtSubTable", lookup).mapping)

    def width(code_point):
        glyph = glyphs.get(code_point)
        if glyph is None:
            return None
        as_number = tabular.get(glyph, glyph) if chr(code_point).isdigit() else glyph
        return max(advances[glyph][0], advances[as_number][0]) * 2048 / font["head"].unitsPerEm

    return width


def widest(fonts, code_point, otherwise=None):
    known = [w for w in (font(code_point) for font in fonts) if w is not None] or [otherwise]
    return -int(-max(known) // 1)  # rounded up


def main():
    faces = {name: [widths(FOLDER + file) for file in files] for name, files in FACES.items()}
    for folder in sys.argv[1:]:
        faces["kSans"].append(widths(folder + "/Inter-Regular.woff2"))
        faces["kBold"].append(widths(folder + "/Inter-Bold.woff2"))
    for name, fonts in faces.items():
        print(f"constexpr std::array<short, kMeasured> {name}{{" + ", ".join(str(widest(fonts, c, NOT_ASSIGNED[name])) for c in ALPHABET) + "};")
    print(f"constexpr std::array<Sign, {len(SIGNS)}> kSigns{{{{")
    for c in SIGNS:
        print(f"    {{0x{c:04X}, {widest(faces['kSans'], c)}, {widest(faces['kBold'], c)}}},")
    print("}};")


main()
