#include "engine/symbols/module.h"
#include "engine/demangle/demangle.h"
#include "engine/object/walk.h"
#include "engine/symbols/call_before.h"
#include "engine/symbols/code_rules.h"
#include "engine/symbols/go_functions.h"
#include "engine/symbols/plt_names.h"
#include <algorithm>
#include <array>
#include <elf.h>
namespace dscope::symbols {
namespace {
constexpr std::size_t kMostNamed = 1u << 16; // addresses remembered a module; beyond, the memory starts anew
constexpr std::size_t kNamedMemory = 96;     // bytes for each of them but for its name

#if defined(__aarch64__)
// mov x8, #__NR_rt_sigreturn; svc #0: in the kernel's own pages, whose tables tell nothing of it
constexpr std::array<unsigned char, 8> kRestorer{0x68, 0x11, 0x80, 0xd2, 0x01, 0, 0, 0xd4};
#else
// mov $__NR_rt_sigreturn, %rax; syscall
constexpr std::array<unsigned char, 9> kRestorer{0x48, 0xc7, 0xc0, 0x0f, 0, 0, 0, 0x0f, 0x05};
#endif

/// Where code does nothing but return from a signal.
std::vector<std::uint64_t> restorersOf(const ElfFile& file)
{
    constexpr std::uint64_t kLargest = 64 << 20, kChunk = 1 << 20;
    std::vector<std::uint64_t> found;
    for (const auto& s : file.segments()) {
        if (!s.executable || s.fileSize > kLargest) continue;
        for (std::uint64_t at = 0; at < s.fileSize; at += kChunk) {
            const auto code = file.bytes(s.offset + at, std::min(kChunk + kRestorer.size() - 1, s.fileSize - at));
            const auto* begin = reinterpret_cast<const unsigned char*>(code.data());
            for (const auto* p = begin;
                 (p = std::search(p, begin + code.size(), kRestorer.begin(), kRestorer.end())) != begin + code.size(); ++p)
                found.push_back(s.address + at + static_cast<std::uint64_t>(p - begin));
        }
    }
    return found;
}

/// Which of `ranges`, which are ascending, has the address; null if none does.
template <typename Range> const Range* rangeAround(const std::vector<Range>& ranges, std::uint64_t address)
{
    const auto next
        = std::upper_bound(ranges.begin(), ranges.end(), address, [](std::uint64_t a, const CodeRange& r) { return a < r.start; });
    return next != ranges.begin() && address < std::prev(next)->end ? &*std::prev(next) : nullptr;
}
} // namespace

Module::Module(ElfFile file, std::string name, DebugPlaces places)
    : m_name(std::move(name)), m_places(std::move(places)), m_code(record::CodeFile{m_places.path, file.buildId()}), m_file(std::move(file))
{
}

Module::~Module()
{
    if (m_lines) m_lines->forget(this);
}

bool Module::hasLines() const
{
    if (m_file.hasLines()) return true;
    const auto debug = debugFileOf(m_file, m_places);
    return debug && debug->hasLines();
}

/// The file that tells lines: itself, its debug file, or what a server sent.
Fd Module::openLines() const
{
    std::optional<ElfFile> again;
    if (!m_file.isOpen()) // since settle(); another one may have its name by now
        if (auto file = ElfFile::open(openIn(m_places.root.get(), m_places.root ? m_places.root->inside(m_places.path) : m_places.path));
            file && file->buildId() == m_file.buildId() && !file->buildId().empty())
            again = std::move(*file);
    const auto& own = again ? *again : m_file;
    if (own.hasLines()) return own.descriptor();
    if (const auto debug = debugFileOf(own, m_places); debug && debug->hasLines()) return debug->descriptor();
    if (m_fetchedFile) return m_fetchedFile->descriptor();
    return {};
}

/// Of code that the file itself has no tables of.
Bytes Module::rulesFromElsewhere()
{
    if (const auto debug = debugFileOf(m_file, m_places))
        if (const auto* section = debug->section(".debug_frame")) return debug->contents(*section);
    if (!goEnds().empty()) return {}; // Go has conventions of its own, and keeps frame pointers
    std::vector<CodeRange> trampolines;
    for (const auto start : restorers())
        trampolines.push_back({start, start + kRestorer.size()});
    return codeRules(m_file, trampolines);
}

/// lld writes no unwind entries for them; GNU ld does for those of x86-64.
void Module::findStubs()
{
    m_stubs.emplace();
    const auto* section = m_file.section(".plt");
    const auto isTold = [this](std::uint64_t address) { return functions().function(address).has_value(); };
    if (!section || section->size == 0 || isTold(section->address)) return;
    constexpr std::uint64_t kPushed = 11; // bytes of a stub of x86-64; behind them it has put a number on the stack, for the linker
    for (const auto& stub : pltEntries(m_file))
        if (!isTold(stub.start)) m_stubs->push_back({stub.start, stub.start + (kHasLink ? stub.size : std::min(stub.size, kPushed))});
    std::sort(m_stubs->begin(), m_stubs->end(), [](const CodeRange& a, const CodeRange& b) { return a.start < b.start; });
}

bool Module::isCallBefore(std::uint64_t address, ByteView code) const
{
    const auto call = callBefore(code, address);
    const auto isCode
        = [&](const ElfFile::Segment& s) { return s.executable && call.target >= s.address && call.target - s.address < s.memorySize; };
    return call.isCall && (call.target == 0 || std::any_of(m_file.segments().begin(), m_file.segments().end(), isCode));
}

/// A stack that was made by hand begins with the address of a function. Looked up a byte before, as return addresses are, that is another
/// function, or none. But a call that never returns may be there. `before`: gets the code before the function.
bool Module::mayBeginStacks(std::uint64_t start, Bytes& before) const
{
    const auto offset = m_file.offsetOf(start - kLongestCall);
    before = offset ? m_file.bytes(*offset, kLongestCall) : Bytes();
    return before.size() == kLongestCall && !isCallBefore(start, before);
}

bool Module::isBeginning(std::uint64_t start)
{
    if (m_stackEnds) { // all that is asked of a file that is closed
        const auto* const end = rangeAround(*m_stackEnds, start - 1);
        return end && end->ofReturns;
    }
    auto& rules = functions();
    Bytes before;
    return rules.mayBeginAt(start) && rules.isOutermost(start) && mayBeginStacks(start, before);
}

void Module::addBeginnings(std::vector<StackEnd>& ends, const std::vector<std::uint64_t>& outermost)
{
    constexpr std::byte kReturn{0xc3};
    Bytes code;
    for (const auto start : outermost) {
        if (!mayBeginStacks(start, code)) continue;
        // A thread may be at that byte: then what it is depends on how the walk came there, which the kernel's does not ask.
        const bool mayBeAt = code.back() == kReturn || functions().function(start - 1);
        ends.push_back({{start - 1, start}, object::walkRule(mayBeAt ? object::WalkKind::Unknown : object::WalkKind::End), true});
    }
    const auto before = [](const CodeRange& a, const CodeRange& b) { return a.start < b.start; };
    std::stable_sort(ends.begin(), ends.end(), before);
    const auto overlaps = [](const CodeRange& a, const CodeRange& b) { return b.start < a.end; };
    ends.erase(std::unique(ends.begin(), ends.end(), overlaps), ends.end());
}

/// The file's own tables.
FrameParts& Module::ownFrames()
{
    if (!m_frames) m_frames = std::make_unique<FrameParts>(m_file);
    if (!m_rulesFromElsewhere) m_rulesFromElsewhere = m_frames->leavesOutMost(m_file);
    return *m_frames;
}

FrameParts& Module::frames()
{
    auto& frames = ownFrames();
    if (*m_rulesFromElsewhere && !m_rulesAreComplete) {
        frames = FrameParts(m_file, rulesFromElsewhere());
        m_rulesAreComplete = true;
    }
    return frames;
}

/// Where functions begin and end: as frames(), but rules are read only where they come from elsewhere.
FrameParts& Module::functions()
{
    auto& own = ownFrames();
    return *m_rulesFromElsewhere ? frames() : own;
}

std::optional<std::uint64_t> Module::restorerAt(std::uint64_t address)
{
    for (const auto start : restorers())
        if (address == start || address == start + kRestorer.size()) return start;
    return std::nullopt;
}

void Module::forgetRules()
{
    if (!m_file.isOpen() || !m_frames) return;
    // Code without symbols is named after where its functions begin.
    constexpr std::size_t kFew = 8;
    const auto* section = m_file.section(std::uint32_t{SHT_SYMTAB});
    if (!section) section = m_file.section(std::uint32_t{SHT_DYNSYM});
    const auto symbols = section ? section->size / sizeof(Elf64_Sym) : 0;
    if (kFew * symbols < m_frames->functions())
        m_frames->forgetParts();
    else
        dropFrames();
}

void Module::forgetParts()
{
    if (m_file.isOpen() && m_frames && !m_frames->whole()) m_frames->forgetParts();
}

void Module::dropFrames()
{
    m_frames.reset();
    m_rulesAreComplete = false;
}

void Module::forgetSymbols()
{
    if (!m_file.isOpen()) return;
    dropFrames();
    m_symbols.reset();
}

const std::vector<std::uint64_t>& Module::restorers()
{
    // Only the C library has one that no entry tells of: a file that needs no library is it, or contains it.
    if (!m_restorers)
        m_restorers = m_file.needsLibraries() || ownFrames().tellsOfSignals() ? std::vector<std::uint64_t>() : restorersOf(m_file);
    return *m_restorers;
}

const std::vector<StackEnd>& Module::goEnds()
{
    if (!m_goEnds) m_goEnds = goStackEnds(m_file);
    return *m_goEnds;
}

const std::vector<StackEnd>& Module::stackEnds()
{
    if (!m_stackEnds) {
        auto ends = goEnds();
        addBeginnings(ends, frames().outermost());
        m_stackEnds = std::move(ends);
    }
    return *m_stackEnds;
}

std::vector<StackEnd> Module::stackEnds(std::uint64_t from, std::uint64_t to)
{
    if (m_stackEnds) return *m_stackEnds;
    auto ends = goEnds();
    addBeginnings(ends, frames().outermost(from + 1, to + 1)); // they end stacks at the byte before
    return ends;
}

std::optional<std::uint64_t> Module::stackEndAt(std::uint64_t address, bool exact)
{
    if (const auto* const end = rangeAround(goEnds(), address)) return end->rule;
    if (exact || !isBeginning(address + 1)) return std::nullopt;
    return object::walkRule(object::WalkKind::End);
}

Module::Arrival Module::arrivalAt(std::uint64_t address)
{
    auto& rules = functions();
    if (!rules.mayBeginAt(address)) return Arrival::Called;
    if (isBeginning(address)) return Arrival::Outermost;
    // Calls are in functions, and what lies between them is there for their alignment.
    if (const auto symbol = symbolAt(address); symbol && symbol->size != 0 && symbol->start != address) return Arrival::Called;
    const auto function = rules.function(address);
    if (!function || function->start != address || rules.function(address - 1)) return Arrival::Called;
    const bool isNamed = symbolAt(address - 1) || restorerAt(address);
    return isNamed ? Arrival::Called : Arrival::Unknown;
}

const std::vector<CodeRange>& Module::stubs()
{
    if (!m_stubs) findStubs();
    return *m_stubs;
}

bool Module::isStubAt(std::uint64_t address) { return rangeAround(stubs(), address) != nullptr; }

const SymbolTable& Module::symbols()
{
    if (!m_symbols) {
        m_symbols = std::make_unique<SymbolTable>();
        m_symbols->add(m_file);
        const auto namesAll = [](const ElfFile& file) { return file.section(std::uint32_t{SHT_SYMTAB}) != nullptr; };
        bool all = namesAll(m_file);
        for (const auto& file : symbolFilesOf(m_file, m_places)) {
            m_symbols->add(file);
            all = all || namesAll(file);
        }
        if (!namesAll(m_file))
            for (const auto& f : goFunctions(m_file))
                m_symbols->add(f.start, f.size, f.name, SymbolTable::Binding::Local, f.start + f.size);
        if (m_lines && m_servers) all = all && hasLines();
        if (all || m_file.buildId().empty()) m_servers = nullptr;
        if (m_servers) m_servers->want(m_file.buildId());
        m_symbols->finish();
    }
    return *m_symbols;
}

/// The stubs of one section. Few stacks go through it, and to name its stubs a file's relocations are read.
const SymbolTable& Module::plt(const ElfFile::Section& section)
{
    const auto [known, isNew] = m_plt.try_emplace(&section);
    auto& table = known->second;
    if (!isNew) return table;
    for (const auto& stub : pltEntries(m_file, section))
        table.add(stub.start, stub.size, demangle::demangled(stub.function) + "@plt", SymbolTable::Binding::Local, stub.start + stub.size);
    table.finish();
    return table;
}

void Module::takeFetched()
{
    if (!m_servers || !m_symbols || m_servers->answers() == m_answersSeen) return;
    m_answersSeen = m_servers->answers();
    if (m_servers->state(m_file.buildId()) == Debuginfod::State::UnderWay) return;
    if (auto file = m_servers->find(m_file.buildId())) {
        m_fetched = std::make_unique<SymbolTable>();
        m_fetched->add(*file);
        m_fetched->finish();
        forgetNamed();
        if (m_lines) {
            m_lines->forget(this);
            m_fetchedFile = std::move(file);
        }
    }
    m_servers = nullptr;
}

std::optional<SymbolTable::Symbol> Module::symbolAt(std::uint64_t address)
{
    for (const auto* section : pltSections(m_file))
        if (address >= section->address && address - section->address < section->size)
            if (const auto stub = plt(*section).find(address)) return stub;
    auto found = m_fetched ? m_fetched->find(address) : std::nullopt;
    return found ? found : symbols().find(address);
}

namespace {
/// C libraries and runtimes call it __restore_rt, __restore or something with "sigreturn".
bool mayBeTrampoline(const SymbolTable::Symbol& symbol)
{
    return symbol.name.starts_with("__restore") || symbol.name.find("sigreturn") != symbol.name.npos;
}
} // namespace

const std::string& Module::demangled(const SymbolTable::Symbol& symbol)
{
    const auto [known, isNew] = m_demangled.try_emplace(symbol.start);
    if (isNew) {
        known->second = demangle::demangled(symbol.name);
        m_namedMemory += sizeof *known + known->second.capacity();
    }
    return known->second;
}

const Module::Named& Module::named(std::uint64_t address)
{
    takeFetched();
    if (const auto known = m_named.find(address); known != m_named.end()) return known->second;
    if (m_named.size() >= kMostNamed) forgetNamed();
    auto named = nameOf(address);
    m_namedMemory += kNamedMemory + named.function.capacity();
    for (const auto& place : named.places)
        m_namedMemory += sizeof place + place.function.capacity();
    return m_named.emplace(address, std::move(named)).first->second;
}

Module::Named Module::nameOf(std::uint64_t address)
{
    takeFetched();
    Named named;
    // Looked up as a return address, less one.
    auto restorer = restorerAt(address + 1);
    if (!restorer) restorer = restorerAt(address);
    const auto symbol = symbolAt(restorer.value_or(address));
    // Only what has no name, or may be a trampoline, asks where its function begins.
    std::optional<FrameRows::Range> entry;
    if (!symbol || mayBeTrampoline(*symbol)) entry = functions().function(address);
    named.signal = restorer || (entry && entry->signal);
    if (symbol) {
        named.function = demangled(*symbol);
        named.offset = address < symbol->start ? 0 : address - symbol->start;
    } else if (named.signal) {
        // glibc keeps its trampoline's name out of .dynsym; all C libraries of x86-64 call it so. Its entry begins one byte
        // early, on a nop, so that looking up the return address less one finds it.
        named.function = "__restore_rt";
        named.offset = 0;
    } else {
        named.offset = entry ? entry->start : gapAround(address);
    }

    if (m_lines)
        named.places = m_lines->at(
            this, [this] { return openLines(); }, address);
    if (named.function.empty() && !named.places.empty()) {
        named.function = named.places.back().function;
        if (!named.function.empty()) named.offset = entry ? address - entry->start : 0;
    }

    return named;
}

/// Where code begins that nothing tells of: behind the last function that is told, in the same section.
std::uint64_t Module::gapAround(std::uint64_t address)
{
    auto start = functions().endBefore(address);
    const auto take = [&](std::uint64_t begin, std::uint64_t size) {
        if (address >= begin && address - begin < size) start = std::max(start, begin);
    };
    for (const auto& segment : m_file.segments())
        if (segment.executable) take(segment.address, segment.memorySize);
    for (const auto& section : m_file.sections())
        if ((section.flags & SHF_EXECINSTR) != 0) take(section.address, section.size);
    return start == 0 ? address : start;
}

void Module::forgetNamed()
{
    m_named = {};
    m_demangled = {};
    m_namedMemory = 0;
}

void Module::settle()
{
    frames().load();
    stackEnds();
    stubs();
    restorers();
    symbols();
    for (const auto* section : pltSections(m_file))
        plt(*section);
    m_file.release();
    if (!m_lines) m_places = {};
}

std::size_t Module::memory() const
{
    std::size_t stubs = 0;
    for (const auto& [section, table] : m_plt)
        stubs += table.memory();
    return sizeof *this + (m_frames ? m_frames->memory() : 0) + (m_symbols ? m_symbols->memory() : 0)
        + (m_fetched ? m_fetched->memory() : 0) + stubs + m_namedMemory + m_file.sections().size() * sizeof(ElfFile::Section);
}
} // namespace dscope::symbols
