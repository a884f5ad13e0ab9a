#include "graph/stack_frames.h"
#include "engine/record/folded.h"
#include "graph/frame_label.h"
#include <algorithm>
#include <array>
namespace dscope::graph {
namespace {
constexpr char kModuleEnd = '`';

std::string cut(std::string_view name)
{
    return std::string(name.substr(0, Frames::kLongestWhole)) + "\u2026 (" + std::to_string(name.size()) + " bytes, #"
        + std::to_string(std::hash<std::string_view>()(name)) + ')';
}
} // namespace

Shade shadeOfWord(std::string_view word)
{
    const auto frame = record::foldedFrame(word);
    if (frame.kind != record::Frame::Kind::Unknown) return shadeOf(frame.kind);
    if (frame.inlined) return Shade::Inlined;
    const auto end = word.find(kModuleEnd);
    if (end == std::string_view::npos) return word.starts_with('[') || word.starts_with("0x") || word == "-" ? Shade::Unknown : Shade::User;
    const auto module = word.substr(0, end);
    constexpr std::array<std::string_view, 6> kKernels{"vmlinux", "genunix", "unix", "kernel", "mach_kernel", "kernel.kallsyms"};
    if (std::find(kKernels.begin(), kKernels.end(), module) != kKernels.end() || module.ends_with(".ko")) return Shade::Kernel;
    if (module.starts_with("lib") || module.find(".so") != std::string_view::npos || module.ends_with(".dylib")) return Shade::Library;
    return Shade::User;
}

std::string SourceLine::shown() const { return line == 0 ? std::string() : file.substr(file.rfind('/') + 1) + ':' + std::to_string(line); }

std::uint32_t Frames::lineOf(std::string_view file, std::uint32_t line)
{
    if (line == 0) return 0;
    const auto number = static_cast<std::uint32_t>(m_lines.size());
    auto known = m_lineNumbers.find(file);
    if (known != m_lineNumbers.end()) {
        const auto [at, isNew] = known->second.try_emplace(line, number);
        if (isNew) m_lines.push_back({std::string(file), line});
        return at->second;
    }
    m_lineNumbers[m_lines.emplace_back(SourceLine{std::string(file), line}).file][line] = number;
    return number;
}

std::uint32_t Frames::add(StackFrame frame)
{
    const auto number = size();
    const auto& kept = m_all.emplace_back(std::move(frame));
    m_numbers.emplace(kept.name, number);
    return number;
}

std::uint32_t Frames::of(std::string_view name, Shade shade, std::size_t module, StackFrame::Origin origin)
{
    if (name.size() > kLongestName) return of(cut(name), shade, module, origin);
    if (const auto known = m_numbers.find(name); known != m_numbers.end()) return known->second;
    return add({std::string(name), shade, 0, static_cast<std::uint32_t>(std::min(module, name.size())), origin});
}

std::uint32_t Frames::of(const StackFrame& frame)
{
    const auto known = m_numbers.find(frame.name);
    return known != m_numbers.end() ? known->second : add(frame);
}

std::uint32_t Frames::ofWord(std::string_view word)
{
    if (word.size() > kLongestName) return ofWord(cut(word));
    if (const auto known = m_numbers.find(word); known != m_numbers.end()) return known->second;
    const auto frame = record::foldedFrame(word);
    const auto module = word.find(kModuleEnd);
    return add({std::string(word), shadeOfWord(word), static_cast<std::uint32_t>(word.size() - frame.name.size()),
        module == std::string_view::npos ? 0 : static_cast<std::uint32_t>(module), StackFrame::Origin::Unknown});
}
} // namespace dscope::graph
