#pragma once
#include "engine/base/fd.h"
#include "engine/base/result.h"
#include <cstdint>
namespace dscope::session {
/// Task storage is the one map that the kernel wants typed: a 4-byte int as key, anything of the value's size.
struct StorageTypes {
    Fd btf;
    std::uint32_t key = 0, value = 0;
};
Result<StorageTypes> storageTypes(std::uint32_t valueSize);
} // namespace dscope::session
