#include "engine/host/lockdown.h"
#include "engine/probe/pattern.h"
#include "engine/probe/tracefs.h"
#include "engine/types/type_table.h"
#include <algorithm>
namespace dscope::providers {
namespace {
/// The same tracepoints as rawtp's. Their arguments are the fields of the event's record, as tracefs' format files name them. A
/// program that asks for no argument is attached to the raw tracepoint, because only the slow kind makes the record.
class Sdt final : public probe::Provider {
public:
    std::string_view name() const override { return "sdt"; }
    std::string_view summary() const override { return "the kernel's static events, with the fields that they record"; }
    std::string_view example() const override { return "sdt:sched::sched_switch"; }

    probe::Stability stability() const override
    {
        using namespace probe;
        return {kEvolvingIsa, kPrivate, kPrivate, kPrivateIsa, kPrivateIsa};
    }
    bool isLarge() const override { return true; }

    Result<> list(const host::Host& host, const probe::Pattern& wanted, const Found& found) const override
    {
        for (auto& event : probe::events(host)) {
            // Events without a tracepoint (system calls, kprobes' and ftrace's own) are other providers' affair.
            if (!host.hasTracepoint(event.name)) continue;
            probe::Name name{"sdt", std::move(event.subsystem), "", std::move(event.name)};
            if (probe::matches(wanted, name)) found(std::move(name));
        }
        return {};
    }

    /// Without tracefs nobody knows which there are.
    void unavailable(
        const host::Host& host, const probe::Pattern& wanted, const std::function<void(probe::Unavailable)>& found) const override
    {
        const auto events = host.read("/sys/kernel/tracing/available_events");
        if (events) return;
        const auto lockdown = host::whyLockdownHidesTracefs(host);
        const auto or_ = [](const std::string& part) { return part.empty() ? std::string("*") : part; };
        const probe::Name all{"sdt", or_(wanted.module), "", or_(wanted.name)};
        if (lockdown.empty() && (events.error().code == EACCES || events.error().code == EPERM))
            return found({all, "the kernel lists them in tracefs, which only root and who has CAP_DAC_READ_SEARCH may read", {}, true});
        found({all,
            !lockdown.empty() ? lockdown
                              : "the kernel lists them in tracefs, which only root and who has CAP_DAC_READ_SEARCH may read, and root has "
                                "to mount for them: mount -t tracefs tracefs /sys/kernel/tracing",
            {}});
    }

    Result<probe::Description> describe(const host::Host& host, const probe::Name& probe) const override
    {
        DSCOPE_TRY(const auto fields, probe::eventFields(host, probe.module, probe.name));
        probe::Description out;
        out.hooks.push_back({probe::RawTracepoint{probe.name}, -1, -1, 0, {}});
        out.hooksWithArguments.push_back({probe::Tracepoint{probe.module, probe.name}, -1, -1, 0, {}});
        for (const auto& field : fields)
            out.args.push_back(argument(host, field));
        out.argNames = [fields = fields] {
            std::vector<std::string> names;
            for (const auto& field : fields)
                names.push_back(field.name);
            return names;
        };
        return out;
    }

private:
    /// Where the 32-bit word of a __data_loc says the data is: from the record's start, in its lower half.
    static std::string located(const probe::EventField& field)
    {
        const auto at = std::to_string(field.offset);
        const auto from = "(*(uint32_t *)(raw[0] + " + at + ") & 0xffff)";
        if (field.type.starts_with("__rel_loc")) return "(raw[0] + " + std::to_string(field.offset + 4) + " + " + from + ")";
        return "(raw[0] + " + from + ")";
    }

    probe::Arg argument(const host::Host& host, const probe::EventField& field) const
    {
        const bool isLocated = field.type.starts_with("__data_loc") || field.type.starts_with("__rel_loc");
        const auto place = isLocated ? located(field) : "(raw[0] + " + std::to_string(field.offset) + ")";
        if (const auto bracket = field.type.find('['); bracket != std::string::npos) {
            auto element = field.type.substr(isLocated ? field.type.find(' ') + 1 : 0, std::string::npos);
            element.resize(element.find('['));
            if (element == "char") return {"stringof((char *)" + place + ")", "string", {}};
            const auto known = knownType(host, element);
            return {place, (known.empty() ? "uint8_t" : known) + " *", {}};
        }
        const auto known = knownType(host, field.type);
        const auto plain = (field.isSigned ? "int" : "uint") + std::to_string(8 * field.size) + "_t";
        const bool isScalar = field.size == 1 || field.size == 2 || field.size == 4 || field.size == 8;
        if (!isScalar) return {place, (known.empty() ? "void" : known) + " *", {}};
        return {"*(" + (known.empty() ? plain : known) + " *)" + place, known.empty() ? plain : known, {}};
    }

    /// The type without what D has no word for; empty when nobody knows it.
    std::string knownType(const host::Host& host, std::string text) const
    {
        for (const std::string_view word : {"const ", "volatile "})
            for (auto at = text.find(word); at != std::string::npos; at = text.find(word))
                text.erase(at, word.size());
        auto base = text.substr(0, text.find_last_not_of(" *") + 1);
        if (!m_types) m_types = std::make_unique<types::TypeTable>(host);
        return base == "void" || m_types->find(base) ? text : std::string();
    }

    mutable std::unique_ptr<types::TypeTable> m_types;
};
} // namespace
std::unique_ptr<probe::Provider> make_sdt() { return std::make_unique<Sdt>(); }
} // namespace dscope::providers
