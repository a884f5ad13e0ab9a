#include "engine/host/call_numbers.h"
#include "engine/host/processor.h"
#include "engine/probe/pattern.h"
#include <algorithm>
#include <set>
/// Providers that are tables: probes under D's names, made of the kernel's tracepoints.
namespace dscope::probe {
namespace {
class Synthetic final : public Provider {
public:
    Synthetic(Family family, std::vector<Row> rows) : m_family(family), m_rows(std::move(rows)) { }
    std::string_view name() const override { return m_family.name; }
    std::string_view summary() const override { return m_family.summary; }
    std::string_view example() const override { return m_family.example; }
    bool tellsOfProcesses() const override { return m_family.tellsOfProcesses; }

    Result<> list(const host::Host& host, const Pattern& wanted, const Found& found) const override
    {
        // A probe may have several rows: several hooks fire it. It is one probe all the same.
        std::set<std::string_view> seen;
        for (const auto& row : m_rows) {
            auto name = named(row);
            if (matches(wanted, name) && isThere(host, row) && seen.insert(row.probe).second) found(std::move(name));
        }
        return {};
    }

    Result<Description> describe(const host::Host& host, const Name& probe) const override
    {
        Description out;
        for (const auto& row : m_rows) {
            if (row.probe != probe.name || !isThere(host, row)) continue;
            const auto at = placeOf(host, row);
            const bool enters = row.tracepoint == "sys_enter";
            // The first row says what the arguments are, the others where they have them.
            std::vector<std::string> values;
            for (const auto& arg : row.args)
                values.push_back(arg.value);
            if (out.hooks.empty()) {
                out.companion = row.companion;
                out.args = row.args;
                values.clear();
            }
            for (const auto call : row.systemCalls)
                if (const auto number = host::callNumberHere(call))
                    out.hooks.push_back(
                        {at, enters ? 1 : 0, enters ? -1 : host::kProcessor.callNumber, *number, std::string(row.when), values});
            if (row.systemCalls.empty()) out.hooks.push_back({at, -1, -1, 0, std::string(row.when), values});
        }
        if (out.hooks.empty()) return Error{0, "no probe " + probe.spelled()};
        return out;
    }

    void unavailable(const host::Host& host, const Pattern& wanted, const std::function<void(Unavailable)>& found) const override
    {
        std::set<std::string_view> seen;
        for (const auto& row : m_rows)
            if (isThere(host, row)) seen.insert(row.probe);
        for (const auto& row : m_rows) {
            auto name = named(row);
            if (!matches(wanted, name) || !seen.insert(row.probe).second) continue;
            auto why = row.why.empty() ? "this kernel has no tracepoint " + std::string(row.tracepoint)
                    + "; a newer kernel, or one built "
                      "with what it belongs to, has it"
                                       : std::string(row.why);
            found({std::move(name), std::move(why), row.args});
        }
    }

private:
    Name named(const Row& row) const { return {std::string(m_family.name), "vmlinux", std::string(row.function), std::string(row.probe)}; }

    static bool isThere(const host::Host& host, const Row& row)
    {
        if (!row.why.empty() || (!row.onlyWith.empty() && !host.hasTracepoint(row.onlyWith))) return false;
        if (!row.without.empty() && host.hasTracepoint(row.without)) return false;
        if (row.event) return true;
        if (!row.kernelFunction.empty()) return host.read("/sys/bus/event_source/devices/kprobe/type").operator bool();
        return host.hasTracepoint(row.tracepoint);
    }

    static Place placeOf(const host::Host& host, const Row& row)
    {
        if (row.event) return *row.event;
        if (row.kernelFunction.empty()) return RawTracepoint{std::string(row.tracepoint)};
        return functionOf(host, row.kernelFunction);
    }

    Family m_family;
    std::vector<Row> m_rows;
};
} // namespace

KernelFunction functionOf(const host::Host& host, std::string_view name)
{
    // Compilers add a suffix to what they specialize: foo.isra.0.
    const auto symbols = host.read("/proc/kallsyms");
    const auto wanted = " " + std::string(name);
    for (auto at = symbols ? symbols->find(wanted) : std::string::npos; at != std::string::npos; at = symbols->find(wanted, at + 1)) {
        const auto next = (*symbols)[std::min(at + wanted.size(), symbols->size() - 1)];
        if (next == '\n' || next == '.') return {symbols->substr(at + 1, symbols->find('\n', at) - at - 1), "vmlinux"};
    }
    return {std::string(name), "vmlinux"};
}

std::unique_ptr<Provider> synthetic(Family family, std::vector<Row> rows) { return std::make_unique<Synthetic>(family, std::move(rows)); }
} // namespace dscope::probe
