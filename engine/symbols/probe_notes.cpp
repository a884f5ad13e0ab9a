#include "engine/symbols/probe_notes.h"
#include <algorithm>
#include <cstring>
#include <elf.h>
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

std::vector<ProbeNote> probeNotes(const ElfFile& file)
{
    std::vector<ProbeNote> found;
    const auto* section = file.section(".note.stapsdt");
    if (!section) return found;
    const auto* base = file.section(".stapsdt.base");
    const auto notes = file.contents(*section);
    const ByteView all(notes);
    for (std::size_t at = 0; at + sizeof(Elf64_Nhdr) <= all.size();) {
        const auto head = readAt<Elf64_Nhdr>(all, at);
        const auto owner = at + sizeof head, description = owner + aligned(head.n_namesz), next = description + aligned(head.n_descsz);
        if (next > all.size() || next <= at) break;
        at = next;
        constexpr std::size_t kAddresses = 24;
        if (head.n_type != kProbe || head.n_descsz <= kAddresses || head.n_namesz != 8
            || std::memcmp(all.data() + owner, "stapsdt", 8) != 0)
            continue;
        ProbeNote note;
        // The note holds the address that .stapsdt.base had when it was written. Whatever moved the sections since (prelink) moved both.
        const auto moved = base ? base->address - readAt<std::uint64_t>(all, description + 8) : 0;
        note.address = readAt<std::uint64_t>(all, description) + moved;
        note.semaphore = readAt<std::uint64_t>(all, description + 16);
        if (note.semaphore) note.semaphore += moved;
        auto texts = all.subspan(description + kAddresses, head.n_descsz - kAddresses);
        note.provider = takeText(texts);
        note.name = takeText(texts);
        note.arguments = takeText(texts);
        if (!note.provider.empty() && !note.name.empty()) found.push_back(std::move(note));
    }
    return found;
}
} // namespace dscope::symbols
