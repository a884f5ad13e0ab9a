#include "engine/symbols/frame_names.h"
#include <algorithm>
namespace dscope::symbols {
using record::Frame;

namespace {
constexpr std::size_t kMostFrames = 1U << 16U; // kept with their names; they take some 20 MB
bool runsJava(const KnownProcesses::Process& process)
{
    const auto& all = process.maps.all();
    return std::any_of(all.begin(), all.end(), [](const Mapping& one) { return moduleName(one.path) == "libjvm.so"; });
}
} // namespace

void FrameNames::nameGenerated(std::uint32_t pid, Process& process, std::uint64_t lookup, Frame& frame)
{
    frame.kind = Frame::Kind::Jit;
    if (!m_functions) return;
    const bool isCaller = lookup != frame.address;
    if (const auto found = isCaller ? m_jit.findCaller(pid, frame.address, process.maps) : m_jit.find(pid, lookup, process.maps)) {
        frame.function = found->name;
        frame.offset = frame.address - found->start;
        return;
    }
    if (process.unnamedTold) return;
    process.unnamedTold = true;
    if (!m_unnamedJava && runsJava(process)) m_unnamedJava = pid;
}

/// The same of code that is held; its process may be gone.
Frame FrameNames::heldGenerated(const HeldFiles::File& file, std::uint64_t address, std::uint64_t lookup)
{
    Frame frame;
    m_places = nullptr;
    m_callers = NamedStacks::Callers::Follow;
    m_stays = false;
    frame.address = address;
    frame.kind = Frame::Kind::Jit;
    if (!file.function.empty()) {
        frame.function = file.function;
        frame.offset = address - file.start;
    } else if (const auto found = m_jit.find(*file.generated, lookup)) {
        frame.function = found->name;
        frame.offset = address - found->start;
    } else if (!m_unnamedJava && file.java)
        m_unnamedJava = file.generated->pid;
    return frame;
}

/// The place of an address in generated code, whose name may come when its program exits. None where the process is gone.
std::optional<HeldFiles::Place> FrameNames::holdGenerated(std::uint32_t pid, Process& process, std::uint64_t address, std::uint64_t lookup)
{
    HeldFiles::File file;
    file.generated = m_jit.keep(pid);
    if (!file.generated) return {};
    // Memory is used for other code later: a name of now is to stay.
    if (const auto found = lookup != address ? m_jit.findCaller(pid, address, process.maps) : m_jit.find(pid, lookup, process.maps)) {
        file.function = found->name;
        file.start = found->start;
    } else
        file.java = runsJava(process);
    return m_held->place(std::move(file), address);
}

/// A stack that could not be followed further than its last address.
void FrameNames::noteLost(std::uint32_t pid, Process& process, std::uint64_t last)
{
    if (m_lostJava) return;
    const auto* mapping = m_processes.mapping(pid, process, last);
    if (mapping && mapping->mayBeGenerated() && runsJava(process)) m_lostJava = pid;
}

/// The frame of an address within a file, and whether that is in a trampoline of signals. `once`: gets the name of what is asked once.
Frame FrameNames::frameOf(
    Module& module, bool main, std::uint64_t displacement, std::uint64_t address, std::uint64_t lookup, bool& signal, Module::Named* once)
{
    using Arrival = Module::Arrival;
    const auto arrival = lookup == address ? Arrival::Called : module.arrivalAt(address - displacement);
    m_callers = arrival == Arrival::Called ? NamedStacks::Callers::Follow
        : arrival == Arrival::Outermost    ? NamedStacks::Callers::None
                                           : NamedStacks::Callers::Unknown;
    if (arrival != Arrival::Called) lookup = address;
    Frame frame;
    frame.address = address;
    frame.kind = main ? Frame::Kind::User : Frame::Kind::Library;
    frame.module = module.name();
    frame.code = module.code();
    frame.linked = lookup - displacement;
    m_places = nullptr;
    signal = false;
    if (!m_functions) {
        m_stays = true;
        frame.offset = address - displacement;
        return frame;
    }
    if (once) *once = module.nameOf(frame.linked);
    const auto& named = once ? *once : module.named(frame.linked);
    signal = named.signal;
    frame.function = named.function;
    frame.offset = named.offset;
    if (named.function.empty())
        frame.address -= displacement;
    else
        frame.offset += address - lookup;
    m_places = &named.places;
    m_stays = !m_namesMayCome;
    return frame;
}

Frame FrameNames::frame(std::uint32_t pid, std::uint64_t address, bool isReturnAddress, bool& signal, bool alone)
{
    Frame frame;
    m_places = nullptr;
    m_callers = NamedStacks::Callers::Follow;
    m_stays = false;
    frame.address = address;
    signal = false;
    auto& owner = m_processes.of(pid);
    const auto lookup = isReturnAddress ? address - 1 : address;
    auto* at = m_processes.mapping(pid, owner, lookup);
    const bool isMapped = at;
    if (!at && alone && (at = owner.before.find(lookup))) m_modules.resolve(pid, *at);
    if (!at) return frame;
    if (at->module) {
        frame = frameOf(*at->module, at->main, at->displacement, address, lookup, signal);
        m_stays = m_stays && isMapped;
        return frame;
    }

    if (at->path == "[vsyscall]") {
        frame.kind = Frame::Kind::Library;
        frame.module = at->path;
        frame.offset = address - at->start;
        return frame;
    }

    if (at->mayBeGenerated()) {
        nameGenerated(pid, owner, lookup, frame);
        return frame;
    }

    // A file that was gone before we could open it: its name is known, and where we are in it.
    frame.kind = at->main ? Frame::Kind::User : Frame::Kind::Library;
    frame.module = moduleName(at->path);
    frame.offset = address - at->start + at->offset;
    return frame;
}

/// Names what NamedStacks asks for.
class FrameNames::Asked : public NamedStacks::Namer {
public:
    Asked(FrameNames& names, std::uint32_t pid, bool alone) : m_names(names), m_pid(pid), m_alone(alone) { }

