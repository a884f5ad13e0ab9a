#include "cli/probe_objects.h"
#include "cli/elf_object.h"
#include "cli/object_bytes.h"
#include "cli/probe_names.h"
#include "engine/symbols/elf_file.h"
#include "engine/symbols/probe_notes.h"
#include <algorithm>
#include <array>
#include <optional>
#include <set>
namespace dscope::cli {
namespace {
Elf64_Sym undefined(unsigned char binding)
{
    return {.st_name = 0,
        .st_info = static_cast<unsigned char>(ELF64_ST_INFO(binding, STT_NOTYPE)),
        .st_other = STV_HIDDEN,
        .st_shndx = SHN_UNDEF,
        .st_value = 0,
        .st_size = 0};
}

/// A call that was taken out.
struct Site {
    std::uint64_t offset = 0; ///< in its section
    bool isJump = false;      ///< the function's last deed: its own return address lies on the stack
    std::string provider, probe;
};

/// Of "PROVIDER___PROBE": the provider that declares it, or is declared without it.
std::optional<std::pair<std::string, std::string>> probeIn(std::string_view name, const DeclaredProbes& declared)
{
    for (auto at = name.find("___"); at != name.npos; at = name.find("___", at + 1))
        if (const std::string provider(name.substr(0, at)); declared.contains(provider))
            return {{provider, std::string(name.substr(at + 3))}};
    return std::nullopt;
}

Error undeclared(const std::string& provider, const std::string& probe)
{
    return Error{0, "probe " + probe + " is not declared by provider " + provider};
}

/// Puts nops where the call was whose relocation is for `offset`; false where there is no call.
bool takeOut(Bytes& code, std::uint64_t offset, std::uint32_t type, Site& site)
{
    const auto byte = [&](std::uint64_t at) { return std::to_integer<unsigned>(code[at]); };
    const auto put = [&](std::uint64_t at, std::initializer_list<unsigned> bytes) {
        for (const auto each : bytes)
            code[at++] = static_cast<std::byte>(each);
    };

    if (offset < 2 || offset > code.size() || code.size() - offset < 4) return false;
    const bool isDirect = type == R_X86_64_PLT32 || type == R_X86_64_PC32;
    const bool byTable = type == R_X86_64_GOTPCRELX || type == R_X86_64_GOTPCREL || type == R_X86_64_REX_GOTPCRELX;
    // The first is a nop of one byte, at which a probe costs least: the kernel does not step over it.
    if (isDirect && (byte(offset - 1) == 0xe8 || byte(offset - 1) == 0xe9)) {
        site.isJump = byte(offset - 1) == 0xe9;
        site.offset = offset - 1;
        site.isJump ? put(offset - 1, {0x90, 0xc3, 0xcc, 0xcc, 0xcc}) : put(offset - 1, {0x90, 0x0f, 0x1f, 0x40, 0x00});
        return true;
    }

    if (byTable && byte(offset - 2) == 0xff && (byte(offset - 1) == 0x15 || byte(offset - 1) == 0x25)) {
        site.isJump = byte(offset - 1) == 0x25;
        site.offset = offset - 2;
        site.isJump ? put(offset - 2, {0x90, 0xc3, 0xcc, 0xcc, 0xcc, 0xcc}) : put(offset - 2, {0x90, 0x0f, 0x1f, 0x44, 0x00, 0x00});
        return true;
    }
    return false;
}

/// Where the n-th argument of a call is, as a note says it.
std::string operand(std::size_t n, int size, bool isJump)
{
    static constexpr std::array<std::array<std::string_view, 4>, 6> kRegisters{{{"dil", "di", "edi", "rdi"}, {"sil", "si", "esi", "rsi"},
        {"dl", "dx", "edx", "rdx"}, {"cl", "cx", "ecx", "rcx"}, {"r8b", "r8w", "r8d", "r8"}, {"r9b", "r9w", "r9d", "r9"}}};
    const auto bytes = std::abs(size);
    const std::size_t width = bytes == 1 ? 0 : bytes == 2 ? 1 : bytes == 4 ? 2 : 3;
    auto text = std::to_string(size) + "@";
    if (n < kRegisters.size()) return text + "%" + std::string(kRegisters[n][width]);
    return text + std::to_string(8 * (n - kRegisters.size()) + (isJump ? 8 : 0)) + "(%rsp)";
}

/// The notes of a section's sites, and their relocations.
void addNotes(ElfObject& object, std::size_t code, const std::vector<Site>& sites, const DeclaredProbes& declared)
{
    // What lies in the section: its own symbol, or a function's.
    std::optional<std::size_t> inside;
    for (std::size_t i = 1; i < object.symbolCount(); ++i) {
        const auto symbol = object.symbol(i);
        if (symbol.st_shndx != code) continue;
        inside = i;
        if (ELF64_ST_TYPE(symbol.st_info) == STT_SECTION) break;
    }

    if (!inside) return;
    const auto base = object.globalSymbol(std::string(kNotesBase), undefined(STB_WEAK));
    Bytes notes, relocations;
    const auto relocate = [&](std::size_t at, std::size_t symbol, std::int64_t addend) {
        append(relocations, Elf64_Rela{at, ELF64_R_INFO(symbol, R_X86_64_64), addend});
    };

    for (const auto& site : sites) {
        const auto& probe = declared.at(site.provider).at(site.probe);
        std::string arguments;
        for (const auto n : probe.seen)
            arguments += (arguments.empty() ? "" : " ") + operand(n, probe.passed[n], site.isJump);
        const auto counter = object.globalSymbol(counterOf(site.provider, site.probe), undefined(STB_GLOBAL));
        Bytes description(24);
        appendText(description, site.provider);
        appendText(description, site.probe);
        appendText(description, arguments);
        append(notes, Elf64_Nhdr{8, static_cast<Elf64_Word>(description.size()), 3});
        appendText(notes, "stapsdt");
        const auto start = object.symbol(*inside).st_value;
        relocate(notes.size(), *inside, static_cast<std::int64_t>(site.offset - start));
        relocate(notes.size() + 8, base, 0);
        relocate(notes.size() + 16, counter, 0);
        notes.insert(notes.end(), description.begin(), description.end());
        alignTo(notes, 4);
    }

    // Where the linker leaves the code out, a group of its own in C++, it is to leave out the notes.
    const bool isGrouped = (object.sections[code].head.sh_flags & SHF_GROUP) != 0;
    const auto flags = isGrouped ? std::uint64_t{SHF_GROUP} : 0;
    const auto section = object.add(".note.stapsdt", SHT_NOTE, flags, 4, std::move(notes));
    const auto table = object.add(".rela.note.stapsdt", SHT_RELA, flags | SHF_INFO_LINK, 8, std::move(relocations));
    object.sections[table].head.sh_link = static_cast<std::uint32_t>(object.symbolTable());
    object.sections[table].head.sh_info = static_cast<std::uint32_t>(section);
    object.sections[table].head.sh_entsize = sizeof(Elf64_Rela);
    if (!isGrouped) return;
    for (auto& group : object.sections) {
        if (group.head.sh_type != SHT_GROUP) continue;
        bool isOurs = false;
        for (std::size_t at = 4; at + 4 <= group.data.size(); at += 4)
            isOurs = isOurs || readAt<std::uint32_t>(group.data, at) == code;
        if (!isOurs) continue;
        append(group.data, static_cast<std::uint32_t>(section));
        append(group.data, static_cast<std::uint32_t>(table));
    }
}
} // namespace

Result<Bytes> withProbes(Bytes file, const DeclaredProbes& declared)
{
    DSCOPE_TRY(ElfObject object, ElfObject::read(file));
    if (auto elf = symbols::ElfFile::inMemory(file)) {
        for (const auto& note : symbols::probeNotes(*elf)) {
            const auto provider = declared.find(note.provider);
            if (provider == declared.end()) continue;
            const auto probe = provider->second.find(note.name);
            if (probe == provider->second.end()) return undeclared(note.provider, note.name);
            const auto passed = note.arguments.empty() ? 0 : 1 + std::count(note.arguments.begin(), note.arguments.end(), ' ');
            if (static_cast<std::size_t>(passed) != probe->second.seen.size()
                && static_cast<std::size_t>(passed) != probe->second.passed.size())
                return Error{0,
                    "probe " + note.name + " of provider " + note.provider + " is declared with "
                        + std::to_string(probe->second.passed.size()) + " arguments and called with " + std::to_string(passed)};
        }
    }

    if (!object.hasSymbols()) return file;
    std::map<std::size_t, std::vector<Site>> sites; // by section
    std::set<std::size_t> takenOut, remaining;      // symbols
    for (std::size_t i = 0, count = object.sections.size(); i < count; ++i) {
        if (object.sections[i].head.sh_type != SHT_RELA) continue;
        const auto code = static_cast<std::size_t>(object.sections[i].head.sh_info);
        if (code >= count || !(object.sections[code].head.sh_flags & SHF_EXECINSTR)) continue;
        auto& relocations = object.sections[i].data;
        for (std::size_t at = 0; at + sizeof(Elf64_Rela) <= relocations.size(); at += sizeof(Elf64_Rela)) {
            auto relocation = readAt<Elf64_Rela>(relocations, at);
            const auto number = static_cast<std::size_t>(ELF64_R_SYM(relocation.r_info));
            if (number >= object.symbolCount() || object.symbol(number).st_shndx != SHN_UNDEF) continue;
            const auto name = object.symbolName(number);
            const bool asks = name.starts_with(kProbeQuestion);
            if (!asks && !name.starts_with(kProbeCall)) continue;
            const auto probe = probeIn(std::string_view(name).substr(asks ? kProbeQuestion.size() : kProbeCall.size()), declared);
            if (!probe) continue; // another script's provider
            if (!declared.at(probe->first).contains(probe->second)) return undeclared(probe->first, probe->second);
            if (asks) continue; // probeCounts() answers
            Site site{0, false, probe->first, probe->second};
            const auto type = static_cast<std::uint32_t>(ELF64_R_TYPE(relocation.r_info));
            if (!takeOut(object.sections[code].data, relocation.r_offset, type, site)) {
                remaining.insert(number);
                continue;
            }
            relocation.r_info = ELF64_R_INFO(0, R_X86_64_NONE);
            relocation.r_addend = 0;
            writeAt(relocations, at, relocation);
            takenOut.insert(number);
            sites[code].push_back(std::move(site));
        }
    }

    if (sites.empty() && remaining.empty()) return file;
    if (!remaining.empty())
        return Error{0, object.symbolName(*remaining.begin()) + " is used otherwise than by a call: compile without -mcmodel=large"};
    for (const auto number : takenOut) {
        auto symbol = object.symbol(number);
        symbol.st_info = ELF64_ST_INFO(STB_WEAK, STT_NOTYPE); // nobody calls it any more, and nobody need define it
        object.setSymbol(number, symbol);
    }
    for (const auto& [code, all] : sites)
        addNotes(object, code, all, declared);
    if (object.sections.size() >= SHN_LORESERVE) return Error{0, "an object with too many sections"};
    return object.write();
}
} // namespace dscope::cli
