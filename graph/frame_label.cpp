#include "graph/frame_label.h"
#include "graph/figure.h"
#include "graph/names/function_name.h"
#include "graph/tongue.h"
#include <algorithm>
#include <cctype>
namespace dscope::graph {
namespace {
constexpr std::ptrdiff_t kFewestLetters = 5; // of a part of a name
constexpr std::ptrdiff_t kEllipsisBytes = 3;
constexpr std::size_t kLettersForEnd = 16;
/// Without the mark of the frame's kind: the colour says that. And without the hash that Rust puts at the end ("::h94d15a7bc0cbc21f"),
/// which says nothing. Source: rustc's legacy symbol mangling
std::string_view withoutMarks(std::string_view name)
{
    name = withoutMark(name);
    constexpr std::string_view kHash = "::h";
    constexpr std::size_t kDigits = 16;
    if (name.size() <= kHash.size() + kDigits) return name;
    const auto hash = name.size() - kHash.size() - kDigits;
    const bool isHash
        = name.substr(hash, kHash.size()) == kHash && name.find_first_not_of("0123456789abcdef", hash + kHash.size()) == name.npos;
    return isHash ? name.substr(0, hash) : name;
}
} // namespace

std::vector<std::string> frameForms(std::string_view name)
{
    name = withoutMarks(name);
    if (const auto address = addressIn(name); address == 0)
        return {std::string(name), ""}; // a part of it is another one
    else if (address != name.npos)
        return {std::string(name), std::string(name.substr(address)), ""};
    const auto tick = name.find('`');
    auto forms = nameForms(tick == std::string_view::npos ? name : name.substr(tick + 1));
    if (tick != std::string_view::npos) forms.insert(forms.begin(), std::string(name));
    return forms;
}
std::string frameLabel(std::string_view name, double width, double size)
{
    const auto fits = [&](std::string_view form) { return textWidth(form, size, {.mono = true}) <= width; };
    if (const auto whole = withoutMarks(name); fits(whole)) return std::string(whole); // most do
    const auto forms = frameForms(name);
    for (const auto& form : forms)
        if (fits(form)) return form;
    // A part of a name is one from its beginning on; a long part has the end as well, which often tells relatives apart.
    const auto room = static_cast<std::size_t>(width / textWidth("m", size, {.mono = true}));
    std::string cut = elided(forms.back(), width, size, room >= kLettersForEnd ? Elide::Middle : Elide::End, {.mono = true});
    const auto letters = std::count_if(cut.begin(), cut.end(), [](unsigned char c) { return std::isalnum(c) || c == '_' || c >= 0x80; });
    return letters >= kFewestLetters + kEllipsisBytes ? cut : std::string();
}
bool namesFunction(std::string_view frame)
{
    const auto end = frame.find('`');
    const auto name = end == std::string_view::npos ? frame : frame.substr(end + 1);
    return !name.empty() && !name.starts_with('[') && !name.starts_with("0x");
}
std::vector<LegendEntry> frameLegend(const std::function<bool(Shade)>& occurs)
{
    std::vector<LegendEntry> entries;
    const std::pair<Shade, const char*> kinds[] = {{Shade::User, toSay("program")}, {Shade::Library, toSay("library")},
        {Shade::Jit, toSay("generated code")}, {Shade::Inlined, toSay("inlined")}, {Shade::System, toSay("system call")},
        {Shade::Kernel, toSay("kernel")}, {Shade::Unknown, toSay("other")}};
    for (const auto& [shade, label] : kinds)
        if (occurs(shade)) entries.push_back({Role::Frame, shade, -1, said(label)});
    return entries;
}
Shade shadeOf(record::Frame::Kind kind)
{
    switch (kind) {
    case record::Frame::Kind::User: return Shade::User;
    case record::Frame::Kind::Library: return Shade::Library;
    case record::Frame::Kind::Kernel: return Shade::Kernel;
    case record::Frame::Kind::Jit: return Shade::Jit;
    case record::Frame::Kind::Truncated:
    case record::Frame::Kind::Unknown: break;
    }
    return Shade::Unknown;
}
} // namespace dscope::graph
