#pragma once
#include "engine/base/result.h"
#include "engine/base/strong_id.h"
#include "engine/host/host.h"
#include "engine/probe/stability.h"
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>
namespace dscope {
/// A D library that comes with a provider: its types, translators and inlines.
struct DLibrary {
    std::string_view file, text;
    bool always = false; ///< read it even when the program needs no name of it: the user named it
};
} // namespace dscope
namespace dscope::probe {
/// One probe: pid42:a.out:main:entry.
struct Name {
    std::string provider, module, function, name;
    bool operator==(const Name&) const = default;
    std::string spelled() const { return provider + ":" + module + ":" + function + ":" + name; }
};
/// A probe description as written: each part a shell glob (`* ? [..] \`), empty matches all.
struct Pattern {
    std::string provider, module, function, name;
};

// -- where a probe is attached. A few mechanisms (engine/session/attach_*.cpp) serve all providers -----------------
/// Fired by the session: at its begin and at its end. Error fires within the program that met a fault.
struct Manual {
    enum class When : std::uint8_t { Begin, End, Error } when = When::Begin;
};
/// A tracepoint of the kernel, attached to directly: raw[n] are its arguments.
struct RawTracepoint {
    std::string name;
};
/// An event of tracefs through a perf event, for the sake of its record: each takes the kernel 45 to 90 ms to leave.
struct Tracepoint {
    std::string subsystem, event;
};
/// Attributes of perf_event_open(2).
struct PerfEvent {
    std::uint32_t type = 0;
    std::uint64_t config = 0, period = 0; ///< period: ns, or Hz when `frequency`
    bool frequency = false;
    bool everyCpu = true;                ///< else one CPU only
    bool inUser = true, inKernel = true; ///< what is counted
    bool operator==(const PerfEvent&) const = default;
};
/// The entry or the return of a function of the kernel or of a module.
struct KernelFunction {
    std::string name, module; ///< module: "vmlinux" for the kernel itself
    bool atReturn = false;
    std::uint32_t btf = 0;        ///< its id in the kernel's BTF where a BPF program can be put there directly, else 0: a kprobe then
    std::uint32_t parameters = 0; ///< with btf
};
/// An instruction in a program or library, in one process only.
struct Uprobe {
    std::string file; ///< as the kernel opens it from our root
    std::uint64_t offset = 0;
    int pid = -1; ///< the one process it is for; -1: the session's target
    bool atReturn = false;
    bool canProbe = true;      ///< false: the kernel is known to refuse this instruction; it is reported, not tried
    std::uint64_t counter = 0; ///< offset in the file of the probe's 16-bit count of tracers (USDT's semaphore); 0: none
};
using Place = std::variant<Manual, RawTracepoint, Tracepoint, PerfEvent, KernelFunction, Uprobe>;

/// `raw[kHookValue]` in a description's expressions is Hook::value.
constexpr int kHookValue = 64;

/// Where, and when, a probe fires. In the D expressions of a description, `raw[n]` is the n-th 8-byte word of the BPF
/// context: the tracepoint's arguments (RawTracepoint), or struct pt_regs (PerfEvent, Uprobe). For a Tracepoint
/// raw[0] is the address of its record. For a KernelFunction raw[0..5] are the arguments that come in registers and raw[6]
/// is the stack pointer (not known with `btf`); at a return raw[0] is its value.
struct Hook {
    Place at;
    /// Many probes share one hook and are told apart by a number: fires when raw[selectorWord] == selector.
    /// One program then serves all of them with a table (syscalls: 340 probes, one raw tracepoint).
    int selectorWord = -1;
    int selectorOffset = -1; ///< 0 or more: raw[selectorWord] is a kernel address, the number the 8 bytes at this offset there
    std::uint64_t selector = 0;
    /// D expression over raw[]; the probe fires when it is not 0. Empty: always.
    std::string when;
    /// Where several hooks fire one probe and have its arguments in different places: what Arg::value is here. Empty: that.
    std::vector<std::string> values = {};
    /// D expression; while it is not 0 afterwards, all is done once more, at most kMostAgain times: what walks a list fires for
    /// each of its members. The this-> variables of libraries keep their values meanwhile. Empty: once.
    std::string again = {};
    static constexpr std::uint32_t kMostAgain = 1024;
    /// Distinguishes this hook from the probe's others. A uprobe at a return: the offset of the instruction (all uprobes share
    /// one program). A system call: 1 if a 32-bit program makes it.
    std::uint64_t value = 0;
};
/// args[n]. `value`: D expression over raw[] that gives argN (and args[n] when not translated); `native`: its C type;
/// `translated`: the D type that args[n] is translated to ("psinfo_t *"), or empty. `whole`: argN is the 8-byte word that
/// `value` gives, whatever args[n] makes of it.
struct Arg {
    std::string value, native, translated = {};
    bool whole = false;
    /// Where args[n] is when a compiler has not passed it as the word that argN is.
    struct Elsewhere {
        std::string value;               ///< D over raw[]: its 8-byte word
        bool isObject = false;           ///< `value` is the address of a `native` in user memory
        std::string why = {}, hint = {}; ///< not empty: it cannot be had; "is a double, ...", and what to do
    };
    std::optional<Elsewhere> elsewhere = {};
};
/// All that the compiler and the session have to know of a probe: where it fires and what its arguments are. Data, not code.
struct Description {
    std::vector<Hook> hooks; ///< any of them fires the probe
    std::vector<Arg> args;
    /// Gives `args` with the types of args[], where they take debug information, which costs time and memory: asked when a program
    /// names args[]. Not set: `args` has them.
    std::function<std::vector<Arg>()> typedArgs = {};
    /// Gives the names of args[], for `args.name`, in their order; empty ones cannot be named. Asked when a program names one. Not set:
    /// none has a name.
    std::function<std::vector<std::string>()> argNames = {};
    /// Where only a dearer hook has the arguments: in place of `hooks` in programs that ask for an argument.
    std::vector<Hook> hooksWithArguments = {};
    /// D clauses of the provider's own, which keep what happened elsewhere in variables for these conditions and values.
    /// They are compiled once however many probes name them, and record nothing.
    std::string companion = {};
    /// Hooks that fire no probe: while the probe is enabled, they run `when` for its assignments. So a provider keeps what a
    /// later hook no longer sees, in variables that its D library declares; all expressions of a description may use them. In a
    /// pause of the run they go on.
    /// Where probes and watches share a tracepoint, the watches come last; at a kernel function they have no certain order. Equal
    /// ones of several probes run once, and not at all where a hook with the same `when` runs.
    std::vector<Hook> watches = {};
    /// Whether return() can give the result of the function that it is at, if the kernel lets that function fail.
    bool takesResult = false;
};
/// A probe that D programs know and the running kernel cannot give. `why`: a sentence that begins in lower case, without
/// a full stop, which also says what would help.
struct Unavailable {
    Name name;
    std::string why;
    std::vector<Arg> args;
    bool isForOthers = false; ///< the kernel has it, and tells it to who has more rights than we do
};

/// An Error of Provider::list() that is the user's mistake. `tag`: dtrace's for it, a literal.
Error mistake(std::string_view tag, std::string message);

/// One family of probes: one file in providers/, with its D types and translators in <name>.d beside it. It lists its probes
/// and describes each: where it is attached and what its arguments are. A provider only describes; the session attaches. So
/// it needs no privileges, and is tested without them. The build makes one of each with make_<file>().
class Provider {
public:
    using Found = std::function<void(Name)>;
    virtual ~Provider() = default;
    virtual std::string_view name() const = 0;
    virtual std::string_view summary() const = 0; ///< a clause, lower case, no full stop
    /// The description of one of its probes, as programs write it: "syscall::openat:entry".
    virtual std::string_view example() const { return {}; }
    /// True when its probes come into being only when asked for by name (pid123): they are in no list, list() is asked
    /// with each description and decides alone what matches it. Its errors are the user's, with a tag.
    virtual bool onDemand() const { return false; }
    /// Whether a provider part with wildcards in it may mean one of ours.
    virtual bool mayServe(std::string_view glob) const;
    /// True for "profile", and for "pid123" where the provider serves all of "pid<N>".
    virtual bool serves(std::string_view provider) const { return provider == name(); }
    /// Whether a description that consists of this probe name alone can mean none but ours ("tick-1s"): no other provider is
    /// asked for it then.
    virtual bool owns(std::string_view /*probe*/) const { return false; }
    /// Every probe that matches `wanted`, in a fixed order; cheap, called for `-l`. A probe that exists only once asked
    /// for (profile-1234hz) is found when `wanted` names it.
    virtual Result<> list(const host::Host&, const Pattern& wanted, const Found&) const = 0;
    /// How to attach `probe` and what its arguments are.
    virtual Result<Description> describe(const host::Host&, const Name& probe) const = 0;
    /// Probes that match `wanted` and that this kernel cannot give. `-lv` lists them, and a program that asks for one gets the reason.
    virtual void unavailable(const host::Host&, const Pattern&, const std::function<void(Unavailable)>&) const { }
    /// How far programs may rely on it: dtrace -lv, dtrace -v and option amin ask. Most rename what the kernel has.
    virtual Stability stability() const { return {kEvolvingIsa, kPrivate, kPrivate, kEvolvingIsa, kEvolvingIsa}; }
    /// Thousands of probes, or a list that takes time: numbered after all other providers', which then need not wait for it.
    virtual bool isLarge() const { return false; }
    /// Programs that enable a probe of this provider always get the process events (record::ProcessEvent).
    virtual bool tellsOfProcesses() const { return false; }
};

/// A provider that only renames kernel hooks: give it the rows. Rows of the same probe all fire it, each with its own
/// condition and values of the arguments, whose types are those of the first.
struct Row {
    std::string_view probe;      ///< "exec-success"
    std::string_view tracepoint; ///< raw tracepoint
    std::string_view function;   ///< the FUNCTION column; empty where there is none
    std::string_view when;       ///< D over raw[], or empty
    std::vector<Arg> args;
    /// With the tracepoints sys_enter and sys_exit: only these system calls (by number), told apart by a table.
    std::vector<std::uint16_t> systemCalls = {};
    /// Why the probe cannot be had though D knows it; `tracepoint` is empty then. A row whose tracepoint this kernel does
    /// not have is unavailable without saying so here.
    std::string_view why = {};
    std::string_view companion = {};              ///< as in Description
    std::string_view onlyWith = {}, without = {}; ///< the row counts where this tracepoint is there, or is not
    std::string_view kernelFunction = {};         ///< in place of a tracepoint: a kprobe at its entry, where the kernel has kprobes
    std::optional<PerfEvent> event = {};          ///< in place of a tracepoint
};
/// The entry of a function of the kernel's own, also where compilers have changed its name.
KernelFunction functionOf(const host::Host& host, std::string_view name);
/// What such a provider is, apart from its rows; as the functions of Provider say.
struct Family {
    std::string_view name, summary, example;
    bool tellsOfProcesses = false;
};
std::unique_ptr<Provider> synthetic(Family family, std::vector<Row> rows);
} // namespace dscope::probe
namespace dscope::providers {
/// All providers, dtrace first, then by name. Generated from the files in providers/.
std::vector<std::unique_ptr<probe::Provider>> all();
std::span<const DLibrary> libraries();
} // namespace dscope::providers
