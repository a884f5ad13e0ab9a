#include "cli/probe_objects.h"
#include "engine/symbols/elf_file.h"
#include "engine/symbols/probe_notes.h"
#include "engine/syntax/parser.h"
#include <algorithm>
#include <array>
#include <elf.h>
#include <optional>
#include <set>
namespace dscope::cli {
namespace {
constexpr std::uint64_t kMostAlignment = std::uint64_t{1} << 24;
constexpr std::string_view kCall = "__dtrace_", kQuestion = "__dtraceenabled_", kBase = "_.stapsdt.base";

/// Bytes of a type in C, negative when it is signed: those that interfaces are declared with. Any other is taken for a word.
int sizeOf(const ast::TypeName& type)
{
    if (!type.modifiers.empty()) return 8;
    struct Row {
        std::string_view name;
        int size;
    };
    static constexpr auto kRows = std::to_array<Row>({{"char", -1}, {"signed char", -1}, {"int8_t", -1}, {"unsigned char", 1},
        {"uint8_t", 1}, {"uchar_t", 1}, {"_Bool", 1}, {"bool", 1}, {"short", -2}, {"int16_t", -2}, {"unsigned short", 2}, {"uint16_t", 2},
        {"ushort_t", 2}, {"int", -4}, {"int32_t", -4}, {"pid_t", -4}, {"unsigned int", 4}, {"unsigned", 4}, {"uint32_t", 4}, {"uint_t", 4},
        {"uid_t", 4}, {"gid_t", 4}, {"mode_t", 4}, {"boolean_t", -4}, {"long", -8}, {"long long", -8}, {"int64_t", -8}, {"ssize_t", -8},
        {"off_t", -8}, {"time_t", -8}, {"intptr_t", -8}});
    const auto row = std::find_if(kRows.begin(), kRows.end(), [&](const Row& each) { return each.name == type.base; });
    return row == kRows.end() ? 8 : row->size;
}

std::string counterOf(const std::string& provider, const std::string& probe) { return provider + "_" + probe + "_semaphore"; }

template <typename T> void writeAt(Bytes& bytes, std::size_t at, const T& value)
{
    DSCOPE_ASSERT(at + sizeof value <= bytes.size());
    std::memcpy(bytes.data() + at, &value, sizeof value);
}
template <typename T> void append(Bytes& bytes, const T& value)
{
    const auto* from = reinterpret_cast<const std::byte*>(&value);
    bytes.insert(bytes.end(), from, from + sizeof value);
}
void appendText(Bytes& bytes, std::string_view text)
{
    const auto* from = reinterpret_cast<const std::byte*>(text.data());
    bytes.insert(bytes.end(), from, from + text.size());
    bytes.push_back(std::byte{0});
}
void alignTo(Bytes& bytes, std::size_t boundary) { bytes.resize((bytes.size() + boundary - 1) / boundary * boundary); }

/// A relocatable object: sections that may be changed and added to, then written again.
class Object {
public:
    struct Section {
        Elf64_Shdr head{};
        Bytes data;
    };

