#include "engine/codegen/subroutine.h"
namespace dscope::codegen {
namespace {
constexpr std::span<const Subroutine> kRows;
}
std::span<const Subroutine> processSubroutines() { return kRows; }
} // namespace dscope::codegen
