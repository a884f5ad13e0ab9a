// needs: engine/symbols
// libFuzzer: whatever a program or library that a traced process maps is, it is read without harm and in memory that its size bounds.
// Begin with small programs, stripped and not, with debug information of versions 4 and 5, with .gnu_debugdata, and of Go.
#include "engine/demangle/demangle.h"
#include "engine/symbols/debug_files.h"
#include "engine/symbols/debug_lines.h"
#include "engine/symbols/dwarf_library.h"
#include "engine/symbols/frame_rows.h"
#include "engine/symbols/go_functions.h"
#include "engine/symbols/module.h"
#include "engine/symbols/plt_names.h"
#include "engine/symbols/probe_notes.h"
#include <cstdio>
#include <cstdlib>
#include <sys/mman.h>
#include <unistd.h>
using namespace dscope;
using namespace dscope::symbols;

namespace {
[[noreturn]] void wrong(const char* what)
{
    std::fprintf(stderr, "fuzz_elf: %s\n", what);
    std::abort();
}
/// Lines are read by libdw, of a file.
void readLines(const std::uint8_t* data, std::size_t size, const std::vector<ElfFile::Segment>& segments)
{
    static const auto library = DwarfLibrary::load();
    if (!library) return;
    Fd file(::memfd_create("fuzzed", MFD_CLOEXEC));
    if (::write(file.get(), data, size) != static_cast<ssize_t>(size)) wrong("no file in memory");
    const auto lines = DebugLines::open(*library, std::move(file));
    if (!lines) return;
    for (const auto& segment : segments)
        for (std::uint64_t at = 0; at < 256; at += 4)
            (void)lines->at(segment.address + at, [](const char* name) { return record::Shared<std::string>(name); });
}
} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    constexpr std::size_t kMostUnpacked = 1 << 20;
    const auto* const begin = reinterpret_cast<const std::byte*>(data);
    auto elf = ElfFile::inMemory(Bytes(begin, begin + size));
    if (!elf) return 0;
    if (const auto inside = miniDebugFileOf(*elf, kMostUnpacked); inside && inside->size() > kMostUnpacked)
        wrong("more was unpacked than allowed");
    std::size_t names = 0;
    for (const auto& function : goFunctions(*elf)) {
        names += function.name.size();
        if (function.size == 0 || function.name.empty()) wrong("a function of Go without a size or a name");
    }
    for (const auto& stub : pltEntries(*elf))
        names += stub.function.size();
    if (names > 4 * size + (1 << 15)) wrong("more names than the file can have");
    (void)probeNotes(*elf);
    const auto segments = elf->segments();
    Module module(std::move(*elf), "fuzzed", {});
    if (module.symbols().memory() > 64 * size + (1 << 20)) wrong("more symbols than the file can have");
    for (const auto& segment : segments)
        for (std::uint64_t at = 0; at < 256; at += 16)
            (void)module.named(segment.address + at);
    readLines(data, size, segments);
    return 0;
}
