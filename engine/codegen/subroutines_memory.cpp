#include "engine/codegen/subroutine.h"
/// Reading the traced process's memory.
namespace dscope::codegen {
namespace {
using Arguments = Subroutine::Arguments;
Text copyinstr(Firing& f, const Arguments& args)
{
    integer(f, *args[0]);
    return readText(f, true, f.unit.stringLimit());
}
constexpr Subroutine kRows[] = {
    {"string copyinstr(uintptr_t, [size_t])", Subroutine::Effect::Scratch, nullptr, copyinstr, nullptr,
        "the text at an address of the process that fired the probe", {}},
};
} // namespace
std::span<const Subroutine> memorySubroutines() { return kRows; }
} // namespace dscope::codegen
