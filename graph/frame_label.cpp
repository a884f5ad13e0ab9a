#include "graph/frame_label.h"
#include "graph/figure.h"
namespace dscope::graph {
namespace {
constexpr std::size_t kFewestLetters = 4;
std::string dropArguments(std::string_view name)
{
    const auto cut = name.find_first_of("(<", 1);
    return std::string(name.substr(0, cut));
}
/// Without what perf's folders write at the end of names for the frame's kind: the colour says that. And without the hash that
/// Rust puts there ("::h94d15a7bc0cbc21f"), which says nothing. Source: rustc's legacy symbol mangling
std::string_view withoutMarks(std::string_view name)
{
    if (name.size() > 4 && name.ends_with(']') && name.substr(name.size() - 4, 2) == "_[") name.remove_suffix(4);
    constexpr std::string_view kHash = "::h";
    constexpr std::size_t kDigits = 16;
    if (name.size() <= kHash.size() + kDigits) return name;
    const auto hash = name.size() - kHash.size() - kDigits;
    const bool isHash
        = name.substr(hash, kHash.size()) == kHash && name.find_first_not_of("0123456789abcdef", hash + kHash.size()) == name.npos;
    return isHash ? name.substr(0, hash) : name;
}
} // namespace

std::string frameLabel(std::string_view name, double width, double size)
{
    name = withoutMarks(name);
    std::vector<std::string> forms{std::string(name)};
    const auto tick = name.find('`');
    const std::string_view function = tick == std::string_view::npos ? name : name.substr(tick + 1);
    forms.emplace_back(function);
    forms.push_back(dropArguments(function));
    const std::string last = forms.back();
    if (const auto member = last.rfind("::"); member != std::string::npos && member > 0) {
        const auto scope = last.rfind("::", member - 1);
        if (scope != std::string::npos) forms.push_back("\u2026" + last.substr(scope + 2));
        forms.push_back("\u2026" + last.substr(member + 2));
    }
    for (const auto& form : forms)
        if (textWidth(form, size, false, true) <= width) return form;
    const auto scope = last.rfind("::");
    const std::string_view own = scope == std::string::npos ? std::string_view(last) : std::string_view(last).substr(scope + 2);
    std::string cut = elided(own, width, size, true, false, true);
    return cut.size() >= kFewestLetters + 3 ? cut : std::string(); // the ellipsis takes three bytes
}
std::vector<LegendEntry> frameLegend(const std::function<bool(Shade)>& occurs)
{
    std::vector<LegendEntry> entries;
    const std::pair<Shade, const char*> kinds[] = {{Shade::User, "program"}, {Shade::Library, "library"}, {Shade::Jit, "generated code"},
        {Shade::System, "system call"}, {Shade::Kernel, "kernel"}};
    for (const auto& [shade, label] : kinds)
        if (occurs(shade)) entries.push_back({Role::Frame, shade, -1, label, false});
    return entries;
}
Shade shadeOf(record::Frame::Kind kind)
{
    switch (kind) {
    case record::Frame::Kind::User: return Shade::User;
    case record::Frame::Kind::Library: return Shade::Library;
    case record::Frame::Kind::Kernel: return Shade::Kernel;
    case record::Frame::Kind::Jit: return Shade::Jit;
    case record::Frame::Kind::Unknown: break;
    }
    return Shade::Unknown;
}
} // namespace dscope::graph
