#include "engine/text/perfetto_interned.h"
#include "engine/text/protobuf.h"
#include <array>
#include <charconv>
#include <string>
#include <utility>
namespace dscope::text {
namespace {
/// Fields of an InternedData, of the entries in it, and of a Frame and a Mapping.
constexpr std::uint32_t kEventNames = 2, kFunctions = 5, kFrames = 6, kCallstacks = 7, kPaths = 17, kMappings = 19;
constexpr std::uint32_t kIid = 1, kText = 2, kFrameFunction = 2, kFrameMapping = 3, kFramePc = 4, kFrameKind = 7, kMappingPath = 7;

std::string hexText(std::uint64_t address)
{
    std::array<char, 16> digits{};
    const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), address, 16).ptr;
    return "0x" + std::string(digits.data(), end);
}
} // namespace

struct PerfettoInterned::Entry {
    std::uint32_t field = 0; ///< of the InternedData
    std::uint64_t iid = 0;
    std::string_view text;
    Frame frame;
    std::vector<std::uint64_t> numbers;
};

std::optional<PerfettoInterned::Entry> PerfettoInterned::entryIn(std::uint32_t field, std::string_view message)
{
    Entry out;
    out.field = field;
    ProtoFields fields(message);
    while (fields.next()) {
        if (fields.field == kIid) out.iid = fields.number;
        const bool isStack = field == kCallstacks && fields.field == kStackFrames;
        const bool isMapping = field == kMappings && fields.field == kMappingPath;
        if (isStack || isMapping) {
            const auto take = [&](std::uint64_t number) {
                if (out.numbers.size() <= TaskSamples::kMostFrames) out.numbers.push_back(number);
                return out.numbers.size() <= TaskSamples::kMostFrames;
            };
            if (!fields.numbers(take)) return {};
        } else if (field == kFrames) {
            if (fields.field == kFrameFunction) out.frame.function = fields.number;
            if (fields.field == kFrameMapping) out.frame.mapping = fields.number;
            if (fields.field == kFramePc) out.frame.pc = fields.number;
            if (fields.field == kFrameKind) out.frame.kind = fields.number;
        } else if (fields.field == kText) {
            out.text = fields.bytes;
        }
    }
    if (fields.isDamaged()) return {};
    return out;
}

bool PerfettoInterned::take(std::string_view message, std::size_t& keptByAll)
{
    ProtoFields all(message);
    while (keptByAll <= kMostKept && all.next()) {
        if (all.wire != ProtoFields::kBytes) continue;
        auto entry = entryIn(all.field, all.bytes);
        if (!entry) return false;
        constexpr std::size_t kAnEntry = 64;
        const auto bytes = kAnEntry + sizeof(std::uint64_t) * entry->numbers.size();
        m_kept += bytes;
        keptByAll += bytes;
        keep(std::move(*entry));
    }
    return !all.isDamaged();
}

void PerfettoInterned::keep(Entry entry)
{
    switch (entry.field) {
    case kEventNames: m_eventNames[entry.iid] = entry.text; break;
    case kFunctions: m_functions[entry.iid] = entry.text; break;
    case kPaths: m_paths[entry.iid] = entry.text; break;
    case kFrames:
        m_frames[entry.iid] = entry.frame;
        m_words.erase(entry.iid);
        break;
    case kMappings: m_mappings[entry.iid] = std::move(entry.numbers); break;
    case kCallstacks:
        m_callstacks[entry.iid] = std::move(entry.numbers);
        m_resolved.erase(entry.iid);
        break;
    default: break;
    }
}

std::optional<std::string_view> PerfettoInterned::eventName(std::uint64_t iid) const
{
    const auto known = m_eventNames.find(iid);
    return known != m_eventNames.end() ? std::optional(known->second) : std::nullopt;
}

std::optional<std::uint32_t> PerfettoInterned::stack(std::uint64_t iid, TaskSamples& samples, std::size_t& unnamed)
{
    if (const auto known = m_resolved.find(iid); known != m_resolved.end()) return known->second;
    const auto frames = m_callstacks.find(iid);
    if (frames == m_callstacks.end()) return {};
    const auto number = stackOf(frames->second, samples, unnamed);
    m_resolved.emplace(iid, number);
    return number;
}

std::uint32_t PerfettoInterned::stackOf(const std::vector<std::uint64_t>& frames, TaskSamples& samples, std::size_t& unnamed)
{
    std::vector<std::uint32_t> words;
    words.reserve(frames.size());
    for (const auto iid : frames) {
        if (words.size() >= TaskSamples::kMostFrames) {
            words.push_back(samples.cut());
            break;
        }
        words.push_back(word(iid, samples, unnamed));
    }
    return samples.stack(words);
}

std::string_view PerfettoInterned::pathOf(std::uint64_t mapping) const
{
    const auto parts = m_mappings.find(mapping);
    if (parts == m_mappings.end() || parts->second.empty()) return {};
    const auto last = m_paths.find(parts->second.back());
    return last != m_paths.end() ? last->second : std::string_view();
}

std::uint32_t PerfettoInterned::word(std::uint64_t iid, TaskSamples& samples, std::size_t& unnamed)
{
    using Kind = record::Frame::Kind;
    if (const auto known = m_words.find(iid); known != m_words.end()) return known->second;
    if (samples.isFull()) return samples.cut(); // its check() refuses the trace
    const auto frame = m_frames.find(iid);
    if (frame == m_frames.end()) return ++unnamed, samples.frame({.name = "[unknown]"});

    const auto& f = frame->second;
    const auto path = pathOf(f.mapping);
    const auto module = path.substr(path.rfind('/') + 1);
    const auto function = m_functions.find(f.function);
    const bool isNamed = function != m_functions.end() && !function->second.empty();
    const std::string name = isNamed ? std::string(function->second) : hexText(f.pc);
    constexpr std::uint64_t kKernel = 2, kJit = 4;
    const bool isKernel = f.kind == kKernel || module.starts_with("[kernel") || path == "/kernel" || module.ends_with(".ko");
    const auto number = samples.frame({.name = name,
        .kind = isKernel     ? Kind::Kernel
            : f.kind == kJit ? Kind::Jit
                             : Kind::Unknown,
        .module = module});
    if (f.function == 0 || function != m_functions.end()) m_words.emplace(iid, number);
    return number;
}
} // namespace dscope::text
