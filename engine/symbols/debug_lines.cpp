#include "engine/symbols/debug_lines.h"
#include "engine/demangle/demangle.h"
#include "engine/symbols/dwarf_file.h"
#include <algorithm>
#include <map>
#include <optional>
namespace dscope::symbols {
#ifdef DSCOPE_HAS_LIBDW
namespace {
constexpr unsigned kMostScopes = 512;   // scopes within one another: more than any compiler makes
constexpr std::uint64_t kFirstReal = 2; // linkers leave 0 or 1 where they dropped code

struct PcRange {
    std::uint64_t begin = 0, end = 0;
};

class LibdwLines final : public DebugLines {
public:
    explicit LibdwLines(std::unique_ptr<DwarfFile> file) : m_file(std::move(file)), m_dw(m_file->library()) { readUnits(); }
    bool knowsPlaces() const { return !m_places.empty(); }
    std::vector<SourcePlace> at(std::uint64_t address, const Intern& intern) override;
    LinePlaces placesOf(std::string_view file, std::uint32_t line) override;
    std::size_t memory() const override { return m_file->size() + m_indexed; }

private:
    struct Function {
        PcRange range;
        Dwarf_Die die;
    };
    struct Unit {
        Dwarf_Die lines;
        Dwarf_Die tree;     ///< has the functions
        std::string folder; ///< where it was compiled; empty when not known
        std::optional<std::vector<Function>> functions;
    };
    struct Place {
        PcRange range;
        std::uint32_t unit;
    };
    void readUnits();
    template <typename Each> void eachRange(Dwarf_Die& die, const Each& each);
    void readFunctions(Unit& unit);
    void collect(Dwarf_Die& parent, unsigned depth, std::vector<Function>& to);
    bool descend(Dwarf_Die& parent, std::uint64_t address, unsigned depth, std::vector<Dwarf_Die>& chain);
    bool isMadeOf(Unit& unit, std::string_view file);
    std::vector<Dwarf_Die> scopesAt(Unit& unit, std::uint64_t address);
    std::string nameOf(Dwarf_Die& die);
    std::string folderOf(Dwarf_Die& unit);
    std::uint32_t numberOf(Dwarf_Die& die, unsigned attribute);
    /// Of those that hold the address the one that begins last, and so lies within the others.
    template <typename T> static const T* innermost(const std::vector<T>& sorted, std::uint64_t address);

