#include "engine/symbols/line_places.h"
#include "engine/symbols/debug_lines.h"
#include "engine/symbols/dwarf_library.h"
namespace dscope::symbols {
Result<LinePlaces> placesOfLine(const ElfFile& program, const DebugPlaces& places, std::string_view file, std::uint32_t line)
{
    DSCOPE_TRY(const auto library, DwarfLibrary::load());
    const auto separate = program.hasLines() ? std::nullopt : debugFileOf(program, places);
    auto lines = DebugLines::open(library, (separate ? *separate : program).descriptor());
    if (!lines) return Error{0, "it has no debug information that tells lines: compile it with -g, or install its debug symbols"};
    return lines->placesOf(file, line);
}
} // namespace dscope::symbols
