#pragma once
#include "engine/text/importer.h"
#include "engine/text/json.h"
namespace dscope::text {
/// An integer that comes next, or nothing where something else comes, which is passed.
std::optional<std::int64_t> integer(JsonReader& reader);
/// A text that comes next; empty where something else comes, which is passed. False: see JsonReader::failed().
bool textOrNothing(JsonReader& reader, std::string& out);
/// A decimal number that comes next, times 10 to the `power`; nothing where something else comes, which is passed.
std::optional<std::int64_t> scaledOrNothing(JsonReader& reader, int power);
/// Warns of what follows the text that `reader` has read: another document that was put behind the first, say.
void tellRest(JsonReader& reader, Imported& out);
} // namespace dscope::text
