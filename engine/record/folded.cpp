#include "engine/record/folded.h"
#include <algorithm>
#include <array>
namespace dscope::record {
namespace {
constexpr std::string_view kKernelMark = "_[k]", kJitMark = "_[j]", kInlinedMark = "_[i]";
constexpr char kModuleEnd = '`';

/// The bytes of "module" in "module`name"; 0: none. Names of MSVC have '`' within them: "`anonymous namespace'::f".
std::size_t moduleSize(std::string_view word)
{
    const auto end = word.find(kModuleEnd);
    if (end == std::string_view::npos || end + 1 == word.size()) return 0;
    const auto module = word.substr(0, end);
    return module.find("::") == std::string_view::npos && module.find_first_of("(<\"") == std::string_view::npos ? end : 0;
}

std::string_view markOf(const NamedFrame& frame)
{
    if (frame.inlined) return kInlinedMark;
    if (frame.kind == Frame::Kind::Jit) return kJitMark;
    return frame.kind == Frame::Kind::Kernel && !isKernelModule(frame.module) ? kKernelMark : std::string_view();
}
} // namespace

bool isKernelModule(std::string_view module)
{
    constexpr std::array<std::string_view, 6> kKernels{"vmlinux", "genunix", "unix", "kernel", "mach_kernel", "kernel.kallsyms"};
    return std::find(kKernels.begin(), kKernels.end(), module) != kKernels.end() || module.ends_with(".ko");
}

std::size_t markSize(std::string_view word)
{
    for (const auto mark : {kKernelMark, kJitMark, kInlinedMark})
        if (word.ends_with(mark)) return mark.size();
    return 0;
}

NamedFrame namedFrame(std::string_view word)
{
    NamedFrame frame;
    const auto mark = word.substr(word.size() - markSize(word));
    word.remove_suffix(mark.size());
    if (const auto module = moduleSize(word); module > 0) {
        frame.module = word.substr(0, module);
        word.remove_prefix(module + 1);
    }
    frame.name = word;
    frame.inlined = mark == kInlinedMark;
    if (mark == kJitMark) frame.kind = Frame::Kind::Jit;
    if (mark == kKernelMark || isKernelModule(frame.module)) frame.kind = Frame::Kind::Kernel;
    return frame;
}

std::vector<std::string_view> framesOf(std::string_view path)
{
    std::vector<std::string_view> frames;
    if (!path.empty()) eachFrame(path, [&](std::string_view word) { frames.push_back(word); });
    return frames;
}

void appendFrame(std::string& path, std::string_view word)
{
    if (!path.empty()) path += kFrameSeparator;
    path += word;
}

std::string foldedWord(const NamedFrame& frame)
{
    const auto mark = markOf(frame);
    std::string word;
    word.reserve(frame.module.size() + 1 + frame.name.size() + mark.size());
    if (!frame.module.empty()) word.append(frame.module).append(1, kModuleEnd);
    word.append(frame.name);
    std::replace(word.begin(), word.end(), kFrameSeparator, ':');
    return word.append(mark);
}
} // namespace dscope::record
