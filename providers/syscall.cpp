#include "engine/host/call_numbers.h"
#include "engine/host/processor.h"
#include "engine/probe/pattern.h"
#include "engine/probe/tracefs.h"
#include "providers/syscall_table.h"
#include <algorithm>
namespace dscope::providers {
namespace {
// Where struct pt_regs keeps the arguments of a system call of 32-bit programs. Source: arch/x86/include/asm/ptrace.h.
constexpr int kCompatOffsets[] = {40, 88, 96, 104, 112, 32};

const SystemCall* find(std::string_view name)
{
    const auto* end = std::end(kSystemCalls);
    const auto* call
        = std::find_if(std::begin(kSystemCalls), end, [&](const SystemCall& c) { return c.name == name || c.tracepoint == name; });
    return call == end || !host::callNumberHere(call->number) ? nullptr : call;
}

/// Where the caller put it: 32-bit programs use other registers, of which only the lower halves count.
std::string argument(std::size_t i)
{
    const auto native = "*(uint64_t *)(raw[0] + " + std::to_string(host::kProcessor.callArguments[i]) + ")";
    if (!host::isX86()) return native;
    const auto at = [](int offset) { return "(raw[0] + " + std::to_string(offset) + ")"; };
    return "raw[" + std::to_string(probe::kHookValue) + "] ? *(uint32_t *)" + at(kCompatOffsets[i]) + " : " + native;
}

/// Every system call, by the name that manual pages and strace give it. All entries are one raw tracepoint, all returns
/// another; the number tells them apart. Those of 32-bit programs, which number them in their own way, are the same probes.
class Syscall final : public probe::Provider {
public:
    std::string_view name() const override { return "syscall"; }
    std::string_view summary() const override { return "entry to and return from every system call"; }
    std::string_view example() const override { return "syscall::openat:entry"; }

    probe::Stability stability() const override
    {
        using namespace probe;
        return {kEvolving, kPrivate, kPrivateIsa, kEvolving, kPrivateIsa};
    }

    Result<> list(const host::Host&, const probe::Pattern& wanted, const Found& found) const override
    {
        bool listed = false;
        for (const auto& call : kSystemCalls) {
            if (!host::callNumberHere(call.number) || !probe::matches(wanted.function, call.name)) continue;
            for (const auto* probe : {"entry", "return"}) {
                probe::Name name{"syscall", "vmlinux", std::string(call.name), probe};
                if (!probe::matches(wanted, name)) continue;
                listed = true;
                found(std::move(name));
            }
        }
        // The kernel's own name where it differs (newstat for stat): found when asked for.
        if (!listed && !wanted.function.empty() && find(wanted.function))
            for (const auto* probe : {"entry", "return"})
                if (probe::matches(wanted.name, probe)) found({"syscall", "vmlinux", wanted.function, probe});
        return {};
    }

    Result<probe::Description> describe(const host::Host& host, const probe::Name& probe) const override
    {
        const auto* call = find(probe.function);
        if (!call) return Error{0, "no system call " + probe.function};
        const auto number = *host::callNumberHere(call->number);
        probe::Description out;
        if (probe.name == "entry") {
            // sys_enter(struct pt_regs *regs, long number)
            out.hooks.push_back({probe::RawTracepoint{"sys_enter"}, 1, -1, number, {}});
            // argN is the register: a request that ioctl(2) takes as a long is whole, though the kernel's is an int.
            for (std::size_t i = 0; i < call->arguments.size() && !call->arguments[i].empty(); ++i)
                out.args.push_back({argument(i), std::string(call->arguments[i]), {}, true});
            out.argNames = [&host, event = "sys_enter_" + std::string(call->tracepoint.empty() ? call->name : call->tracepoint)] {
                std::vector<std::string> names;
                if (const auto fields = probe::eventFields(host, "syscalls", event))
                    for (const auto& field : *fields)
                        if (field.name != "__syscall_nr") names.push_back(field.name);
                return names;
            };
        } else {
            // sys_exit(struct pt_regs *regs, long result)
            out.hooks.push_back({probe::RawTracepoint{"sys_exit"}, 0, host::kProcessor.callNumber, number, {}});
            out.args = {{"raw[1]", "int64_t", {}}, {"raw[1]", "int64_t", {}}};
        }
        return out;
    }
};
} // namespace
std::unique_ptr<probe::Provider> make_syscall() { return std::make_unique<Syscall>(); }
} // namespace dscope::providers
