#pragma once
#include "engine/base/fd.h"
#include "engine/symbols/elf_file.h"
#include "engine/symbols/whole_table.h"
#include <cstdint>
#include <optional>
#include <string>
#include <sys/types.h>
namespace dscope::symbols {
/// The tables of files that were compiled before, on this machine: a folder of files that anybody may remove at any time. Nothing depends
/// on it. It is used if it, and what is in it, belongs to root or to us and cannot be written by others; a file that is damaged,
/// or of another version of dscope, is left out and made again. Safe for several processes at once.
class TableCache {
public:
    /// What a table is made of: two files of the same key have the same table. Who can write a file can give it any build id, so tables of
    /// different owners are kept apart.
    struct Key {
        std::string id; ///< the build id; of a file without one, where it is and when it was changed
        uid_t owner = 0;
        std::uint64_t size = 0; ///< bytes of the file
        /// Of a file that is open; none of others.
        static std::optional<Key> of(const ElfFile& file);
    };
    static constexpr std::uint64_t kMostBytes = 256 << 20; ///< of all files: beyond, those used least recently are removed
    /// None: no cache is used.
    TableCache() = default;
    /// By the folder with that path. It is made where it is not there, but not the folder that it is in.
    explicit TableCache(const std::string& folder, std::uint64_t mostBytes = kMostBytes);
    /// Without rows where it has more than `most`.
    std::optional<WholeTable> load(const Key& key, std::size_t most = object::kWalkRows) const;
    /// Does nothing where it cannot.
    void store(const Key& key, const WholeTable& table) const;

private:
    void bound() const;
    Fd m_folder;
    std::uint64_t m_mostBytes = kMostBytes;
};
} // namespace dscope::symbols
