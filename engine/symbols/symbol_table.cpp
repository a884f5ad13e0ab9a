#include "engine/symbols/symbol_table.h"
#include "engine/symbols/symbol_name.h"
#include <algorithm>
#include <elf.h>
#include <span>
#include <tuple>
namespace dscope::symbols {
namespace {
bool isForArm(const ElfFile& file)
{
    const auto header = file.bytes(0, sizeof(Elf64_Ehdr));
    return header.size() == sizeof(Elf64_Ehdr) && readAt<Elf64_Ehdr>(header, 0).e_machine == EM_AARCH64;
}

/// Whether an untyped symbol is no name of code: a label of the assembler's own, or a mark of what follows, which only Arm's objects
/// have. Elsewhere names may begin so, as Swift's do. Source: ELF for the Arm 64-bit Architecture, 5.5.4, Mapping symbols
bool isMark(std::string_view name, bool isArm)
{
    if (name.starts_with(".L")) return true;
    if (!isArm || name.size() < 2 || name[0] != '$') return false;
    return std::string_view("xdat").find(name[1]) != name.npos && (name.size() == 2 || name[2] == '.');
}
} // namespace

void SymbolTable::add(const ElfFile& file)
{
    for (const auto type : {SHT_SYMTAB, SHT_DYNSYM})
        if (const auto* s = file.section(static_cast<std::uint32_t>(type))) addSection(file, *s);
}

void SymbolTable::addSection(const ElfFile& file, const ElfFile::Section& symbols)
{
    if (symbols.link >= file.sections().size()) return;
    const auto table = file.contents(symbols);
    auto texts = file.contents(file.sections()[symbols.link]);
    // Names stay where they are, in as many tables as an entry can number.
    const bool isKept = m_texts.size() <= UINT8_MAX && texts.size() <= UINT32_MAX;
    const auto number = static_cast<std::uint8_t>(m_texts.size());
    const OldVersions old(file, symbols.type);
    const bool isArm = isForArm(file);
    // Names may share their ends; in a damaged table all could name one text that is as long as the file.
    const auto most = 4 * texts.size();
    std::size_t text = 0;
    for (std::size_t at = 0; at + sizeof(Elf64_Sym) <= table.size() && text <= most; at += sizeof(Elf64_Sym)) {
        const auto symbol = readAt<Elf64_Sym>(table, at);
        const auto type = ELF64_ST_TYPE(symbol.st_info);
        if (symbol.st_shndx == SHN_UNDEF || symbol.st_value == 0 || symbol.st_name >= texts.size()) continue;
        if (type != STT_FUNC && type != STT_GNU_IFUNC && type != STT_NOTYPE) continue;
        std::uint64_t limit = symbol.st_value + symbol.st_size;
        bool code = type != STT_NOTYPE;
        if (symbol.st_shndx < file.sections().size()) {
            const auto& home = file.sections()[symbol.st_shndx];
            limit = home.address + home.size;
            code = code || (home.flags & SHF_EXECINSTR);
        }
        // Labels in assembler code (_start of musl, hand-written loops) are untyped; those elsewhere name data.
        if (!code) continue;
        const char* name = reinterpret_cast<const char*>(texts.data()) + symbol.st_name;
        const std::string_view view(name, ::strnlen(name, texts.size() - symbol.st_name));
        if (view.empty() || (type == STT_NOTYPE && isMark(view, isArm))) continue;
        if (!isKept) text += view.size();
        const auto known = symbolName(view);
        const auto version = known.isOld || old.contains(at / sizeof(Elf64_Sym)) ? Version::Old : Version::Default;
        const auto bind = ELF64_ST_BIND(symbol.st_info);
        const auto binding = bind == STB_LOCAL ? Binding::Local : bind == STB_WEAK ? Binding::Weak : Binding::Global;
        Entry entry{.start = symbol.st_value, .size = symbol.st_size, .limit = limit, .binding = binding, .version = version};
        if (isKept)
            add(entry, number, static_cast<std::size_t>(known.name.data() - reinterpret_cast<const char*>(texts.data())),
                known.name.size());
        else
            addNamed(entry, known.name);
    }
    if (isKept) m_texts.push_back(std::move(texts));
}

void SymbolTable::add(std::uint64_t start, std::uint64_t size, std::string_view name, Binding binding, std::uint64_t limit, Version version)
{
    addNamed({.start = start, .size = size, .limit = limit, .binding = binding, .version = version}, name);
}

void SymbolTable::add(Entry entry, std::uint8_t text, std::size_t name, std::size_t length)
{
    if (entry.start + entry.size < entry.start) return;
    entry.text = text;
    entry.name = static_cast<std::uint32_t>(name);
    entry.length = static_cast<std::uint32_t>(length);
    m_entries.push_back(entry);
}

void SymbolTable::addNamed(const Entry& entry, std::string_view name)
{
    auto& names = m_texts.front();
    if (names.size() + name.size() > UINT32_MAX) return;
    add(entry, 0, names.size(), name.size());
    const auto bytes = std::as_bytes(std::span(name));
    names.insert(names.end(), bytes.begin(), bytes.end());
}

std::size_t SymbolTable::memory() const
{
    auto bytes = m_entries.capacity() * sizeof(Entry);
    for (const auto& text : m_texts)
        bytes += text.capacity();
    return bytes;
}

bool SymbolTable::better(const Entry& a, const Entry& b) const
{
    const auto an = nameOf(a), bn = nameOf(b);
    return std::tuple(a.size == 0, a.binding == Binding::Local, a.version, leadingUnderscores(an), a.binding, an.size(), an)
        < std::tuple(b.size == 0, b.binding == Binding::Local, b.version, leadingUnderscores(bn), b.binding, bn.size(), bn);
}

/// Of what begins at one address the best stays, unless its name is cut and another one is complete.
void SymbolTable::keepOneOfEachAddress()
{
    CutNames cut;
    std::size_t kept = 0;
    for (std::size_t from = 0, to = 0; from < m_entries.size(); from = to) {
        for (to = from + 1; to < m_entries.size() && m_entries[to].start == m_entries[from].start; ++to) { }
        if (to == from + 1) {
            m_entries[kept++] = m_entries[from];
            continue;
        }
        for (auto i = from; i < to; ++i)
            cut.note(nameOf(m_entries[i]));
        auto best = from;
        while (best < to && cut.contains(nameOf(m_entries[best])))
            ++best;
        m_entries[kept++] = m_entries[best < to ? best : from];
        cut.clear();
    }
    m_entries.resize(kept);
}

void SymbolTable::finish()
{
    std::sort(m_entries.begin(), m_entries.end(),
        [this](const Entry& a, const Entry& b) { return a.start != b.start ? a.start < b.start : better(a, b); });
    keepOneOfEachAddress();
    if (m_entries.capacity() > m_entries.size() / 4 * 5) m_entries.shrink_to_fit();
    m_texts.front().shrink_to_fit();
    std::vector<std::uint32_t> open; // 1 + index of entries whose range is not over
    for (std::size_t i = 0; i < m_entries.size(); ++i) {
        auto& e = m_entries[i];
        if (e.size == 0 && i + 1 < m_entries.size()) e.limit = std::min(std::max(e.limit, e.start + 1), m_entries[i + 1].start);
        while (!open.empty() && endOf(m_entries[open.back() - 1]) <= e.start)
            open.pop_back();
        e.around = open.empty() ? 0 : open.back();
        // A label within a function is no function: it covers nothing.
        if (e.size == 0 && e.around != 0 && m_entries[e.around - 1].size != 0) {
            e.limit = e.start;
            continue;
        }
        open.push_back(static_cast<std::uint32_t>(i + 1));
    }
}

std::optional<SymbolTable::Symbol> SymbolTable::find(std::uint64_t address) const
{
    const auto next
        = std::upper_bound(m_entries.begin(), m_entries.end(), address, [](std::uint64_t a, const Entry& e) { return a < e.start; });
    for (auto i = static_cast<std::size_t>(next - m_entries.begin()); i != 0; i = m_entries[i - 1].around)
        if (const auto& e = m_entries[i - 1]; address < endOf(e)) return Symbol{e.start, e.size, nameOf(e)};
    return std::nullopt;
}
} // namespace dscope::symbols
