#pragma once
#include "engine/decode/decoder.h"
#include "engine/session/table_maker.h"
#include "engine/session/walk_tables.h"
#include "engine/symbols/stack_walker.h"
#include <chrono>
#include <deque>
#include <functional>
#include <optional>
#include <span>
#include <unordered_map>
#include <unordered_set>
#include <utility>
namespace dscope::session {
/// Names the stacks of the running machine, also those of processes that are gone when their samples are read: what
/// processes map is followed from the kernel's own report, each stack is read with the maps of its time.
class LiveStacks final : public decode::StackNamer {
public:
    explicit LiveStacks(const host::Host& host);
    record::FrameList kernel(std::span<const std::uint64_t> addresses) override;
    record::FrameList user(std::uint32_t pid, ByteView raw, const object::Object::RawField& field) override;
    record::FrameList walked(std::uint32_t pid, std::span<const std::uint64_t> addresses, object::WalkEnd end) override;
    std::unique_ptr<Held> hold(std::uint32_t pid, std::span<const std::uint64_t> addresses, object::WalkEnd end) override;
    Copied copied(std::uint32_t pid, ByteView raw, const object::Object::RawField& field) override;
    bool holdsMuch() const override { return m_symbolizer.holdsMuch(); }
    void unwalked(std::uint32_t pid, object::WalkEnd end, std::uint64_t stopped) override;
    record::Frame kernelSymbol(std::uint64_t address) override;
    record::Frame userSymbol(std::uint32_t pid, std::uint64_t address) override;
    /// Stacks of user space will come: follow every process from here on. Where the kernel does not report what is mapped,
    /// processes are looked at when they are first heard of, and some are gone by then.
    void begin();
    /// The kernel walks stacks by these tables, which are to be kept up.
    /// `cache`: the folder of those that were made before; empty: none. Gives a descriptor that is readable when it is time to install().
    int walkBy(WalkTables tables, const std::string& cache);
    /// A process whose tables are to be there before its code runs, a target or our own. Gives descriptors that are readable when it is
    /// time to install().
    std::vector<int> prepareFor(std::uint32_t pid);
    /// Whether tables were missing for a stack since this was last asked: until they are there each firing sends a copy.
    bool hadNoTables() { return std::exchange(m_hadNoTables, false); }
    /// Whether install() may have something to do.
    bool isWanting() const { return !m_wanting.empty(); }
    /// Tells the kernel what processes have mapped whose stacks it could not walk.
    Result<> install();
    /// The same, and waits for the tables of all files that were asked for, some seconds at most: what is traced is held meanwhile.
    Result<> installAll(const std::function<bool()>& isOver);
    /// -x noresolve: addresses of user space are told by file, not by function.
    void leaveOutFunctions() { m_symbolizer.leaveOutFunctions(); }
    /// -x debugpath: where debug files are looked for.
    void lookIn(std::string folders) { m_symbolizer.lookIn(std::move(folders)); }
    /// -x debuginfod: debug files that are not here are fetched. Error if none can be.
    Result<> fetchDebugFiles();
    /// -x ustacklines: lines and inlined functions are told. Error if libdw is missing.
    Result<> tellLines();
    /// No copies of stacks come any more, or few: what is needed to follow them is given back.
    void endUnwinding() { m_symbolizer.forgetRules(); }
    /// Nothing is named any more: whoever prints it may need the memory.
    void endNaming() { m_symbolizer.forgetSymbols(); }
    /// Waits for debug files that are under way, at most so long; how many are still.
    std::size_t awaitDebugFiles(std::chrono::milliseconds most);
    /// Addresses of the kernel were to be named, and it does not say which functions they are.
    bool kernelHidesNames() const { return m_symbolizer.kernelHidesNames(); }
    /// A process of Java whose compiled code was to be named, and which does not tell its names.
    std::optional<std::uint32_t> javaWithoutNames() const { return m_symbolizer.javaWithoutNames(); }
    /// One with a stack that ended in its compiled code.
    std::optional<std::uint32_t> javaWithoutCallers() const { return m_symbolizer.javaWithoutCallers(); }
    /// A record that was written at `when` is about to be decoded.
    void reach(record::Nanoseconds when);
    /// No record written before `when` is still to come.
    void settle(record::Nanoseconds when);
    void follow(const record::ProcessEvent& event); ///< the next best source of what processes do

private:
    class Walk;
    void attend(std::uint32_t pid);
    void listen();
    void apply(std::uint64_t until);
    void forgetUnnoticed();

    struct Unwound {
        std::vector<std::uint64_t> addresses;
        object::WalkEnd end = object::WalkEnd::Outermost;
    };
    Unwound unwound(std::uint32_t pid, ByteView raw, const object::Object::RawField& field);
    record::FrameList named(std::uint32_t pid, std::span<const std::uint64_t> addresses, object::WalkEnd end);
    void wantTables(std::uint32_t pid, object::WalkEnd why, symbols::Symbolizer::Which which);
    enum class Wanted : std::uint8_t { Likely, All }; ///< those that were walked through and large ones, or all
    void wantWhole(std::span<const symbols::Mapping> mappings, Wanted wanted);
    void loadMade();
    Result<> installDue();
    void forgetTables();
    enum class Needed : std::uint8_t { Soon, Now };
    void loadRows(std::uint32_t pid, std::span<const std::uint64_t> addresses, std::uint64_t stopped, Needed needed);

    /// A process whose stacks were copied for want of tables.
    struct Wanting {
        std::chrono::steady_clock::time_point due; ///< when it is looked at
        symbols::Symbolizer::Which which = symbols::Symbolizer::Which::Walked;
        bool begins = false; ///< a target, or one whose stacks aren't copied: all of its files are to have tables
    };
    /// And what came of it.
    struct Installed {
        std::chrono::steady_clock::time_point when;
        bool all = false; ///< files, not only those that walks went through
    };
    const host::Host& m_host;
    symbols::Symbolizer m_symbolizer;
    std::shared_ptr<symbols::Debuginfod> m_servers; ///< null: not asked
    std::optional<WalkTables> m_tables;
    std::unique_ptr<TableMaker> m_maker; ///< where there are tables
    bool m_hadNoTables = false;
    Result<> m_refused;                                ///< what install() is to give: it was met while a stack was named
    std::chrono::steady_clock::time_point m_forgotten; ///< when there was no room for rows
    std::chrono::steady_clock::time_point m_unnoticedForgotten = std::chrono::steady_clock::now();
    std::vector<std::unique_ptr<symbols::MapEvents>> m_targets;
    std::unordered_map<std::uint32_t, Wanting> m_wanting;
    std::unordered_map<std::uint32_t, Installed> m_installed;
    std::unordered_map<std::uint32_t, std::uint32_t> m_parents; ///< of processes that have not become other programs
    std::unordered_set<std::uint32_t> m_attended;
    std::unique_ptr<symbols::MapEvents> m_events;  ///< null: the kernel refused
    std::deque<symbols::TimedMapEvent> m_upcoming; ///< heard of, but later than what was decoded; ascending
    std::uint64_t m_heard = 0;                     ///< everything until then was heard of
};
} // namespace dscope::session
