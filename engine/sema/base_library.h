#pragma once
#include "engine/probe/provider.h"
namespace dscope::sema {
/// Names that D programs expect whatever they probe: NULL, errno's names, signals, faults of the ERROR probe.
/// Like any library it is read only when one of them is used.
DLibrary baseLibrary();
/// numbered_apart: whether processes have other numbers for us than for the kernel, as in a container; and what the libraries of
/// providers need of the processor: where struct pt_regs has a system call's number, a number, a flag.
DLibrary numbersLibrary(bool apart);
} // namespace dscope::sema
