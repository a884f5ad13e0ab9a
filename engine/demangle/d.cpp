#include "engine/demangle/d.h"
#include "engine/demangle/d_reader.h"
namespace dscope::demangle {
namespace {
/// What the compiler makes for a type or a module: its mark, and what stands before the name.
struct Made {
    std::string_view mark, before;
};
constexpr Made kMade[] = {{"__init", "initializer for "}, {"__vtbl", "vtable for "}, {"__Class", "ClassInfo for "},
    {"__Interface", "Interface for "}, {"__ModuleInfo", "ModuleInfo for "}};
} // namespace

std::optional<std::string> demangledD(std::string_view symbol, Signature signature)
{
    if (symbol == "_Dmain") return "D main";
    if (!symbol.starts_with("_D")) return std::nullopt;
    // Behind a dot: what the compiler made of a function (".part.0"), or of another file (".1234").
    const auto suffix = std::min(symbol.find('.'), symbol.size());
    DReader in(symbol.substr(0, suffix));
    auto name = in.mangled();
    if (!in.ok() || !in.atEnd() || name.text.empty()) return std::nullopt;
    for (const auto& made : kMade)
        if (name.isArtificial && name.text.ends_with(made.mark)) {
            name.text.resize(name.text.size() - made.mark.size());
            if (!name.text.ends_with('.')) return std::nullopt;
            name.text.pop_back();
            name.text.insert(0, made.before);
            name.signature = name.text.size();
        }
    if (signature == Signature::Dropped) name.text.resize(name.signature);
    return name.text.append(symbol.substr(suffix));
}
} // namespace dscope::demangle