    NamedStacks::Name operator()(std::uint64_t address, bool isReturnAddress, const NamedStacks::Name* known) final
    {
        // Asking may clear what is known.
        const auto before = known ? known->frames : NamedStacks::Frames();
        NamedStacks::Name name;
        auto frame = this->frame(address, isReturnAddress, name.signal);
        name.stays = m_names.m_stays;
        name.callers = m_names.m_callers;
        std::vector<Frame> found;
        addFrames(
            found, std::move(frame), m_names.m_places ? std::span<const SourcePlace>(*m_names.m_places) : std::span<const SourcePlace>());
        const auto isSame = [](const Frame& one, const record::KnownFrame* other) { return one == other->frame; };
        if (std::equal(found.begin(), found.end(), before.begin(), before.end(), isSame)) {
            name.frames = before;
            return name;
        }
        for (auto& one : found)
            name.frames.push_back(m_names.m_frames.add(std::move(one)));
        return name;
    }

protected:
    virtual Frame frame(std::uint64_t address, bool isReturnAddress, bool& signal)
    {
        return m_names.frame(m_pid, address, isReturnAddress, signal, m_alone);
    }

    FrameNames& m_names;

private:
    std::uint32_t m_pid;
    bool m_alone; ///< the stack's only address
};

/// Names the places of held stacks.
class FrameNames::Held final : public Asked {
public:
    explicit Held(FrameNames& names) : Asked(names, 0, false) { }

private:
    Frame frame(std::uint64_t place, bool isReturnAddress, bool& signal) override
    {
        const auto& file = m_names.m_held->file(place);
        const auto address = HeldFiles::linked(place) + file.displacement;
        signal = false;
        if (file.generated) return m_names.heldGenerated(file, address, isReturnAddress ? address - 1 : address);
        return m_names.frameOf(
            *file.module, file.main, file.displacement, address, isReturnAddress ? address - 1 : address, signal, &m_named);
    }
    Module::Named m_named; ///< of the last address
};

void FrameNames::boundFrames()
{
    if (m_frames.size() <= kMostFrames) return;
    m_frames.clear();
    m_heldNames.clear();
    m_processes.forgetNames();
}

record::FrameList FrameNames::name(std::uint32_t pid, std::span<const std::uint64_t> addresses, std::optional<record::Truncation> cut)
{
    boundFrames();
    Asked asked(*this, pid, addresses.size() == 1);
    auto& process = m_processes.of(pid);
    if (cut == record::Truncation::NoCaller && !addresses.empty()) noteLost(pid, process, addresses.back());
    auto frames = process.named.name(addresses, asked);
    return listOf(process.named, std::move(frames), cut);
}

/// The frames of the stack that was named last, and why there are no more where there are.
record::FrameList FrameNames::listOf(const NamedStacks& named, FrameStore::Frames frames, std::optional<record::Truncation> cut)
{
    if (named.ended() == NamedStacks::Callers::None) cut.reset();
    if (named.ended() == NamedStacks::Callers::Unknown) cut = record::Truncation::Switched;
    if (cut) frames.push_back(m_frames.truncated(*cut));
    return m_frames.list(std::move(frames));
}

std::optional<HeldStack> FrameNames::hold(std::uint32_t pid, std::span<const std::uint64_t> addresses)
{
    if (m_namesMayCome) return {}; // the sooner the servers are asked the better
    auto& process = m_processes.of(pid);
    m_holding.clear();
    for (const auto address : addresses) {
        const auto lookup = address - (m_holding.empty() ? 0 : 1);
        const auto* mapping = m_processes.mapping(pid, process, lookup);
        const bool isGenerated = m_functions && mapping && !mapping->module && mapping->mayBeGenerated();
        const auto place = isGenerated ? holdGenerated(pid, process, address, lookup)
            : mapping                  ? m_held->place(*mapping, address)
                                       : std::nullopt;
        if (!place) {
            const HeldStack none(m_held, m_holding); // lets go of what place() has met
            return {};
        }
        m_holding.push_back(*place);
    }
    return HeldStack(m_held, m_holding);
}

record::FrameList FrameNames::name(const HeldStack& stack, std::optional<record::Truncation> cut)
{
    boundFrames();
    Held held(*this);
    auto frames = m_heldNames.name(stack.places(), held);
    if (cut == record::Truncation::NoCaller && !m_lostJava && !stack.places().empty()) {
        const auto& last = m_held->file(stack.places().back());
        if (last.generated && last.java) m_lostJava = last.generated->pid;
    }
    return listOf(m_heldNames, std::move(frames), cut);
}

Frame FrameNames::user(std::uint32_t pid, std::uint64_t address, Symbolizer::Address kind)
{
    bool signal = false;
    return frame(pid, address, kind == Symbolizer::Address::Return, signal);
}
} // namespace dscope::symbols
