#include "engine/probe/pattern.h"
#include "engine/probe/tracefs.h"
#include "engine/types/prototype.h"
#include "engine/types/type_table.h"
#include <map>
namespace dscope::providers {
namespace {
/// Every tracepoint of the kernel, with the arguments that the kernel hands to it: those of BTF's typedefs btf_trace_*.
class RawTracepoints final : public probe::Provider {
public:
    std::string_view name() const override { return "rawtp"; }
    std::string_view summary() const override { return "every tracepoint of the kernel, with the arguments it is called with"; }
    std::string_view example() const override { return "rawtp:sched::sched_switch"; }

    probe::Stability stability() const override
    {
        using namespace probe;
        return {kEvolvingIsa, kPrivate, kPrivate, kPrivateIsa, kPrivateIsa};
    }
    bool isLarge() const override { return true; }

    Result<> list(const host::Host& host, const probe::Pattern& wanted, const Found& found) const override
    {
        // Tracepoints without an event in tracefs (they end in _tp) belong to no subsystem.
        std::map<std::string, std::string> subsystems;
        for (auto& event : probe::events(host))
            subsystems.emplace(std::move(event.name), std::move(event.subsystem));
        for (const auto& tracepoint : host.tracepoints()) {
            const auto known = subsystems.find(tracepoint);
            probe::Name name{"rawtp", known == subsystems.end() ? "vmlinux" : known->second, "", tracepoint};
            if (probe::matches(wanted, name)) found(std::move(name));
        }
        return {};
    }

    Result<probe::Description> describe(const host::Host& host, const probe::Name& probe) const override
    {
        if (!m_types) m_types = std::make_unique<types::TypeTable>(host);
        probe::Description out;
        out.hooks.push_back({probe::RawTracepoint{probe.name}, -1, -1, 0, {}});
        // The type has no names; the function that the kernel makes beside it has.
        const auto iterator = "__traceiter_" + probe.name;
        if (const auto module = host.moduleOfTracepoint(probe.name); !module.empty()) {
            const auto* types = m_modules.of(host, module);
            const auto prototype = types ? types::prototypeOf(*types, iterator) : std::nullopt;
            for (std::size_t i = 1; prototype && i < prototype->parameters.size(); ++i)
                out.args.push_back({"raw[" + std::to_string(i - 1) + "]", prototype->parameters[i], {}});
            if (prototype && !prototype->names.empty())
                out.argNames = [names = std::vector(prototype->names.begin() + 1, prototype->names.end())] { return names; };
            return out;
        }
        out.argNames = [&host, iterator] {
            std::vector<std::string> names;
            const auto bytes = host.kernelTypes();
            if (!bytes) return names;
            if (const auto btf = types::Btf::parse(*bytes))
                if (const auto prototype = types::prototypeOf(*btf, iterator); prototype && !prototype->names.empty())
                    names.assign(prototype->names.begin() + 1, prototype->names.end());
            return names;
        };
        const auto* type = m_types->find("btf_trace_" + probe.name);
        if (type) type = types::resolved(type);
        if (type && type->kind == types::Kind::Pointer) type = types::resolved(type->target);
        if (!type || type->kind != types::Kind::Function) return out;
        // The first parameter is the tracing's own.
        for (std::size_t i = 1; i < type->parameters.size(); ++i)
            out.args.push_back({"raw[" + std::to_string(i - 1) + "]", nativeType(type->parameters[i]), {}});
        return out;
    }

private:
    static std::string nativeType(const types::Type* type)
    {
        const auto* is = types::resolved(type);
        const bool isNumber = is->kind == types::Kind::Integer || is->kind == types::Kind::Enum;
        const auto* target = is->kind == types::Kind::Pointer ? types::resolved(is->target) : nullptr;
        if ((isNumber || (target && target->kind != types::Kind::Function)) && !isNameless(type)) return types::spelled(type);
        return target ? "void *" : "uint64_t";
    }

    static bool isNameless(const types::Type* type)
    {
        while (type->kind == types::Kind::Pointer || type->kind == types::Kind::Array)
            type = type->target;
        return type->name.empty() && type->kind != types::Kind::Void;
    }

    mutable std::unique_ptr<types::TypeTable> m_types; ///< made when first needed, as reading the kernel's takes time
    mutable types::ModuleTypes m_modules;
};
} // namespace
std::unique_ptr<probe::Provider> make_rawtp() { return std::make_unique<RawTracepoints>(); }
} // namespace dscope::providers