    std::unique_ptr<DwarfFile> m_file;
    const DwarfLibrary& m_dw;
    std::uint64_t m_indexed = 0;
    std::uint64_t m_seen = 0; ///< entries
    std::vector<Unit> m_units;
    std::vector<Place> m_places;
};

template <typename T> const T* LibdwLines::innermost(const std::vector<T>& sorted, std::uint64_t address)
{
    constexpr int kMostLookedAt = 64;
    auto at = std::upper_bound(
        sorted.begin(), sorted.end(), address, [](std::uint64_t where, const T& one) { return where < one.range.begin; });
    for (int looked = 0; at != sorted.begin() && looked < kMostLookedAt; ++looked)
        if ((--at)->range.end > address) return &*at;
    return nullptr;
}

template <typename Each> void LibdwLines::eachRange(Dwarf_Die& die, const Each& each)
{
    Dwarf_Addr base = 0, begin = 0, end = 0;
    for (std::ptrdiff_t at = 0; (at = m_dw.ranges(&die, at, &base, &begin, &end)) > 0;)
        if (begin >= kFirstReal && begin < end) each(PcRange{begin, end});
}

template <typename T> void sortByPlace(std::vector<T>& all)
{
    std::stable_sort(all.begin(), all.end(),
        [](const T& a, const T& b) { return a.range.begin != b.range.begin ? a.range.begin < b.range.begin : a.range.end > b.range.end; });
}

void LibdwLines::readUnits()
{
    for (auto& [tag, lines, tree] : m_file->units()) {
        if (tag != DW_TAG_compile_unit && tag != DW_TAG_skeleton_unit) continue;
        const auto number = static_cast<std::uint32_t>(m_units.size());
        const auto before = m_places.size();
        eachRange(lines, [&](PcRange range) { m_places.push_back({range, number}); });
        if (m_places.size() != before) m_units.push_back({lines, tree, folderOf(lines), {}});
    }
    sortByPlace(m_places);
    m_indexed = m_units.size() * sizeof(Unit) + m_places.size() * sizeof(Place);
}

void LibdwLines::collect(Dwarf_Die& parent, unsigned depth, std::vector<Function>& to)
{
    Dwarf_Die die;
    if (depth == 0 || m_dw.child(&parent, &die) != 0) return;
    do {
        if (++m_seen > m_file->size()) return;
        if (m_dw.tag(&die) == DW_TAG_subprogram) eachRange(die, [&](PcRange range) { to.push_back({range, die}); });
        collect(die, depth - 1, to);
    } while (m_dw.siblingOf(&die, &die) == 0);
}

void LibdwLines::readFunctions(Unit& unit)
{
    auto& all = unit.functions.emplace();
    m_seen = 0;
    collect(unit.tree, kMostScopes, all);
    sortByPlace(all);
    m_indexed += all.size() * sizeof(Function);
}

/// Adds the inlined functions that hold the address, the outermost first. Blocks between them may have no place of their own.
bool LibdwLines::descend(Dwarf_Die& parent, std::uint64_t address, unsigned depth, std::vector<Dwarf_Die>& chain)
{
    Dwarf_Die die;
    if (depth == 0 || m_dw.child(&parent, &die) != 0) return false;
    do {
        if (++m_seen > m_file->size()) return false;
        switch (m_dw.tag(&die)) {
        case DW_TAG_inlined_subroutine:
            if (m_dw.hasPc(&die, address) <= 0) continue;
            chain.push_back(die);
            descend(die, address, depth - 1, chain);
            return true;
        case DW_TAG_lexical_block:
        case DW_TAG_try_block:
        case DW_TAG_catch_block:
        case DW_TAG_with_stmt:
            if (descend(die, address, depth - 1, chain)) return true;
            continue;
        default: continue;
        }
    } while (m_dw.siblingOf(&die, &die) == 0);
    return false;
}

std::string LibdwLines::nameOf(Dwarf_Die& die)
{
    for (const unsigned name : {DW_AT_linkage_name, DW_AT_MIPS_linkage_name, DW_AT_name}) {
        Dwarf_Attribute attribute;
        const char* text = m_dw.attributeIntegrated(&die, name, &attribute) ? m_dw.text(&attribute) : nullptr;
        if (text && *text) return demangle::demangled(text);
    }
    return {};
}

std::string LibdwLines::folderOf(Dwarf_Die& unit)
{
    Dwarf_Attribute attribute;
    const char* text = m_dw.attribute(&unit, DW_AT_comp_dir, &attribute) ? m_dw.text(&attribute) : nullptr;
    return text ? text : "";
}

std::uint32_t LibdwLines::numberOf(Dwarf_Die& die, unsigned name)
{
    Dwarf_Attribute attribute;
    Dwarf_Word value = 0;
    const bool is = m_dw.attribute(&die, name, &attribute) && m_dw.number(&attribute, &value) == 0 && value <= UINT32_MAX;
    return is ? static_cast<std::uint32_t>(value) : 0;
}

/// The function that an address is in, and those that were inlined there, the outermost first.
std::vector<Dwarf_Die> LibdwLines::scopesAt(Unit& unit, std::uint64_t address)
{
    if (!unit.functions) readFunctions(unit);
    const auto* function = innermost(*unit.functions, address);
    if (!function) return {};
    std::vector<Dwarf_Die> chain{function->die};
    m_seen = 0;
    descend(chain.front(), address, kMostScopes, chain);
    return chain;
}

/// `path` from the root on. libdw joins a file's folder to its name, but not the folder of the unit to that: of "cc src/mix.c" the line
/// table has the folder "src". Source: elfutils, libdw/dwarf_getsrclines.c, read_line_header()
std::string rooted(const char* path, const std::string& folder)
{
    if (*path == '/' || folder.empty()) return path;
    return folder + '/' + path;
}

/// Whether `whole` is `file`, or ends with it from a folder on.
bool endsWith(std::string_view whole, std::string_view file)
{
    if (!whole.ends_with(file)) return false;
    return whole.size() == file.size() || whole[whole.size() - file.size() - 1] == '/';
}

bool isFile(const char* path, const std::string& folder, std::string_view file)
{
    if (!path) return false;
    // A line table has many rows: a longer path is made only for what may be the end of `file`.
    return endsWith(path, file) || (file.ends_with(path) && endsWith(rooted(path, folder), file));
}

bool LibdwLines::isMadeOf(Unit& unit, std::string_view file)
{
    Dwarf_Files* files = nullptr;
    std::size_t count = 0;
    if (m_dw.sourceFiles(&unit.lines, &files, &count) != 0) return false;
    for (std::size_t i = 0; i < count; ++i)
        if (isFile(m_dw.fileName(files, i, nullptr, nullptr), unit.folder, file)) return true;
    return false;
}

LinePlaces LibdwLines::placesOf(std::string_view file, std::uint32_t line)
{
    LinePlaces out;
    // By the innermost function or inlined one: a loop's line may have several places in it. Optimized code has lines whose beginning
    // is marked where no instruction is left of them; those count where there is nothing else.
    struct Lowest {
        std::uint64_t address = 0;
        bool hasCode = false;
    };
    std::map<const void*, Lowest> lowest;
    for (auto& unit : m_units) {
        if (!isMadeOf(unit, file)) continue;
        Dwarf_Lines* lines = nullptr;
        std::size_t count = 0;
        if (m_dw.sourceLines(&unit.lines, &lines, &count) != 0) continue;
        for (std::size_t i = 0; i < count; ++i) {
            auto* row = m_dw.lineOf(lines, i);
            int number = 0;
            Dwarf_Addr address = 0;
            bool begins = false, ends = true;
            if (!row || m_dw.lineNumber(row, &number) != 0 || m_dw.lineAddress(row, &address) != 0 || number <= 0 || address < kFirstReal)
                continue;
            if (m_dw.lineBegins(row, &begins) != 0 || m_dw.lineEnds(row, &ends) != 0 || !begins || ends) continue;
            if (!isFile(m_dw.lineFile(row, nullptr, nullptr), unit.folder, file)) continue;
            out.knowsFile = true;
            const auto found = static_cast<std::uint32_t>(number);
            if (found > line && (out.next == 0 || found < out.next)) out.next = found;
            if (found != line) continue;
            auto* behind = i + 1 < count ? m_dw.lineOf(lines, i + 1) : nullptr;
            Dwarf_Addr end = 0;
            const bool hasCode = behind && m_dw.lineAddress(behind, &end) == 0 && end > address;
            const auto scopes = scopesAt(unit, address);
            const auto [at, isNew] = lowest.try_emplace(scopes.empty() ? nullptr : scopes.back().addr, Lowest{address, hasCode});
            auto& known = at->second;
            if (!isNew && (hasCode != known.hasCode ? hasCode : address < known.address)) known = {address, hasCode};
        }
    }
    for (const auto& [scope, place] : lowest)
        out.addresses.push_back(place.address);
    std::sort(out.addresses.begin(), out.addresses.end());
    out.addresses.erase(std::unique(out.addresses.begin(), out.addresses.end()), out.addresses.end());
    if (!out.addresses.empty()) out.next = 0;
    return out;
}

std::vector<SourcePlace> LibdwLines::at(std::uint64_t address, const Intern& intern)
{
    const auto* place = innermost(m_places, address);
    if (!place) return {};
    auto& unit = m_units[place->unit];
    SourcePlace here;
    if (auto* line = m_dw.sourceLine(&unit.lines, address)) {
        int number = 0;
        const char* file = m_dw.lineFile(line, nullptr, nullptr);
        if (file && m_dw.lineNumber(line, &number) == 0 && number > 0) {
            here.file = intern(rooted(file, unit.folder).c_str());
            here.line = static_cast<std::uint32_t>(number);
        }
    }

    std::vector<SourcePlace> places;
    auto chain = scopesAt(unit, address);
    if (chain.empty()) {
        if (here.line != 0) places.push_back(std::move(here)); // assembly: lines, and no functions
        return places;
    }

    Dwarf_Files* files = nullptr;
    std::size_t count = 0;
    if (chain.size() > 1 && m_dw.sourceFiles(&unit.tree, &files, &count) != 0) files = nullptr;
    for (auto die = chain.rbegin(); die != chain.rend(); ++die) {
        here.function = nameOf(*die);
        places.push_back(std::move(here));
        here = {};
        if (die + 1 == chain.rend()) break;
        // Where it was called is where its caller is.
        const auto number = numberOf(*die, DW_AT_call_file);
        const char* file = files && number < count ? m_dw.fileName(files, number, nullptr, nullptr) : nullptr;
        if (!file) continue;
        here.line = numberOf(*die, DW_AT_call_line);
        if (here.line != 0) here.file = intern(rooted(file, unit.folder).c_str());
    }
    return places;
}
} // namespace

std::unique_ptr<DebugLines> DebugLines::open(const DwarfLibrary& library, Fd file)
{
    auto opened = DwarfFile::open(library, std::move(file));
    if (!opened) return nullptr;
    auto lines = std::make_unique<LibdwLines>(std::move(opened));
    if (!lines->knowsPlaces()) return nullptr;
    return lines;
}
#else
std::unique_ptr<DebugLines> DebugLines::open(const DwarfLibrary&, Fd) { return nullptr; }
#endif
} // namespace dscope::symbols
