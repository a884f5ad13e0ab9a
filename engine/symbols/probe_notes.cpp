#include "engine/symbols/probe_notes.h"
#include <algorithm>
#include <cstring>
#include <elf.h>
#include <optional>
namespace dscope::symbols {
namespace {
constexpr std::uint32_t kProbe = 3; // NT_STAPSDT
std::size_t aligned(std::size_t n) { return (n + 3) & ~std::size_t{3}; }

/// Takes a NUL-terminated text off the front.
std::string takeText(ByteView& bytes)
{
    const auto* begin = reinterpret_cast<const char*>(bytes.data());
    const auto length = ::strnlen(begin, bytes.size());
    std::string text(begin, length);
    bytes = bytes.subspan(std::min(length + 1, bytes.size()));
    return text;
}
} // namespace

namespace {
constexpr std::uint32_t kMark = 1; // of notes named "usdt": a probe; 2 asks whether somebody looks

struct Note {
    std::string_view owner; ///< without its NUL
    std::uint32_t type = 0;
    ByteView description;
};
/// Calls `take` with each note of a section.
template <typename Take> void eachNote(ByteView all, const Take& take)
{
    for (std::size_t at = 0; at + sizeof(Elf64_Nhdr) <= all.size();) {
        const auto head = readAt<Elf64_Nhdr>(all, at);
        const auto owner = at + sizeof head, description = owner + aligned(head.n_namesz), next = description + aligned(head.n_descsz);
        if (description + head.n_descsz > all.size() || next <= at) break;
        at = next;
        const auto* name = reinterpret_cast<const char*>(all.data() + owner);
        take(Note{{name, ::strnlen(name, head.n_namesz)}, head.n_type, all.subspan(description, head.n_descsz)});
    }
}
/// The byte off the front; 0 when there is none.
std::size_t takeCount(ByteView& bytes)
{
    if (bytes.empty()) return 0;
    const auto count = std::to_integer<std::size_t>(bytes.front());
    bytes = bytes.subspan(1);
    return count;
}
ProbeNote systemtapNote(ByteView description, std::optional<std::uint64_t> base)
{
    constexpr std::size_t kAddresses = 24;
    ProbeNote note;
    if (description.size() <= kAddresses) return note;
    // The note holds the address that .stapsdt.base had when it was written. Whatever moved the sections since (prelink) moved both.
    const auto moved = base ? *base - readAt<std::uint64_t>(description, 8) : 0;
    note.address = readAt<std::uint64_t>(description, 0) + moved;
    note.semaphore = readAt<std::uint64_t>(description, 16);
    if (note.semaphore) note.semaphore += moved;
    auto texts = description.subspan(kAddresses);
    note.provider = takeText(texts);
    note.name = takeText(texts);
    note.arguments = takeText(texts);
    return note;
}
/// The addresses of the nop and of the function's name, the texts, and before the arguments how many there are.
ProbeNote dtraceNote(ByteView description)
{
    constexpr std::size_t kAddresses = 16;
    ProbeNote note;
    if (description.size() <= kAddresses) return note;
    note.address = readAt<std::uint64_t>(description, 0);
    auto texts = description.subspan(kAddresses);
    note.provider = takeText(texts);
    note.name = takeText(texts);
    takeCount(texts);
    note.arguments = takeText(texts);
    return note;
}
} // namespace

std::vector<ProbeNote> probeNotes(const ElfFile& file)
{
    std::vector<ProbeNote> found;
    const auto add = [&](ProbeNote note) {
        if (!note.provider.empty() && !note.name.empty()) found.push_back(std::move(note));
    };
    if (const auto* section = file.section(".note.stapsdt")) {
        const auto* base = file.section(".stapsdt.base");
        const auto notes = file.contents(*section);
        eachNote(ByteView(notes), [&](const Note& note) {
            if (note.type == kProbe && note.owner == "stapsdt")
                add(systemtapNote(note.description, base ? std::optional(base->address) : std::nullopt));
        });
    }
    if (const auto* section = file.section(".note.usdt")) {
        const auto notes = file.contents(*section);
        eachNote(ByteView(notes), [&](const Note& note) {
            if (note.type == kMark && note.owner == "usdt") add(dtraceNote(note.description));
        });
    }
    return found;
}

std::vector<ProbeDeclaration> probeDeclarations(const ElfFile& file)
{
    std::vector<ProbeDeclaration> found;
    const auto* section = file.section(".note.usdt");
    if (!section) return found;
    const auto notes = file.contents(*section);
    eachNote(ByteView(notes), [&](const Note& note) {
        constexpr std::size_t kStabilities = 5 * sizeof(std::uint32_t);
        if (note.type != kMark || note.owner != "prov") return;
        auto rest = note.description;
        const auto provider = takeText(rest);
        const auto counted = aligned(provider.size() + 1) + kStabilities;
        if (counted + sizeof(std::uint32_t) > note.description.size()) return;
        const auto probes = readAt<std::uint32_t>(note.description, counted);
        rest = note.description.subspan(counted + sizeof(std::uint32_t));
        constexpr std::size_t kMostDeclared = 1 << 16; // a note may say more, in a few bytes each
        for (std::uint32_t i = 0; i < probes && !rest.empty() && found.size() < kMostDeclared; ++i) {
            ProbeDeclaration probe{provider, takeText(rest), {}, {}};
            for (auto left = takeCount(rest); left > 0; --left)
                probe.passed.push_back(takeText(rest));
            for (auto left = takeCount(rest); left > 0; --left) {
                auto type = takeText(rest);
                probe.seen.push_back({std::move(type), takeCount(rest)});
            }
            found.push_back(std::move(probe));
        }
    });
    return found;
}
} // namespace dscope::symbols
