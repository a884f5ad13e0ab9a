#include "engine/host/processor.h"
#include "engine/probe/pattern.h"
#include "engine/types/prototype.h"
#include "providers/kernel_functions.h"
#include <algorithm>
#include <optional>
#include <unordered_map>
/// Entry to and return from every function of the kernel and its modules that can be traced.
namespace dscope::providers {
namespace {
constexpr const char* kTraceable = "/sys/kernel/tracing/available_filter_functions";
constexpr auto kRegisters = static_cast<std::size_t>(host::kProcessor.registers);
constexpr std::string_view kKernel = "vmlinux";

struct Function {
    std::string name, module;
    bool ambiguous = false; ///< several functions of this name: no program can be put at one of them by its type
};
std::string_view takeLine(std::string_view& text)
{
    const auto end = std::min(text.find('\n'), text.size());
    const auto line = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    return line;
}

class KernelFunctions final : public probe::Provider {
public:
    explicit KernelFunctions(By by) : m_by(by) { }
    std::string_view name() const override { return m_by == By::Kprobes ? "rawfbt" : "fbt"; }

    std::string_view summary() const override
    {
        return m_by == By::Kprobes ? "fbt by kprobes alone, whose arguments are plain words: what return() needs"
                                   : "entry to and return from kernel functions";
    }
    bool isLarge() const override { return true; }
    std::string_view example() const override { return m_by == By::Kprobes ? "rawfbt::vfs_read:entry" : "fbt::vfs_read:entry"; }

    probe::Stability stability() const override
    {
        using namespace probe;
        return {kEvolving, kPrivate, kPrivateIsa, kEvolving, kPrivateIsa};
    }

    Result<> list(const host::Host& host, const probe::Pattern& wanted, const Found& found) const override
    {
        if (!wanted.name.empty() && !probe::matches(wanted.name, "entry") && !probe::matches(wanted.name, "return")) return {};
        for (const auto& f : functions(host)) {
            if (!probe::matches(wanted.function, f.name) || !probe::matches(wanted.module, f.module)) continue;
            for (const auto* at : {"entry", "return"})
                if (probe::matches(wanted.name, at)) found({std::string(name()), f.module, f.name, at});
        }
        return {};
    }

    Result<probe::Description> describe(const host::Host& host, const probe::Name& probe) const override
    {
        const auto& all = functions(host);
        const auto known = m_byName.find(probe.module + '`' + probe.function);
        if (known == m_byName.end()) return Error{0, "no kernel function " + probe.module + "`" + probe.function};
        const bool atReturn = probe.name == "return";
        probe::KernelFunction place{probe.function, probe.module, atReturn};
        const auto prototype = m_by == By::Kprobes ? std::nullopt : prototypeOf(host, all[known->second]);
        if (prototype && prototype->plain && !all[known->second].ambiguous && probe.module == kKernel && direct(host, prototype->id)) {
            place.btf = prototype->id;
            place.parameters = static_cast<std::uint32_t>(prototype->parameters.size());
        }

        probe::Description out;
        out.hooks.push_back({place});
        out.takesResult = m_by == By::Kprobes; // Source: kernel/trace/bpf_trace.c, kprobe_prog_func_proto()
        if (atReturn) {
            // The kernel does not tell where a function returns from: the offset that D gives as arg0 is not known.
            out.args.push_back({"(int64_t)-1", "int64_t", {}});
            if (!prototype)
                out.args.push_back({"raw[0]", "uint64_t", {}});
            else if (prototype->result != "void")
                out.args.push_back({"raw[0]", prototype->result, {}});
            return out;
        }

        if (prototype) out.argNames = [names = prototype->names] { return names; };
        const auto count = prototype ? prototype->parameters.size() : kRegisters;
        for (std::size_t i = 0; i < count; ++i) {
            const auto n = std::to_string(i);
            // Behind the registers on the stack, above the return address. Source: System V ABI, AMD64 supplement, 3.2.3.
            auto value = "raw[" + n + "]";
            if (i >= kRegisters) {
                const auto behind = static_cast<std::size_t>(host::kProcessor.onStack) + 8 * (i - kRegisters);
                value = "*(uint64_t *)(raw[" + std::to_string(kRegisters) + "] + " + std::to_string(behind) + ")";
            }
            out.args.push_back({std::move(value), prototype ? prototype->parameters[i] : "uint64_t", {}});
        }
        return out;
    }

