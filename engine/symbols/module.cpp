#include "engine/symbols/module.h"
#include "engine/symbols/demangle.h"
#include "engine/symbols/dwarf_reader.h"
#include <algorithm>
#include <array>
#include <fcntl.h>
namespace dscope::symbols {
namespace {
constexpr std::size_t kMostNamed = 1u << 16; // addresses remembered a module; beyond, the memory starts anew

/// .eh_frame of a file whose section headers were stripped: its header names it, the segment bounds it.
FrameRows rowsByUnwindHeader(const ElfFile& file)
{
    const auto& where = file.unwindHeader();
    if (!where) return {};
    const auto head = file.bytes(where->offset, std::min<std::uint64_t>(where->fileSize, 64));
    DwarfReader in(head, where->address);
    const auto version = in.get<std::uint8_t>(), encoding = in.get<std::uint8_t>();
    in.skip(2);
    const auto start = in.pointer(encoding);
    if (version != 1 || !start) return {};
    for (const auto& s : file.segments()) {
        if (*start < s.address || *start - s.address >= s.fileSize) continue;
        const auto skipped = *start - s.address;
        return {file.bytes(s.offset + skipped, s.fileSize - skipped), *start, FrameRows::Format::EhFrame};
    }
    return {};
}

FrameRows rowsOf(const ElfFile& file)
{
    const auto* eh = file.section(".eh_frame");
    const auto* debug = file.section(".debug_frame");
    if (!eh && !debug) return rowsByUnwindHeader(file);
    Bytes bytes[2];
    std::vector<FrameRows::Section> sections;
    if (eh) sections.push_back({bytes[0] = file.contents(*eh), eh->address, FrameRows::Format::EhFrame});
    if (debug) sections.push_back({bytes[1] = file.contents(*debug), debug->address, FrameRows::Format::DebugFrame});
    return FrameRows(sections);
}
/// Where code does nothing but return from a signal: mov $__NR_rt_sigreturn, %rax; syscall.
std::vector<std::uint64_t> restorersOf(const ElfFile& file)
{
    constexpr std::array<unsigned char, 9> kCode{0x48, 0xc7, 0xc0, 0x0f, 0, 0, 0, 0x0f, 0x05};
    constexpr std::uint64_t kLargest = 64 << 20, kChunk = 1 << 20;
    std::vector<std::uint64_t> found;
    for (const auto& s : file.segments()) {
        if (!s.executable || s.fileSize > kLargest) continue;
        for (std::uint64_t at = 0; at < s.fileSize; at += kChunk) {
            const auto code = file.bytes(s.offset + at, std::min(kChunk + kCode.size() - 1, s.fileSize - at));
            const auto* begin = reinterpret_cast<const unsigned char*>(code.data());
            for (const auto* p = begin; (p = std::search(p, begin + code.size(), kCode.begin(), kCode.end())) != begin + code.size(); ++p)
                found.push_back(s.address + at + static_cast<std::uint64_t>(p - begin));
        }
    }
    return found;
}
} // namespace

Module::Module(ElfFile file, std::string name, std::string debugRoot)
    : m_name(std::move(name)), m_debugRoot(std::move(debugRoot)), m_file(std::move(file))
{
}

std::unique_ptr<ElfFile> Module::debugFile() const
{
    const auto& id = m_file.buildId();
    if (id.size() < 4) return nullptr;
    const auto path = m_debugRoot + "/.build-id/" + id.substr(0, 2) + "/" + id.substr(2) + ".debug";
    Fd fd(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
    if (!fd) return nullptr;
    auto file = ElfFile::open(std::move(fd));
    if (!file || file->buildId() != id) return nullptr;
    return std::make_unique<ElfFile>(*std::move(file));
}

const FrameRows& Module::rows()
{
    if (!m_rows) {
        auto rows = rowsOf(m_file);
        if (rows.empty())
            if (const auto debug = debugFile()) rows = rowsOf(*debug);
        const bool known = std::any_of(rows.functions().begin(), rows.functions().end(), [](const auto& f) { return f.signal; });
        // Only the C library has one: a file that needs no library is it, or contains it.
        if (!known && !m_file.needsLibraries()) m_restorers = restorersOf(m_file);
        m_rows = std::make_unique<FrameRows>(std::move(rows));
        if (isSettled()) m_file.release();
    }
    return *m_rows;
}

bool Module::isRestorer(std::uint64_t address)
{
    rows();
    return std::find(m_restorers.begin(), m_restorers.end(), address) != m_restorers.end();
}

const SymbolTable& Module::symbols()
{
    if (!m_symbols) {
        m_symbols = std::make_unique<SymbolTable>();
        m_symbols->add(m_file);
        if (const auto debug = debugFile()) m_symbols->add(*debug);
        m_symbols->finish();
        if (isSettled()) m_file.release();
    }
    return *m_symbols;
}

const Module::Named& Module::named(std::uint64_t address)
{
    if (const auto known = m_named.find(address); known != m_named.end()) return known->second;
    if (m_named.size() >= kMostNamed) m_named.clear();
    Named named;
    const auto entry = rows().function(address);
    // Looked up as a return address, less one.
    const bool restorer = isRestorer(address + 1) || isRestorer(address);
    named.signal = restorer || (entry && entry->signal);
    if (const auto symbol = symbols().find(isRestorer(address + 1) ? address + 1 : address)) {
        named.function = demangled(symbol->name);
        named.offset = address < symbol->start ? 0 : address - symbol->start;
    } else if (named.signal) {
        // glibc keeps its trampoline's name out of .dynsym; all C libraries of x86-64 call it so. Its entry begins one byte
        // early, on a nop, so that looking up the return address less one finds it.
        named.function = "__restore_rt";
        named.offset = 0;
    } else {
        named.offset = entry ? entry->start : address;
    }
    return m_named.emplace(address, std::move(named)).first->second;
}

void Module::settle()
{
    rows();
    symbols();
}

std::size_t Module::memory() const
{
    return sizeof *this + (m_rows ? m_rows->memory() : 0) + (m_symbols ? m_symbols->memory() : 0) + m_named.size() * 96;
}
} // namespace dscope::symbols
