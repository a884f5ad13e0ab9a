#include "graph/layout_patience.h"
namespace dscope::graph {
namespace {
thread_local LayoutPatience* t_patience = nullptr;
}

LayoutPatience::LayoutPatience(const std::atomic<bool>& isUnwanted, unsigned seconds)
    : m_isUnwanted(isUnwanted), m_seconds(seconds), m_before(t_patience)
{
    t_patience = this;
}

LayoutPatience::~LayoutPatience() { t_patience = m_before; }
LayoutPatience* LayoutPatience::here() { return t_patience; }
} // namespace dscope::graph
