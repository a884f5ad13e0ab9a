#include "exporters/web/facts.h"
#include "graph/frame_label.h"
#include "graph/ranking.h"
#include "graph/text.h"
#include <map>
#include <unordered_map>
namespace dscope::exporters {
std::string quotedJson(std::string_view raw)
{
    static constexpr std::string_view kDigits = "0123456789abcdef";
    std::string out = "\"";
    for (const char c : graph::printable(raw)) { // no control characters are left, and no U+2028
        if (c == '"' || c == '\\') out += '\\';
        if (c == '<' || c == '>' || c == '&')
            out.append("\\u00")
                .append(1, kDigits[static_cast<unsigned char>(c) >> 4])
                .append(1, kDigits[static_cast<unsigned char>(c) & 15]);
        else
            out += c;
    }
    return out + '"';
}

std::string lookJson(graph::Growth growth, const graph::Palette& palette)
{
    const auto accents = graph::accents(palette);
    const auto colour = [](std::int32_t rgb) { return '"' + graph::colourText(rgb) + '"'; };
    return std::string("\"growth\":") + (growth == graph::Growth::Up ? "\"up\"" : "\"down\"") + ",\"ink\":" + colour(accents.ink)
        + ",\"found\":" + colour(accents.found) + ",\"chosen\":" + colour(accents.chosen);
}

std::string formsJson(std::string_view name)
{
    const auto forms = graph::frameForms(name);
    if (forms.size() == 1 && forms.front() == name) return {};
    std::string out;
    for (const auto& form : forms)
        out += (out.empty() ? '[' : ',') + (form == name ? "0" : quotedJson(form));
    return out + ']';
}

void writeFacts(
    const graph::Figure& figure, graph::Growth growth, const graph::Palette& palette, std::ostream& out, std::string_view prefix)
{
    out << "<script type=\"application/json\" id=\"" << prefix << "dscope-figure\""
        << (prefix.empty() ? "" : " data-part=\"dscope-figure\"") << ">{" << lookJson(growth, palette)
        << ",\"whole\":" << (figure.hasWholeTree ? "true" : "false") << ",\"names\":[";
    std::unordered_map<std::string_view, std::size_t> names;
    std::map<std::size_t, std::string_view> drawn;
    for (const auto& node : figure.tree) {
        const auto [name, isNew] = names.try_emplace(node.name, names.size());
        if (isNew) out << (names.size() > 1 ? "," : "") << quotedJson(node.name);
        if (node.item) drawn.emplace(name->second, node.name);
    }

    out << "],\"forms\":{";
    bool isFirst = true;
    for (const auto& [number, name] : drawn) {
        const auto forms = formsJson(name);
        if (forms.empty()) continue;
        out << (isFirst ? "\"" : ",\"") << number << "\":" << forms;
        isFirst = false;
    }

    out << "},\"nodes\":[";
    isFirst = true;
    for (const auto& node : figure.tree) {
        out << (isFirst ? "" : ",") << names.at(node.name) << ',';
        if (node.parent)
            out << node.parent->value;
        else
            out << -1;
        out << ',' << graph::plainNumber(node.weight) << ',' << (node.isCaller ? 1 : 0);
        isFirst = false;
    }
    out << "]}</script>\n";
}
} // namespace dscope::exporters
