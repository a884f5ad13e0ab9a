#include "engine/symbols/source_lines.h"
#include "engine/symbols/dwarf_library.h"
namespace dscope::symbols {
namespace {
constexpr std::size_t kMostNames = std::size_t{1} << 16; // of source files; beyond, they are kept anew
}

Result<std::shared_ptr<SourceLines>> SourceLines::start()
{
    DSCOPE_TRY(const auto library, DwarfLibrary::load());
    return std::shared_ptr<SourceLines>(new SourceLines(std::make_unique<const DwarfLibrary>(library)));
}

SourceLines::SourceLines(std::unique_ptr<const DwarfLibrary> library) : m_library(std::move(library)) { }
SourceLines::~SourceLines() = default;

record::Shared<std::string> SourceLines::interned(const char* name)
{
    if (m_files.size() >= kMostNames) m_files.clear();
    auto& kept = m_files[name];
    if (!kept) kept = std::string(name);
    return kept;
}

void SourceLines::forget(const void* owner)
{
    const auto known = m_byOwner.find(owner);
    if (known == m_byOwner.end()) return;
    m_open.erase(known->second);
    m_byOwner.erase(known);
}

/// The first stays.
void SourceLines::makeRoom()
{
    std::size_t memory = 0, files = 0;
    for (auto it = m_open.begin(); it != m_open.end();) {
        if (it->lines) {
            memory += it->lines->memory();
            ++files;
        }
        if (it == m_open.begin() || !it->lines || (memory <= kMemory && files <= kMostFiles)) {
            ++it;
            continue;
        }
        m_byOwner.erase(it->owner);
        it = m_open.erase(it);
    }
}

std::vector<SourcePlace> SourceLines::at(const void* owner, const std::function<Fd()>& open, std::uint64_t address)
{
    const auto known = m_byOwner.find(owner);
    if (known == m_byOwner.end()) {
        m_open.push_front({owner, DebugLines::open(*m_library, open())});
        m_byOwner[owner] = m_open.begin();
        makeRoom();
    } else
        m_open.splice(m_open.begin(), m_open, known->second);
    if (!m_open.front().lines) return {};
    return m_open.front().lines->at(address, [this](const char* name) { return interned(name); });
}

void addFrames(std::vector<record::Frame>& frames, record::Frame frame, std::span<const SourcePlace> places)
{
    for (std::size_t i = 0; i + 1 < places.size(); ++i) {
        auto& inlined = frames.emplace_back(frame);
        inlined.inlined = true;
        inlined.offset = 0;
        inlined.function = places[i].function;
        inlined.file = places[i].file;
        inlined.line = places[i].line;
    }
    if (!places.empty()) {
        frame.file = places.back().file;
        frame.line = places.back().line;
    }
    frames.push_back(std::move(frame));
}
} // namespace dscope::symbols
