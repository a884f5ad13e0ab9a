#include "engine/text/json_file.h"
namespace dscope::text {
std::optional<std::int64_t> scaledOrNothing(JsonReader& reader, int power)
{
    if (reader.kind() == JsonReader::Kind::Text) {
        std::string text;
        return reader.text(text) ? scaledNumber(text, power) : std::nullopt;
    }
    if (reader.kind() != JsonReader::Kind::Number) return reader.skip(), std::nullopt;
    const auto written = reader.number();
    return written ? scaledNumber(*written, power) : std::nullopt;
}
std::optional<std::int64_t> integer(JsonReader& reader) { return scaledOrNothing(reader, 0); }

void tellRest(JsonReader& reader, Imported& out)
{
    if (reader.failed() || reader.atEnd()) return;
    out.warn("its JSON text ends at byte " + std::to_string(reader.position())
        + ", and what is behind that is left out: give each recording a file of its own");
}

bool textOrNothing(JsonReader& reader, std::string& out)
{
    out.clear();
    return reader.kind() == JsonReader::Kind::Text ? reader.text(out) : reader.skip();
}
} // namespace dscope::text
