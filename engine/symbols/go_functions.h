#pragma once
#include "engine/symbols/elf_file.h"
#include <cstdint>
#include <string>
#include <vector>
namespace dscope::symbols {
/// Linked addresses, half open.
struct CodeRange {
    std::uint64_t start = 0, end = 0;
};
/// A function of a Go program.
struct GoFunction {
    std::uint64_t start = 0, size = 0; ///< as the file is linked
    std::string name;                  ///< "main.(*T).method"
};
/// The functions of a Go program in the order of their addresses, also of a stripped one: its run time cannot do without the table that
/// names them. Understands the tables of Go 1.16 and later; empty for anything else, and where the table is damaged.
/// Source: src/debug/gosym/pclntab.go and src/runtime/symtab.go of Go.
std::vector<GoFunction> goFunctions(const ElfFile& file);
/// Code where not the unwind tables but another rule of the kernel's walker holds (engine/object/walk.h): End, Cut or Switch.
struct StackEnd : CodeRange {
    std::uint64_t rule = 0;
    bool ofReturns = false; ///< it holds for return addresses alone, not for where a thread is
};
/// Where a Go program's stacks end, by its own account: in functions that nothing called (goexit, mstart, rt0_go), and in those that have
/// changed to another stack, where its unwind tables take for a caller's address what happens to lie on the new one. Of those mcall has
/// left its goroutine for the scheduler and has no caller any more; the callers of others (systemstack, asmcgocall, cgocallback, morestack)
/// are on the stack before, which is found where their code tells how they come back to it. Ascending.
std::vector<StackEnd> goStackEnds(const ElfFile& file);
} // namespace dscope::symbols
