#include "engine/codegen/same.h"
namespace dscope::codegen {
bool same(const sema::ExprPtr& a, const sema::ExprPtr& b)
{
    if (a == b) return true;
    if (!a || !b) return false;
    if (a->kind != b->kind || a->type != b->type || a->op != b->op || a->user != b->user || a->integer != b->integer || a->text != b->text
        || a->builtin != b->builtin || a->variable != b->variable || a->subroutine != b->subroutine || a->symbol != b->symbol
        || a->bitOffset != b->bitOffset || a->bitWidth != b->bitWidth || a->kids.size() != b->kids.size())
        return false;
    for (std::size_t i = 0; i < a->kids.size(); ++i)
        if (!same(a->kids[i], b->kids[i])) return false;
    return true;
}
bool same(const probe::Place& a, const probe::Place& b)
{
    if (a.index() != b.index()) return false;
    if (const auto* x = std::get_if<probe::Manual>(&a)) return x->when == std::get<probe::Manual>(b).when;
    if (const auto* x = std::get_if<probe::RawTracepoint>(&a)) return x->name == std::get<probe::RawTracepoint>(b).name;
    if (const auto* x = std::get_if<probe::Tracepoint>(&a)) {
        const auto& y = std::get<probe::Tracepoint>(b);
        return x->subsystem == y.subsystem && x->event == y.event;
    }
    if (const auto* x = std::get_if<probe::PerfEvent>(&a)) return *x == std::get<probe::PerfEvent>(b);
    if (const auto* x = std::get_if<probe::KernelFunction>(&a)) {
        const auto& y = std::get<probe::KernelFunction>(b);
        return x->name == y.name && x->module == y.module && x->atReturn == y.atReturn;
    }
    if (const auto* x = std::get_if<probe::Uprobe>(&a)) {
        const auto& y = std::get<probe::Uprobe>(b);
        return x->file == y.file && x->offset == y.offset && x->pid == y.pid && x->atReturn == y.atReturn && x->counter == y.counter;
    }
    return true;
}
} // namespace dscope::codegen
