#pragma once
#include "engine/base/bytes.h"
#include "engine/base/result.h"
#include "engine/host/host.h"
#include "engine/object/walk.h"
#include "engine/record/record.h"
#include "engine/symbols/debuginfod.h"
#include "engine/symbols/held_stacks.h"
#include "engine/symbols/map_events.h"
#include "engine/symbols/source_lines.h"
#include <memory>
#include <optional>
#include <span>
namespace dscope::symbols {
/// Registers and stack bytes of a thread at one moment.
struct UserContext {
    std::uint64_t ip = 0, sp = 0, bp = 0, bx = 0, r12 = 0, r13 = 0, r14 = 0, r15 = 0;
    ByteView stack; ///< memory from sp upwards
    std::uint64_t restFrom = 0, holes = 0; ///< StackCopy
};
/// Names addresses and unwinds user stacks by .eh_frame rows (no frame pointers needed). Files and processes are read
/// once and kept; a process's maps are read again when an address is not in them. A process that is gone keeps what was
/// known of it.
class Symbolizer {
public:
    explicit Symbolizer(const host::Host& host);
    ~Symbolizer();
    struct Unwound {
        std::vector<std::uint64_t> addresses; ///< from the innermost frame out
        object::WalkEnd end = object::WalkEnd::Limit;
    };
    /// At most `limit` frames. Ends at an undefined return address, at the end of the copied stack or where no rule is known.
    Unwound unwind(std::uint32_t pid, const UserContext& context, std::uint32_t limit);
    /// What a process has mapped at this moment, by address; empty when it is gone. Modules are set of files that a walk went
    /// through, of `all` where that is asked for.
    enum class Which : std::uint8_t { Walked, All };
    std::vector<Mapping> mapped(std::uint32_t pid, Which which);
    /// The file that an address is in, and the address it is linked for; none of code without one.
    struct Place {
        std::shared_ptr<Module> module;
        std::uint64_t address = 0;
    };
    std::optional<Place> place(std::uint32_t pid, std::uint64_t address);
    /// Frames of unwind()'s addresses: callers are looked up at address - 1. Where lines are told, inlined functions have frames, too.
    /// `cut`: why the stack was not followed further, which the last frame tells; none: it was followed to its end.
    record::FrameList name(std::uint32_t pid, std::span<const std::uint64_t> addresses, std::optional<record::Truncation> cut = {});
    /// Keeps a stack of a process to be named later, when that may be gone. None where that cannot be, as where a file of its code is gone.
    std::optional<HeldStack> hold(std::uint32_t pid, std::span<const std::uint64_t> addresses);
    /// So much is held that all should be named now.
    bool holdsMuch() const;
    /// As name() above. Code that several processes have in common has the addresses of the first one.
    record::FrameList name(const HeldStack& stack, std::optional<record::Truncation> cut = {});
    /// A return address belongs to the call before it.
    enum class Address : std::uint8_t { Place, Return };
    record::Frame user(std::uint32_t pid, std::uint64_t address, Address kind = Address::Place);
    record::Frame kernel(std::uint64_t address, Address kind = Address::Place);
    /// kernel() was asked, and /proc/kallsyms tells no addresses.
    bool kernelHidesNames() const;
    /// A process that runs Java and whose compiled code was to be named, but has no perf map.
    std::optional<std::uint32_t> javaWithoutNames() const;
    /// A process of Java with a stack that ended in its compiled code, which keeps no frame pointers.
    std::optional<std::uint32_t> javaWithoutCallers() const;
    /// From now on name() and user() give file and offset of an address, but no function.
    void leaveOutFunctions();
    /// Debug files that are not here are asked of the servers from now on; their names are used when they have come.
    void askServers(std::shared_ptr<Debuginfod> servers);
    /// Where debug files are looked for (DebugPlaces::folders), of files opened from now on.
    void lookIn(std::string folders);
    /// Lines and inlined functions are told of files that are first met from here on.
    void tellLines(std::shared_ptr<SourceLines> lines);
    /// Read a process's maps and files now, while it lives. Cheap when nothing changed.
    void attend(std::uint32_t pid);
    /// Remember what a process has mapped now, and open its files when they are first needed.
    void meet(std::uint32_t pid);
    /// `child` begins with a copy of `parent`'s address space: known at once, even if it ends before anyone looks.
    void forked(std::uint32_t parent, std::uint32_t child);
    void execed(std::uint32_t pid); ///< its image changed: forget the maps
    /// The same and more from the kernel's own report (MapEvents). From the first call on, forked(), execed() and exited()
    /// need not be called any more and do nothing: they would come later than what is known already.
    void follow(const MapEvent& event);
    /// Open the file that was mapped, if it was never seen: as soon as it is heard of, follow() may come later. `when`: it
    /// happened, ns, CLOCK_MONOTONIC; 0: just now.
    void prepare(MapEvent& event, std::uint64_t when = 0);
    /// unwind() will not be called any more, or seldom: what it needs is given back.
    void forgetRules();
    /// Nor name(): the same of the names of functions.
    void forgetSymbols();
    void exited(std::uint32_t pid); ///< keep what is known for records still under way, free it later
    std::size_t living() const;     ///< processes that are known and have not ended

private:
    struct Impl;
    std::unique_ptr<Impl> m;
};
} // namespace dscope::symbols
