#pragma once
#include "engine/options/options.h"
#include "engine/record/record.h"
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <sys/types.h>
#include <vector>
namespace dscope::host {
struct Kept;
} // namespace dscope::host
namespace dscope::tracer {
/// One D text as the user gave it: a script, or what stands behind -n, -P, -m, -f or -i.
struct Text {
    std::string text;
    std::string script{};   ///< path of the file it comes from; empty: the command line, or the caller's own text
    std::uint8_t parts = 4; ///< which part of a probe description a lone word is: 1 provider, 2 module, 3 function, 4 name
};

/// What is to be traced. All texts are one program.
struct Request {
    std::vector<Text> programs;
    std::vector<std::string> words{"dscope"}; ///< [0]: $0; then $1 ...
    std::vector<std::string> commands{};      ///< started for the run and traced from their begin, as by -c; split at blanks
    std::vector<pid_t> processes{};           ///< that run already, as by -p
    std::optional<uid_t> runAs{};             ///< the commands run as this user; nothing: as we do
    std::shared_ptr<const host::Kept> kept{}; ///< by a process that has given up root
    /// The commands lead process groups of their own, so that what they leave in the background ends with the run: where there is no
    /// terminal whose Ctrl+C reaches it.
    bool endsGroups = false;
    pid_t asker = 0; ///< $ppid: a front end that started us by way of sudo, say; 0: our parent
    options::Options options{};
    bool allowNoMatch = false; ///< a description that matches no probe is no error (-Z)
    bool listing = false;      ///< lone descriptions without a body are only looked at (-l)
    bool reports = false;      ///< make Program::stability (-v)
    bool writes = false;       ///< make Program::written (-d)
    bool preprocess = false;   ///< run cpp(1) over the texts (-C)
    std::vector<std::string> cppArguments{};
    record::Dialect dialect = record::Dialect::Dtrace; ///< of messages and of what is printed
};
} // namespace dscope::tracer
