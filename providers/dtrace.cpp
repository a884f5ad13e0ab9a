#include "engine/probe/pattern.h"
#include <algorithm>
#include <array>
namespace dscope::providers {
namespace {
using When = probe::Manual::When;
struct Row {
    std::string_view name;
    When when;
};
constexpr std::array<Row, 3> kProbes{{{"BEGIN", When::Begin}, {"END", When::End}, {"ERROR", When::Error}}};

/// BEGIN and END, fired by the session itself; ERROR, fired by programs that meet a fault.
class Dtrace final : public probe::Provider {
public:
    std::string_view name() const override { return "dtrace"; }
    std::string_view summary() const override { return "the tracing session itself: its begin, its end and run-time errors"; }
    std::string_view example() const override { return "dtrace:::BEGIN"; }

    probe::Stability stability() const override
    {
        using namespace probe;
        return {kStable, kPrivate, kPrivate, kStable, kStable};
    }
    bool owns(std::string_view probe) const override
    {
        return std::any_of(kProbes.begin(), kProbes.end(), [&](const Row& r) { return r.name == probe; });
    }

    Result<> list(const host::Host&, const probe::Pattern& wanted, const Found& found) const override
    {
        for (const auto& row : kProbes) {
            probe::Name name{"dtrace", "", "", std::string(row.name)};
            if (probe::matches(wanted, name)) found(std::move(name));
        }
        return {};
    }

    Result<probe::Description> describe(const host::Host&, const probe::Name& probe) const override
    {
        const auto row = std::find_if(kProbes.begin(), kProbes.end(), [&](const Row& r) { return r.name == probe.name; });
        if (row == kProbes.end()) return Error{0, "no probe " + probe.spelled()};
        probe::Description out;
        out.hooks.push_back({.at = probe::Manual{row->when}});
        // arg1 enabled probe id, arg2 action, arg3 offset in the action, arg4 fault, arg5 address; arg0 is unused.
        if (row->when == When::Error)
            for (int i = 0; i < 6; ++i)
                out.args.push_back({"raw[" + std::to_string(i) + "]", "uint64_t", {}});
        return out;
    }
};
} // namespace
std::unique_ptr<probe::Provider> make_dtrace() { return std::make_unique<Dtrace>(); }
} // namespace dscope::providers
