#include "engine/session/storage_types.h"
#include "engine/session/refusal.h"
#include <bpf/bpf.h>
#include <bpf/btf.h>
#include <cerrno>
#include <memory>
namespace dscope::session {
Result<StorageTypes> storageTypes(std::uint32_t valueSize)
{
    const std::unique_ptr<btf, decltype(&btf__free)> types(btf__new_empty(), btf__free);
    if (!types) return refusal("describing task storage", errno);
    const int key = btf__add_int(types.get(), "int", 4, BTF_INT_SIGNED);
    const int byte = btf__add_int(types.get(), "unsigned char", 1, 0);
    const int value = btf__add_array(types.get(), key, byte, valueSize);
    if (key < 0 || byte < 0 || value < 0) return refusal("describing task storage", errno);
    std::uint32_t size = 0;
    const void* raw = btf__raw_data(types.get(), &size);
    if (!raw) return refusal("describing task storage", errno);
    Fd fd(bpf_btf_load(raw, size, nullptr));
    if (!fd) return refusal("describing task storage", errno);
    return StorageTypes{std::move(fd), static_cast<std::uint32_t>(key), static_cast<std::uint32_t>(value)};
}
} // namespace dscope::session