    void unavailable(
        const host::Host& host, const probe::Pattern& wanted, const std::function<void(probe::Unavailable)>& found) const override
    {
        const auto why = whyNot(host);
        if (why.empty()) return;
        const auto or_ = [](const std::string& part, std::string_view otherwise) { return part.empty() ? std::string(otherwise) : part; };
        for (const auto* at : {"entry", "return"})
            if (probe::matches(wanted.name, at))
                found({{std::string(name()), or_(wanted.module, kKernel), or_(wanted.function, "*"), at}, why, {}});
    }

private:
    /// Nothing where the kernel lets its functions be probed.
    const std::string& whyNot(const host::Host& host) const
    {
        if (m_why) return *m_why;
        if (host.read("/sys/bus/event_source/devices/kprobe/type")) return m_why.emplace();
        if (m_by == By::Kprobes)
            return m_why.emplace("this kernel is built without kprobes; Debian's stock kernel (linux-image-amd64) has them");
        const auto any = kernel(host) ? types::prototypeOf(*m_kernel, "schedule") : std::nullopt;
        const auto tried = any ? host.takesFunctionPrograms(any->id) : Result<>(Error{0, "its types are not known"});
        if (tried && host.read(kTraceable)) return m_why.emplace();
        m_kernel.reset(); // nobody asks for its functions then
        m_kernelRead = false;
        return m_why.emplace("this kernel is built without kprobes, and refuses programs at the entry of its functions ("
            + (tried ? "it does not list them" : tried.error().message) + "); Debian's stock kernel (linux-image-amd64) allows both");
    }

    const std::vector<Function>& functions(const host::Host& host) const
    {
        if (m_listed) return m_functions;
        m_listed = true;
        if (!whyNot(host).empty()) return m_functions;
        if (const auto text = host.read(kTraceable))
            fromTracefs(*text);
        else if (const auto symbols = host.read("/proc/kallsyms"))
            fromSymbols(*symbols);
        return m_functions;
    }

    void add(std::string_view name, std::string_view module) const
    {
        auto [at, isNew] = m_byName.try_emplace(std::string(module) + '`' + std::string(name), m_functions.size());
        if (isNew)
            m_functions.push_back({std::string(name), std::string(module)});
        else
            m_functions[at->second].ambiguous = true;
    }

    /// "vfs_read" or "ext4_sync_fs [ext4]" a line.
    void fromTracefs(std::string_view text) const
    {
        while (!text.empty()) {
            const auto line = takeLine(text);
            const auto blank = std::min(line.find(' '), line.size());
            const auto open = line.find('['), close = line.find(']');
            const auto name = line.substr(0, blank);
            // Places without a symbol of their own.
            if (name.empty() || name.starts_with("__ftrace_invalid_address")) continue;
            add(name, open < close && close != line.npos ? line.substr(open + 1, close - open - 1) : kKernel);
        }
    }

    /// Where tracefs cannot be read: all there are; the kernel says when attaching which of them it cannot probe.
    void fromSymbols(std::string_view text) const
    {
        while (!text.empty()) {
            const auto line = takeLine(text);
            const auto blank = line.find(' ');
            if (blank == line.npos || line.size() < blank + 4) continue;
            const char type = line[blank + 1];
            if (type != 't' && type != 'T') continue;
            const auto rest = line.substr(blank + 3);
            const auto tab = std::min(rest.find('\t'), rest.size());
            const auto name = rest.substr(0, tab);
            if (name.starts_with("__pfx_") || name.starts_with("__cfi_") || name.starts_with("bpf_prog_")) continue;
            add(name, tab < rest.size() ? rest.substr(tab + 2, rest.size() - tab - 3) : kKernel);
        }
    }

    /// The kernel's own types; read once.
    bool kernel(const host::Host& host) const
    {
        if (m_kernelRead) return m_kernel.has_value();
        m_kernelRead = true;
        auto bytes = host.kernelTypes();
        if (!bytes) return false;
        if (auto btf = types::Btf::parse(*std::move(bytes))) m_kernel = *std::move(btf);
        return m_kernel.has_value();
    }

    std::optional<types::Prototype> prototypeOf(const host::Host& host, const Function& f) const
    {
        // What the compiler made of a function (foo.isra.0) has lost parameters that its type still has.
        if (!kernel(host) || f.name.find('.') != f.name.npos) return std::nullopt;
        if (f.module == kKernel) return types::prototypeOf(*m_kernel, f.name);
        const auto* own = m_modules.of(host, f.module);
        return own ? types::prototypeOf(*own, f.name, m_kernel->count()) : std::nullopt;
    }

    bool direct(const host::Host& host, std::uint32_t id) const
    {
        if (!m_direct) m_direct = host.takesFunctionPrograms(id).operator bool();
        return *m_direct;
    }

    const By m_by;
    // A provider is asked again and again by one program; the kernel stays what it is.
    mutable std::optional<std::string> m_why;
    mutable bool m_listed = false, m_kernelRead = false;
    mutable std::optional<bool> m_direct;
    mutable std::vector<Function> m_functions;
    mutable std::unordered_map<std::string, std::size_t> m_byName; ///< "module`function" -> index
    mutable std::optional<types::Btf> m_kernel;
    mutable types::ModuleTypes m_modules;
};
} // namespace
std::unique_ptr<probe::Provider> kernelFunctions(By by) { return std::make_unique<KernelFunctions>(by); }
std::unique_ptr<probe::Provider> make_fbt() { return kernelFunctions(By::TheBest); }
} // namespace dscope::providers
