#pragma once
#include "engine/base/bytes.h"
#include "engine/base/result.h"
#include "engine/host/host.h"
#include "engine/record/record.h"
#include "engine/symbols/map_events.h"
#include <memory>
#include <span>
namespace dscope::symbols {
/// Registers and stack bytes of a thread at one moment.
struct UserContext {
    std::uint64_t ip = 0, sp = 0, bp = 0, bx = 0, r12 = 0, r13 = 0, r14 = 0, r15 = 0;
    ByteView stack; ///< memory from sp upwards
};
/// Names addresses and unwinds user stacks by .eh_frame rows (no frame pointers needed). Files and processes are read
/// once and kept; a process's maps are read again when an address is not in them. A process that is gone keeps what was
/// known of it.
class Symbolizer {
public:
    explicit Symbolizer(const host::Host& host);
    ~Symbolizer();
    /// Return addresses from the innermost frame out, at most `limit`. Ends at an undefined return address, at the end
    /// of the copied stack or where no rule is known.
    std::vector<std::uint64_t> unwind(std::uint32_t pid, const UserContext& context, std::uint32_t limit);
    /// Frames of unwind()'s addresses: callers are looked up at address - 1.
    std::vector<record::Frame> name(std::uint32_t pid, std::span<const std::uint64_t> addresses);
    record::Frame user(std::uint32_t pid, std::uint64_t address, bool isReturnAddress = false);
    record::Frame kernel(std::uint64_t address, bool isReturnAddress = false);
    /// kernel() was asked, and /proc/kallsyms tells no addresses.
    bool kernelHidesNames() const;
    /// From here on name() and user() tell of an address what file it is in and where, and not what function.
    void leaveOutFunctions();
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
    /// Open the file that was mapped, if it was never seen: as soon as it is heard of, follow() may come later.
    void prepare(MapEvent& event);
    void exited(std::uint32_t pid); ///< keep what is known for records still under way, free it later

private:
    struct Impl;
    std::unique_ptr<Impl> m;
};
} // namespace dscope::symbols
