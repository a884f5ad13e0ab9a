#include "engine/symbols/plt_names.h"
#include <elf.h>
#include <map>
#include <optional>
namespace dscope::symbols {
namespace {
/// Stubs: the relocations of .plt alone, which are most of those that stubs need; the others of a large library take megabytes.
enum class Slots : std::uint8_t { Stubs, Others };
/// The names of functions by the slots that the dynamic linker puts their addresses into.
std::map<std::uint64_t, std::string> slotsOf(const ElfFile& file, Slots which)
{
    std::map<std::uint64_t, std::string> slots;
    std::size_t text = 0;
    for (const auto& section : file.sections()) {
        if (section.type != SHT_RELA || section.link >= file.sections().size()) continue;
        if ((section.name == ".rela.plt") != (which == Slots::Stubs)) continue;
        const auto& symbols = file.sections()[section.link];
        if (symbols.type != SHT_DYNSYM || symbols.link >= file.sections().size()) continue;
        const auto relocations = file.contents(section), table = file.contents(symbols),
                   texts = file.contents(file.sections()[symbols.link]);
        for (std::size_t at = 0; at + sizeof(Elf64_Rela) <= relocations.size() && text <= file.size(); at += sizeof(Elf64_Rela)) {
            const auto entry = readAt<Elf64_Rela>(relocations, at);
            const auto type = ELF64_R_TYPE(entry.r_info);
            if (type != R_X86_64_JUMP_SLOT && type != R_X86_64_GLOB_DAT && type != R_AARCH64_JUMP_SLOT && type != R_AARCH64_GLOB_DAT)
                continue;
            const auto symbol = readAt<Elf64_Sym>(table, ELF64_R_SYM(entry.r_info) * sizeof(Elf64_Sym));
            auto name = symbol.st_name == 0 ? std::string() : textAt(texts, symbol.st_name, 1 << 14);
            text += name.size();
            if (!name.empty()) slots[entry.r_offset] = std::move(name);
        }
    }
    return slots;
}

/// A stub at the beginning of some bytes.
struct Stub {
    std::uint64_t slot = 0; ///< that it jumps through
    std::size_t size = 0;
};
/// [endbr64], [mov $index, %r11d], [bnd] jmp *distance(%rip).
std::optional<Stub> stubOfX86(ByteView code, std::uint64_t address)
{
    constexpr std::uint32_t kEndbr64 = 0xfa1e0ff3;
    constexpr std::uint16_t kJump = 0x25ff, kMove = 0xbb41;
    std::size_t at = readAt<std::uint32_t>(code, 0) == kEndbr64 ? 4 : 0;
    if (readAt<std::uint16_t>(code, at) == kMove) at += 6;
    if (readAt<std::uint8_t>(code, at) == 0xf2) ++at;
    constexpr std::size_t kJumpSize = 6;
    if (readAt<std::uint16_t>(code, at) != kJump || at + kJumpSize > code.size()) return {};
    const auto distance = readAt<std::int32_t>(code, at + 2);
    return Stub{address + at + kJumpSize + static_cast<std::uint64_t>(std::int64_t{distance}), code.size()};
}
/// [bti c]; adrp x16, page; ldr x17, [x16, #distance]; add x16, x16, #distance; [autia1716]; br x17; in 16 bytes, or in 24.
/// Source: binutils, bfd/elfnn-aarch64.c, elfNN_aarch64_small_plt_*entry
std::optional<Stub> stubOfAarch64(ByteView code, std::uint64_t address)
{
    constexpr std::uint32_t kBti = 0xd503245f, kAdrp = 0x90000010, kLoad = 0xf9400211, kAdd = 0x91000210;
    const std::size_t at = readAt<std::uint32_t>(code, 0) == kBti ? 4 : 0;
    const auto page = readAt<std::uint32_t>(code, at), load = readAt<std::uint32_t>(code, at + 4),
               add = readAt<std::uint32_t>(code, at + 8);
    if ((page & 0x9f00001fU) != kAdrp || (load & 0xffc003ffU) != kLoad || (add & 0xffc003ffU) != kAdd) return {};
    const auto field = (page >> 3U & 0x1ffffcU) | (page >> 29U & 3U);
    const auto pages = static_cast<std::int64_t>(std::uint64_t{field} << 43U) >> 43U; // 21 bits, signed
    const auto base = ((address + at) & ~std::uint64_t{0xfff}) + static_cast<std::uint64_t>(pages * 4096);
    constexpr std::size_t kShort = 16, kLong = 24;
    const bool jumps = readAt<std::uint32_t>(code, 12) == 0xd61f0220;
    return Stub{base + 8 * (load >> 10U & 0xfffU), jumps ? kShort : kLong};
}
bool isPlt(const ElfFile::Section& section) { return section.name == ".plt" || section.name == ".plt.sec" || section.name == ".plt.got"; }
} // namespace

std::vector<const ElfFile::Section*> pltSections(const ElfFile& file)
{
    std::vector<const ElfFile::Section*> found;
    for (const auto& section : file.sections())
        if (isPlt(section)) found.push_back(&section);
    return found;
}

std::vector<PltEntry> pltEntries(const ElfFile& file, const ElfFile::Section& section)
{
    // Linkers do not agree whether entrySize is told; stubs begin at multiples of 8.
    constexpr std::size_t kStep = 8, kLargest = 24;
    std::vector<PltEntry> entries;
    const auto slots = slotsOf(file, Slots::Stubs);
    std::optional<std::map<std::uint64_t, std::string>> others;
    const auto nameAt = [&](std::uint64_t slot) -> const std::string* {
        if (const auto known = slots.find(slot); known != slots.end()) return &known->second;
        if (!others) others = slotsOf(file, Slots::Others);
        const auto known = others->find(slot);
        return known != others->end() ? &known->second : nullptr;
    };

    const auto code = file.contents(section);
    std::size_t size = section.entrySize == kStep ? kStep : 16;
    for (std::size_t at = 0, next = 0; at + kStep <= code.size(); at = next) {
        const auto bytes = ByteView(code).subspan(at, std::min(kLargest, code.size() - at));
        const auto address = section.address + at;
        next = at + size;
        auto stub = stubOfAarch64(bytes, address);
        if (stub) {
            next = at + stub->size;
            size = kStep; // behind it there may be nops
        } else {
            stub = stubOfX86(bytes.first(std::min(size, bytes.size())), address);
        }
        if (const auto* name = stub ? nameAt(stub->slot) : nullptr) entries.push_back({address, stub->size, *name});
    }
    return entries;
}

std::vector<PltEntry> pltEntries(const ElfFile& file)
{
    std::vector<PltEntry> all;
    for (const auto* section : pltSections(file))
        for (auto& entry : pltEntries(file, *section))
            all.push_back(std::move(entry));
    return all;
}
} // namespace dscope::symbols
