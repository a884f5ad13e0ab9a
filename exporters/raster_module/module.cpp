#include "exporters/raster/interface.h"
#include <cairo-pdf.h>
#include <cairo.h>
#include <fontconfig/fontconfig.h>
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
/// Letters as they were written, which librsvg does not take from CSS (exporters/svg.h, kPlainLetters). Pango takes it from fontconfig.
/// Source: pango/pangofc-font.c, pango_fc_font_get_features()
void forbidLigatures()
{
    static const bool isDone = [] {
        const char rule[]
            = "<?xml version=\"1.0\"?><!DOCTYPE fontconfig SYSTEM \"urn:fontconfig:fonts.dtd\"><fontconfig><match target=\"font\">"
              "<edit name=\"fontfeatures\" mode=\"append\"><string>calt=0</string><string>liga=0</string><string>clig=0</string>"
              "</edit></match></fontconfig>";
        return FcInit() == FcTrue
            && FcConfigParseAndLoadFromMemory(FcConfigGetCurrent(), reinterpret_cast<const FcChar8*>(rule), FcFalse) == FcTrue;
    }();
    static_cast<void>(isDone); // without it the picture is right but for these letters
}
/// A page that was read, and its size in pixels of 96 to the inch.
struct Picture {
    std::unique_ptr<RsvgHandle, void (*)(gpointer)> handle{nullptr, g_object_unref};
    double width = 0, height = 0;
};
std::string g_why;
/// Null, or why it can't be read.
const char* read(const dscope_raster_page& page, Picture& out)
{
    GError* error = nullptr;
    out.handle.reset(rsvg_handle_new_from_data(reinterpret_cast<const guint8*>(page.svg), page.size, &error));
    if (!out.handle) {
        g_why = std::string("librsvg does not read the figure: ") + error->message;
        g_error_free(error);
        return g_why.c_str();
    }
    if (rsvg_handle_get_intrinsic_size_in_pixels(out.handle.get(), &out.width, &out.height)) return nullptr;
    RsvgRectangle box{};
    gboolean hasBox = FALSE;
    rsvg_handle_get_intrinsic_dimensions(out.handle.get(), nullptr, nullptr, nullptr, nullptr, &hasBox, &box);
    if (!hasBox) return "the figure has no size";
    out.width = box.width;
    out.height = box.height;
    return nullptr;
}
const char* paint(const Picture& picture, cairo_t* cairo, double unit)
{
    GError* error = nullptr;
    const RsvgRectangle page{0, 0, picture.width, picture.height};
    cairo_save(cairo);
    cairo_scale(cairo, unit, unit);
    const bool isPainted = rsvg_handle_render_document(picture.handle.get(), cairo, &page, &error);
    cairo_restore(cairo);
    if (isPainted) return nullptr;
    g_why = std::string("librsvg does not paint the figure: ") + error->message;
    g_error_free(error);
    return g_why.c_str();
}
const char* statusText(cairo_status_t status) { return status == CAIRO_STATUS_SUCCESS ? nullptr : cairo_status_to_string(status); }
const char* png(const dscope_raster_page& page, double scale, Sink& sink)
{
    Picture picture;
    if (const char* failed = read(page, picture)) return failed;
    if (picture.width * scale > 32'000 || picture.height * scale > 32'000)
        return "a PNG may be 32,000 pixels wide and high: give a smaller scale, or SVG";
    Surface surface(cairo_image_surface_create(
        CAIRO_FORMAT_ARGB32, static_cast<int>(picture.width * scale + 0.5), static_cast<int>(picture.height * scale + 0.5)));
    Context cairo(cairo_create(surface.get()));
    if (const char* failed = paint(picture, cairo.get(), scale)) return failed;
    const auto status = cairo_status(cairo.get());
    return statusText(status == CAIRO_STATUS_SUCCESS ? cairo_surface_write_to_png_stream(surface.get(), pass, &sink) : status);
}
const char* pdf(const dscope_raster_page* pages, std::size_t count, const dscope_raster_words& words, Sink& sink)
{
    constexpr double kUnit = 0.75; // a page of a figure's 96 px is an inch of 72 points
    Surface surface(cairo_pdf_surface_create_for_stream(pass, &sink, 1, 1));
    // The same figure gives the same bytes: no time of making.
    cairo_pdf_surface_set_metadata(surface.get(), CAIRO_PDF_METADATA_CREATE_DATE, "1970-01-01T00:00:00Z");
    if (*words.title) cairo_pdf_surface_set_metadata(surface.get(), CAIRO_PDF_METADATA_TITLE, words.title);
    if (*words.subject) cairo_pdf_surface_set_metadata(surface.get(), CAIRO_PDF_METADATA_SUBJECT, words.subject);
    if (*words.keywords) cairo_pdf_surface_set_metadata(surface.get(), CAIRO_PDF_METADATA_KEYWORDS, words.keywords);
    cairo_pdf_surface_set_metadata(surface.get(), CAIRO_PDF_METADATA_CREATOR, "dscope");
    Context cairo;
    for (std::size_t i = 0; i < count; ++i) {
        Picture picture;
        if (const char* failed = read(pages[i], picture)) return failed;
        cairo_pdf_surface_set_size(surface.get(), picture.width * kUnit, picture.height * kUnit);
        if (!cairo) cairo.reset(cairo_create(surface.get()));
        if (const char* failed = paint(picture, cairo.get(), kUnit)) return failed;
        cairo_show_page(cairo.get());
    }

    for (std::size_t i = 0; i < count; ++i)
        if (pages[i].outline)
            cairo_pdf_surface_add_outline(surface.get(), CAIRO_PDF_OUTLINE_ROOT, pages[i].outline,
                ("page=" + std::to_string(i + 1)).c_str(), static_cast<cairo_pdf_outline_flags_t>(0));
    const auto status = cairo ? cairo_status(cairo.get()) : CAIRO_STATUS_SUCCESS;
    if (status != CAIRO_STATUS_SUCCESS) return statusText(status);
    cairo_surface_finish(surface.get());
    return statusText(cairo_surface_status(surface.get()));
}
} // namespace

extern "C" __attribute__((visibility("default"))) const char* dscope_raster_document(const dscope_raster_page* pages, std::size_t count,
    int format, double scale, const dscope_raster_words* words, dscope_raster_write write, void* context)
{
    forbidLigatures();
    Sink sink{write, context};
    return format == 1 ? pdf(pages, count, *words, sink) : png(pages[0], scale, sink);
}
