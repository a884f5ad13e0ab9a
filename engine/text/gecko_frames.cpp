#include "engine/text/gecko_frames.h"
#include "engine/text/function_names.h"
#include "engine/text/json.h"
#include "engine/text/words.h"
#include <algorithm>
#include <array>
#include <charconv>
namespace dscope::text::gecko {
namespace {
/// Takes ":12" off the end of a text.
std::optional<std::int64_t> takeLine(std::string_view& text)
{
    const auto colon = text.rfind(':');
    if (colon == std::string_view::npos || !isDigits(text.substr(colon + 1))) return {};
    const auto number = scaledNumber(text.substr(colon + 1), 0);
    text = text.substr(0, colon);
    return number;
}
/// A location of a raw profile: "f (url:line:column)[source]" of JavaScript, "f (in lib)" of native code, an address, or a label.
Frame frameOfLocation(std::string_view location)
{
    Frame out;
    auto rest = location;
    if (const auto bracket = rest.rfind('['); rest.ends_with(']') && bracket != std::string_view::npos && bracket > 0
        && rest[bracket - 1] == ')' && isDigits(rest.substr(bracket + 1, rest.size() - bracket - 2)))
        rest = rest.substr(0, bracket);
    const auto open = lastBrackets(rest);
    out.name = location;
    if (open == std::string_view::npos || open == 0) return out;
    auto inner = rest.substr(open + 2, rest.size() - open - 3);
    constexpr std::string_view kIn = "in ";
    if (inner.starts_with(kIn)) {
        out.name = withoutParameters(rest.substr(0, open));
        out.module = inner.substr(std::max(kIn.size(), inner.rfind('/') == std::string_view::npos ? 0 : inner.rfind('/') + 1));
        return out;
    }
    const auto last = takeLine(inner);
    if (!last) return out;
    const auto line = takeLine(inner);
    out.name = rest.substr(0, open);
    out.file = inner;
    out.line = line.value_or(*last);
    return out;
}

Frame processedFrame(std::size_t frame, const Tables& t)
{
    Frame out;
    const auto func = cellOf(t.frameFunc, frame);
    if (!func) return out;
    const auto* const name = rowOf(t.strings, cellOf(t.funcName, *func));
    const auto resource = cellOf(t.funcResource, *func);
    const auto* lib = rowOf(t.libs, cellOf(t.frameLib, frame));
    if (!lib && resource) lib = rowOf(t.libs, cellOf(t.resourceLib, *resource));
    if (lib) out.module = lib->name;
    if (name) out.name = lib ? withoutParameters(*name) : std::string_view(*name);
    const auto source = cellOf(t.funcSource, *func);
    const auto* const file = rowOf(t.strings, source ? cellOf(t.sourceFile, *source) : cellOf(t.funcFile, *func));
    if (file) out.file = *file;
    const auto line = cellOf(t.frameLine, frame);
    out.line = static_cast<std::int64_t>(line ? *line : cellOf(t.funcLine, *func).value_or(0));
    return out;
}

Frame rawFrame(std::size_t frame, const Tables& t)
{
    const auto* const location = rowOf(t.strings, cellOf(t.frameLocation, frame));
    auto out = location ? frameOfLocation(*location) : Frame();
    if (const auto line = cellOf(t.frameLine, frame); line && !out.file.empty()) out.line = static_cast<std::int64_t>(*line);
    if (!out.name.starts_with("0x")) return out;
    std::int64_t address = 0;
    const auto* const end = out.name.data() + out.name.size();
    if (const auto [at, error] = std::from_chars(out.name.data() + 2, end, address, 16); error != std::errc() || at != end) return out;
    for (const auto& lib : t.libs) {
        if (address < lib.start || address >= lib.end) continue;
        std::array<char, 16> digits{};
        const auto to = std::to_chars(digits.data(), digits.data() + digits.size(), address - lib.start, 16).ptr;
        out.module = lib.name;
        out.name = "0x" + std::string(digits.data(), to);
        break;
    }
    return out;
}
} // namespace

Frame frameOf(std::size_t frame, const Tables& t, const Categories& categories)
{
    auto out = t.frameLocation.empty() ? processedFrame(frame, t) : rawFrame(frame, t);
    if (out.name.empty()) out.name = "[unknown]";
    if (out.module.starts_with("[kernel") || out.module == "vmlinux") out.kind = record::Frame::Kind::Kernel;
    out.inlined = cellOf(t.frameDepth, frame).value_or(0) > 0;
    const auto* const implementation = rowOf(t.strings, cellOf(t.frameImplementation, frame));
    if (implementation && !implementation->empty() && *implementation != "interpreter") out.kind = record::Frame::Kind::Jit;
    const auto* const category = rowOf(categories, cellOf(t.frameCategory, frame));
    if (!category) return out;
    if (category->first == "Kernel") out.kind = record::Frame::Kind::Kernel;
    const auto* const part = rowOf(category->second, cellOf(t.frameSubcategory, frame));
    const auto says = [&](std::string_view word) { return part && part->find(word) != std::string::npos; };
    const bool isJit = category->first == "JavaScript" && (says("Baseline") || says("Ion") || says("JIT"));
    if (isJit || category->first == "JIT") out.kind = record::Frame::Kind::Jit;
    return out;
}

void takeMissing(Tables& own, const Tables& all)
{
    const auto take = [&](auto member, auto... others) {
        if (!(own.*member).empty()) return;
        own.*member = all.*member;
        ((own.*others = all.*others), ...);
    };
    using T = Tables;
    take(&T::strings);
    take(&T::libs);
    take(&T::stackFrame, &T::stackPrefix, &T::stackOffset);
    if (own.frameLocation.empty())
        take(&T::frameFunc, &T::frameLine, &T::frameCategory, &T::frameSubcategory, &T::frameAddress, &T::frameDepth, &T::frameLib,
            &T::frameLocation, &T::frameImplementation);
    take(&T::funcName, &T::funcFile, &T::funcSource, &T::funcLine, &T::funcResource);
    take(&T::resourceLib);
    take(&T::sourceFile);
}
} // namespace dscope::text::gecko
