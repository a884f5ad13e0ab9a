#include "engine/session/load.h"
#include "engine/session/abilities.h"
#include "engine/session/function_info.h"
#include "engine/session/function_link.h"
#include "engine/session/refusal.h"
#include "engine/session/rights.h"
#include "engine/session/together.h"
#include "engine/session/uprobe_link.h"
#include <algorithm>
#include <atomic>
#include <bpf/bpf.h>
#include <cerrno>
#include <charconv>
#include <set>
#include <thread>
namespace dscope::session {
namespace {
using object::Code;

bpf_prog_type kernelType(object::ProgramType type)
{
    switch (type) {
    case object::ProgramType::RawTracepoint: return BPF_PROG_TYPE_RAW_TRACEPOINT;
    case object::ProgramType::Tracepoint: return BPF_PROG_TYPE_TRACEPOINT;
    case object::ProgramType::PerfEvent: return BPF_PROG_TYPE_PERF_EVENT;
    case object::ProgramType::Kprobe: return BPF_PROG_TYPE_KPROBE;
    case object::ProgramType::FunctionEntry:
    case object::ProgramType::FunctionReturn: return BPF_PROG_TYPE_TRACING;
    }
    DSCOPE_BUG("program type");
}

constexpr std::uint8_t kLoadImmediate = BPF_LD | BPF_IMM | BPF_DW, kCall = BPF_JMP | BPF_CALL;

std::vector<bpf_insn> patched(const Code& code, const Maps& maps)
{
    std::vector<bpf_insn> insns(code.slots.size());
    static_assert(sizeof(bpf_insn) == sizeof(bpf::Slot));
    std::memcpy(insns.data(), code.slots.data(), insns.size() * sizeof(bpf_insn));
    for (const auto& use : code.relocations) {
        DSCOPE_ASSERT(use.slot + 1 < insns.size() && insns[use.slot].code == kLoadImmediate);
        insns[use.slot].src_reg = use.value ? BPF_PSEUDO_MAP_VALUE : BPF_PSEUDO_MAP_FD;
        insns[use.slot].imm = maps.fd(use.map);
        insns[use.slot + 1].imm = use.value ? static_cast<std::int32_t>(use.offset) : 0;
    }
    return insns;
}

/// Where subprograms begin. `callbacks`: some are handed to helpers (bpf_loop).
struct Subprograms {
    std::set<std::uint32_t> starts{0};
    bool callbacks = false;
};
Subprograms subprograms(const std::vector<bpf_insn>& insns)
{
    Subprograms found;
    for (std::size_t i = 0; i < insns.size(); ++i) {
        const auto& insn = insns[i];
        const bool call = insn.code == kCall && insn.src_reg == BPF_PSEUDO_CALL;
        const bool address = insn.code == kLoadImmediate && insn.src_reg == BPF_PSEUDO_FUNC;
        if (call || address) found.starts.insert(static_cast<std::uint32_t>(static_cast<std::int64_t>(i) + insn.imm + 1));
        found.callbacks |= address;
        if (insn.code == kLoadImmediate) ++i;
    }
    return found;
}

std::string escaped(std::string_view text)
{
    std::string line;
    for (const char c : text.substr(0, 80))
        line += (c == '\n' || c == '\t') ? ' ' : c;
    return line;
}

/// Why the verifier refused a program. What the kernel lacks comes first, then limits; only where neither is the cause are we to blame.
Error refused(const Code& code, const record::Program& schema, const std::string& log, int status, bool wholeLog)
{
    const auto complaint = complaintOf(log);
    auto line = lineOf(code, complaint.slot, schema.source);
    if (line.empty()) line = "program " + code.name;
    const auto& found = abilities();
    for (const auto ability : neededBy(code))
        if (found.isKnown() && !found.has.has(ability)) return lacking(ability).in(line);

    const auto what = complaint.text.empty() ? std::string(std::strerror(status)) : complaint.text;
    std::string message;
    // Source: kernel/bpf/verifier.c: E2BIG and nothing else where a program is too long or has too many ways through it.
    if (status == E2BIG)
        message = line + " is too much for the kernel's verifier: " + what + "; split the program, or name fewer probes";
    else if (found.isKnown() && !found.has.has(object::Ability::Loop))
        message = "this kernel's verifier refuses " + line + ": " + what + "; kernels from Linux 5.17 on accept it";
    else
        message = "the kernel's verifier refused what dscope made of " + line + ": " + what
            + "; this is a bug of dscope, not of your program: please report it with the D text and what dscope --doctor says";
    if (wholeLog)
        message += "\n" + log;
    else
        message += " (-x debug shows the verifier's log)";
    return Error{status, std::move(message)};
}
} // namespace

namespace {
std::string told(std::string_view log)
{
    std::string text;
    while (!log.empty()) {
        const auto end = std::min(log.find('\n'), log.size());
        text += (text.empty() ? "BPF: " : "\nBPF: ") + std::string(log.substr(0, end));
        log.remove_prefix(std::min(end + 1, log.size()));
    }
    return text;
}
} // namespace

std::string lineOf(const Code& code, std::size_t slot, const std::string& source)
{
    const auto after
        = std::upper_bound(code.lines.begin(), code.lines.end(), slot, [](std::size_t s, const Code::Line& l) { return s < l.slot; });
    if (after == code.lines.begin()) return {};
    const auto at = std::prev(after)->at;
    // Only the first text's offsets are offsets into `source`; libraries and further texts have their own.
    if (at.file != 0 || at.begin >= source.size() || at.end <= at.begin) return {};
    const auto number = 1 + std::count(source.begin(), source.begin() + at.begin, '\n');
    return "line " + std::to_string(number) + " (`" + escaped(std::string_view(source).substr(at.begin, at.end - at.begin)) + "`)";
}

Complaint complaintOf(std::string_view log)
{
    // An instruction is told as "12: (85) call ...", from 6.x kernels on with register states after a ';' or alone
    // ("12: R1=ctx() R10=fp0"). The complaint is the last line that is neither that nor statistics.
    Complaint found;
    while (!log.empty()) {
        const auto end = std::min(log.find('\n'), log.size());
        const auto line = log.substr(0, end);
        log.remove_prefix(std::min(end + 1, log.size()));
        std::size_t number = 0;
        const auto [rest, error] = std::from_chars(line.data(), line.data() + line.size(), number);
        if (error == std::errc() && rest != line.data() + line.size() && *rest == ':') {
            found.slot = number;
        } else if (!line.empty() && !line.starts_with("processed ") && !line.starts_with("verification time")
            && !line.starts_with("stack depth")) {
            found.text = line;
        }
    }
    return found;
}

namespace {
/// Says at what the program will be attached. A link to many places is refused where the program was loaded for other
/// places, and a tail call where its parts were loaded for others than itself.
void expectPlaces(const Code& code, bpf_prog_load_opts& options)
{
    const auto* first = code.attach.empty() ? nullptr : &code.attach.front();
    if (!first) return;

    if (std::holds_alternative<probe::Uprobe>(*first)) {
        // Kernels before 6.6 do not look at this; attaching then takes another way.
        options.expected_attach_type = static_cast<bpf_attach_type>(kTraceUprobeMulti);
    } else if (const auto* function = std::get_if<probe::KernelFunction>(first)) {
        if (kernelType(code.type) == BPF_PROG_TYPE_TRACING) {
            options.expected_attach_type = function->atReturn ? BPF_TRACE_FEXIT : BPF_TRACE_FENTRY;
            options.attach_btf_id = function->btf;
        } else if (linksFunctions()) {
            options.expected_attach_type = BPF_TRACE_KPROBE_MULTI;
        }
    }
}

Result<Fd> loadAlone(const Code& code, const Maps& maps, const record::Program& schema, VerifierLog& wanted)
{
    const auto insns = patched(code, maps);
    const auto subs = subprograms(insns);
    bpf_prog_load_opts options{};
    options.sz = sizeof options;
    expectPlaces(code, options);
    FunctionInfo info;
    if (subs.callbacks) {
        DSCOPE_TRY(info, functionInfo(subs.starts));
        options.prog_btf_fd = static_cast<std::uint32_t>(info.btf.get());
        options.func_info = info.entries.data();
        options.func_info_cnt = static_cast<std::uint32_t>(info.entries.size());
        options.func_info_rec_size = sizeof(bpf_func_info);
    }

    const auto attempt
        = [&] { return Fd(bpf_prog_load(kernelType(code.type), code.name.c_str(), "GPL", insns.data(), insns.size(), &options)); };
    std::string log;
    if (wanted.always) {
        log.resize(std::clamp<std::uint64_t>(wanted.size, 4096, UINT32_MAX >> 2U));
        options.log_buf = log.data();
        options.log_size = static_cast<std::uint32_t>(log.size());
        options.log_level = 1;
    }

    if (Fd fd = attempt()) {
        wanted.text += told(log.c_str());
        return fd;
    }

    const int status = errno;
    // What the verifier has no say in. A descriptor is asked for once it has agreed.
    if (status == EPERM || status == ENOMEM || status == EMFILE || status == ENFILE) return refusal("loading the program", status);
    log.assign(8U << 20U, '\0');
    options.log_buf = log.data();
    options.log_size = static_cast<std::uint32_t>(log.size());
    options.log_level = 1;
    if (Fd fd = attempt()) return fd;
    log.resize(::strnlen(log.data(), log.size()));

    // Source: kernel/trace/bpf_trace.c: there is no such helper without CAP_SYS_ADMIN, or when LOCKDOWN_BPF_WRITE_USER is locked down.
    const bool writesUser = complaintOf(log).text.find("bpf_probe_write_user") != std::string::npos;
    if (writesUser && !rights().admin)
        return Error{EPERM,
            "copyout() and copyoutstr() write to a process's memory, for which the kernel asks for CAP_SYS_ADMIN: the window's helper "
            "gives that up, sudo dscope -w in a terminal has it"};
    if (writesUser)
        return Error{EPERM,
            "copyout() and copyoutstr() write to a process's memory, which this kernel forbids (lockdown, see kernel_lockdown(7)); "
            "do that in the process itself, or on a kernel that is not locked down"};
    return refused(code, schema, log, status, wanted.inErrors || wanted.always);
}
} // namespace

Result<std::vector<Fd>> load(std::span<const Code> programs, const Maps& maps, const record::Program& schema, VerifierLog& log)
{
    struct Job {
        const Code* code;
        VerifierLog log;
        Result<Fd> loaded = Fd();
    };

    std::vector<Job> jobs;
    std::size_t slots = 0;
    const auto add = [&](const Code& code) {
        slots += code.slots.size();
        jobs.push_back({&code, {log.inErrors, log.always, log.size, {}}});
    };

    for (const auto& program : programs) {
        add(program);
        for (const auto& part : program.parts)
            add(part);
    }

    // In their order: where one is refused, those before it have been tried.
    std::atomic<std::size_t> next = 0;
    const auto work = [&] {
        for (std::size_t i; (i = next++) < jobs.size();)
            if (auto& job = jobs[i]; !(job.loaded = loadAlone(*job.code, maps, schema, job.log))) next = jobs.size();
    };

    constexpr std::size_t kMostThreads = 8, kSlotsWorthAThread = 2000;
    const std::size_t cpus = std::max(1U, std::thread::hardware_concurrency());
    together(std::min({jobs.size(), cpus, kMostThreads, slots / kSlotsWorthAThread}), work);
    std::vector<Fd> loaded;
    auto job = jobs.begin();
    for (const auto& program : programs) {
        DSCOPE_TRY(loaded.emplace_back(), std::move(job->loaded));
        log.text += job++->log.text;
        for (std::uint32_t i = 1; i <= program.parts.size(); ++i) {
            DSCOPE_TRY(const Fd part, std::move(job->loaded));
            log.text += job++->log.text;
            DSCOPE_CHECK(maps.setProgram(program.partsMap, i, part.get()));
        }
    }
    return loaded;
}
} // namespace dscope::session
