// needs: engine/symbols
// What it takes to have the unwind tables of whole files: compiled as they were before a cache kept them, and loaded from it.
//     build/release/benchmark_tables FILE ...
// CPU time, the least of five; the last line is the sum.
#include "engine/symbols/table_cache.h"
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <fcntl.h>
#include <filesystem>
using namespace dscope;
using namespace dscope::symbols;
namespace {
template <typename Work> double milliseconds(Work work)
{
    const auto spent = [] {
        std::timespec t{};
        ::clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
        return 1e3 * static_cast<double>(t.tv_sec) + static_cast<double>(t.tv_nsec) / 1e6;
    };
    double least = 1e9;
    for (int i = 0; i < 5; ++i) {
        const auto before = spent();
        work();
        least = std::min(least, spent() - before);
    }
    return least;
}
std::unique_ptr<Module> open(const char* path)
{
    auto file = ElfFile::open(Fd(::open(path, O_RDONLY | O_CLOEXEC)));
    return file ? std::make_unique<Module>(*std::move(file), path, DebugPlaces{}) : nullptr;
}
} // namespace

int main(int argc, char** argv)
{
    char folder[] = "/tmp/dscope-tables-XXXXXX";
    if (!::mkdtemp(folder)) return 1;
    const TableCache cache{folder};
    const std::atomic<bool> over = false;
    double compiling = 0, loading = 0;
    for (int i = 1; i < argc; ++i) {
        const auto module = open(argv[i]);
        const auto key = module ? TableCache::Key::of(module->file()) : std::nullopt;
        if (!key) continue;
        WholeTable table;
        const auto compiled = milliseconds([&] { table = compileWholeTable(*open(argv[i]), over); });
        cache.store(*key, table);
        const auto loaded = milliseconds([&] { (void)cache.load(*TableCache::Key::of(open(argv[i])->file())); });
        compiling += compiled;
        loading += loaded;
        std::printf("%s: %zu pages, %zu rows, compiled in %.1f ms, loaded in %.1f ms\n", argv[i], table.pages.size(), table.rows.size(),
            compiled, loaded);
    }
    std::printf("compiled in %.1f ms, loaded in %.1f ms: %.3f\n", compiling, loading, loading / std::max(compiling, 1e-9));
    std::filesystem::remove_all(folder);
    return 0;
}
