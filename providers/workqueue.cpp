#include "engine/probe/provider.h"
namespace dscope::providers {
/// Work that the kernel puts off for its own threads: when it is queued, when it begins, when it is done.
/// Source of the tracepoints' arguments: include/trace/events/workqueue.h: workqueue_queue_work(int req_cpu, struct pool_workqueue *pwq,
/// struct work_struct *work), workqueue_execute_start(struct work_struct *work), workqueue_execute_end(struct work_struct *work,
/// work_func_t function). Work that is done may be gone: nothing of it is read then.
std::unique_ptr<probe::Provider> make_workqueue()
{
    const std::string work = "struct work_struct *", info = "workinfo_t *";
    std::vector<probe::Row> rows{
        {"done", "workqueue_execute_end", "", "", {{"raw[0]", "uintptr_t", {}}, {"raw[1]", "uintptr_t", {}}}},
        {"queue", "workqueue_queue_work", "", "",
            {{"raw[2]", work, info}, {"raw[1]", "struct pool_workqueue *", "wqinfo_t *"}, {"(int)raw[0]", "int", {}}}},
        {"start", "workqueue_execute_start", "", "", {{"raw[0]", work, info}}},
    };
    return probe::synthetic({.name = "workqueue",
                                .summary = "work that the kernel puts off: when it is queued, when it begins, when it is done",
                                .example = "workqueue:::start"},
        std::move(rows));
}
} // namespace dscope::providers
