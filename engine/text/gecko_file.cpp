#include "engine/text/gecko_file.h"
#include "engine/text/json_file.h"
namespace dscope::text::gecko {
Error File::damaged(std::size_t at, std::string_view what) const
{
    return Imported::nothing("it is damaged at byte " + std::to_string(at) + ": there is " + std::string(what), m_json, at);
}

Result<File::Parts> File::partsOf(std::size_t from) const
{
    Parts out;
    auto reader = m_tables.at(from);
    if (reader.kind() != JsonReader::Kind::Object) return out;
    reader.members([&](std::string_view key) {
        reader.kind();
        out[std::string(key)] = from + reader.position();
        return reader.skip();
    });
    if (reader.failed()) return damaged(reader, from);
    return out;
}

Result<> File::readMeta(std::size_t from, Meta& meta) const
{
    auto reader = m_tables.at(from);
    if (reader.kind() != JsonReader::Kind::Object) return {};
    std::string word;
    const auto category = [&] {
        auto& of = meta.categories.emplace_back();
        if (reader.kind() != JsonReader::Kind::Object) return reader.skip();
        return reader.members([&](std::string_view key) {
            if (key == "name") return textOrNothing(reader, of.first);
            if (key != "subcategories" || reader.kind() != JsonReader::Kind::Array) return reader.skip();
            return reader.elements([&] { return textOrNothing(reader, of.second.emplace_back()); });
        });
    };
    reader.members([&](std::string_view key) {
        if (key == "categories" && reader.kind() == JsonReader::Kind::Array) return reader.elements(category);
        if (key == "startTime") return meta.began = scaledOrNothing(reader, kMillisecond).value_or(0), !reader.failed();
        if (key != "sampleUnits" || reader.kind() != JsonReader::Kind::Object) return reader.skip();
        return reader.members([&](std::string_view unit) {
            if (unit != "time") return reader.skip();
            if (!textOrNothing(reader, word)) return false;
            return meta.isOfBytes = word == "bytes", true;
        });
    });
    if (reader.failed()) return damaged(reader, from);
    return {};
}

Result<> File::readLibs(std::size_t from, std::vector<Lib>& out) const
{
    auto reader = m_tables.at(from);
    if (reader.kind() != JsonReader::Kind::Array) return {};
    std::string word;
    reader.elements([&] {
        auto& lib = out.emplace_back();
        if (reader.kind() != JsonReader::Kind::Object) return reader.skip();
        return reader.members([&](std::string_view key) {
            if (key == "start") return lib.start = integer(reader).value_or(0), !reader.failed();
            if (key == "end") return lib.end = integer(reader).value_or(0), !reader.failed();
            if (key != "name" && key != "path" && key != "debugName") return reader.skip();
            if (!textOrNothing(reader, word)) return false;
            if (key == "name" || lib.name.empty()) lib.name = word.substr(word.rfind('/') + 1);
            return true;
        });
    });
    if (reader.failed()) return damaged(reader, from);
    return {};
}

Result<> File::readTables(const Parts& parts, Tables& t)
{
    const auto table = [&](std::string_view name, std::initializer_list<JsonTables::Column> columns) {
        const auto at = parts.find(name);
        return at == parts.end() || m_tables.read(at->second, columns);
    };
    bool read = table("stackTable", {{"frame", 0, &t.stackFrame}, {"prefix", 0, &t.stackPrefix}, {"prefixOffset", 0, &t.stackOffset}});
    read = read
        && table("frameTable",
            {{"func", 0, &t.frameFunc}, {"line", 0, &t.frameLine}, {"category", 0, &t.frameCategory},
                {"subcategory", 0, &t.frameSubcategory}, {"address", 0, &t.frameAddress}, {"inlineDepth", 0, &t.frameDepth},
                {"lib", 0, &t.frameLib}, {"location", 0, &t.frameLocation}, {"implementation", 0, &t.frameImplementation}});
    read = read
        && table("funcTable",
            {{"name", 0, &t.funcName}, {"fileName", 0, &t.funcFile}, {"source", 0, &t.funcSource}, {"lineNumber", 0, &t.funcLine},
                {"resource", 0, &t.funcResource}});
    read = read && table("resourceTable", {{"lib", 0, &t.resourceLib}}) && table("sources", {{"filename", 0, &t.sourceFile}});
    for (const auto* name : {"stringArray", "stringTable"})
        if (const auto at = parts.find(name); read && at != parts.end() && t.strings.empty()) read = m_tables.read(at->second, t.strings);
    if (!read) return damagedTable();
    if (const auto at = parts.find("libs"); at != parts.end()) return readLibs(at->second, t.libs);
    return {};
}
} // namespace dscope::text::gecko
