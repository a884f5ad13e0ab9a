#pragma once
#include "engine/text/importer.h"
#include "engine/text/json.h"
namespace dscope::text {
/// What `of` says of the JSON that a file begins with, which gzip may have compressed.
Guess guessJson(std::string_view head, Guess (*of)(std::string_view json));
/// The JSON that a file is; `plain` holds it where it was compressed. Error: it is more than `most` bytes, or cannot be read.
Result<std::string_view> wholeJson(Lines& lines, std::size_t most, std::string& plain);
/// An integer that comes next, or nothing where something else comes, which is passed.
std::optional<std::int64_t> integer(JsonReader& reader);
/// A text that comes next; empty where something else comes, which is passed. False: see JsonReader::failed().
bool textOrNothing(JsonReader& reader, std::string& out);
/// A decimal number that comes next, times 10 to the `power`; nothing where something else comes, which is passed.
std::optional<std::int64_t> scaledOrNothing(JsonReader& reader, int power);
} // namespace dscope::text
