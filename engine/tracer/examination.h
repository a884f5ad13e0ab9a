#pragma once
#include "engine/object/abilities.h"
#include "engine/session/rights.h"
#include <cstdint>
#include <optional>
#include <string>
#include <vector>
namespace dscope::tracer {
/// What this machine can trace, and the reasons where it cannot, for `dscope --doctor`. The same code refuses programs, so the
/// reasons are the same.
struct Examination {
    /// How a trial went. NotTried: we have not the rights for it.
    enum class Outcome : std::uint8_t { Works, Fails, NotTried };
    struct Trial {
        Outcome outcome = Outcome::NotTried;
        int code = 0;    ///< errno of the refusal, 0 where there is none
        std::string why; ///< of Fails and NotTried
    };
    /// Probes that D knows and this kernel cannot give, for one reason.
    struct Missing {
        std::vector<std::string> probes; ///< as provider:module:function:name
        std::string why;
        bool isForOthers = false; ///< as probe::Unavailable has it
    };
    struct Provider {
        std::string name, summary;
        bool isOnDemand = false; ///< its probes come into being when a process is named
        std::size_t probes = 0;  ///< that it lists
        Trial trial;             ///< of one of its probes: loaded, attached and left again
        std::vector<Missing> missing;
    };
    struct File {
        std::string path;
        std::string text; ///< its first line; empty when it cannot be read
        int code = 0;     ///< errno then
    };

    std::string kernel, architecture;
    int cpus = 0;
    session::Rights rights;
    bool isRoot = false;
    std::uint64_t typesSize = 0; ///< bytes of the kernel's BTF; 0: it has none that we can read
    std::string whyNoTypes;
    bool hasTracefs = false;    ///< it can be read, if only in a mount of our own
    bool mountsTracefs = false; ///< nobody else has mounted it
    std::string whyNoTracefs;   ///< where lockdown takes it away
    std::vector<File> settings; ///< of the kernel that bound what is seen
    bool abilitiesKnown = false;
    object::Abilities abilities;
    std::vector<Provider> providers;
    Trial userStacks;           ///< of a program with ustack()
    bool walksInKernel = false; ///< by unwinding tables; else stacks are copied and walked outside
    bool hasDebugFolder = false;
    std::string debuginfodUrls;
    std::vector<std::string> libraries; ///< shared ones that are loaded, by file name with their version
};

/// Looks, and where we have the rights tries a probe of each provider; takes about a second then. Nothing stays attached.
/// A process that does nothing is started for the provider pid, and ended.
Examination examine();
} // namespace dscope::tracer
