#pragma once
#include "cli/declared_probes.h"
#include "engine/base/bytes.h"
namespace dscope::cli {
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
