#pragma once
#include "engine/base/bytes.h"
#include "engine/symbols/elf_file.h"
#include "engine/symbols/go_functions.h"
#include <span>
namespace dscope::symbols {
/// How code that has no unwind tables keeps its stack, found out from its instructions (amd64; elsewhere nothing is found), for files
/// such as musl's C library, whose compiler was told to leave tables out.
///
/// Every way through the code is followed from where functions begin: symbols, the entry point, what is called; then what pointers lead
/// to. A place is told of if all ways that lead to it agree, and if no way from it returns with the stack pointer elsewhere than where the
/// return address is. So what is told may have gaps, where jumps go by tables above all, and is no guess.
///
/// Gives a .debug_frame section, empty where nothing was found. Files with more than 3 MB of code are left out. `trampolines`: where code
/// returns from signals, which keeps no frame as functions do; nothing is told of it, nor of the byte before, which is asked for when
/// it is a caller's, and the one behind, where the instruction pointer is at the entry of its system call.
Bytes codeRules(const ElfFile& file, std::span<const CodeRange> trampolines);
} // namespace dscope::symbols
