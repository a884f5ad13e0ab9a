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

std::size_t Frames::placeOf(std::string_view name, std::uint64_t hash) const
{
    const auto mask = m_table.size() - 1;
    auto at = hash & mask;
    for (; m_table[at].next != 0; at = (at + 1) & mask)
        if (m_table[at].hash == static_cast<std::uint32_t>(hash >> 32) && m_names[m_table[at].next - 1] == name) break;
    return at;
}

std::uint32_t Frames::add(StackFrame frame, std::uint64_t hash)
{
    if (2 * (m_all.size() + 1) > m_table.size()) grow();
    const auto number = size();
    m_names.push_back(m_all.emplace_back(std::move(frame)).name);
    m_table[placeOf(m_names.back(), hash)] = {static_cast<std::uint32_t>(hash >> 32), number + 1};
    return number;
}

void Frames::grow()
{
    m_table.assign(4 * m_table.size(), {});
    for (std::uint32_t number = 0; number < size(); ++number) {
        const auto hash = hashOfBytes(m_names[number].data(), m_names[number].size());
        m_table[placeOf(m_names[number], hash)] = {static_cast<std::uint32_t>(hash >> 32), number + 1};
    }
}

std::uint32_t Frames::of(std::string_view name, Shade shade, std::size_t module, StackFrame::Origin origin)
{
    if (name.size() > kLongestName) return of(cut(name), shade, module, origin);
    const auto hash = hashOfBytes(name.data(), name.size());
    if (const auto known = m_table[placeOf(name, hash)].next; known != 0) return known - 1;
    return add({std::string(name), shade, 0, static_cast<std::uint32_t>(std::min(module, name.size())), origin}, hash);
}

std::uint32_t Frames::of(const StackFrame& frame)
{
    const auto hash = hashOfBytes(frame.name.data(), frame.name.size());
    const auto known = m_table[placeOf(frame.name, hash)].next;
    return known != 0 ? known - 1 : add(frame, hash);
}

std::uint32_t Frames::ofWord(std::string_view word)
{
    if (word.size() > kLongestName) return ofWord(cut(word));
    const auto hash = hashOfBytes(word.data(), word.size());
    if (const auto known = m_table[placeOf(word, hash)].next; known != 0) return known - 1;
    const auto frame = record::foldedFrame(word);
    const auto module = word.find(kModuleEnd);
    return add({std::string(word), shadeOfWord(word), static_cast<std::uint32_t>(word.size() - frame.name.size()),
                   module == std::string_view::npos ? 0 : static_cast<std::uint32_t>(module), StackFrame::Origin::Unknown},
        hash);
}
} // namespace dscope::graph
