#include "engine/probe/tracefs.h"
#include <charconv>
namespace dscope::probe {
namespace {
constexpr const char* kRoot = "/sys/kernel/tracing/";
template <typename Each> void eachLine(std::string_view text, Each each)
{
    while (!text.empty()) {
        const auto end = std::min(text.find('\n'), text.size());
        each(text.substr(0, end));
        text.remove_prefix(std::min(end + 1, text.size()));
    }
}
/// The text between `key` and the next semicolon.
std::string_view valueOf(std::string_view line, std::string_view key)
{
    const auto at = line.find(key);
    if (at == line.npos) return {};
    line.remove_prefix(at + key.size());
    return line.substr(0, line.find(';'));
}
std::uint32_t numberOf(std::string_view line, std::string_view key)
{
    const auto text = valueOf(line, key);
    std::uint32_t n = 0;
    std::from_chars(text.data(), text.data() + text.size(), n);
    return n;
}
/// "char comm[16]" as {"char[16]", "comm"}.
EventField declared(std::string_view declaration)
{
    std::string suffix;
    if (declaration.ends_with(']')) {
        const auto bracket = declaration.rfind('[');
        suffix = declaration.substr(bracket);
        declaration = declaration.substr(0, bracket);
    }
    const auto blank = declaration.find_last_of(" *");
    EventField field;
    field.name = declaration.substr(blank == declaration.npos ? 0 : blank + 1);
    auto type = declaration.substr(0, blank == declaration.npos ? 0 : blank + 1);
    while (type.ends_with(' '))
        type.remove_suffix(1);
    field.type = std::string(type) + suffix;
    return field;
}
} // namespace

std::vector<Event> events(const host::Host& host)
{
    std::vector<Event> all;
    const auto text = host.read(std::string(kRoot) + "available_events");
    if (!text) return all;
    eachLine(*text, [&](std::string_view line) {
        const auto colon = line.find(':');
        if (colon != line.npos) all.push_back({std::string(line.substr(0, colon)), std::string(line.substr(colon + 1))});
    });
    return all;
}

Result<std::vector<EventField>> eventFields(const host::Host& host, const std::string& subsystem, const std::string& event)
{
    DSCOPE_TRY(const auto text, host.read(kRoot + ("events/" + subsystem + "/" + event) + "/format"));
    std::vector<EventField> fields;
    eachLine(text, [&](std::string_view line) {
        const auto declaration = valueOf(line, "\tfield:");
        if (declaration.empty()) return;
        auto field = declared(declaration);
        if (field.name.starts_with("common_")) return;
        field.offset = numberOf(line, "\toffset:");
        field.size = numberOf(line, "\tsize:");
        field.isSigned = numberOf(line, "\tsigned:") != 0;
        fields.push_back(std::move(field));
    });
    return fields;
}
} // namespace dscope::probe
