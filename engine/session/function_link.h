#pragma once
#include "engine/base/fd.h"
#include "engine/base/result.h"
#include "engine/session/moment.h"
#include <cstdint>
#include <span>
namespace dscope::session {
/// Whether this kernel attaches one program to many of its functions at once (5.18 and later, built with CONFIG_FPROBE).
/// Found out by doing it, once.
bool linksFunctions();
/// A program that was loaded for that, at the functions with these addresses. The Error's
/// code is errno; one address that cannot be traced fails them all.
Result<Fd> linkFunctions(int program, std::span<const std::uint64_t> addresses, Moment moment);
} // namespace dscope::session
