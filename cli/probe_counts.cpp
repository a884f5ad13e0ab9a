#include "cli/elf_object.h"
#include "cli/object_bytes.h"
#include "cli/probe_names.h"
#include "cli/probe_objects.h"
#include <algorithm>
/// What objects with probes are linked with.
namespace dscope::cli {
namespace {
/// A name as tracers write it: two underscores stand for a dash.
std::string dashed(std::string_view name)
{
    std::string out;
    for (std::size_t i = 0; i < name.size(); ++i) {
        const bool isDash = name.substr(i, 2) == "__";
        out += isDash ? '-' : name[i];
        i += isDash ? 1 : 0;
    }
    return out;
}
/// Notes that tell the types of what tracers see, in the form of DTrace for Linux (symbols::ProbeDeclaration). Our notes of places have
/// arguments in the order in which tracers see them, so that this is the order in which they are passed as well.
Bytes declarations(const DeclaredProbes& declared)
{
    // Unstable, Unstable, Common. Source: <sys/dtrace.h>, DTRACE_ATTR.
    constexpr std::uint32_t kStability = 0x04040500;
    constexpr std::size_t kMostArguments = 255;
    Bytes notes;
    for (const auto& [provider, probes] : declared) {
        Bytes text;
        appendText(text, provider);
        alignTo(text, 4);
        for (int i = 0; i < 5; ++i)
            append(text, kStability);
        append(text, static_cast<std::uint32_t>(probes.size()));
        for (const auto& [name, probe] : probes) {
            appendText(text, dashed(name));
            const auto count = std::min(probe.types.size(), kMostArguments);
            text.push_back(static_cast<std::byte>(count));
            for (std::size_t i = 0; i < count; ++i)
                appendText(text, probe.types[i]);
            text.push_back(static_cast<std::byte>(count));
            for (std::size_t i = 0; i < count; ++i) {
                appendText(text, probe.types[i]);
                text.push_back(static_cast<std::byte>(i));
            }
        }
        append(notes, Elf64_Nhdr{5, static_cast<Elf64_Word>(text.size()), 1});
        appendText(notes, "prov");
        alignTo(notes, 4);
        notes.insert(notes.end(), text.begin(), text.end());
        alignTo(notes, 4);
    }
    return notes;
}
} // namespace

Bytes probeCounts(const DeclaredProbes& declared)
{
    auto object = ElfObject::made();
    const auto symbol = [](unsigned char type, std::size_t section, std::uint64_t value, std::uint64_t size) {
        return Elf64_Sym{.st_name = 0,
            .st_info = static_cast<unsigned char>(ELF64_ST_INFO(STB_WEAK, type)),
            .st_other = STV_HIDDEN,
            .st_shndx = static_cast<std::uint16_t>(section),
            .st_value = value,
            .st_size = size};
    };

    const auto base = object.add(".stapsdt.base", SHT_PROGBITS, SHF_ALLOC, 1, Bytes(1));
    const auto mark = object.globalSymbol(std::string(kNotesBase), symbol(STT_NOTYPE, base, 0, 1));
    const auto counts = object.add(".probes", SHT_PROGBITS, SHF_ALLOC | SHF_WRITE, 2, {});
    const auto code = object.add(".text", SHT_PROGBITS, SHF_ALLOC | SHF_EXECINSTR, 16, {});
    Bytes relocations;
    for (const auto& [provider, probes] : declared)
        for (const auto& [name, probe] : probes) {
            auto& words = object.sections[counts].data;
            const auto count = object.globalSymbol(counterOf(provider, name), symbol(STT_OBJECT, counts, words.size(), 2));
            object.sections[counts].data.resize(object.sections[counts].data.size() + 2);
            // movzwl count(%rip), %eax; test %eax, %eax; setne %al; movzbl %al, %eax; ret
            static constexpr unsigned char kAnswer[] = {0x0f, 0xb7, 0x05, 0, 0, 0, 0, 0x85, 0xc0, 0x0f, 0x95, 0xc0, 0x0f, 0xb6, 0xc0, 0xc3};
            const auto at = object.sections[code].data.size();
            const auto* from = reinterpret_cast<const std::byte*>(kAnswer);
            object.sections[code].data.insert(object.sections[code].data.end(), from, from + sizeof kAnswer);
            append(relocations, Elf64_Rela{at + 3, ELF64_R_INFO(count, R_X86_64_PC32), -4});
            object.globalSymbol(std::string(kProbeQuestion) + provider + "___" + name, symbol(STT_FUNC, code, at, sizeof kAnswer));
        }

    // Constants that probes are passed, such as texts, can be read by tracers once their page is in memory: a constructor touches
    // the base, which lies among them.
    static constexpr unsigned char kTouch[] = {0x0f, 0xb6, 0x05, 0, 0, 0, 0, 0xc3}; // movzbl base(%rip), %eax; ret
    const auto touch = object.sections[code].data.size();
    const auto* from = reinterpret_cast<const std::byte*>(kTouch);
    object.sections[code].data.insert(object.sections[code].data.end(), from, from + sizeof kTouch);
    append(relocations, Elf64_Rela{touch + 3, ELF64_R_INFO(mark, R_X86_64_PC32), -4});
    const auto constructor = object.globalSymbol("__dtrace_touch_constants", symbol(STT_FUNC, code, touch, sizeof kTouch));
    const auto constructors = object.add(".init_array", SHT_INIT_ARRAY, SHF_ALLOC | SHF_WRITE, 8, Bytes(8));
    Bytes calls;
    append(calls, Elf64_Rela{0, ELF64_R_INFO(constructor, R_X86_64_64), 0});
    const auto pointers = object.add(".rela.init_array", SHT_RELA, SHF_INFO_LINK, 8, std::move(calls));
    object.sections[pointers].head.sh_link = static_cast<std::uint32_t>(object.symbolTable());
    object.sections[pointers].head.sh_info = static_cast<std::uint32_t>(constructors);
    object.sections[pointers].head.sh_entsize = sizeof(Elf64_Rela);
    const auto table = object.add(".rela.text", SHT_RELA, SHF_INFO_LINK, 8, std::move(relocations));
    object.sections[table].head.sh_link = static_cast<std::uint32_t>(object.symbolTable());
    object.sections[table].head.sh_info = static_cast<std::uint32_t>(code);
    object.sections[table].head.sh_entsize = sizeof(Elf64_Rela);
    object.add(".note.usdt", SHT_NOTE, 0, 4, declarations(declared));
    return object.write();
}
} // namespace dscope::cli
