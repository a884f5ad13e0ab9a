#include "engine/record/program_difference.h"
namespace dscope::record {
namespace {
std::vector<std::string_view> linesOf(std::string_view text)
{
    std::vector<std::string_view> lines;
    while (!text.empty()) {
        const auto end = std::min(text.find('\n'), text.size());
        lines.push_back(text.substr(0, end));
        text.remove_prefix(std::min(end + 1, text.size()));
    }
    return lines;
}
} // namespace

std::string difference(const Program& a, const std::string& aName, const Program& b, const std::string& bName)
{
    const auto shown = [&](const std::string& what, std::string_view x, std::string_view y) {
        return what + "\n    " + aName + ": " + std::string(x) + "\n    " + bName + ": " + std::string(y);
    };
    if (a.isImported != b.isImported) return "one is a run of a D program, the other what another tool recorded";
    if (!a.isImported && a.source != b.source) {
        auto x = linesOf(a.source), y = linesOf(b.source);
        x.resize(std::max(x.size(), y.size()));
        y.resize(x.size());
        for (std::size_t i = 0; i < x.size(); ++i)
            if (x[i] != y[i]) return shown("they ran different programs, first in line " + std::to_string(i + 1), x[i], y[i]);
    }

    if (a.arguments != b.arguments) {
        const auto words = [](const std::vector<std::string>& all) {
            std::string text;
            for (const auto& one : all)
                text += (text.empty() ? "" : " ") + one;
            return text.empty() ? std::string("none") : text;
        };
        return shown("their arguments differ", words(a.arguments), words(b.arguments));
    }

    for (const auto& [name, value] : a.options)
        if (const auto other = b.options.find(name); name == "strsize" && other != b.options.end() && other->second != value)
            return shown("option " + name + " differs", value, other->second);
    if (a.aggregations != b.aggregations) return "their aggregations or the sizes of their keys differ";
    return {};
}
} // namespace dscope::record
