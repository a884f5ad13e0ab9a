#include "engine/text/json_file.h"
#include "engine/text/gzip.h"
namespace dscope::text {
Guess guessJson(std::string_view head, Guess (*of)(std::string_view json))
{
    if (!isGzip(head)) return of(head);
    const auto begin = inflated(head, std::size_t{1} << 20, Inflate::Beginning);
    return begin ? of(*begin) : Guess::No;
}

Result<std::string_view> wholeJson(Lines& lines, std::size_t most, std::string& plain)
{
    DSCOPE_TRY(auto bytes, lines.whole(most));
    if (!isGzip(bytes)) return bytes;
    DSCOPE_TRY(plain, inflated(bytes, most, Inflate::Whole));
    return std::string_view(plain);
}

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

bool textOrNothing(JsonReader& reader, std::string& out)
{
    out.clear();
    return reader.kind() == JsonReader::Kind::Text ? reader.text(out) : reader.skip();
}
} // namespace dscope::text
