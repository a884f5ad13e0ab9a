#include "engine/symbols/module.h"
#include "engine/symbols/demangle.h"
#include "engine/symbols/dwarf_reader.h"
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
        m_rows = std::make_unique<FrameRows>(std::move(rows));
        if (isSettled()) m_file.release();
    }
    return *m_rows;
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
    named.signal = entry && entry->signal;
    if (const auto symbol = symbols().find(address)) {
        named.function = demangled(symbol->name);
        named.offset = address - symbol->start;
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
