#include "engine/host/host.h"
#include <algorithm>
#include <cstring>
namespace dscope::host {
HeldText Host::mapped(const std::string&) const { return nullptr; }

Result<HeldText> Host::kernelTypes() const
{
    const std::string file = "/sys/kernel/btf/vmlinux";
    if (auto shared = m_kernelTypes.lock()) return shared;
    auto types = mapped(file); // from Linux 6.16 on; a read gives one page at a time
    if (!types) {
        DSCOPE_TRY(auto bytes, read(file));
        types = held(std::move(bytes));
    }
    m_kernelTypes = types;
    return types;
}

const std::vector<std::string>& Host::tracepoints() const
{
    if (m_tracepoints) return *m_tracepoints;
    auto& names = m_tracepoints.emplace();
    // Each tracepoint has a typedef of its own for BPF programs. Source: include/trace/bpf_probe.h. The names are looked
    // for in the bytes: parsing all types takes longer.
    constexpr std::string_view kPrefix("\0btf_trace_", 11);
    const auto types = kernelTypes();
    if (!types) return names;
    const std::string_view btf = **types;
    std::uint32_t strings = 0, header = 0;
    if (btf.size() < 24) return names;
    std::memcpy(&header, btf.data() + 4, sizeof header);
    std::memcpy(&strings, btf.data() + 16, sizeof strings);
    if (std::size_t{header} + strings > btf.size()) return names;
    const std::string_view text = btf.substr(std::size_t{header} + strings);
    const auto* at = text.data();
    const auto* const end = text.data() + text.size();
    while (const auto* hit = static_cast<const char*>(::memmem(at, static_cast<std::size_t>(end - at), kPrefix.data(), kPrefix.size()))) {
        const auto* name = hit + kPrefix.size();
        at = static_cast<const char*>(std::memchr(name, '\0', static_cast<std::size_t>(end - name)));
        if (!at) break;
        names.emplace_back(name, at);
    }
    std::sort(names.begin(), names.end());
    return names;
}
bool Host::hasTracepoint(std::string_view name) const
{
    const auto& all = tracepoints();
    return all.empty() || std::binary_search(all.begin(), all.end(), name);
}
} // namespace dscope::host
