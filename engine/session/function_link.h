#pragma once
#include "engine/base/fd.h"
#include "engine/base/result.h"
#include <cstdint>
#include <span>
namespace dscope::session {
/// Whether this kernel attaches one program to many of its functions at once (5.18 and later, built with CONFIG_FPROBE).
/// Found out by doing it, once.
bool linksFunctions();
/// A program that was loaded for that, at the entry of the functions with these addresses, or at their returns. The Error's
/// code is errno; one address that cannot be traced fails them all.
Result<Fd> linkFunctions(int program, std::span<const std::uint64_t> addresses, bool atReturn);
} // namespace dscope::session
