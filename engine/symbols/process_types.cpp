#include "engine/symbols/debug_types.h"
#include "engine/symbols/process_objects.h"
#include <charconv>
#include <fcntl.h>
#include <map>
namespace dscope::symbols {
namespace {
struct KnownTypes {
    std::shared_ptr<types::TypeSource> source;
    std::string why;
};
using TypeFiles = std::map<std::pair<std::string, std::uint64_t>, KnownTypes>; ///< by name and inode
} // namespace

types::TypeSources typesOfProcesses(const host::Host& host, std::vector<int> processes)
{
    const auto files = std::make_shared<TypeFiles>();
    return [&host, processes = std::move(processes), files](
               types::TypeTable& table, std::string_view program, std::string& why) -> std::shared_ptr<types::TypeSource> {
        auto wanted = processes;
        if (program.starts_with("pid")) { // of a process that is named
            int process = 0;
            const auto [end, error] = std::from_chars(program.data() + 3, program.data() + program.size(), process);
            if (error == std::errc{} && end != program.data() + program.size() && *end == '.') {
                wanted = {process};
                program.remove_prefix(static_cast<std::size_t>(end + 1 - program.data()));
            }
        }
        for (const auto process : wanted) {
            const auto objects = objectsOf(host, process);
            if (!objects) continue;
            for (const auto& object : *objects) {
                if (program.empty() || !isModule(object, program)) continue;
                const auto [at, isNew] = files->try_emplace({object.file, object.inode});
                auto& known = at->second;
                if (isNew) {
                    const auto elf = ElfFile::open(host.open(object.file, O_RDONLY | O_NONBLOCK));
                    const auto places = DebugPlaces::ofProcess(host, static_cast<std::uint32_t>(process), object.path);
                    auto opened = elf ? debugTypes(*elf, places, table) : Result<std::unique_ptr<types::TypeSource>>(elf.error());
                    if (opened)
                        known.source = std::move(*opened);
                    else
                        known.why = object.name + ": " + opened.error().message;
                }
                why = known.why;
                return known.source;
            }
        }
        return nullptr;
    };
}
} // namespace dscope::symbols
