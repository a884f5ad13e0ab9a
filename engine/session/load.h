#pragma once
#include "engine/base/fd.h"
#include "engine/base/result.h"
#include "engine/codegen/object.h"
#include "engine/session/maps.h"
namespace dscope::session {
/// What is wanted of the kernel's verifier's remarks.
struct VerifierLog {
    bool inErrors = false;           ///< all of them in the Error when it refuses a program
    bool always = false;             ///< in `text`, a line each after "BPF: "
    std::uint64_t size = 16U << 20U; ///< room for them
    std::string text;
};
/// Loads one program, its map uses patched, and its parts into their map. Error: the rights are missing, or the verifier refused it, which is a bug of
/// ours: the message names the D line.
Result<Fd> load(const codegen::Code& code, const Maps& maps, const record::Program& schema, VerifierLog& log);
/// The D line that instruction `slot` came from, as "line 3 (`@[pid] = count()`)"; empty when it is not in `source`.
std::string lineOf(const codegen::Code& code, std::size_t slot, const std::string& source);
/// Number of the instruction a verifier log ends at, and its complaint.
struct Complaint {
    std::size_t slot = 0;
    std::string text;
};
Complaint complaintOf(std::string_view log);
} // namespace dscope::session
