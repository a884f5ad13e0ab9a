#pragma once
#include <cstddef>
/// What the module gives; C, because it is found by name.
extern "C" {
using dscope_raster_write = bool (*)(void* context, const unsigned char* bytes, std::size_t size);
/// `format`: 0 PNG, 1 PDF. Null when it worked, else why not: a text that stays.
using dscope_raster_function
    = const char* (*)(const char* svg, std::size_t size, int format, double scale, dscope_raster_write write, void* context);
}
constexpr const char* kRasterFunction = "dscope_raster";
