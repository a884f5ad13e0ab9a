#include "engine/probe/pattern.h"
#include <array>
namespace dscope::providers {
namespace {
/// BEGIN and END, fired by the session itself; ERROR, fired by programs that meet a fault.
class Dtrace final : public probe::Provider {
public:
    std::string_view name() const override { return "dtrace"; }
    std::string_view summary() const override { return "the tracing session itself: its begin, its end and run-time errors"; }
    probe::Stability argumentStability() const override { return {"Stable", "Stable", "Common"}; }
    Result<> list(const host::Host&, const probe::Pattern& wanted, const Found& found) const override
    {
        for (const auto* probe : {"BEGIN", "END", "ERROR"}) {
            probe::Name name{"dtrace", "", "", probe};
            if (probe::matches(wanted, name)) found(std::move(name));
        }
        return {};
    }
    Result<probe::Description> describe(const host::Host&, const probe::Name& probe) const override
    {
        probe::Description out;
        out.hooks.push_back({probe::Manual{}, -1, -1, 0, {}});
        // arg1 enabled probe id, arg2 action, arg3 offset in the action, arg4 fault, arg5 address; arg0 is unused.
        if (probe.name == "ERROR")
            for (int i = 0; i < 6; ++i)
                out.args.push_back({"raw[" + std::to_string(i) + "]", "uint64_t", {}});
        return out;
    }
};
} // namespace
std::unique_ptr<probe::Provider> make_dtrace() { return std::make_unique<Dtrace>(); }
} // namespace dscope::providers
