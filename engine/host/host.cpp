#include "engine/host/host.h"
#include <algorithm>
#include <cstring>
#include <functional>
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

namespace {
constexpr const char* kTypesFolder = "/sys/kernel/btf";
/// found() for each tracepoint that BTF has. Each has a typedef of its own for BPF programs. Source: include/trace/bpf_probe.h. The names
/// are looked for in the bytes: parsing all types takes longer.
void eachTracepoint(std::string_view btf, const std::function<void(std::string_view)>& found)
{
    constexpr std::string_view kPrefix("\0btf_trace_", 11);
    std::uint32_t strings = 0, header = 0;
    if (btf.size() < 24) return;
    std::memcpy(&header, btf.data() + 4, sizeof header);
    std::memcpy(&strings, btf.data() + 16, sizeof strings);
    if (std::size_t{header} + strings > btf.size()) return;
    // A module's strings go on from the kernel's: nothing is before the first one.
    const std::string_view text = btf.substr(std::size_t{header} + strings);
    const auto take = [&](std::string_view from) { found(from.substr(0, from.find('\0'))); };
    if (text.starts_with(kPrefix.substr(1))) take(text.substr(kPrefix.size() - 1));
    for (auto left = text; const auto* hit = ::memmem(left.data(), left.size(), kPrefix.data(), kPrefix.size());) {
        left.remove_prefix(static_cast<std::size_t>(static_cast<const char*>(hit) - left.data()) + kPrefix.size());
        take(left);
    }
}
} // namespace

const std::vector<std::string>& Host::ownTracepoints() const
{
    if (m_ownTracepoints) return *m_ownTracepoints;
    auto& names = m_ownTracepoints.emplace();
    const auto types = kernelTypes();
    if (!types) return names;
    eachTracepoint(**types, [&](std::string_view name) { names.emplace_back(name); });
    std::sort(names.begin(), names.end());
    return names;
}
const std::vector<std::string>& Host::tracepoints() const
{
    if (m_tracepoints) return *m_tracepoints;
    const auto& own = ownTracepoints();
    auto& names = m_tracepoints.emplace(own);
    const auto all = own.empty() ? Result<std::vector<std::string>>(std::vector<std::string>()) : entries(kTypesFolder);
    for (const auto& module : all ? *all : std::vector<std::string>()) {
        if (module == "vmlinux") continue;
        const auto bytes = read(std::string(kTypesFolder) + '/' + module);
        if (!bytes) continue;
        eachTracepoint(*bytes, [&](std::string_view name) {
            if (std::binary_search(own.begin(), own.end(), name)) return;
            if (m_modules.try_emplace(std::string(name), module).second) names.emplace_back(name);
        });
    }
    std::sort(names.begin(), names.end());
    return names;
}
std::string Host::moduleOfTracepoint(const std::string& name) const
{
    const auto& own = ownTracepoints();
    if (std::binary_search(own.begin(), own.end(), name)) return {};
    tracepoints();
    const auto known = m_modules.find(name);
    return known == m_modules.end() ? std::string() : known->second;
}
bool Host::hasTracepoint(std::string_view name) const
{
    const auto& own = ownTracepoints();
    return own.empty() || std::binary_search(own.begin(), own.end(), name)
        || std::binary_search(tracepoints().begin(), tracepoints().end(), name);
}
} // namespace dscope::host
