#include "cli/elf_object.h"
#include "cli/object_bytes.h"
#include <algorithm>
#include <cstring>
#include <utility>
namespace dscope::cli {
namespace {
constexpr std::uint64_t kMostAlignment = std::uint64_t{1} << 24;
} // namespace

Result<ElfObject> ElfObject::read(const Bytes& file)
{
    ElfObject object;
    const auto bad = [](std::string_view why) { return Error{0, std::string(why)}; };
    if (file.size() < sizeof(Elf64_Ehdr) || std::memcmp(file.data(), ELFMAG, SELFMAG) != 0) return bad("not an object file (ELF)");
    object.m_head = readAt<Elf64_Ehdr>(file, 0);
    if (object.m_head.e_ident[EI_CLASS] != ELFCLASS64 || object.m_head.e_machine != EM_X86_64)
        return bad("not an object for x86-64: probes are linked into such alone");
    if (object.m_head.e_type != ET_REL) return bad("not a relocatable object, as cc -c makes them");
    const auto count = object.m_head.e_shnum;
    if (count == 0 || object.m_head.e_shstrndx >= count) return bad("an object without sections, or with more than 65,279");
    if (object.m_head.e_shoff > file.size() || (file.size() - object.m_head.e_shoff) / sizeof(Elf64_Shdr) < count)
        return bad("the object is cut");
    for (std::size_t i = 0; i < count; ++i) {
        const auto at = object.m_head.e_shoff + i * sizeof(Elf64_Shdr);
        Section section{readAt<Elf64_Shdr>(file, at), {}};
        const auto& head = section.head;
        if (head.sh_addralign > kMostAlignment)
            return bad("the object is damaged: a section is aligned to more than 16 MiB; compile it again");
        if (head.sh_type != SHT_NOBITS && head.sh_type != SHT_NULL) {
            if (head.sh_offset > file.size() || head.sh_size > file.size() - head.sh_offset) return bad("the object is cut");
            const auto from = file.begin() + static_cast<std::ptrdiff_t>(head.sh_offset);
            section.data.assign(from, from + static_cast<std::ptrdiff_t>(head.sh_size));
        }
        if (head.sh_type == SHT_SYMTAB) object.m_symbols = i;
        if (head.sh_type == SHT_SYMTAB_SHNDX) return bad("an object with too many sections");
        object.sections.push_back(std::move(section));
    }
    return object;
}

ElfObject ElfObject::made()
{
    ElfObject object;
    auto& head = object.m_head;
    std::memcpy(head.e_ident, ELFMAG, SELFMAG);
    head.e_ident[EI_CLASS] = ELFCLASS64;
    head.e_ident[EI_DATA] = ELFDATA2LSB;
    head.e_ident[EI_VERSION] = EV_CURRENT;
    head.e_type = ET_REL;
    head.e_machine = EM_X86_64;
    head.e_version = EV_CURRENT;
    head.e_ehsize = sizeof(Elf64_Ehdr);
    head.e_shentsize = sizeof(Elf64_Shdr);
    object.sections.emplace_back();
    object.sections.push_back({{.sh_name = 0,
                                   .sh_type = SHT_STRTAB,
                                   .sh_flags = 0,
                                   .sh_addr = 0,
                                   .sh_offset = 0,
                                   .sh_size = 0,
                                   .sh_link = 0,
                                   .sh_info = 0,
                                   .sh_addralign = 1,
                                   .sh_entsize = 0},
        Bytes(1)});
    head.e_shstrndx = 1;
    object.sections[1].head.sh_name = object.named(1, ".strtab");
    object.m_symbols = object.add(".symtab", SHT_SYMTAB, 0, 8, Bytes(sizeof(Elf64_Sym)));
    auto& symbols = object.sections[*object.m_symbols].head;
    symbols.sh_link = 1;
    symbols.sh_info = 1;
    symbols.sh_entsize = sizeof(Elf64_Sym);
    object.add(".note.GNU-stack", SHT_PROGBITS, 0, 1, {});
    return object;
}

std::size_t ElfObject::add(std::string_view name, std::uint32_t type, std::uint64_t flags, std::uint64_t alignment, Bytes data)
{
    Section section;
    section.head.sh_name = named(m_head.e_shstrndx, name);
    section.head.sh_type = type;
    section.head.sh_flags = flags;
    section.head.sh_addralign = alignment;
    section.data = std::move(data);
    sections.push_back(std::move(section));
    return sections.size() - 1;
}

void ElfObject::setSymbol(std::size_t i, const Elf64_Sym& symbol) { writeAt(sections[*m_symbols].data, i * sizeof(Elf64_Sym), symbol); }

std::string ElfObject::symbolName(std::size_t i) const
{
    const auto& names = sections[sections[*m_symbols].head.sh_link].data;
    const auto at = symbol(i).st_name;
    if (at >= names.size()) return {};
    const auto* text = reinterpret_cast<const char*>(names.data()) + at;
    return {text, ::strnlen(text, names.size() - at)};
}

std::size_t ElfObject::globalSymbol(const std::string& name, Elf64_Sym otherwise)
{
    for (std::size_t i = sections[*m_symbols].head.sh_info; i < symbolCount(); ++i)
        if (symbolName(i) == name) return i;
    otherwise.st_name = named(sections[*m_symbols].head.sh_link, name);
    append(sections[*m_symbols].data, otherwise);
    return symbolCount() - 1;
}

Bytes ElfObject::write() const
{
    Bytes file;
    auto head = m_head;
    append(file, head);
    std::vector<Elf64_Shdr> heads;
    for (const auto& section : sections) {
        auto one = section.head;
        if (one.sh_type != SHT_NULL) {
            alignTo(file, std::max<std::size_t>(one.sh_addralign, 1));
            one.sh_offset = file.size();
        }
        if (one.sh_type != SHT_NOBITS && one.sh_type != SHT_NULL) {
            one.sh_size = section.data.size();
            file.insert(file.end(), section.data.begin(), section.data.end());
        }
        heads.push_back(one);
    }

    alignTo(file, 8);
    head.e_shoff = file.size();
    head.e_shnum = static_cast<std::uint16_t>(heads.size());
    for (const auto& one : heads)
        append(file, one);
    writeAt(file, 0, head);
    return file;
}

std::uint32_t ElfObject::named(std::size_t table, std::string_view name)
{
    auto& names = sections[table].data;
    const auto at = static_cast<std::uint32_t>(names.size());
    appendText(names, name);
    return at;
}
} // namespace dscope::cli