    static Result<Object> read(const Bytes& file)
    {
        Object object;
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

    /// One that is empty.
    static Object made()
    {
        Object object;
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

    std::size_t add(std::string_view name, std::uint32_t type, std::uint64_t flags, std::uint64_t alignment, Bytes data)
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

    bool hasSymbols() const { return m_symbols && sections[*m_symbols].head.sh_link < sections.size(); }
    std::size_t symbolTable() const { return *m_symbols; }
    std::size_t symbolCount() const { return m_symbols ? sections[*m_symbols].data.size() / sizeof(Elf64_Sym) : 0; }
    Elf64_Sym symbol(std::size_t i) const { return readAt<Elf64_Sym>(sections[*m_symbols].data, i * sizeof(Elf64_Sym)); }
    void setSymbol(std::size_t i, const Elf64_Sym& symbol) { writeAt(sections[*m_symbols].data, i * sizeof(Elf64_Sym), symbol); }

    std::string symbolName(std::size_t i) const
    {
        const auto& names = sections[sections[*m_symbols].head.sh_link].data;
        const auto at = symbol(i).st_name;
        if (at >= names.size()) return {};
        const auto* text = reinterpret_cast<const char*>(names.data()) + at;
        return {text, ::strnlen(text, names.size() - at)};
    }

    /// The number of the global symbol of that name, which is added where it is not there.
    std::size_t globalSymbol(const std::string& name, Elf64_Sym otherwise)
    {
        for (std::size_t i = sections[*m_symbols].head.sh_info; i < symbolCount(); ++i)
            if (symbolName(i) == name) return i;
        otherwise.st_name = named(sections[*m_symbols].head.sh_link, name);
        append(sections[*m_symbols].data, otherwise);
        return symbolCount() - 1;
    }

    Bytes write() const
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

    std::vector<Section> sections;

private:
    std::uint32_t named(std::size_t table, std::string_view name)
    {
        auto& names = sections[table].data;
        const auto at = static_cast<std::uint32_t>(names.size());
        appendText(names, name);
        return at;
    }

    Elf64_Ehdr m_head{};
    std::optional<std::size_t> m_symbols;
};

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
void addNotes(Object& object, std::size_t code, const std::vector<Site>& sites, const DeclaredProbes& declared)
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
    const auto base = object.globalSymbol(std::string(kBase), undefined(STB_WEAK));
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

Result<DeclaredProbes> declaredProbes(const ast::Program& program)
{
    DeclaredProbes all;
    for (const auto& item : program.items) {
        const auto* provider = std::get_if<ast::Declaration>(&item.is);
        if (!provider || provider->kind != ast::Declaration::Kind::Provider) continue;
        auto& probes = all[provider->name];
        for (const auto& probe : provider->probes) {
            auto& made = probes[probe.name];
            for (const auto& [name, type] : probe.args)
                made.passed.push_back(sizeOf(type));
            if (!probe.isTranslated)
                for (std::size_t i = 0; i < probe.args.size(); ++i) {
                    made.seen.push_back(i);
                    made.types.push_back(syntax::print(probe.args[i].second));
                }
            for (const auto& [name, type] : probe.translated) {
                const auto from = std::find_if(probe.args.begin(), probe.args.end(),
                    [&, wanted = name](const auto& arg) { return !wanted.empty() && arg.first == wanted; });
                if (from == probe.args.end())
                    return Error{0,
                        "probe " + probe.name + ": " + (name.empty() ? "an argument without a name" : name)
                            + " behind the colon is none of the arguments before it"};
                made.seen.push_back(static_cast<std::size_t>(from - probe.args.begin()));
                made.types.push_back(syntax::print(type));
            }
        }
    }
    return all;
}

Result<Bytes> withProbes(Bytes file, const DeclaredProbes& declared)
{
    DSCOPE_TRY(Object object, Object::read(file));
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
            const bool asks = name.starts_with(kQuestion);
            if (!asks && !name.starts_with(kCall)) continue;
            const auto probe = probeIn(std::string_view(name).substr(asks ? kQuestion.size() : kCall.size()), declared);
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
    auto object = Object::made();
    const auto symbol = [](unsigned char type, std::size_t section, std::uint64_t value, std::uint64_t size) {
        return Elf64_Sym{.st_name = 0,
            .st_info = static_cast<unsigned char>(ELF64_ST_INFO(STB_WEAK, type)),
            .st_other = STV_HIDDEN,
            .st_shndx = static_cast<std::uint16_t>(section),
            .st_value = value,
            .st_size = size};
    };

    const auto base = object.add(".stapsdt.base", SHT_PROGBITS, SHF_ALLOC, 1, Bytes(1));
    const auto mark = object.globalSymbol(std::string(kBase), symbol(STT_NOTYPE, base, 0, 1));
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
            object.globalSymbol(std::string(kQuestion) + provider + "___" + name, symbol(STT_FUNC, code, at, sizeof kAnswer));
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
