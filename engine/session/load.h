#pragma once
#include "engine/base/fd.h"
#include "engine/base/result.h"
#include "engine/object/object.h"
#include "engine/session/maps.h"
namespace dscope::session {
/// What is wanted of the kernel's verifier's remarks.
struct VerifierLog {
    bool inErrors = false;           ///< all of them in the Error when it refuses a program
    bool always = false;             ///< in `text`, a line each after "BPF: "
    std::uint64_t size = 16U << 20U; ///< room for them
    std::string text;
};
/// Loads programs, their map uses patched and their parts in their maps; many at once where there are CPUs for it, for the
/// verifier takes its time. Error: the rights are missing, or the verifier refused one, which is a bug of ours: the message
/// names the D line.
Result<std::vector<Fd>> load(
    std::span<const object::Code> programs, const Maps& maps, const record::Program& schema, VerifierLog& log);
/// The D line that instruction `slot` came from, as "line 3 (`@[pid] = count()`)"; empty when it is not in `source`.
std::string lineOf(const object::Code& code, std::size_t slot, const std::string& source);
/// Number of the instruction a verifier log ends at, and its complaint.
struct Complaint {
    std::size_t slot = 0;
    std::string text;
};
Complaint complaintOf(std::string_view log);
} // namespace dscope::session
