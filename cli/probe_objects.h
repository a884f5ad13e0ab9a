#pragma once
#include "engine/base/bytes.h"
#include "engine/base/result.h"
#include "engine/syntax/ast.h"
#include <map>
#include <string>
#include <vector>
namespace dscope::cli {
/// What a provider's declaration says of one of its probes, as far as objects need it.
struct DeclaredProbe {
    /// Of an argument that the program passes: bytes, negative when it is signed.
    std::vector<int> passed;
    std::vector<std::string> types; ///< of those that tracers see, as written
    /// What tracers see: for each argument, which of those passed it is.
    std::vector<std::size_t> seen;
};
/// By provider, then by probe.
using DeclaredProbes = std::map<std::string, std::map<std::string, DeclaredProbe>>;
/// Error: an argument that tracers see is none that the program passes.
Result<DeclaredProbes> declaredProbes(const ast::Program& program);

/// The object (x86-64, relocatable) in which calls of __dtrace_PROVIDER___PROBE(), for which <sys/sdt.h> of DTrace and what dscope -h
/// makes stand, have become nops that a note of systemtap's form tells of; unchanged where there is none. Doing it twice is as
/// doing it once. Errors: not such an object; a probe that its provider does not declare.
/// Source: System V ABI, AMD64 supplement, 3.2.3 (where arguments are) and 4.4 (relocations); systemtap's wiki,
/// "UserSpaceProbeImplementation" (notes).
Result<Bytes> withProbes(Bytes object, const DeclaredProbes& declared);
/// The object that such objects are linked with: for each probe a count of those who trace it, the function
/// __dtraceenabled_PROVIDER___PROBE() that asks for it, and notes with the types of what tracers see.
Bytes probeCounts(const DeclaredProbes& declared);
} // namespace dscope::cli
