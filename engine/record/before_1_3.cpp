#include "engine/record/before_1_3.h"
#include "engine/record/sort.h"
#include <algorithm>
#include <charconv>
#include <string_view>
#include <utility>
namespace dscope::record {
namespace {
std::string_view upTo(std::string_view& text, char end)
{
    const auto at = std::min(text.find(end), text.size());
    const auto part = text.substr(0, at);
    text.remove_prefix(std::min(at + 1, text.size()));
    return part;
}
template <typename T> T numberIn(std::string_view text)
{
    T n = 0;
    std::from_chars(text.data(), text.data() + text.size(), n);
    return n;
}
LayoutPart::Kind kindOf(std::string_view letter)
{
    using Kind = LayoutPart::Kind;
    static constexpr std::pair<std::string_view, Kind> kLetters[] = {{"s", Kind::Struct}, {"a", Kind::Array}, {"i", Kind::Signed},
        {"u", Kind::Unsigned}, {"c", Kind::Char}, {"p", Kind::Pointer}, {"e", Kind::Enum}};
    for (const auto& [spelled, kind] : kLetters)
        if (letter == spelled) return kind;
    return Kind::Other;
}
/// A line a part: DEPTH KIND BITOFFSET BITS COUNT<TAB>NAME<TAB>TYPE[<TAB>ENUMERATOR=VALUE]...
Layout layoutIn(std::string_view text)
{
    Layout parts;
    while (!text.empty() && parts.size() < kMostLayoutParts) {
        auto line = upTo(text, '\n');
        auto head = upTo(line, '\t');
        LayoutPart part;
        part.depth = numberIn<std::uint32_t>(upTo(head, ' '));
        part.kind = kindOf(upTo(head, ' '));
        part.bitOffset = numberIn<std::uint64_t>(upTo(head, ' '));
        part.bits = numberIn<std::uint64_t>(upTo(head, ' '));
        part.count = numberIn<std::uint64_t>(head);
        part.name = upTo(line, '\t');
        part.type = upTo(line, '\t');
        while (!line.empty()) {
            auto tag = upTo(line, '\t');
            const auto name = upTo(tag, '=');
            part.enumerators.push_back({std::string(name), numberIn<std::int64_t>(tag)});
        }
        parts.push_back(std::move(part));
    }
    return parts;
}
} // namespace

void readFactsOfBefore13(Program& program)
{
    auto& options = program.options;
    program.timesAreLines = options.contains("_lines");
    program.dialect = flagOf(options, "_testing") ? Dialect::DtraceForLinux : Dialect::Dtrace;
    if (auto zone = options.extract("_zone")) program.zone = std::move(zone.mapped());
    options.erase("_lines");
    options.erase("_testing");
    for (auto& clause : program.clauses)
        for (auto& action : clause.actions)
            if (action.kind == ActionKind::Print) action.layout = layoutIn(std::exchange(action.format, {}));
}
} // namespace dscope::record
