#include "graph/stack_frames.h"
#include "engine/record/folded.h"
#include "graph/frame_label.h"
#include <algorithm>
namespace dscope::graph {
namespace {
std::string cut(std::string_view name)
{
    return std::string(name.substr(0, Frames::kLongestWhole)) + "\u2026 (" + std::to_string(name.size()) + " bytes, #"
        + std::to_string(std::hash<std::string_view>()(name)) + ')';
}
/// Of a frame whose kind is not told its module says what it is.
Shade shadeOfTold(const record::NamedFrame& frame)
{
    if (frame.inlined) return Shade::Inlined;
    if (frame.kind != record::Frame::Kind::Unknown) return shadeOf(frame.kind);
    const auto& module = frame.module;
    if (module.empty())
        return frame.name.starts_with('[') || frame.name.starts_with("0x") || frame.name == "-" ? Shade::Unknown : Shade::User;
    const bool isLibrary = module.starts_with("lib") || module.find(".so") != module.npos || module.ends_with(".dylib");
    return record::isKernelModule(module) ? Shade::Kernel : isLibrary ? Shade::Library : Shade::User;
}
} // namespace

StackFrame stackFrame(const record::NamedFrame& frame)
{
    auto word = record::foldedWord(frame);
    if (word.size() > Frames::kLongestName) return {cut(word), shadeOfTold(frame)};
    const auto mark = word.size() - frame.name.size() - (frame.module.empty() ? 0 : frame.module.size() + 1);
    return {std::move(word), shadeOfTold(frame), static_cast<std::uint32_t>(mark), static_cast<std::uint32_t>(frame.module.size())};
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
} // namespace dscope::graph
