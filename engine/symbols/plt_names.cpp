#include "engine/symbols/plt_names.h"
#include "engine/symbols/relocations.h"
#include <elf.h>
#include <map>
#include <optional>
namespace dscope::symbols {
namespace {
/// The names of functions by the slots that the dynamic linker puts their addresses into.
std::map<std::uint64_t, std::string> slotsOf(const ElfFile& file)
{
    std::map<std::uint64_t, std::string> slots;
    std::size_t text = 0;
    for (const auto& section : file.sections()) {
        if (section.type != SHT_RELA || section.link >= file.sections().size()) continue;
        const auto& symbols = file.sections()[section.link];
        if (symbols.type != SHT_DYNSYM || symbols.link >= file.sections().size()) continue;
        const auto relocations = file.contents(section), table = file.contents(symbols),
                   texts = file.contents(file.sections()[symbols.link]);
        for (std::size_t at = 0; at + sizeof(Elf64_Rela) <= relocations.size() && text <= file.size(); at += sizeof(Elf64_Rela)) {
            const auto entry = readAt<Elf64_Rela>(relocations, at);
            const auto type = ELF64_R_TYPE(entry.r_info);
            if (type != kJumpSlot && type != kGlobalData) continue;
            const auto symbol = readAt<Elf64_Sym>(table, ELF64_R_SYM(entry.r_info) * sizeof(Elf64_Sym));
            auto name = symbol.st_name == 0 ? std::string() : textAt(texts, symbol.st_name, 1 << 14);
            text += name.size();
            if (!name.empty()) slots[entry.r_offset] = std::move(name);
        }
    }
    return slots;
}

/// The slot that a stub jumps through: [endbr64], [mov $index, %r11d], [bnd] jmp *distance(%rip).
std::optional<std::uint64_t> slotOf(ByteView stub, std::uint64_t address)
{
    constexpr std::uint32_t kEndbr64 = 0xfa1e0ff3;
    constexpr std::uint16_t kJump = 0x25ff, kMove = 0xbb41;
    std::size_t at = readAt<std::uint32_t>(stub, 0) == kEndbr64 ? 4 : 0;
    if (readAt<std::uint16_t>(stub, at) == kMove) at += 6;
    if (readAt<std::uint8_t>(stub, at) == 0xf2) ++at;
    constexpr std::size_t kJumpSize = 6;
    if (readAt<std::uint16_t>(stub, at) != kJump || at + kJumpSize > stub.size()) return {};
    const auto distance = readAt<std::int32_t>(stub, at + 2);
    return address + at + kJumpSize + static_cast<std::uint64_t>(std::int64_t{distance});
}
} // namespace

std::vector<PltEntry> pltEntries(const ElfFile& file)
{
    std::vector<PltEntry> entries;
    std::optional<std::map<std::uint64_t, std::string>> slots;
    for (const auto& section : file.sections()) {
        if (section.name != ".plt" && section.name != ".plt.sec" && section.name != ".plt.got") continue;
        // Linkers do not agree whether entrySize is told; stubs begin at multiples of 8.
        constexpr std::size_t kStep = 8, kLargest = 16;
        if (!slots) slots = slotsOf(file);
        const auto code = file.contents(section);
        const std::size_t size = section.entrySize == kStep ? kStep : kLargest;
        for (std::size_t at = 0; at + kStep <= code.size(); at += size) {
            const auto stub = ByteView(code).subspan(at, std::min(size, code.size() - at));
            const auto slot = slotOf(stub, section.address + at);
            const auto known = slot ? slots->find(*slot) : slots->end();
            if (known != slots->end()) entries.push_back({section.address + at, stub.size(), known->second});
        }
    }
    return entries;
}
} // namespace dscope::symbols
