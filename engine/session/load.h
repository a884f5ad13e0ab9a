#pragma once
#include "engine/base/fd.h"
#include "engine/base/result.h"
#include "engine/codegen/object.h"
#include "engine/session/maps.h"
namespace dscope::session {
/// Loads one program, its map uses patched. Error: the rights are missing, or the verifier refused it, which is a bug of
/// ours: the message names the D line. `wholeLog` adds what the verifier had to say.
Result<Fd> load(const codegen::Code& code, const Maps& maps, const record::Program& schema, bool wholeLog);
/// The D line that instruction `slot` came from, as "line 3 (`@[pid] = count()`)"; empty when it is not in `source`.
std::string lineOf(const codegen::Code& code, std::size_t slot, const std::string& source);
/// Number of the instruction a verifier log ends at, and its complaint.
struct Complaint {
    std::size_t slot = 0;
    std::string text;
};
Complaint complaintOf(std::string_view log);
} // namespace dscope::session
