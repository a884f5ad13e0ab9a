#pragma once
#include "engine/base/fd.h"
#include "engine/base/result.h"
#include <cstdint>
#include <linux/bpf.h>
#include <set>
#include <vector>
namespace dscope::session {
/// Types for the subprograms of a program, which the kernel asks for when one of them is a callback. Each is a static
/// `int name(void)`: the verifier follows the values themselves, not the declarations, of static ones.
struct FunctionInfo {
    Fd btf;
    std::vector<bpf_func_info> entries;
};
/// `starts`: the slots at which they begin, 0 for the main one included.
Result<FunctionInfo> functionInfo(const std::set<std::uint32_t>& starts);
} // namespace dscope::session
