#pragma once
#include <cstddef>
/// What the module gives; C, because it is found by name.
extern "C" {
using dscope_raster_write = bool (*)(void* context, const unsigned char* bytes, std::size_t size);
/// A figure that becomes a page, or the only picture.
struct dscope_raster_page {
    const char* svg;
    std::size_t size;
    const char* outline; ///< its entry in the contents of a PDF, UTF-8; null: none
};
/// What a PDF says of itself, UTF-8.
struct dscope_raster_words {
    const char *title, *subject, *keywords;
};
/// `format`: 0 PNG, of one page, 1 PDF, which has `words`. Null when it worked, else why not: a text that stays.
using dscope_raster_function = const char* (*)(const dscope_raster_page* pages, std::size_t count, int format, double scale,
    const dscope_raster_words* words, dscope_raster_write write, void* context);
}
constexpr const char* kRasterFunction = "dscope_raster_document";
