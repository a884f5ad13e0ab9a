#pragma once
#include "engine/base/result.h"
#include "engine/object/object.h"
#include "engine/object/walk.h"
#include "engine/session/maps.h"
#include "engine/symbols/process_maps.h"
#include "engine/symbols/rule_numbers.h"
#include "engine/symbols/whole_table.h"
#include <map>
#include <memory>
#include <set>
#include <span>
#include <string>
#include <tuple>
namespace dscope::session {
/// The tables by which the kernel walks user stacks (engine/object/walk.h): for each process what it has mapped where, and of each
/// file, once for all processes that map it, the rows of the code that stacks were found in. Rows come in parts of 64 KiB of code;
/// when there is no room for more rows, pages or files, all is forgotten and comes again as it is needed.
class WalkTables {
public:
    /// `maps` must outlive it.
    static Result<WalkTables> open(const Maps& maps, const object::Object::Walks& walks);
    WalkTables() = default;
    WalkTables(WalkTables&&) noexcept = default;
    WalkTables& operator=(WalkTables&&) noexcept = default;
    /// To be asked before the mappings are read that install() is given: when they have changed by then, walks do not use them.
    std::uint64_t epoch(std::uint32_t pid) const;
    /// Whether install() finds room for what these mappings tell of files. If not, forgetAll() makes some.
    bool hasRoomFor(std::span<const symbols::Mapping> mappings) const;
    /// From here on the kernel walks the stacks of a process by these mappings, for which there is room. Code of files whose module is not
    /// set is not walked through, nor that of files whose pages have no room.
    Result<> install(std::uint32_t pid, std::uint64_t epoch, std::span<const symbols::Mapping> mappings);
    /// The rows around a linked address of a file, if they are not there yet. False where there is no room for them.
    bool load(const std::shared_ptr<symbols::Module>& module, std::uint64_t address);
    /// The same for an address at which a walk had none. A large program's code is met in one place after the other, each time by a
    /// copy: so what lies near is loaded too, the more of it the oftener the file was missed.
    bool loadMissed(const std::shared_ptr<symbols::Module>& module, std::uint64_t address);
    /// The most rows that loadWhole() has room for.
    std::size_t mostOfFile() const { return m_rowsRoom / 8 * 7; }
    /// All rows of a file. False where there is no room for them and for what is met later.
    bool loadWhole(const std::shared_ptr<symbols::Module>& module, const symbols::WholeTable& whole);
    /// Nothing is known of a process any more.
    void remove(std::uint32_t pid);
    /// Nothing is known of any process, and there is room again.
    void forgetAll();
    /// Files, or runs of their code, that something is kept of: the kernel's room for pages bounds those with code.
    std::size_t tables() const { return m_byBuildId.size() + m_byModule.size(); }
    /// Ranges of files that processes are walked by whom nobody has looked at; at most object::kWalkFiles.
    std::size_t told() const { return m_told.size(); }

private:
    struct Table {
        std::uint32_t number = 0;    ///< never that of another table
        std::uint64_t begin = 0;     ///< linked address of the code
        std::uint64_t base = 0;      ///< and of the first page
        std::uint32_t pages = 0;     ///< 0: it has no code
        std::uint32_t firstPage = 0; ///< in the array of all, if it has pages there
        bool isPlaced = false;       ///< it has
        unsigned misses = 0;         ///< how often a walk had no rows there
    };
    /// An array of the kernel's in our memory.
    struct Unmap {
        Unmap() : size(0) { }
        explicit Unmap(std::size_t bytes) : size(bytes) { }
        std::size_t size;
        void operator()(std::byte* memory) const;
    };
    using Shared = std::unique_ptr<std::byte, Unmap>;
    static Result<Shared> share(const Maps& maps, MapId id);
    /// Of the run of a file's code that lies between two linked addresses.
    Table& table(const std::shared_ptr<symbols::Module>& module, std::uint64_t from, std::uint64_t to);
    bool place(Table& table);
    /// Writes `count` rows, each as `row` makes it of its number.
    template <typename Row> bool putRows(std::size_t first, std::size_t count, Row row) const;
    /// The number that the kernel has for a rule, which it has from now on.
    std::uint32_t numberOf(std::uint64_t rule);
    /// The mappings of a process that nobody has looked at: none.
    Result<> addNobodysSpace();
    void tell(const symbols::Mapping& mapping, const object::WalkMapping& known);

    const Maps* m_maps = nullptr;
    object::Object::Walks m_ids{};
    Shared m_epochs, m_forgotten, m_pages, m_rules;
    symbols::RuleNumbers m_numbers;
    std::set<std::tuple<std::uint64_t, std::uint64_t, std::int64_t, std::uint64_t>> m_told; ///< ranges of files that the kernel knows
    /// And the address where the run begins.
    std::map<std::pair<std::string, std::uint64_t>, Table> m_byBuildId;
    /// Of files that have no build id. Who has their tables does not keep the files: they may go as others do.
    struct NoId {
        std::weak_ptr<symbols::Module> module;
        std::uint64_t begin = 0;

        bool operator<(const NoId& other) const
        {
            if (module.owner_before(other.module) || other.module.owner_before(module)) return module.owner_before(other.module);
            return begin < other.begin;
        }
    };
    std::map<NoId, Table> m_byModule;
    std::size_t m_rowsRoom = 0, m_nextRow = 0, m_nextPage = 0;
    std::uint32_t m_tables = 0;
    std::uint64_t m_generation = 0;
};
} // namespace dscope::session
