#include "engine/codegen/subroutine.h"
namespace dscope::codegen {
std::uint32_t firstCapacity(const Unit& unit, const Subroutine::Arguments& args) { return unit.capacity(*args[0]); }
std::span<const Subroutine> subroutines()
{
    static const auto all = [] {
        std::vector<Subroutine> rows;
        for (const auto part : {memorySubroutines(), stringSubroutines(), searchSubroutines(), numberSubroutines(), processSubroutines(),
                 networkSubroutines(), lockSubroutines(), pathSubroutines(), jsonSubroutines(), fileSubroutines()})
            rows.insert(rows.end(), part.begin(), part.end());
        return rows;
    }();
    return all;
}
const Subroutine& subroutineAt(std::size_t index)
{
    DSCOPE_ASSERT(index < subroutines().size());
    return subroutines()[index];
}
} // namespace dscope::codegen
