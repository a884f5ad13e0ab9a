#include "exporters/raster/interface.h"
#include <cairo-pdf.h>
#include <cairo.h>
#include <librsvg/rsvg.h>
#include <memory>
#include <string>
namespace {
struct Sink {
    dscope_raster_write write;
    void* context;
};
cairo_status_t pass(void* closure, const unsigned char* data, unsigned int length)
{
    const auto& sink = *static_cast<const Sink*>(closure);
    return sink.write(sink.context, data, length) ? CAIRO_STATUS_SUCCESS : CAIRO_STATUS_WRITE_ERROR;
}
template <typename T, void (*Free)(T*)> struct With {
    void operator()(T* p) const { Free(p); }
};
using Surface = std::unique_ptr<cairo_surface_t, With<cairo_surface_t, cairo_surface_destroy>>;
using Context = std::unique_ptr<cairo_t, With<cairo_t, cairo_destroy>>;
} // namespace

extern "C" __attribute__((visibility("default"))) const char* dscope_raster(
    const char* svg, std::size_t size, int format, double scale, dscope_raster_write write, void* context)
{
    static std::string why;
    GError* error = nullptr;
    RsvgHandle* handle = rsvg_handle_new_from_data(reinterpret_cast<const guint8*>(svg), size, &error);
    if (!handle) {
        why = std::string("librsvg does not read the figure: ") + error->message;
        g_error_free(error);
        return why.c_str();
    }
    const std::unique_ptr<RsvgHandle, void (*)(gpointer)> owner(handle, g_object_unref);
    double width = 0, height = 0;
    if (!rsvg_handle_get_intrinsic_size_in_pixels(handle, &width, &height)) {
        RsvgRectangle box{};
        gboolean hasBox = FALSE;
        rsvg_handle_get_intrinsic_dimensions(handle, nullptr, nullptr, nullptr, nullptr, &hasBox, &box);
        if (!hasBox) return "the figure has no size";
        width = box.width;
        height = box.height;
    }
    Sink sink{write, context};
    const bool pdf = format == 1;
    // A page of a figure's 96 px is an inch of 72 points.
    const double unit = pdf ? 0.75 : scale;
    if (!pdf && (width * unit > 32'000 || height * unit > 32'000))
        return "a PNG may be 32,000 pixels wide and high: give a smaller scale, or SVG";
    Surface surface(pdf
            ? cairo_pdf_surface_create_for_stream(pass, &sink, width * unit, height * unit)
            : cairo_image_surface_create(CAIRO_FORMAT_ARGB32, static_cast<int>(width * unit + 0.5), static_cast<int>(height * unit + 0.5)));
    // The same figure gives the same bytes: no time of making.
    if (pdf) cairo_pdf_surface_set_metadata(surface.get(), CAIRO_PDF_METADATA_CREATE_DATE, "1970-01-01T00:00:00Z");
    Context cairo(cairo_create(surface.get()));
    cairo_scale(cairo.get(), unit, unit);
    const RsvgRectangle page{0, 0, width, height};
    if (!rsvg_handle_render_document(handle, cairo.get(), &page, &error)) {
        why = std::string("librsvg does not paint the figure: ") + error->message;
        g_error_free(error);
        return why.c_str();
    }
    cairo_status_t status = cairo_status(cairo.get());
    if (pdf) {
        cairo_show_page(cairo.get());
        cairo_surface_finish(surface.get());
        status = cairo_surface_status(surface.get());
    } else if (status == CAIRO_STATUS_SUCCESS) {
        status = cairo_surface_write_to_png_stream(surface.get(), pass, &sink);
    }
    return status == CAIRO_STATUS_SUCCESS ? nullptr : cairo_status_to_string(status);
}
