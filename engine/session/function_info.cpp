#include "engine/session/function_info.h"
#include "engine/session/refusal.h"
#include <bpf/bpf.h>
#include <bpf/btf.h>
#include <cerrno>
#include <memory>
#include <string>
namespace dscope::session {
Result<FunctionInfo> functionInfo(const std::set<std::uint32_t>& starts)
{
    const std::unique_ptr<btf, decltype(&btf__free)> types(btf__new_empty(), btf__free);
    if (!types) return refusal("describing subprograms", errno);
    const int integer = btf__add_int(types.get(), "int", 4, BTF_INT_SIGNED);
    const int prototype = btf__add_func_proto(types.get(), integer);
    FunctionInfo info;
    for (const auto start : starts) {
        const auto name = start == 0 ? std::string("main") : "f" + std::to_string(start);
        const int id = btf__add_func(types.get(), name.c_str(), BTF_FUNC_STATIC, prototype);
        if (id < 0) return refusal("describing subprograms", -id);
        info.entries.push_back({start, static_cast<std::uint32_t>(id)});
    }
    std::uint32_t size = 0;
    const void* raw = btf__raw_data(types.get(), &size);
    if (!raw) return refusal("describing subprograms", errno);
    info.btf = Fd(bpf_btf_load(raw, size, nullptr));
    if (!info.btf) return refusal("describing subprograms", errno);
    return info;
}
} // namespace dscope::session
