#include "engine/symbols/code_file.h"
#include "engine/symbols/go_functions.h"
#include "engine/symbols/relocations.h"
#include "engine/symbols/symbol_name.h"
#include <algorithm>
#include <elf.h>
#include <tuple>
#include <unordered_set>
namespace dscope::symbols {
namespace {
constexpr int kGlobal = 0, kWeak = 1, kLocal = 2; ///< ranks of symbols
bool isAside(std::string_view name) { return name.find(".cold") != name.npos; }
} // namespace

Result<std::shared_ptr<CodeFile>> CodeFile::open(const std::string& path, const DebugPlaces& places)
{
    auto fd = openToRead(path);
    if (!fd) return Error{errno, "cannot open " + path};
    DSCOPE_TRY(auto elf, ElfFile::open(std::move(fd)));
    std::shared_ptr<CodeFile> file(new CodeFile(std::move(elf)));
    file->addSymbols(file->m_elf);
    for (const auto& other : symbolFilesOf(file->m_elf, places))
        file->addSymbols(other);
    if (!file->m_namesAll) file->addGoFunctions();
    file->finish();
    return file;
}

void CodeFile::addSymbols(const ElfFile& file)
{
    for (const auto type : {SHT_SYMTAB, SHT_DYNSYM}) {
        const auto* section = file.section(static_cast<std::uint32_t>(type));
        if (!section || section->link >= file.sections().size()) continue;
        if (type == SHT_SYMTAB) m_namesAll = true;
        const auto table = file.contents(*section), texts = file.contents(file.sections()[section->link]);
        // As in SymbolTable: a damaged table could name one long text without end.
        const auto most = 4 * texts.size();
        const OldVersions old(file, section->type);
        std::size_t length = 0;
        for (std::size_t at = 0; at + sizeof(Elf64_Sym) <= table.size() && length <= most; at += sizeof(Elf64_Sym)) {
            const auto symbol = readAt<Elf64_Sym>(table, at);
            const auto kind = ELF64_ST_TYPE(symbol.st_info);
            if (symbol.st_shndx == SHN_UNDEF || symbol.st_value == 0 || symbol.st_name >= texts.size()) continue;
            if (kind != STT_FUNC && kind != STT_GNU_IFUNC) continue;
            const char* name = reinterpret_cast<const char*>(texts.data()) + symbol.st_name;
            const std::string_view text(name, ::strnlen(name, texts.size() - symbol.st_name));
            if (text.empty()) continue;
            length += text.size();
            const auto known = symbolName(text);
            const bool isOld = known.isOld || old.contains(at / sizeof(Elf64_Sym));
            const auto bind = ELF64_ST_BIND(symbol.st_info);
            const int rank = bind == STB_LOCAL ? kLocal : bind == STB_WEAK ? kWeak : kGlobal;
            m_symbols.push_back({{std::string(known.name), symbol.st_value, symbol.st_size, kind == STT_GNU_IFUNC}, rank, isOld});
        }
    }
}

void CodeFile::addGoFunctions()
{
    constexpr int kLastRank = 3;
    for (auto& f : goFunctions(m_elf)) {
        m_namesAll = true;
        m_symbols.push_back({{std::move(f.name), f.start, f.size, false}, kLastRank, false});
    }
}

void CodeFile::finish()
{
    std::sort(m_symbols.begin(), m_symbols.end(), [](const Symbol& a, const Symbol& b) {
        const auto key = [](const Symbol& s) {
            return std::tuple(s.function.start, s.function.size == 0, std::max(s.rank, kWeak), s.isOld, leadingUnderscores(s.function.name),
                s.rank, s.function.name.size());
        };
        return key(a) != key(b) ? key(a) < key(b) : a.function.name < b.function.name;
    });

    for (std::size_t from = 0, to = 0; from < m_symbols.size(); from = to) {
        while (to < m_symbols.size() && m_symbols[to].function.start == m_symbols[from].function.start)
            ++to;
        finishAddress(from, to);
    }
    m_symbols.clear();
    m_symbols.shrink_to_fit();
}

/// The function that begins where these symbols are, the best first, and its names.
void CodeFile::finishAddress(std::size_t from, std::size_t to)
{
    CutNames cut;
    for (auto i = from; i < to; ++i)
        cut.note(m_symbols[i].function.name);
    auto best = from;
    while (best < to && cut.contains(m_symbols[best].function.name))
        ++best;

    auto function = m_symbols[best < to ? best : from].function;
    if (function.size == 0) function.size = m_symbols[from].function.size;
    // Assembler code often tells no size; then its unwind entry does.
    if (function.size == 0) function.size = sizeAt(function.start).value_or(0);
    if (function.size == 0 || !offsetOf(function.start)) return;
    m_functions.push_back(function);

    std::unordered_set<std::string_view> told;
    for (auto i = from; i < to; ++i) {
        const auto& name = m_symbols[i].function.name;
        if (cut.contains(name) || !told.insert(name).second) continue;
        own(m_symbols[i]);
        if (name != function.name) m_otherNames.push_back({m_functions.size() - 1, name});
    }
}

/// The newest function has the symbol's name.
void CodeFile::own(const Symbol& symbol)
{
    const auto index = m_functions.size() - 1;
    const auto [at, isNew] = m_byName.emplace(symbol.function.name, Owner{index, symbol.worth()});
    if (isNew) return;
    auto other = index;
    if (symbol.worth() < at->second.worth) {
        std::swap(other, at->second.function);
        at->second.worth = symbol.worth();
    }
    m_sameNames.emplace(symbol.function.name, other);
}

const CodeFile::Function* CodeFile::named(std::string_view name) const
{
    const auto at = m_byName.find(std::string(name));
    return at == m_byName.end() ? nullptr : &m_functions[at->second.function];
}

std::vector<const CodeFile::Function*> CodeFile::allNamed(std::string_view name) const
{
    std::vector<const Function*> all;
    if (const auto* best = named(name)) all.push_back(best);
    const auto [from, to] = m_sameNames.equal_range(name);
    for (auto at = from; at != to; ++at)
        all.push_back(&m_functions[at->second]);
    return all;
}

std::string_view CodeFile::nameOf(const Function& function, const std::function<bool(std::string_view)>& isWanted) const
{
    if (isWanted(function.name)) return function.name;
    const auto index = static_cast<std::size_t>(&function - m_functions.data());
    DSCOPE_ASSERT(index < m_functions.size());
    auto at = std::lower_bound(
        m_otherNames.begin(), m_otherNames.end(), index, [](const OtherName& name, std::size_t i) { return name.function < i; });
    for (; at != m_otherNames.end() && at->function == index; ++at)
        if (isWanted(at->name)) return at->name;
    return {};
}

const FrameRows& CodeFile::rows()
{
    if (!m_rows) {
        const auto* section = m_elf.section(".eh_frame");
        m_rows = section ? std::make_unique<FrameRows>(m_elf.contents(*section), section->address, FrameRows::Format::EhFrame)
                         : std::make_unique<FrameRows>();
    }
    return *m_rows;
}

std::optional<std::uint64_t> CodeFile::sizeAt(std::uint64_t address)
{
    const auto entry = rows().function(address);
    if (!entry || entry->start != address) return {};
    return entry->size;
}

CodeWalk CodeFile::walk(const Function& function)
{
    CodeAround around;
    around.rows = &rows();
    around.read = [this](std::uint64_t address, std::uint64_t size) -> Bytes {
        constexpr std::uint64_t kChunk = 1 << 20;
        if (address < m_codeAt || address + size > m_codeAt + m_code.size()) {
            const auto offset = offsetOf(address);
            if (!offset) return {};
            m_code = m_elf.bytes(*offset, std::max(size, kChunk));
            m_codeAt = address;
        }
        const auto from = m_code.begin() + static_cast<std::ptrdiff_t>(address - m_codeAt);
        const auto left = static_cast<std::uint64_t>(m_code.end() - from);
        return Bytes(from, from + static_cast<std::ptrdiff_t>(std::min(size, left)));
    };
    around.beginsFunction = [this](std::uint64_t address) {
        if (const auto* known = startingAt(address)) return !isAside(known->name);
        return std::any_of(m_elf.sections().begin(), m_elf.sections().end(),
            [&](const ElfFile::Section& s) { return s.name.starts_with(".plt") && address >= s.address && address - s.address < s.size; });
    };
    return walkCode(around, function.start, function.size);
}

bool CodeFile::canProbeStart(const Function& function)
{
    constexpr std::uint64_t kLongest = 15; // of an instruction
    const auto walked = walk({function.name, function.start, std::min(function.size, kLongest), false});
    return walked.instructions.empty() || walked.instructions.front().canProbe;
}

const CodeFile::Function* CodeFile::startingAt(std::uint64_t address) const
{
    const auto at
        = std::lower_bound(m_functions.begin(), m_functions.end(), address, [](const Function& f, std::uint64_t a) { return f.start < a; });
    return at != m_functions.end() && at->start == address ? &*at : nullptr;
}

std::optional<std::uint64_t> CodeFile::symbolAddress(std::string_view name) const
{
    for (const auto type : {SHT_SYMTAB, SHT_DYNSYM}) {
        const auto* section = m_elf.section(static_cast<std::uint32_t>(type));
        if (!section || section->link >= m_elf.sections().size()) continue;
        const auto table = m_elf.contents(*section), texts = m_elf.contents(m_elf.sections()[section->link]);
        for (std::size_t at = 0; at + sizeof(Elf64_Sym) <= table.size(); at += sizeof(Elf64_Sym)) {
            const auto symbol = readAt<Elf64_Sym>(table, at);
            if (symbol.st_shndx == SHN_UNDEF || symbol.st_name >= texts.size()) continue;
            const char* text = reinterpret_cast<const char*>(texts.data()) + symbol.st_name;
            if (std::string_view(text, ::strnlen(text, texts.size() - symbol.st_name)) == name) return symbol.st_value;
        }
    }
    return {};
}

const CodeFile::Function* CodeFile::covering(std::uint64_t address) const
{
    auto at
        = std::upper_bound(m_functions.begin(), m_functions.end(), address, [](std::uint64_t a, const Function& f) { return a < f.start; });
    if (at == m_functions.begin()) return nullptr;
    --at;
    return address - at->start < at->size ? &*at : nullptr;
}

const std::vector<std::pair<std::uint64_t, std::uint64_t>>& CodeFile::indirectSlots()
{
    if (m_slots) return *m_slots;
    m_slots.emplace();
    for (const auto& section : m_elf.sections()) {
        if (section.type != SHT_RELA) continue;
        const auto table = m_elf.contents(section);
        for (std::size_t at = 0; at + sizeof(Elf64_Rela) <= table.size(); at += sizeof(Elf64_Rela)) {
            const auto entry = readAt<Elf64_Rela>(table, at);
            if (ELF64_R_TYPE(entry.r_info) == kIndirect) m_slots->emplace_back(entry.r_offset, static_cast<std::uint64_t>(entry.r_addend));
        }
    }
    return *m_slots;
}
} // namespace dscope::symbols
