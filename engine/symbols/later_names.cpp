#include "engine/symbols/later_names.h"
#include <utility>
namespace dscope::symbols {
namespace {
constexpr auto kMostWait = std::chrono::minutes(10); // a server that is dead is given up by the library long before

/// How far the recorded address lies behind the one that was looked up: of a caller that is the byte before. Where functions were not to be
/// named (-x noresolve) a frame keeps its address in the process, and its offset is the linked one.
std::uint64_t behindLookup(const record::Frame& frame)
{
    const auto linked = frame.address - frame.linked <= 1 ? frame.address : frame.offset;
    return linked - frame.linked;
}
} // namespace

LaterNames::LaterNames(std::shared_ptr<SourceLines> lines, std::shared_ptr<Debuginfod> servers, std::string folders)
    : m_lines(std::move(lines)), m_servers(std::move(servers)), m_folders(std::move(folders))
{
}

std::unique_ptr<Module> LaterNames::open(const record::CodeFile& code, const std::string& name)
{
    const DebugPlaces places{m_folders, code.path, {}};
    std::optional<ElfFile> file;
    if (auto own = ElfFile::open(openToRead(code.path)); own && own->buildId() == code.buildId) file = std::move(*own);
    if (!file) file = debugFileOf(code.buildId, places);
    if (!file && m_servers) {
        m_servers->want(code.buildId);
        m_servers->await(kMostWait);
        file = m_servers->find(code.buildId);
    }
    if (!file) return nullptr;
    auto module = std::make_unique<Module>(*std::move(file), name, places);
    if (m_lines) module->tellLines(m_lines);
    if (m_servers) {
        module->askServers(m_servers);
        module->symbols();
        m_servers->await(kMostWait);
    }
    return module;
}

LaterNames::Known& LaterNames::known(const record::Frame& frame)
{
    auto& known = m_files[frame.code->buildId];
    if (!std::exchange(known.opened, true)) {
        known.name = frame.module;
        known.module = open(*frame.code, frame.module);
    }
    return known;
}

record::FrameList LaterNames::operator()(const record::FrameList& frames)
{
    std::vector<record::Frame> out;
    out.reserve(frames.size());
    for (const auto& recorded : frames) {
        // Without a build id another file could be taken for it.
        const bool hasId = !recorded.code->buildId.empty(), isTold = recorded.inlined || recorded.line != 0;
        if (hasId && isTold) m_files[recorded.code->buildId].told = true;
        auto* const file = isTold || !hasId ? nullptr : &known(recorded);
        if (!file || !file->module) {
            out.push_back(recorded);
            continue;
        }
        auto frame = recorded;
        const auto& named = file->module->named(frame.linked);
        if (frame.function.empty() && !named.function.empty()) {
            frame.function = named.function;
            frame.offset = named.offset + behindLookup(frame);
            file->told = true;
        }
        file->told = file->told || !named.places.empty();
        addFrames(out, std::move(frame), named.places);
    }
    return out;
}

std::vector<std::string> LaterNames::unknown() const
{
    std::vector<std::string> names;
    for (const auto& [id, file] : m_files)
        if (!file.told) names.push_back(file.name);
    return names;
}
} // namespace dscope::symbols
