#include "graph/visual.h"
#include "graph/tongue.h"
namespace dscope::graph {
std::string Share::text(const std::string& number) const
{
    switch (of) {
    case Of::Time: return said("%1 of all time", number);
    case Of::TimeOfThreads: return said("%1 of all threads' time", number);
    case Of::Function: return said("%1 of %2", number, function);
    case Of::All: break;
    }
    return said("%1 of all", number);
}
} // namespace dscope::graph
