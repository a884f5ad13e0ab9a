#include "engine/symbols/debug_files.h"
#include <array>
#include <elf.h>
#include <functional>
#include <zlib.h>
namespace dscope::symbols {
namespace {
struct DebugLink {
    std::string name;
    std::uint32_t checksum = 0;
};
std::optional<DebugLink> debugLinkOf(const ElfFile& file)
{
    const auto* section = file.section(".gnu_debuglink");
    if (!section || section->size > 4096) return {};
    const auto bytes = file.contents(*section);
    DebugLink link;
    link.name = textAt(bytes, 0, bytes.size());
    const auto at = (link.name.size() + 1 + 3) & ~std::size_t{3};
    if (link.name.empty() || link.name.find('/') != link.name.npos || at + sizeof link.checksum > bytes.size()) return {};
    link.checksum = readAt<std::uint32_t>(bytes, at);
    return link;
}

std::uint32_t checksumOf(const ElfFile& file)
{
    constexpr std::uint64_t kChunk = 1 << 20;
    auto sum = ::crc32(0, nullptr, 0);
    for (std::uint64_t at = 0; at < file.size(); at += kChunk) {
        const auto bytes = file.bytes(at, kChunk);
        sum = ::crc32(sum, reinterpret_cast<const Bytef*>(bytes.data()), static_cast<uInt>(bytes.size()));
    }
    return static_cast<std::uint32_t>(sum);
}

using Open = std::function<Fd(const std::string&)>;
std::optional<ElfFile> opened(const Open& open, const std::string& path, const std::function<bool(const ElfFile&)>& isMeant)
{
    auto fd = open(path);
    if (!fd) return {};
    auto file = ElfFile::open(std::move(fd));
    if (!file || !isMeant(*file)) return {};
    return std::move(*file);
}

std::optional<ElfFile> byBuildId(const std::string& id, const Open& open, const std::string& folder)
{
    if (id.size() < 4) return {};
    return opened(open, folder + "/.build-id/" + id.substr(0, 2) + "/" + id.substr(2) + ".debug",
        [&](const ElfFile& found) { return found.buildId() == id; });
}

std::optional<ElfFile> byLink(
    const ElfFile& file, const DebugLink& link, const Open& open, const std::string& path, const std::string& folder)
{
    const auto slash = path.rfind('/');
    if (slash == path.npos) return {};
    const auto home = path.substr(0, slash + 1);
    const auto isMeant = [&](const ElfFile& found) {
        if (!file.buildId().empty() && !found.buildId().empty()) return found.buildId() == file.buildId();
        return checksumOf(found) == link.checksum;
    };
    for (const auto& one : {home, home + ".debug/", folder + home}) {
        if (one + link.name == path) continue; // the file itself
        if (auto found = opened(open, one + link.name, isMeant)) return found;
    }
    return {};
}

/// Those of a list with ':' between them.
std::vector<std::string> foldersIn(const std::string& list)
{
    std::vector<std::string> all;
    for (std::size_t from = 0; from <= list.size();) {
        const auto to = std::min(list.find(':', from), list.size());
        if (to > from) all.push_back(list.substr(from, to - from));
        from = to + 1;
    }
    return all;
}

struct Place {
    Open open;
    std::string path; ///< of the file, as `open` takes it
};
/// The process's root, then ours.
std::vector<Place> placesIn(const DebugPlaces& places)
{
    std::vector<Place> all;
    if (places.root) all.push_back({[&](const std::string& path) { return places.root->open(path); }, places.root->inside(places.path)});
    all.push_back({[](const std::string& path) { return openToRead(path); }, places.path});
    return all;
}
} // namespace

DebugPlaces DebugPlaces::ofProcess(const host::Host& host, std::uint32_t pid, std::string path)
{
    return {kDebugFolder, std::move(path), FileRoot::ofProcess(host, pid)};
}

std::optional<ElfFile> debugFileOf(const std::string& buildId, const DebugPlaces& places)
{
    for (const auto& folder : foldersIn(places.folders))
        for (const auto& place : placesIn(places))
            if (auto found = byBuildId(buildId, place.open, folder)) return found;
    return {};
}

std::optional<ElfFile> debugFileOf(const ElfFile& file, const DebugPlaces& places)
{
    if (auto found = debugFileOf(file.buildId(), places)) return found;
    const auto link = places.folders.empty() ? std::nullopt : debugLinkOf(file);
    if (!link) return {};
    for (const auto& folder : foldersIn(places.folders))
        for (const auto& place : placesIn(places))
            if (auto found = byLink(file, *link, place.open, place.path, folder)) return found;
    return {};
}

std::vector<ElfFile> symbolFilesOf(const ElfFile& file, const DebugPlaces& places)
{
    std::vector<ElfFile> files;
    const auto namesAll = [](const ElfFile& one) { return one.section(std::uint32_t{SHT_SYMTAB}) != nullptr; };
    bool all = namesAll(file);
    if (auto debug = debugFileOf(file, places)) {
        all = all || namesAll(*debug);
        files.push_back(*std::move(debug));
    }
    if (!all)
        if (auto inside = miniDebugFileOf(file)) files.push_back(*std::move(inside));
    return files;
}
} // namespace dscope::symbols
