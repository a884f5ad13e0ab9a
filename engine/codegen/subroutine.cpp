#include "engine/codegen/subroutine.h"
#include <utility>
namespace dscope::codegen {
namespace {
template <std::size_t... rows> auto emitters(std::index_sequence<rows...>)
{
    return std::array{emitter<RowName(language::kSubroutines[rows].name())>()...};
}
} // namespace

std::uint32_t firstCapacity(const Unit& unit, const Subroutine::Arguments& args) { return unit.capacity(*args[0]); }

const Subroutine& subroutineAt(std::size_t index)
{
    static const auto all = emitters(std::make_index_sequence<language::kSubroutines.size()>());
    return all.at(index);
}
} // namespace dscope::codegen
